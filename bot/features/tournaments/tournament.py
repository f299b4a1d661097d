"""One tournament, as the bot has it in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

import msgspec

from bot.core.errors import Refused
from bot.core.unit import Unit
from bot.features.tournaments import rows as store
from bot.features.tournaments.rows import Entrant, MatchPlace, StoredMatch, StoredTournament, TournamentState
from bot.store.database import Database
from bot.store.games import OPEN_PHASES
from bot.store.terms import GOING_ON, Notice
from bot.table.ports import DiscordFailure
from engine.brackets import Bracket


class Tournament(Unit):
    """One tournament: as it is stored, and what the bot does about it."""

    __slots__ = ("_on_doubt", "acted", "eager", "state", "troubles", "wall", "ways")

    def __init__(
        self,
        database: Database,
        state: TournamentState,
        on_doubt: Callable[[Tournament], None] = lambda _tournament: None,
        wall: Callable[[int], int] = lambda at: at,
    ) -> None:
        """`on_doubt` is called when nobody can tell whether a change was stored; `wall` turns table time into
        the time of the clock, both in milliseconds."""
        super().__init__(database)
        self._on_doubt = on_doubt
        self.wall = wall
        self.state = state
        self.acted = False
        """Whether a person has acted since its last progress."""
        self.eager = False
        """Whether held matches are to be tried again in its next progress."""
        self.troubles: dict[str, DiscordFailure] = {}
        """What people must mend before the table of a match can be opened, by match."""
        self.ways: dict[str, MatchPlace] = {}
        """Where the tables of the matches stand that go on, by match."""

    def __str__(self) -> str:
        return f"tournament {self.id}"

    @property
    def stored(self) -> StoredTournament:
        """The row."""
        return self.state.stored

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Who takes part, in the order of joining."""
        return self.state.entrants

    @property
    def id(self) -> int:
        """The tournament's number."""
        return self.stored.id

    @property
    def bracket(self) -> Bracket | None:
        """The bracket, or None before the start."""
        return self.state.bracket

    @property
    def held(self) -> list[StoredMatch]:
        """The matches that wait for someone to fix what keeps them from being opened."""
        return [match for key in self.troubles if (match := self.state.matches.get(key)) is not None]

    def name_of(self, player: str) -> str:
        """The name of a player of the bracket."""
        return next((e.name for e in self.entrants if str(e.user_id) == player), player)

    async def set_message(self, message_id: int) -> None:
        """Remember where it is shown.

        Raises:
            StoreError: as for `change`.
        """

        def work(state: TournamentState) -> None:
            old, terms = state.stored.message_id, state.stored.terms
            if old is not None and old != message_id and not terms.first:
                state.stored.terms = msgspec.structs.replace(terms, first=old)
            state.stored.message_id = message_id

        await self.change(work, acted_at=None, seen=False)

    async def mark_shown(self, revision: int) -> None:
        """Remember which revision its message shows.

        Raises:
            StoreError: as for `change`.
        """

        def work(state: TournamentState) -> None:
            state.stored.shown = revision

        await self.change(work, acted_at=None, seen=False)

    async def call_off(self, why: str | None, at: int) -> None:
        """Call it off at this time, in milliseconds; the tables of its matches are to close.

        `why` is the key of the words where people did not.

        Raises:
            Refused: it is over.
            StoreError: as for `change`.
        """

        def work(state: TournamentState) -> None:
            if state.stored.phase not in GOING_ON:
                raise Refused("tournament_over")
            state.stored.phase, state.stored.why = "cancelled", why
            state.stored.ended_at = at
            state.matches = to_close(state.matches, set(state.matches))

        await self.change(work, acted_at=at, seen=True)

    async def find_ways(self) -> None:
        """Look up where the tables of its matches stand.

        Raises:
            StoreError: the database did not answer.
        """
        tables = {m.game_id: key for key, m in self.state.matches.items() if m.step == "stands" and m.game_id}
        found: list[MatchPlace] = []
        if tables:
            ids = list(tables)
            found = await self._database.read_at_once(lambda connection: store.places(connection, ids))
        self.ways = {tables[where.game_id]: where for where in found if where.phase in OPEN_PHASES}

    async def change(
        self, work: Callable[[TournamentState], None], *, acted_at: int | None, seen: bool
    ) -> None:
        """Change the tournament: `work` changes a copy, which is stored, and only then is it true.

        `acted_at`: when somebody has done something, in milliseconds; None where nobody has. Not `seen`:
        it is nothing that its message shows.

        Raises:
            StoreError: it could not be stored, so it did not happen; or `unknown`, where nobody can tell.
        """
        try:
            await self._change(self._changed(work, acted_at, seen))
        finally:
            if self.in_doubt:
                self._on_doubt(self)

    async def read_again(self) -> None:
        """See `Unit.read_again`; what is in doubt is asked again until somebody can tell."""
        try:
            await super().read_again()
        finally:
            if self.in_doubt:
                self._on_doubt(self)

    async def clear_doubt(self) -> None:
        """Find out whether the last change was stored, where nobody could say: every change begins so.

        Raises:
            StoreError: `unknown`, nobody can tell yet.
        """
        await self._change(_nothing())

    async def _changed(
        self, work: Callable[[TournamentState], None], acted_at: int | None, seen: bool
    ) -> None:
        before, after = self.state, self.state.copy()
        work(after)
        if after == before:
            return
        if acted_at is not None:
            after.stored.acted_at = acted_at
        after.stored.revision += seen
        if await self._commit(lambda c: store.save(c, before, after), lambda: self.state == after):
            self.state = after

    async def _read_again(self) -> None:
        found = await self._database.write_at_once(lambda c: store.read(c, self.id, lock=True))
        if found is not None:
            self.state = found


async def _nothing() -> None:
    """A change that changes nothing."""


class LoadedTournaments:
    """All tournaments in memory. Those of one server are found without a look at any other: each key that
    someone types and each thread that Discord changes asks for them."""

    def __init__(self) -> None:
        self._by_id: dict[int, Tournament] = {}
        self._by_server: defaultdict[int, dict[int, Tournament]] = defaultdict(dict)

    def add(self, tournament: Tournament) -> Tournament:
        """Return the tournament of this number, which is this one unless there is one already."""
        known = self._by_id.setdefault(tournament.id, tournament)
        self._by_server[known.stored.guild_id][known.id] = known
        return known

    def drop(self, tournament: Tournament) -> None:
        """Remove a tournament, if it is there."""
        self._by_id.pop(tournament.id, None)
        others = self._by_server[tournament.stored.guild_id]
        others.pop(tournament.id, None)
        if not others:
            del self._by_server[tournament.stored.guild_id]

    def get(self, tournament_id: int) -> Tournament | None:
        """Return a tournament by its number, if it is there."""
        return self._by_id.get(tournament_id)

    def of_server(self, guild_id: int) -> list[Tournament]:
        """Return the tournaments of a server."""
        return list(self._by_server[guild_id].values()) if guild_id in self._by_server else []

    def all(self) -> list[Tournament]:
        """Return the tournaments of all servers."""
        return list(self._by_id.values())


def to_close(matches: Mapping[str, StoredMatch], decided: set[str]) -> dict[str, StoredMatch]:
    """The matches with those that are decided to be closed; one that has no table yet is gone at once."""
    found = {}
    for key, match in matches.items():
        if key not in decided:
            found[key] = match
        elif match.game_id is not None:
            found[key] = msgspec.structs.replace(match, step="close")
    return found


def add_notice(state: TournamentState, notice: Notice) -> None:
    """Note that something is to be announced."""
    terms = state.stored.terms
    notice = msgspec.structs.replace(notice, at=state.stored.revision)
    state.stored.terms = msgspec.structs.replace(terms, notices=(*terms.notices, notice))


def go_to(state: TournamentState, bracket: Bracket, now: int, played: str = "") -> None:
    """Make this the bracket: tables of matches that are decided or have other players are to close, and new
    matches are due. `played` is the match that was just reported."""
    before = {match.key: set(match.players) for match in state.bracket.matches()} if state.bracket else {}
    state.stored.bracket = msgspec.json.decode(msgspec.json.encode(bracket))
    ready = {match.key for match in bracket.ready()}
    repaired = {m.key for m in bracket.ready() if before.get(m.key, set(m.players)) != set(m.players)}
    decided = {*state.matches} - ready
    if played in state.matches and state.matches[played].game_id is not None:
        decided.add(played)  # a drawn match is ready again, and its table has served all the same
    state.matches = to_close(state.matches, decided)
    for key in repaired.intersection(state.matches):
        # the thread is named after the players, so the right table gets a new one
        match = msgspec.structs.replace(state.matches[key], step="close", thread_id=None)
        state.matches[key] = match if match.game_id is not None else StoredMatch()
    state.matches |= {key: StoredMatch() for key in sorted(ready) if key not in state.matches}
    terms = state.stored.terms
    hurried = {key: n for key, n in terms.hurried.items() if key in ready - repaired and key != played}
    if hurried != terms.hurried:
        state.stored.terms = msgspec.structs.replace(terms, hurried=hurried)
    if bracket.champion:
        state.stored.phase, state.stored.ended_at = "over", now
        state.stored.terms = msgspec.structs.replace(state.stored.terms, untold=True)


def running_bracket(state: TournamentState) -> Bracket:
    """Return the bracket of a running tournament.

    Raises:
        Refused: it has not started, or it is over.
    """
    must_be(state, "running")
    if state.bracket is None:
        raise Refused("tournament_not_running")
    return state.bracket


def taking_part(state: TournamentState) -> list[int]:
    """Return who takes part in an open or running tournament and has not withdrawn."""
    if state.stored.phase not in GOING_ON:
        return []
    gone = state.bracket.withdrawn if state.bracket is not None else frozenset()
    return [e.user_id for e in state.entrants if str(e.user_id) not in gone]


def players_due(tournament: Tournament) -> set[str]:
    """Return the players of matches that nobody has tried to open yet."""
    matches, bracket = tournament.state.matches, tournament.bracket
    if bracket is None or tournament.stored.phase != "running":
        return set()
    fresh = {key for key, match in matches.items() if match.step == "due" and not match.tries}
    return {player for match in bracket.ready() if match.key in fresh for player in match.players}


def must_be(state: TournamentState, phase: str) -> None:
    """Return if the tournament is in this phase.

    Raises:
        Refused: it is in another one.
    """
    if state.stored.phase != phase:
        raise Refused(
            {"open": "tournament_not_running", "running": "tournament_running"}.get(
                state.stored.phase, "tournament_over"
            )
        )
