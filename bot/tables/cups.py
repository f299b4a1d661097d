"""Tournaments: who takes part, which match is next, and what its table told."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec
import structlog

from bot.store import games, people
from bot.store import tournaments as store
from bot.store.database import Database, StoreTrouble
from bot.store.terms import CupTerms
from bot.store.tournaments import Entrant, StoredCup
from bot.tables.hall import Hall
from bot.tables.ports import Clock, Refused
from bot.tables.table import Table
from engine import brackets, catalog
from engine.brackets import Bracket, BracketError, Match
from engine.game import Value

log = structlog.get_logger(__name__)

RETRY_SECONDS = 5.0
RATED_FROM = 25.0 - 3 * 25.0 / 3
"""The ordinal of somebody who has no rating yet: openskill's mu less three sigma."""


class CupStage(Protocol):
    """Shows tournaments to people; views/ implements it."""

    async def open_match(self, cup: Cup, match: Match) -> Table | None:
        """Open the table of a match; None where there is no place for it."""

    def cup_changed(self, cup: Cup) -> None:
        """The tournament has changed: show its bracket when the channel has room for it."""


class Cup:
    """One tournament: the stored row, those who take part, and the bracket once it has begun."""

    __slots__ = ("ending", "entrants", "lock", "opening", "stored", "tables")

    def __init__(self, stored: StoredCup, entrants: Sequence[Entrant] = ()) -> None:
        self.stored = stored
        self.entrants = list(entrants)
        self.lock = asyncio.Lock()
        self.opening = asyncio.Lock()
        self.ending: set[str] = set()
        """Matches whose table has closed and whose result is not noted yet: they need no other table."""
        self.tables: dict[str, Table] = {}
        """The tables of the matches that go on, by match."""

    @property
    def id(self) -> int:
        """The tournament's number."""
        return self.stored.id

    @property
    def bracket(self) -> Bracket | None:
        """The bracket, or None before the start."""
        return msgspec.convert(self.stored.bracket, Bracket) if self.stored.bracket else None

    def name_of(self, player: str) -> str:
        """The name of a player of the bracket."""
        return next((e.name for e in self.entrants if str(e.user_id) == player), player)

    def must_organise(self, user_id: int, *, moderator: bool) -> None:
        """Return if this person may run the tournament.

        Raises:
            Refused: it is neither the organiser nor a moderator.
        """
        if user_id != self.stored.host_id and not moderator:
            raise Refused("organiser_only", host=self.stored.host_id)


class Cups:
    """All tournaments that are open or running."""

    def __init__(self, database: Database, clock: Clock, hall: Hall, stage: CupStage) -> None:
        self._database = database
        self._clock = clock
        self._hall = hall
        self._stage = stage
        self._cups: dict[int, Cup] = {}

    async def open(self) -> None:
        """Bring every tournament back, and open the matches that were about to be opened."""
        async with self._database.read() as connection:
            found = await store.load(connection, "open", "running")
        self._cups = {stored.id: Cup(stored, entrants) for stored, entrants in found}
        for cup in self._cups.values():
            self._hall.spawn(self._bring_back(cup), f"tournament {cup.id}")

    async def _bring_back(self, cup: Cup) -> None:
        """Note what was decided just before the bot stopped, then go on."""
        bracket = cup.bracket
        ready = {match.key: match.draws for match in bracket.ready()} if bracket is not None else {}
        if ready:
            ended = await self._database.read_at_once(
                lambda c: games.ended_since(c, cup.stored.guild_id, cup.stored.created_at)
            )
            mine = [game for game in ended if game.terms.cup == cup.id and _decides(game)]
            for key, draws in ready.items():
                played = [game.id for game in mine if game.terms.match == key]
                if len(played) > draws:
                    await self._decided(cup, await self._hall.get(played[-1]))
        await self._go_on(cup)

    def get(self, cup_id: int) -> Cup:
        """A tournament by its number.

        Raises:
            Refused: there is none, or it is over.
        """
        if cup_id not in self._cups:
            raise Refused("no_cup", cup=cup_id)
        return self._cups[cup_id]

    def of_guild(self, guild_id: int) -> list[Cup]:
        """The tournaments of a server, newest first."""
        return sorted((c for c in self._cups.values() if c.stored.guild_id == guild_id), key=lambda c: -c.id)

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
            Refused: the game is not for two.
            IllegalSetup: the options do not go together.
        """
        rules = catalog.get(game)
        chosen = {**rules.defaults(), **options}
        if 2 not in rules.seats(chosen) or rules.held_by_one(chosen):
            raise Refused("not_for_two", game=rules.title)
        rules.setup(2, b"", **chosen)
        stored = StoredCup(
            name=name,
            game=game,
            options=chosen,
            terms=terms,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=host_id,
            locale=locale,
            created_at=self._clock.now(),
        )
        async with self._database.write() as connection:
            stored.id = await store.create(connection, stored)
        cup = self._cups[stored.id] = Cup(stored)
        return cup

    async def placed(self, cup: Cup, message_id: int) -> None:
        """Remember where it is shown."""
        async with self._database.write() as connection:
            await store.change(connection, cup.id, message_id=message_id)
        cup.stored.message_id = message_id

    async def join(self, cup: Cup, user_id: int, name: str) -> None:
        """Take part."""
        async with cup.lock:
            self._must_be(cup, "open")
            if any(e.user_id == user_id for e in cup.entrants):
                raise Refused("already_entered")
            if len(cup.entrants) >= brackets.MOST:
                raise Refused("cup_full", most=brackets.MOST)
            entrant = Entrant(user_id, name, self._clock.now())
            async with self._database.write() as connection:
                await store.enter(connection, cup.id, entrant)
            cup.entrants.append(entrant)
        self._stage.cup_changed(cup)

    async def leave(self, cup: Cup, user_id: int) -> None:
        """Take part no longer; once it runs, the matches still to come are lost."""
        async with cup.lock:
            if not any(e.user_id == user_id for e in cup.entrants):
                raise Refused("not_entered")
            bracket = cup.bracket
            if bracket is None:
                async with self._database.write() as connection:
                    await store.leave(connection, cup.id, user_id)
                cup.entrants = [e for e in cup.entrants if e.user_id != user_id]
            else:
                await self._keep(cup, bracket.withdraw(str(user_id)))
        for table in self._tables_of(cup):
            if user_id in table.stored.terms.invited:
                await _close(table, "withdrawn")
        self._proceed(cup)

    async def start(self, cup: Cup) -> None:
        """Seed and begin; entries are closed.

        Raises:
            BracketError: too few or too many take part.
        """
        async with cup.lock:
            self._must_be(cup, "open")
            seeds = await self._seeds(cup)
            bracket = brackets.start(cup.stored.terms.kind, seeds)
            cup.stored.phase = "running"
            try:
                await self._keep(cup, bracket)
            except StoreTrouble:
                cup.stored.phase = "open"
                raise
        self._proceed(cup)

    async def _seeds(self, cup: Cup) -> tuple[str, ...]:
        players = [str(entrant.user_id) for entrant in cup.entrants]
        if cup.stored.terms.seeding != "rating":
            return brackets.at_random(players, secrets.token_bytes(32))
        ids = [entrant.user_id for entrant in cup.entrants]
        stored = cup.stored
        rated = await self._database.read_at_once(
            lambda c: people.ratings(c, ids, stored.guild_id, stored.game)
        )
        ordinal = {str(i): rated[i].mu - 3 * rated[i].sigma if i in rated else RATED_FROM for i in ids}
        return brackets.by_rating(ordinal)

    async def report(self, cup: Cup, key: str, winner: str | None) -> None:
        """Note how a match went; None for a drawn game. An open table of the match is closed.

        Raises:
            BracketError: the match is not ready, or that player is not in it.
        """
        async with cup.lock:
            self._must_be(cup, "running")
            bracket = cup.bracket
            if bracket is None:
                raise Refused("cup_not_running")
            await self._keep(cup, bracket.report(key, winner))
        for table in self._tables_of(cup):
            if table.stored.terms.match == key:
                await _close(table, "reported")
        self._proceed(cup)

    async def cancel(self, cup: Cup) -> None:
        """Call it off; its tables close."""
        async with cup.lock:
            await self._end(cup, "cancelled")
        for table in self._tables_of(cup):
            await _close(table, "withdrawn")
        self._stage.cup_changed(cup)

    def table_ended(self, table: Table) -> None:
        """Called for every table that is over or closed: a match may have been decided by it."""
        cup = self._cups.get(table.stored.terms.cup)
        if cup is not None:
            cup.ending.add(table.stored.terms.match)
            self._hall.spawn(self._note(cup, table), f"match of tournament {cup.id}")

    async def _note(self, cup: Cup, table: Table) -> None:
        """Note what a table told, again and again until it is stored: the match must not be played twice."""
        try:
            while not await self._noted(cup, table):
                await self._clock.sleep(RETRY_SECONDS)
        finally:
            cup.ending.discard(table.stored.terms.match)

    async def _noted(self, cup: Cup, table: Table) -> bool:
        try:
            await self._decided(cup, table)
        except StoreTrouble as found:
            log.warning("match not noted yet", cup=cup.id, table=table.id, kind=found.kind)
            return False
        return True

    async def _decided(self, cup: Cup, table: Table) -> None:
        """Report the match that a closed table has decided, if it has."""
        terms = table.stored.terms
        key, invited = terms.match, [str(user) for user in terms.invited]
        winner: str | None = None
        if table.phase == "over":
            outcome = table.outcome()
            best = outcome.winners() if outcome is not None else ()
            winner = invited[best[0]] if len(best) == 1 else None
        elif table.stored.why == "expired":
            here = [str(sitter.user_id) for sitter in table.sitters if sitter.user_id is not None]
            # nobody came: the higher seed goes on, so that the tournament does
            bracket = cup.bracket
            order = list(bracket.players) if bracket is not None else invited
            winner = min(here or invited, key=order.index)
        elif table.stored.why == "forfeit":
            winner = next((player for player in invited if player != str(terms.forfeit)), None)
        else:
            return
        try:
            await self.report(cup, key, winner)
        except (BracketError, Refused) as refusal:
            log.info("match was decided before", cup=cup.id, match=key, why=str(refusal.args[0]))

    def _proceed(self, cup: Cup) -> None:
        """Go on behind the answer: threads and tables take longer than a press may."""
        self._hall.spawn(self._go_on(cup), f"tournament {cup.id}")

    async def _go_on(self, cup: Cup) -> None:
        """Open what can be played, or close a tournament that is decided; then show it."""
        bracket = cup.bracket
        if cup.stored.phase == "running" and bracket is not None:
            if bracket.champion:
                async with cup.lock:
                    await self._end(cup, "over")
            for match in bracket.ready():
                async with cup.opening:  # one after the other, so that no match gets two tables
                    await self._open_match(cup, match.key)
        cup.tables = {table.stored.terms.match: table for table in self._tables_of(cup)}
        self._stage.cup_changed(cup)

    async def _open_match(self, cup: Cup, key: str) -> None:
        """Open the table of a match that has none; while others were opened it may have been decided."""
        bracket = cup.bracket
        open_now = {table.stored.terms.match for table in self._tables_of(cup)} | cup.ending
        if bracket is None or cup.stored.phase != "running" or key in open_now:
            return
        match = bracket.match(key)
        if match.ready:
            await self._stage.open_match(cup, match)

    def _tables_of(self, cup: Cup) -> list[Table]:
        return [
            t
            for t in self._hall.shelf.held()
            if t.phase in games.OPEN_PHASES and t.stored.terms.cup == cup.id
        ]

    def _must_be(self, cup: Cup, phase: str) -> None:
        if cup.stored.phase != phase:
            raise Refused(
                {"open": "cup_not_running", "running": "cup_running"}.get(cup.stored.phase, "cup_over")
            )

    async def _keep(self, cup: Cup, bracket: Bracket) -> None:
        data: dict[str, Any] = msgspec.to_builtins(bracket)
        async with self._database.write() as connection:
            await store.change(connection, cup.id, bracket=data, phase=cup.stored.phase)
        cup.stored.bracket = data

    async def _end(self, cup: Cup, phase: str) -> None:
        now = self._clock.now()
        async with self._database.write() as connection:
            await store.change(connection, cup.id, phase=phase, ended_at=now)
        cup.stored.phase, cup.stored.ended_at = phase, now
        self._cups.pop(cup.id, None)


def _decides(game: games.StoredGame) -> bool:
    """Whether the end of this table says how its match went."""
    return game.phase == "over" or game.why in ("expired", "forfeit")


async def _close(table: Table, why: str) -> None:
    """Close the table of a match that is decided already; one that closes by itself just now may."""
    try:
        await table.cancel(why)
    except (Refused, StoreTrouble) as found:
        log.info("table of a decided match not closed", table=table.id, why=str(found))
