"""The hall: all tables of the bot, their opponents' turns, and their return after a restart."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

import structlog
from cachetools import LRUCache

from bot.store import games as store
from bot.store import people
from bot.store.database import Database, StoreTrouble
from bot.store.games import OPEN_PHASES, Deadline, Sitter, StoredGame
from bot.store.terms import Terms
from bot.tables.alarms import Alarms
from bot.tables.ports import Clock, Publisher, Refused, Stale, Thinker
from bot.tables.results import keep_results
from bot.tables.table import House, Table
from bot.tables.turns import PASS, SPOKEN
from engine import catalog, record
from engine.fair import Commitment
from engine.game import Event, Game, Refusal, Value

log = structlog.get_logger(__name__)

HEARTBEAT_SECONDS = 15.0
TOGETHER_PACE = 0.1
"""How long an opponent waits where several seats decide at once and nobody is watching."""
RETRY_SECONDS = 5.0
CLOSED_TABLES = 200
"""How many closed tables stay in memory for "Why?" and "Log"; the others are read again."""


class Hall:
    """Every table of the bot. It opens with the bot and brings back all that was going on."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        thinker: Thinker,
        publisher: Publisher,
        *,
        pace: float = 1.2,
        lobby_minutes: int = 60,
    ) -> None:
        self.database = database
        self.clock = clock
        self.publisher = publisher
        self.tables: dict[int, Table] = {}
        self._closed: LRUCache[int, Table] = LRUCache(CLOSED_TABLES)
        self.thinker = thinker
        self._pace = pace
        self._lobby_ms = lobby_minutes * 60_000
        self._alarms = Alarms(clock, self._rang)
        self._house = House(database, clock, self._changed, self._rescheduled)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._thinking: set[tuple[int, int, int]] = set()
        self._open = False
        self.ended: Callable[[Table], None] = lambda _table: None
        """Called once for each table that is over or closed."""

    # -- opening and closing ----------------------------------------------------------------

    async def open(self) -> None:
        """Bring every open table back, with the time that the bot was away credited to the clocks.

        Raises:
            StoreTrouble: the database cannot be used.
        """
        self._open = True
        now = self.clock.now()
        async with self.database.write() as connection:
            last = await store.last_beat(connection)
            if last is not None and now > last:
                await store.shift_deadlines(connection, now - last)
            await store.beat(connection, now)
        async with self.database.read() as connection:
            found = await store.in_phase(connection, *OPEN_PHASES)
        for game in found:
            await self._bring_back(game)
        self._next_beat()

    async def _bring_back(self, stored: StoredGame) -> None:
        try:
            table = await self._read(stored)
        except StoreTrouble:
            raise
        except Exception as error:  # whatever is wrong with one table, the others come back
            # The rules have changed under a running game: it is kept, with words, for whoever mends it.
            rule = error.rule if isinstance(error, Refusal) else type(error).__name__
            known = isinstance(error, (Refusal, ValueError, catalog.UnknownGame))
            log.error(
                "table set aside",
                table=stored.id,
                game=stored.game,
                rule=rule,
                exc_info=None if known else error,
            )
            async with self.database.write() as connection:
                await store.change(connection, stored.id, phase="aside", why="rules_changed")
            return
        self.tables[table.id] = table
        # what was due before the bot stopped has been said: nobody is pinged again by a restart
        now = self.clock.now()
        said = [each for each in table.deadlines if each.kind in SPOKEN and each.due_at <= now]
        self._alarms.replace(table.id, table.deadlines, rung=said)
        self.publisher.changed(table, ())
        self._go_on(table)

    async def _read(self, stored: StoredGame) -> Table:
        game = catalog.get(stored.game)
        if stored.phase != "lobby" and stored.version != game.version:
            raise Refusal("version", was=stored.version, now=game.version)
        table = Table(self._house, stored, ())
        await table.read_again()
        return table

    async def close(self) -> None:
        """Stop timers, opponents and tasks; what is stored goes on at the next start."""
        self._open = False
        self._alarms.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.thinker.close()

    # -- tables -----------------------------------------------------------------------------

    async def new(
        self,
        game_key: str,
        *,
        host_id: int,
        host_name: str,
        entropy: int,
        channel_id: int,
        guild_id: int | None,
        locale: str,
        options: Mapping[str, Value],
        terms: Terms,
    ) -> Table:
        """Open a lobby whose host has sat down.

        Raises:
            IllegalSetup: the options do not go together.
            StoreTrouble: it could not be stored.
        """
        game = catalog.get(game_key)
        chosen = {**game.defaults(), **options}
        seats = game.seats(chosen)
        game.setup(seats[0] if seats else 0, b"", **chosen)  # refuses what cannot be played
        stored = self._fresh(game, chosen, terms, host_id, channel_id, guild_id, locale)
        sitters = [Sitter(host_name, user_id=host_id, entropy=entropy)]
        return await self._open_table(stored, sitters, self._lobby_ms)

    async def new_match(
        self,
        game_key: str,
        *,
        host_id: int,
        channel_id: int,
        guild_id: int,
        locale: str,
        options: Mapping[str, Value],
        terms: Terms,
        minutes: int,
    ) -> Table:
        """Open a table for the people whom its terms invite; they have so many minutes to come.

        Raises:
            StoreTrouble: it could not be stored.
        """
        game = catalog.get(game_key)
        stored = self._fresh(game, options, terms, host_id, channel_id, guild_id, locale)
        return await self._open_table(stored, [], minutes * 60_000)

    def _fresh(  # noqa: PLR0917 - the columns of a row
        self,
        game: Game[Any, Any],
        options: Mapping[str, Value],
        terms: Terms,
        host_id: int,
        channel_id: int,
        guild_id: int | None,
        locale: str,
    ) -> StoredGame:
        fair = Commitment.fresh()
        return StoredGame(
            game=game.key,
            version=game.version,
            options=dict(options),
            terms=terms,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=host_id,
            locale=locale,
            seed=fair.seed,
            nonce=fair.nonce,
            created_at=self.clock.now(),
        )

    async def _open_table(self, stored: StoredGame, sitters: Sequence[Sitter], wait_ms: int) -> Table:
        """Store a new table, which closes by itself unless it starts within so many milliseconds."""
        async with self.database.write() as connection:
            stored.id = await store.create(connection, stored, sitters)
            deadline = Deadline(stored.id, "lobby", -1, stored.created_at + wait_ms)
            await store.set_deadlines(connection, stored.id, [deadline])
            for sitter in sitters:
                if sitter.user_id is not None:
                    await people.remember(connection, sitter.user_id, sitter.name, stored.created_at)
        table = Table(self._house, stored, sitters)
        table.deadlines = (deadline,)
        self.tables[table.id] = table
        self._rescheduled(table)
        return table

    async def get(self, table_id: int) -> Table:
        """A table, open or closed.

        Raises:
            Refused: `no_table`, or `aside` where its rules have changed.
        """
        table = self.tables.get(table_id) or self._closed.get(table_id)
        if table is not None:
            return table
        async with self.database.read() as connection:
            stored = await store.load(connection, table_id)
        if stored is None:
            raise Refused("no_table", table=table_id)
        if stored.phase == "aside":
            raise Refused("aside", table=table_id)
        try:
            table = await self._read(stored)
        except (Refusal, ValueError, catalog.UnknownGame) as error:
            raise Refused("aside", table=table_id) from error
        self._closed[table_id] = table
        return table

    def of_user(self, user_id: int) -> list[Table]:
        """The open tables at which a person sits, those that wait for the person first."""
        mine = [table for table in self.tables.values() if table.seats_of(user_id)]
        return sorted(mine, key=lambda t: (not any(s in t.waiting() for s in t.seats_of(user_id)), -t.id))

    def in_channel(self, channel_id: int) -> list[Table]:
        """The open tables of a channel, newest first."""
        return sorted(
            (t for t in self.tables.values() if t.stored.channel_id == channel_id), key=lambda t: -t.id
        )

    def in_guild(self, guild_id: int) -> list[Table]:
        """The open tables of a server, newest first."""
        return sorted((t for t in self.tables.values() if t.stored.guild_id == guild_id), key=lambda t: -t.id)

    async def events(self, table: Table) -> list[Event]:
        """Everything that happened at a table, from its journal. Not yet cut for any viewer."""
        if table.phase == "lobby" or table.state is None:
            return []
        async with self.database.read() as connection:
            journal = await store.journal(connection, table.id)
        acts = [(e.seat, table.game.action(e.data)) for e in journal if e.kind in ("act", "timeout")]
        return record.play(table.setup(), acts, events=True).events or []

    async def record(self, table: Table) -> record.Record:
        """The record of a finished game, with the seed.

        Raises:
            Refused: `record_early`, while the game goes on or was never finished.
        """
        if table.outcome() is None:
            raise Refused("record_early")
        async with self.database.read() as connection:
            journal = await store.journal(connection, table.id)
        acts = [(e.seat, table.game.action(e.data)) for e in journal if e.kind in ("act", "timeout")]
        return record.write(
            table.setup(),
            acts,
            commitment=table.commitment,
            entropy=table.entropy,
            names=[sitter.name for sitter in table.sitters],
        )

    # -- what goes on by itself -------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Start a short task that nobody waits for; an error in it is logged with its name."""
        if not self._open:
            work.close()
            return
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task failed", task=task.get_name(), exc_info=error)

    def _changed(self, table: Table, events: Sequence[Event]) -> None:
        self.publisher.changed(table, events)
        self._go_on(table)

    def _go_on(self, table: Table) -> None:
        """Start whatever the new position asks for."""
        if table.phase == "live" and table.outcome() is not None:
            self.spawn(self._settle(table), f"settle {table.id}")
        elif table.phase == "live":
            for seat in table.waiting():
                if table.sitters[seat].level is not None:
                    self._let_opponent_act(table, seat)
        elif table.phase in ("over", "cancelled") and table.id in self.tables:
            del self.tables[table.id]
            self._closed[table.id] = table
            self.ended(table)

    async def _settle(self, table: Table) -> None:
        try:
            await table.settle(lambda connection: keep_results(connection, table, self.clock.now()))
        except StoreTrouble as found:
            log.error("results not stored yet", table=table.id, kind=found.kind)
            self._later(RETRY_SECONDS, lambda: self._go_on(table))

    def _later(self, seconds: float, act: Any) -> None:
        if self._open:
            self.clock.call_later(seconds, act)

    def _let_opponent_act(self, table: Table, seat: int) -> None:
        decision = table.decisions[seat]
        key = (table.id, seat, decision)
        if key in self._thinking:
            return
        self._thinking.add(key)
        work = self._opponent_turn(table, seat, decision, key)
        self.spawn(work, f"opponent at table {table.id} seat {seat}")

    async def _opponent_turn(self, table: Table, seat: int, decision: int, key: tuple[int, int, int]) -> None:
        try:
            together = len(table.waiting()) > 1
            await self.clock.sleep(min(TOGETHER_PACE, self._pace) if together else self._pace)
            level = table.sitters[seat].level
            if level is None or table.phase != "live" or table.decisions[seat] != decision:
                return
            await self._decide(table, seat, decision, level, "act")
        except Stale:
            return
        except (Refused, StoreTrouble) as found:
            log.warning("opponent could not act", table=table.id, seat=seat, why=str(found))
            self._later(RETRY_SECONDS, lambda: self._go_on(table))
        finally:
            self._thinking.discard(key)

    async def _decide(self, table: Table, seat: int, decision: int, level: str, kind: str) -> None:
        """Let an opponent of this level make one decision of a seat."""
        state, actions = table.state, table.legal[seat]
        if state is None or not actions:
            return
        action: Any = None
        try:
            action = await self.thinker.choose(table.game.key, level, state.observe(seat), actions)
        except Exception:  # whatever breaks in an opponent, the table must not stand still
            log.exception("opponent broke, a random action stands in", table=table.id, seat=seat)
        if action not in actions:
            action = random.choice(actions)
        await table.act(seat, decision, action, kind=kind)

    # -- time -------------------------------------------------------------------------------

    def _rescheduled(self, table: Table) -> None:
        self._alarms.replace(table.id, table.deadlines)

    def _rang(self, deadline: Deadline) -> None:
        self.spawn(self._answer(deadline), f"{deadline.kind} of table {deadline.game_id}")

    async def _answer(self, deadline: Deadline) -> None:
        table = self.tables.get(deadline.game_id)
        if table is None or deadline not in table.deadlines:  # a late second try may come to a new turn
            return
        if deadline.kind in SPOKEN and table.sitters[deadline.seat].user_id in table.stored.terms.quiet:
            return
        try:
            if deadline.kind == "lobby" and table.phase == "lobby":
                await table.cancel("expired")
            elif deadline.kind == "remind" and deadline.seat in table.waiting():
                seconds = table.stored.terms.clock
                self.publisher.remind(table, deadline.seat, max(1, seconds // 120))
            elif deadline.kind == "nudge" and deadline.seat in table.waiting():
                self.publisher.nudge(table, deadline.seat)
            elif deadline.kind == PASS and deadline.seat in table.waiting():
                actions = table.legal[deadline.seat]
                wanted = next((action for action in actions if action[0] == PASS), None)
                if wanted is not None:
                    await table.act(deadline.seat, table.decisions[deadline.seat], wanted)
            elif deadline.kind == "turn" and deadline.seat in table.waiting():
                level = list(table.game.opponents)[-1]
                await self._decide(table, deadline.seat, table.decisions[deadline.seat], level, "timeout")
        except Stale:
            return
        except (Refused, StoreTrouble) as found:
            log.warning("deadline could not be answered", table=table.id, why=str(found))
            self._later(RETRY_SECONDS, lambda: self._rang(deadline))

    def _next_beat(self) -> None:
        self._later(HEARTBEAT_SECONDS, lambda: self.spawn(self._beat(), "heartbeat"))

    async def _beat(self) -> None:
        try:
            async with self.database.write() as connection:
                await store.beat(connection, self.clock.now())
        except StoreTrouble as found:
            log.warning("heartbeat not stored", kind=found.kind)
        self._next_beat()
