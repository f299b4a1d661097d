"""Tournaments: who takes part, which match is next, and what its table told."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import NamedTuple

import structlog
from msgspec.structs import replace
from sqlalchemy import Connection
from typing_extensions import override

from bot.core.clock import Clock
from bot.core.errors import Refused, Titles
from bot.core.scheduler import Handler
from bot.core.service import Service
from bot.core.unit import find_out, make
from bot.features.tournaments import rows as store
from bot.features.tournaments.absences import Absences, matches_held
from bot.features.tournaments.ages import call_off_old
from bot.features.tournaments.corrections import Corrections, shorten_clock
from bot.features.tournaments.entries import enter, is_back, leave, withdraw
from bot.features.tournaments.lost_places import LostPlaces
from bot.features.tournaments.matches import MatchTables
from bot.features.tournaments.rows import Entrant, StoredTournament, TournamentState
from bot.features.tournaments.seeding import ratings_of, seeds_of
from bot.features.tournaments.stage import TournamentStage
from bot.features.tournaments.table_results import note_result
from bot.features.tournaments.tournament import (
    LoadedTournaments,
    Tournament,
    go_to,
    must_be,
    taking_part,
)
from bot.store.database import Database, StoreError
from bot.store.days import DAY_MS
from bot.store.games import OPEN_PHASES
from bot.store.personal_data.forgetting import Forgotten
from bot.store.personal_data.privacy import is_nobody
from bot.store.terms import GOING_ON, TournamentTerms
from bot.table.ports import DiscordFailure
from bot.table.registry import Tables
from bot.table.table import Table
from engine import brackets, catalog
from engine.brackets import Bracket, BracketError
from engine.game import Value

log = structlog.get_logger(__name__)

SHOWN_SECONDS, TELL_SECONDS = 3.0, 60.0
"""Pauses before the winner is announced: until the message shows the result, and while Discord is away."""
IN_SERVER, OF_PERSON = 5, 2
"""How many tournaments may go on in a server, and how many one person may organise, unless told otherwise."""
SHOW_DAYS = 7
"""For so long is tried, start after start, to show how a tournament ended."""
PROGRESS, RETURN, RESULT, DOUBT, WITHDRAWALS = "progress", "return", "result", "doubt", "withdrawals"
"""Kinds of jobs. Each belongs to a tournament, and a result to one of its tables as well."""


class MatchTable(NamedTuple):
    """A table of a tournament that is over or closed."""

    tournament: Tournament
    table: Table

    def __str__(self) -> str:
        return f"{self.tournament} at table {self.table.id}"


class Tournaments(Service):
    """All tournaments that are open or running."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        tables: Tables,
        stage: TournamentStage,
        *,
        in_server: int = IN_SERVER,
        of_person: int = OF_PERSON,
    ) -> None:
        self._database = database
        self._clock = clock
        self._tables = tables
        self._stage = stage
        self._in_server, self._of_person = in_server, of_person
        self._tournaments = LoadedTournaments()
        self._creating = asyncio.Lock()
        self._match_tables = MatchTables(database, clock, tables, stage, self._change)
        self._absences = Absences(tables.lease_holder, stage, self._change, clock)
        self.corrections = Corrections(database, clock, stage, self._change)
        self._lost_places = LostPlaces(stage, self._change, self._proceed)
        self.due: dict[str, Handler] = {
            PROGRESS: self._go_on,
            RETURN: self._bring_back,
            RESULT: self._note,
            DOUBT: self._clear_doubt,
            WITHDRAWALS: self._withdraw_deleted,
        }
        tables.runtime.ended.append(self._table_ended)
        stage.moved.append(self._table_moved)

    # -- opening ------------------------------------------------------------------------------

    @override
    async def open(self) -> None:
        """Bring every tournament back, and open the matches that were about to be opened."""
        since = self._clock.now() - SHOW_DAYS * DAY_MS
        shards = self._tables.lease_holder.shards
        found = await self._database.read_at_once(lambda c: store.to_bring_back(c, since, shards))
        for state in found:
            self._tables.runtime.scheduler.add(RETURN, self._tournaments.add(self._tournament(state)))

    @override
    async def hourly(self) -> None:
        """Call off tournaments that have stood still for too long."""
        await call_off_old(self._tournaments.all(), self._database, self._clock, self.cancel)

    @override
    async def drain(self) -> None:
        """Wait for the changes that are under way."""
        for tournament in self._tournaments.all():
            await tournament.drain()

    async def _bring_back(self, tournament: Tournament) -> None:
        """Note what was decided just before the bot stopped, then continue the tournament."""
        matches = tournament.state.matches
        games = {match.game_id: key for key, match in matches.items() if match.game_id is not None}
        if games:
            ids = list(games)
            found = await self._database.read_at_once(lambda connection: store.places(connection, ids))
            for where in found:
                if where.phase not in OPEN_PHASES:
                    await self._note_end(tournament, where.game_id)
        if tournament.bracket is not None:
            # a long league takes half a second to play through; from then on it goes on report by report
            await asyncio.to_thread(tournament.bracket.ready)
        try:
            await self._align(tournament)
        except StoreError as trouble:
            log.warning("matches not looked through", tournament=tournament.id, kind=trouble.kind)
        if any(map(is_nobody, taking_part(tournament.state))):  # deleted while this process was away
            self._tables.runtime.scheduler.trigger(WITHDRAWALS, tournament)
        self._proceed(tournament, eager=True)
        await tournament.find_ways()
        if tournament.ways:  # one of them may have moved just before the bot stopped
            self._stage.ways_changed(tournament)

    async def _align(self, tournament: Tournament) -> None:
        """See to it that every match that is to be played has its row, and no other: those of a database
        from before there were such rows may not."""

        def work(state: TournamentState) -> None:
            if state.stored.phase == "running" and state.bracket is not None:
                self._go_to(state, state.bracket)

        await self._change(tournament, work, seen=False)

    async def _note_end(self, tournament: Tournament, game_id: int) -> None:
        """Note the end of a table that nobody has heard yet."""
        try:
            table = await self._tables.get(game_id)
        except (Refused, StoreError) as found:
            log.warning("end of a match not read", tournament=tournament.id, table=game_id, why=str(found))
        else:
            self._tables.runtime.scheduler.trigger(RESULT, MatchTable(tournament, table))

    def get(self, tournament_id: int) -> Tournament:
        """A tournament by its number.

        Raises:
            Refused: there is none, or it is over.
        """
        tournament = self._tournaments.get(tournament_id)
        if tournament is None or tournament.stored.phase not in GOING_ON:
            raise Refused("no_tournament", tournament=tournament_id)
        return tournament

    async def look(self, tournament_id: int) -> Tournament:
        """A tournament to be looked at, also one that is over.

        Raises:
            Refused: there was none of this number.
            StoreError: it could not be read.
        """
        known = self._tournaments.get(tournament_id)
        if known is not None:
            return known
        state = await self._database.read_at_once(lambda connection: store.read(connection, tournament_id))
        if state is None:
            raise Refused("no_tournament", tournament=tournament_id)
        if (bracket := state.bracket) is not None:
            await asyncio.to_thread(bracket.ready)  # see `_bring_back`
        return self._tournament(state)

    async def recent(self, guild_id: int) -> list[Tournament]:
        """The tournaments of a server whose results can still be changed, newest first.

        Raises:
            StoreError: they could not be read.
        """
        since, going_on = self._clock.now() - DAY_MS, self.of_guild(guild_id)
        ended = await self._database.read_at_once(lambda c: store.ended(c, guild_id, since))
        return [t for t in going_on if t.stored.phase == "running"] + [await self.look(at) for at in ended]

    def of_guild(self, guild_id: int) -> list[Tournament]:
        """The tournaments of a server that go on, newest first."""
        going_on = (
            found for found in self._tournaments.of_server(guild_id) if found.stored.phase in GOING_ON
        )
        return sorted(going_on, key=lambda found: -found.id)

    def entered(self, user_id: int) -> list[Tournament]:
        """The tournaments that go on and in which a person takes part, and has not withdrawn."""
        return [
            tournament for tournament in self._tournaments.all() if user_id in taking_part(tournament.state)
        ]

    def in_memory(self, tournament_ids: Collection[int]) -> list[Tournament]:
        """Those of these tournaments that are in memory."""
        return [found for at in tournament_ids if (found := self._tournaments.get(at)) is not None]

    @override
    async def leave_everything(self, user_id: int) -> None:
        """Leave the tournaments that the person has entered."""
        for tournament in self.entered(user_id):
            await self.leave(tournament, user_id)

    @override
    async def reread(self, gone: Forgotten) -> None:
        """Read again the tournaments that a deletion has changed, and show them without the person."""
        await self._read_again(gone.changed.get("tournaments", ()))

    async def _read_again(self, tournament_ids: Collection[int]) -> None:
        for tournament in self.in_memory(tournament_ids):
            try:
                await tournament.read_again()
            except (StoreError, Refused) as trouble:  # it is in doubt, and asked again
                log.warning("not read again yet", unit=str(tournament), why=str(trouble))
            else:
                self._proceed(tournament)

    @override
    async def forgotten(self, user_id: int) -> None:
        """Another process has deleted a person: read again what they organise, or take part in, and withdraw
        them there. That one could not: each tournament is changed by the process of its server alone."""
        touched = [
            tournament.id
            for tournament in self._tournaments.all()
            if tournament.stored.host_id == user_id
            or any(entrant.user_id == user_id for entrant in tournament.entrants)
        ]
        await self._read_again(touched)
        for tournament in self.in_memory(touched):
            self._tables.runtime.scheduler.trigger(WITHDRAWALS, tournament)

    async def _withdraw_deleted(self, tournament: Tournament) -> None:
        """Withdraw people who were deleted."""

        def work(state: TournamentState) -> None:
            for user_id in filter(is_nobody, taking_part(state)):
                withdraw(state, user_id, self._clock.now(), begun)

        begun = await self._begun_matches(tournament)
        await self._change(tournament, work)
        self._proceed(tournament)

    # -- what people do -----------------------------------------------------------------------

    async def create(
        self,
        *,
        name: str,
        game: str,
        options: Mapping[str, Value],
        terms: TournamentTerms,
        guild_id: int,
        channel_id: int,
        host_id: int,
        locale: str,
    ) -> Tournament:
        """Announce a tournament.

        Raises:
            Refused: the game is not for two, or too many tournaments go on.
            IllegalSetup: the options do not go together.
            StoreError: it could not be stored.
        """
        rules = catalog.get(game)
        chosen = {**rules.defaults(), **options}
        if 2 not in rules.seats(chosen) or rules.held_by_one(chosen):
            raise Refused("not_for_two", game=Titles((game,)))
        rules.setup(2, b"", **chosen)
        now = self._clock.now()
        stored = StoredTournament(
            name=name,
            game=game,
            options=chosen,
            terms=terms,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=host_id,
            locale=locale,
            created_at=now,
            acted_at=now,
            revision=1,
        )
        async with self._creating:
            try:
                stored.id = await make(
                    self._database,
                    lambda connection: self._create(connection, stored),
                    lambda connection: store.find(connection, stored),
                )
            except StoreError as trouble:
                if trouble.kind == "unknown":
                    self._tables.tasks.spawn(self._find_out(stored), "tournament in doubt")
                raise
        return self._tournaments.add(self._tournament(TournamentState(stored=stored)))

    async def _find_out(self, stored: StoredTournament) -> None:
        """One that was announced, but nobody could tell: bring it here as soon as somebody can."""
        tournament_id = await find_out(self._database, self._clock, lambda c: store.find(c, stored))
        if tournament_id is not None:
            stored.id = tournament_id
            tournament = self._tournaments.add(self._tournament(TournamentState(stored=stored)))
            self._proceed(tournament, acted=True)

    def _create(self, connection: Connection, stored: StoredTournament) -> int:
        if store.count_going_on(connection, guild_id=stored.guild_id) >= self._in_server:
            raise Refused("tournaments_in_server", n=self._in_server)
        if store.count_going_on(connection, host_id=stored.host_id) >= self._of_person:
            raise Refused("tournaments_of_person", n=self._of_person)
        return store.create(connection, stored)

    async def join(self, tournament: Tournament, user_id: int, name: str) -> None:
        """Take part."""

        def work(state: TournamentState) -> None:
            enter(state, Entrant(user_id, name, self._clock.now()))

        await self._change(tournament, work, acted=True)
        self._stage.tournament_changed(tournament, acted=True)

    async def leave(self, tournament: Tournament, user_id: int, *, by: int = 0) -> None:
        """Take part no longer; once it runs, the matches still to come are lost.

        `by` is the person who decided that, if others are to know.
        """

        def work(state: TournamentState) -> None:
            leave(state, user_id, self._clock.now(), begun, by=by)

        begun = await self._begun_matches(tournament)
        await self._change(tournament, work, acted=True)
        self._proceed(tournament, acted=True)

    async def stay(self, tournament: Tournament, user_id: int) -> None:
        """Still take part, after a match to which this person did not come.

        Raises:
            Refused: they no longer take part.
        """

        def work(state: TournamentState) -> None:
            must_be(state, "running")
            if user_id not in taking_part(state):
                raise Refused("not_entered")
            is_back(state, user_id)

        await self._change(tournament, work, acted=True)
        self._proceed(tournament, acted=True)

    async def _begun_matches(self, tournament: Tournament) -> set[str]:
        """Return the matches whose cards are dealt."""
        await tournament.find_ways()
        return {key for key, way in tournament.ways.items() if way.phase == "live"}

    async def start(self, tournament: Tournament) -> None:
        """Seed and begin; entries are closed.

        Raises:
            BracketError: too few or too many take part.
        """
        must_be(tournament.state, "open")
        rated, key = await ratings_of(tournament, self._database), secrets.token_bytes(32)

        def work(state: TournamentState) -> None:
            must_be(state, "open")
            seeds = seeds_of(state, rated, key)
            state.stored.phase = "running"
            terms = state.stored.terms
            # more rounds than there are others to meet would be rematches
            self._go_to(state, brackets.start(terms.kind, seeds, min(terms.rounds, len(seeds) - 1)))

        await self._change(tournament, work, acted=True)
        self._proceed(tournament, acted=True)

    async def note(self, tournament: Tournament, key: str, result: str, *, by: int, known: str) -> None:
        """Note or correct a result by hand; see `Corrections.note`."""
        tournament = self._tournaments.add(tournament)
        await self.corrections.note(tournament, key, result, by=by, known=known)
        self._proceed(tournament, acted=True)

    async def readmit(self, tournament: Tournament, user_id: int, *, by: int) -> None:
        """Take a withdrawal back; see `Corrections.readmit`."""
        tournament = self._tournaments.add(tournament)
        await self.corrections.readmit(tournament, user_id, by=by)
        self._proceed(tournament, acted=True)

    async def hurry(self, tournament: Tournament, key: str, seconds: int, *, by: int) -> None:
        """Give a match that stands still a shorter clock, once. Its players are notified.

        Raises:
            Refused: it has no table, its clock is shorter, or it was hurried before.
            BracketError: there is no such match.
            StoreError: it could not be stored.
        """

        def work(state: TournamentState) -> None:
            shorten_clock(state, key, seconds, by=by)

        await self._change(tournament, work, acted=True)
        self._proceed(tournament, acted=True)

    async def cancel(self, tournament: Tournament, why: str | None = None) -> None:
        """Call it off; its tables close. `why` is the key of the words where people did not."""

        await tournament.call_off(why, self._clock.now())
        self._proceed(tournament)

    # -- what a table told --------------------------------------------------------------------

    def _table_ended(self, table: Table) -> None:
        """A table is over or closed: a match may have been decided by it."""
        tournament = self._tournaments.get(table.stored.terms.tournament)
        if tournament is not None:
            self._tables.runtime.scheduler.trigger(RESULT, MatchTable(tournament, table))

    def _table_moved(self, table: Table) -> None:
        """A table has its message elsewhere: that of its tournament leads there."""
        tournament = self._tournaments.get(table.stored.terms.tournament)
        if tournament is not None:
            self._stage.ways_changed(tournament)

    async def _note(self, match: MatchTable) -> None:
        """Note what a table told; until that is stored, it is tried again: it must not be played twice."""
        tournament, table = match
        try:
            # the thread may be deleted, and then no one has missed the match
            hindered = table.stored.why == "expired" and await self._stage.hindered(table)
            work = partial(self._ended, table=table, hindered=hindered)
            await self._change(tournament, work, acted=True)
        except (BracketError, Refused) as refusal:
            log.info(
                "match was decided before", tournament=tournament.id, table=table.id, why=str(refusal.args[0])
            )
        self._proceed(tournament, acted=True)

    def _ended(self, state: TournamentState, table: Table, *, hindered: bool) -> None:
        note_result(state, table, self._clock.now(), hindered=hindered)

    def _go_to(self, state: TournamentState, bracket: Bracket, played: str = "") -> None:
        go_to(state, bracket, self._clock.now(), played)

    # -- going on -----------------------------------------------------------------------------

    @override
    def allowed(self, guild_id: int) -> None:
        """Open the matches that waited for permissions, and look for channels deleted meanwhile."""
        for tournament in self.of_guild(guild_id):
            self._tables.tasks.spawn(self._lost_places.look(tournament), f"tournament {tournament.id}")
            if any(self._stage.is_allowed(tournament, match.thread_id) for match in tournament.held):
                self._proceed(tournament, eager=True)

    @override
    def unlocked(self, thread_id: int, guild_id: int) -> None:
        """Open the matches that waited for this thread: it is not locked, or no longer."""
        for tournament in self._tournaments.of_server(guild_id):
            if any(match.thread_id == thread_id for match in tournament.held):
                self._proceed(tournament, eager=True)

    @override
    def channel_deleted(self, channel_id: int, guild_id: int) -> None:
        """Move the matches of a deleted thread, and tell organisers of a deleted channel."""
        for tournament in self._tournaments.of_server(guild_id):
            work = self._lost_places.react(tournament, channel_id)
            self._tables.tasks.spawn(work, f"tournament {tournament.id}")

    def _proceed(self, tournament: Tournament, *, acted: bool = False, eager: bool = False) -> None:
        """Go on behind the answer: threads and tables take longer than a press may."""
        tournament.acted |= acted
        tournament.eager |= eager
        self._tables.runtime.scheduler.trigger(PROGRESS, tournament)

    async def _go_on(self, tournament: Tournament) -> float | None:
        """Close the tables of what is decided, open what can be played, and show it. Return the seconds until
        there is more to do."""
        acted, eager = tournament.acted, tournament.eager
        tournament.acted = tournament.eager = False
        try:
            await self._absences.withdraw_gone(tournament)
            pauses = [
                await self._absences.ask(tournament),
                await self._hurry(tournament),
                await self._match_tables.go_on(tournament, eager=eager, held=matches_held(tournament)),
                await self._tell_end(tournament) if tournament.stored.terms.untold else None,
            ]
            await tournament.find_ways()
        finally:
            self._stage.tournament_changed(tournament, acted=acted)
        pause = min(filter(None, pauses), default=None)
        if pause is None and tournament.stored.phase not in GOING_ON and not tournament.state.matches:
            self._tournaments.drop(tournament)
        return pause

    async def _hurry(self, tournament: Tournament) -> float | None:
        """Shorten the clocks of hurried matches, then post the notices that announce it."""
        await self._match_tables.hurry(tournament)
        return await self.corrections.post(tournament)

    async def _tell_end(self, tournament: Tournament) -> float:
        """Tell who has won and note it, once the message to which that leads shows it; in how many seconds
        to try again, 0 for no more: where people would have to mend something first, the bracket says it."""
        stored = tournament.stored
        if stored.shown != stored.revision and self._clock.now() - (stored.ended_at or 0) < DAY_MS:
            return SHOWN_SECONDS
        try:
            await self._stage.tell_end(tournament)
        except DiscordFailure as found:
            log.info("end of a tournament not told", tournament=tournament.id, why=found.key)
            if found.passing:
                return TELL_SECONDS

        def work(state: TournamentState) -> None:
            state.stored.terms = replace(state.stored.terms, untold=False)

        await self._change(tournament, work, seen=False)
        return 0

    async def _change(
        self,
        tournament: Tournament,
        work: Callable[[TournamentState], None],
        *,
        acted: bool = False,
        seen: bool = True,
    ) -> None:
        """Change a tournament; `acted`: somebody has done something. See `Tournament.change`."""
        await tournament.change(work, acted_at=self._clock.now() if acted else None, seen=seen)

    def _tournament(self, state: TournamentState) -> Tournament:
        return Tournament(self._database, state, self._doubt, self._tables.lease_holder.wall)

    def _doubt(self, tournament: Tournament) -> None:
        self._tables.runtime.scheduler.trigger(DOUBT, tournament)

    async def _clear_doubt(self, tournament: Tournament) -> None:
        """Find out whether the last change was stored, then continue."""
        await tournament.clear_doubt()
        self._proceed(tournament, acted=True)
