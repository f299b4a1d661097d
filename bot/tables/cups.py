"""Tournaments: who takes part, which match is next, and what its table told."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
import structlog
from sqlalchemy import Connection

from bot.store import people
from bot.store import tournaments as store
from bot.store.database import Database, Fenced, StoreTrouble
from bot.store.games import OPEN_PHASES
from bot.store.terms import CupTerms
from bot.store.tournaments import CupState, Entrant, StoredCup, StoredMatch
from bot.tables.cup import Cup, to_close
from bot.tables.matches import MatchTables, again_in
from bot.tables.ports import Clock, Refused
from bot.tables.publishing import CupStage
from bot.tables.table import Table
from bot.tables.tables import Tables
from bot.tables.unit import ASK_AGAIN_SECONDS, find_out, make
from engine import brackets, catalog
from engine.brackets import Bracket, BracketError
from engine.game import Value

log = structlog.get_logger(__name__)

RETRY_SECONDS = 5.0
RATED_FROM = 25.0 - 3 * 25.0 / 3
"""The ordinal of somebody who has no rating yet: openskill's mu less three sigma."""
IN_SERVER, OF_PERSON = 5, 2
"""How many tournaments may go on in a server, and how many one person may organise, unless told otherwise."""
DAY_MS: Final = 86_400_000
OPEN_DAYS, IDLE_DAYS = 14, 30
"""After so many days without a start, or without anything happening, a tournament is called off."""
AGES_SECONDS = 3600.0
SHOW_DAYS = 7
"""For so long is tried, start after start, to show how a tournament ended."""


class Cups:
    """All tournaments that are open or running."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        tables: Tables,
        stage: CupStage,
        *,
        in_server: int = IN_SERVER,
        of_person: int = OF_PERSON,
    ) -> None:
        self._database = database
        self._clock = clock
        self._tables = tables
        self._stage = stage
        self._in_server, self._of_person = in_server, of_person
        self._cups: dict[int, Cup] = {}
        self._creating = asyncio.Lock()
        self._in_doubt: set[int] = set()
        """Those of whose last change it is being found out whether it was stored."""
        self._match_tables = MatchTables(database, clock, tables, stage, self._change)
        tables.ended.append(self._table_ended)

    # -- opening ------------------------------------------------------------------------------

    async def open(self) -> None:
        """Bring every tournament back, and open the matches that were about to be opened."""
        since = self._clock.now() - SHOW_DAYS * DAY_MS
        found = await self._database.read_at_once(lambda connection: store.to_bring_back(connection, since))
        self._cups = {state.stored.id: self._cup(state) for state in found}
        for cup in self._cups.values():
            self._tables.spawn(self._bring_back(cup), f"tournament {cup.id}")
        self._tables.spawn(self._watch_ages(), "ages of tournaments")

    async def drain(self) -> None:
        """Wait for the changes that are under way."""
        for cup in list(self._cups.values()):
            await cup.drain()

    async def _bring_back(self, cup: Cup) -> None:
        """Note what was decided just before the bot stopped, then go on."""
        matches = cup.state.matches
        games = {match.game_id: key for key, match in matches.items() if match.game_id is not None}
        if games:
            ids = list(games)
            try:
                found = await self._database.read_at_once(lambda connection: store.places(connection, ids))
            except StoreTrouble as trouble:
                log.warning("tournament not brought back yet", cup=cup.id, kind=trouble.kind)
                name = f"tournament {cup.id}"
                self._clock.call_later(RETRY_SECONDS, lambda: self._tables.spawn(self._bring_back(cup), name))
                return
            for where in found:
                if where.phase not in OPEN_PHASES:
                    await self._note_end(cup, where.game_id)
        try:
            await self._align(cup)
        except StoreTrouble as trouble:
            log.warning("matches not looked through", cup=cup.id, kind=trouble.kind)
        await self._go_on(cup, eager=True)

    async def _align(self, cup: Cup) -> None:
        """See to it that every match that is to be played has its row, and no other: those of a database
        from before there were such rows may not."""

        def work(state: CupState) -> None:
            if state.stored.phase == "running" and state.bracket is not None:
                self._go_to(state, state.bracket)

        await self._change(cup, work, seen=False)

    async def _note_end(self, cup: Cup, game_id: int) -> None:
        """Note the end of a table that nobody has heard yet."""
        try:
            table = await self._tables.get(game_id)
        except (Refused, StoreTrouble) as found:
            log.warning("end of a match not read", cup=cup.id, table=game_id, why=str(found))
        else:
            await self._note(cup, table)

    def get(self, cup_id: int) -> Cup:
        """A tournament by its number.

        Raises:
            Refused: there is none, or it is over.
        """
        cup = self._cups.get(cup_id)
        if cup is None or cup.stored.phase not in store.GOING_ON:
            raise Refused("no_cup", cup=cup_id)
        return cup

    def of_guild(self, guild_id: int) -> list[Cup]:
        """The tournaments of a server that go on, newest first."""
        here = (cup for cup in self._cups.values() if cup.stored.guild_id == guild_id)
        return sorted((cup for cup in here if cup.stored.phase in store.GOING_ON), key=lambda cup: -cup.id)

    # -- what people do -----------------------------------------------------------------------

    async def create(
        self,
        *,
        name: str,
        game: str,
        options: Mapping[str, Value],
        terms: CupTerms,
        guild_id: int,
        channel_id: int,
        host_id: int,
        locale: str,
    ) -> Cup:
        """Announce a tournament.

        Raises:
            Refused: the game is not for two, or too many tournaments go on.
            IllegalSetup: the options do not go together.
            StoreTrouble: it could not be stored.
        """
        rules = catalog.get(game)
        chosen = {**rules.defaults(), **options}
        if 2 not in rules.seats(chosen) or rules.held_by_one(chosen):
            raise Refused("not_for_two", game=rules.title)
        rules.setup(2, b"", **chosen)
        now = self._clock.now()
        stored = StoredCup(
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
            except StoreTrouble as trouble:
                if trouble.kind == "unknown":
                    self._tables.spawn(self._find_out(stored), "tournament in doubt")
                raise
        cup = self._cups[stored.id] = self._cup(CupState(stored=stored))
        return cup

    async def _find_out(self, stored: StoredCup) -> None:
        """One that was announced, but nobody could tell: bring it here as soon as somebody can."""
        cup_id = await find_out(self._database, self._clock, lambda c: store.find(c, stored))
        if cup_id is not None:
            stored.id = cup_id
            cup = self._cups[cup_id] = self._cup(CupState(stored=stored))
            self._proceed(cup, acted=True)

    def _create(self, connection: Connection, stored: StoredCup) -> int:
        if store.count_going_on(connection, guild_id=stored.guild_id) >= self._in_server:
            raise Refused("cups_in_server", n=self._in_server)
        if store.count_going_on(connection, host_id=stored.host_id) >= self._of_person:
            raise Refused("cups_of_person", n=self._of_person)
        return store.create(connection, stored)

    async def join(self, cup: Cup, user_id: int, name: str) -> None:
        """Take part."""

        def work(state: CupState) -> None:
            _must_be(state, "open")
            if any(e.user_id == user_id for e in state.entrants):
                raise Refused("already_entered")
            if len(state.entrants) >= brackets.MOST:
                raise Refused("cup_full", most=brackets.MOST)
            entrants = [*state.entrants, Entrant(user_id, name, self._clock.now())]
            state.entrants = tuple(sorted(entrants, key=lambda entrant: (entrant.joined_at, entrant.user_id)))

        await self._change(cup, work, acted=True)
        self._stage.cup_changed(cup, acted=True)

    async def leave(self, cup: Cup, user_id: int) -> None:
        """Take part no longer; once it runs, the matches still to come are lost."""

        def work(state: CupState) -> None:
            if not any(e.user_id == user_id for e in state.entrants):
                raise Refused("not_entered")
            bracket = state.bracket
            if bracket is None:
                state.entrants = tuple(e for e in state.entrants if e.user_id != user_id)
            else:
                self._go_to(state, bracket.withdraw(str(user_id)))

        await self._change(cup, work, acted=True)
        self._proceed(cup, acted=True)

    async def start(self, cup: Cup) -> None:
        """Seed and begin; entries are closed.

        Raises:
            BracketError: too few or too many take part.
        """
        _must_be(cup.state, "open")
        rated: dict[str, float] = {}
        if cup.stored.terms.seeding == "rating":
            rated = await self._ratings(cup)
        key = secrets.token_bytes(32)

        def work(state: CupState) -> None:
            _must_be(state, "open")
            players = [str(entrant.user_id) for entrant in state.entrants]
            if cup.stored.terms.seeding == "rating":
                seeds = brackets.by_rating({player: rated.get(player, RATED_FROM) for player in players})
            else:
                seeds = brackets.at_random(players, key)
            state.stored.phase = "running"
            self._go_to(state, brackets.start(state.stored.terms.kind, seeds))

        await self._change(cup, work, acted=True)
        self._proceed(cup, acted=True)

    async def _ratings(self, cup: Cup) -> dict[str, float]:
        ids = [entrant.user_id for entrant in cup.entrants]
        stored = cup.stored
        rated = await self._database.read_at_once(
            lambda c: people.ratings(c, ids, stored.guild_id, stored.game)
        )
        return {str(user): rating.mu - 3 * rating.sigma for user, rating in rated.items()}

    async def report(self, cup: Cup, key: str, winner: str | None) -> None:
        """Note how a match went; None for a drawn game. An open table of the match is closed.

        Raises:
            BracketError: the match is not ready, or that player is not in it.
        """
        await self._change(cup, lambda state: self._report(state, key, winner), acted=True)
        self._proceed(cup, acted=True)

    def _report(self, state: CupState, key: str, winner: str | None) -> None:
        _must_be(state, "running")
        bracket = state.bracket
        if bracket is None:
            raise Refused("cup_not_running")
        self._go_to(state, bracket.report(key, winner), key)

    async def cancel(self, cup: Cup, why: str | None = None) -> None:
        """Call it off; its tables close. `why` is the key of the words where people did not."""

        await cup.call_off(why, self._clock.now())
        self._proceed(cup)

    # -- what a table told --------------------------------------------------------------------

    def _table_ended(self, table: Table) -> None:
        """A table is over or closed: a match may have been decided by it."""
        cup = self._cups.get(table.stored.terms.cup)
        if cup is not None:
            self._tables.spawn(self._note(cup, table), f"match of tournament {cup.id}")

    async def _note(self, cup: Cup, table: Table) -> None:
        """Note what a table told, again and again until it is stored: the match must not be played twice."""
        while not await self._noted(cup, table):
            await self._clock.sleep(RETRY_SECONDS)
        self._proceed(cup, acted=True)

    async def _noted(self, cup: Cup, table: Table) -> bool:
        try:
            await self._change(cup, lambda state: self._ended(state, table), acted=True)
        except StoreTrouble as found:
            log.warning("match not noted yet", cup=cup.id, table=table.id, kind=found.kind)
            return False
        except (BracketError, Refused) as refusal:
            log.info("match was decided before", cup=cup.id, table=table.id, why=str(refusal.args[0]))
        return True

    def _ended(self, state: CupState, table: Table) -> None:
        """Report the match that a closed table has decided; one that decides nothing is opened again."""
        terms = table.stored.terms
        match = state.matches.get(terms.match)
        if match is None or match.step == "close" or match.game_id not in (None, table.id):
            return
        invited = [str(user) for user in terms.invited]
        winner: str | None = None
        if table.phase == "over":
            outcome = table.outcome()
            best = outcome.winners() if outcome is not None else ()
            winner = invited[best[0]] if len(best) == 1 else None
        elif table.stored.why == "expired" and not self._stage.hindered(table):
            here = [str(sitter.user_id) for sitter in table.sitters if sitter.user_id is not None]
            # nobody came: the higher seed goes on, so that the tournament does
            bracket = state.bracket
            order = list(bracket.players) if bracket is not None else invited
            winner = min(here or invited, key=order.index)
        elif table.stored.why == "forfeit":
            winner = next((player for player in invited if player != str(terms.forfeit)), None)
        else:
            # closed by hand, or nobody could see it: that decides nothing
            state.matches[terms.match] = again_in(match.thread_id)
            return
        self._report(state, terms.match, winner)

    def _go_to(self, state: CupState, bracket: Bracket, played: str = "") -> None:
        """Make this the bracket: tables of matches that are decided are to close, new matches are due."""
        state.stored.bracket = msgspec.json.decode(msgspec.json.encode(bracket))
        ready = {match.key for match in bracket.ready()}
        decided = {*state.matches} - ready
        if played in state.matches and state.matches[played].game_id is not None:
            decided.add(played)  # a drawn match is ready again, and its table has served all the same
        state.matches = to_close(state.matches, decided)
        state.matches |= {key: StoredMatch() for key in sorted(ready) if key not in state.matches}
        if bracket.champion:
            state.stored.phase, state.stored.ended_at = "over", self._clock.now()

    # -- going on -----------------------------------------------------------------------------

    def _proceed(self, cup: Cup, *, acted: bool = False) -> None:
        """Go on behind the answer: threads and tables take longer than a press may."""
        self._tables.spawn(self._go_on(cup, acted=acted), f"tournament {cup.id}")

    async def _go_on(self, cup: Cup, *, acted: bool = False, eager: bool = False) -> None:
        """Close the tables of what is decided, open what can be played, and show it."""
        try:
            async with cup.opening:  # one after the other, so that no match gets two tables
                pause = await self._match_tables.go_on(cup, eager=eager)
            await cup.find_ways()
        except StoreTrouble as found:
            log.warning("tournament doesn't go on yet", cup=cup.id, kind=found.kind)
            pause = RETRY_SECONDS
        if cup.timer is not None:
            cup.timer.cancel()
            cup.timer = None
        if pause is not None:
            cup.timer = self._clock.call_later(pause, lambda: self._proceed(cup))
        elif cup.stored.phase not in store.GOING_ON and not cup.state.matches:
            self._cups.pop(cup.id, None)
        self._stage.cup_changed(cup, acted=acted)

    async def _watch_ages(self) -> None:
        """Call off what nobody goes on with."""
        for cup in list(self._cups.values()):
            try:
                if why := await self._too_old(cup):
                    await self.cancel(cup, why)
            except (StoreTrouble, Refused) as found:
                log.info("tournament not called off", cup=cup.id, why=str(found))
        self._clock.call_later(
            AGES_SECONDS, lambda: self._tables.spawn(self._watch_ages(), "ages of tournaments")
        )

    async def _too_old(self, cup: Cup) -> str | None:
        stored, now = cup.stored, self._clock.now()
        if stored.phase == "open":
            return "unstarted" if now - stored.created_at > OPEN_DAYS * DAY_MS else None
        if stored.phase != "running" or now - stored.acted_at <= IDLE_DAYS * DAY_MS:
            return None
        ids = [match.game_id for match in cup.state.matches.values() if match.game_id is not None]
        last = await self._database.read_at_once(lambda connection: store.last_act(connection, ids))
        return "idle" if now - last > IDLE_DAYS * DAY_MS else None

    async def _change(
        self, cup: Cup, work: Callable[[CupState], None], *, acted: bool = False, seen: bool = True
    ) -> None:
        """Change a tournament; `acted`: somebody has done something. See `Cup.change`."""
        await cup.change(work, acted_at=self._clock.now() if acted else None, seen=seen)

    def _cup(self, state: CupState) -> Cup:
        return Cup(self._database, state, self._doubt)

    def _doubt(self, cup: Cup) -> None:
        if cup.id not in self._in_doubt:
            self._in_doubt.add(cup.id)
            self._tables.spawn(self._clear_doubt(cup), f"doubt of tournament {cup.id}")

    async def _clear_doubt(self, cup: Cup) -> None:
        """Go on as soon as somebody can tell whether the last change was stored."""
        try:
            while cup.in_doubt:
                await self._clock.sleep(ASK_AGAIN_SECONDS)
                try:
                    await cup.clear_doubt()
                except Fenced:
                    return
                except StoreTrouble as found:
                    log.warning("still in doubt", cup=cup.id, kind=found.kind)
        finally:
            self._in_doubt.discard(cup.id)
        self._proceed(cup, acted=True)


def _must_be(state: CupState, phase: str) -> None:
    if state.stored.phase != phase:
        raise Refused(
            {"open": "cup_not_running", "running": "cup_running"}.get(state.stored.phase, "cup_over")
        )
