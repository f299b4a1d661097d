"""What is looked after once an hour: tables that nobody touches, tables of servers that were left, the deals
of the days to come, what is told of them in the morning, and what becomes of old rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog

from bot.store import days
from bot.store import games as store
from bot.store.database import Database, Fenced, StoreError
from bot.store.shards import ALL, Shards
from bot.tables.mornings import Mornings
from bot.tables.ports import Clock, Refused
from bot.tables.retention import Retention
from bot.tables.table import PAUSED, Table
from engine import catalog

log = structlog.get_logger(__name__)

EVERY_SECONDS, AGAIN_SECONDS = 3600.0, 60.0
DAY_MS = 86_400_000
IDLE_MS = 7 * DAY_MS
"""A table that nobody has touched for so long falls asleep; a press wakes it."""
LEFT_MS = 30 * DAY_MS
"""The tables of a server that the bot has left close after so long."""
FORGOTTEN_MS = 365 * DAY_MS
"""A table that has slept for so long closes."""
AT_A_TIME = 200
IDLE, LEFT = "idle", "left_server"
"""Why a table sleeps: nobody has touched it for long, or the bot has left its server."""
FORGOTTEN = "forgotten"
"""Why a table is closed that has slept for a year."""
DAY_OVER = "day_over"
"""Why the table of a day is closed: nobody has finished it on the day after either."""


class Upkeep:
    """Puts tables to sleep and closes those that nobody can reach any more."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        get: Callable[[int], Awaitable[Table]],
        mornings: Mornings,
        retention: Retention,
        *,
        shards: Shards = ALL,
    ) -> None:
        self._database = database
        self._clock = clock
        self._get = get
        self._mornings = mornings
        self._retention = retention
        self._shards = shards
        self._next = 0.0

    def due(self) -> bool:
        """Whether an hour has passed since the last round; the first one is due at once."""
        return self._clock.monotonic() >= self._next

    async def round(self) -> None:
        """Look once at everything that has stood still for too long; where that is not answered, it is
        due again in a while."""
        self._next = self._clock.monotonic() + EVERY_SECONDS
        try:
            await self._look()
        except Fenced:
            raise
        except StoreError as found:
            self._next = self._clock.monotonic() + AGAIN_SECONDS
            log.warning("upkeep not done yet", kind=found.kind)

    async def _look(self) -> None:
        now = self._clock.now()
        idle = await self._database.read_at_once(
            lambda c: store.idle(c, now - IDLE_MS, AT_A_TIME, self._shards)
        )
        await self._each(idle, lambda table: table.sleep(IDLE))
        if self._shards.first:
            await self._days(now)
        await self._close_sleeping(now - LEFT_MS, LEFT, closed=LEFT)
        for why in (IDLE, PAUSED, ""):
            await self._close_sleeping(now - FORGOTTEN_MS, why, closed=FORGOTTEN)
        await self._mornings.round()
        await self._retention.round()

    async def _close_sleeping(self, before: int, why: str, *, closed: str) -> None:
        """Close the tables that have slept since before then, for this reason."""
        slept = await self._database.read_at_once(
            lambda c: store.asleep_since(c, before, why, AT_A_TIME, self._shards)
        )
        await self._each(slept, lambda table: table.cancel(closed))

    async def _days(self, now: int) -> None:
        """Draw the deals of the days to come, and close what is left of those that are over."""
        # drawn by a write of its own: a promise stands before anybody hears of it
        await self._database.write_at_once(lambda c: days.draw(c, catalog.listed(), now))
        over = await self._database.read_at_once(
            lambda c: days.left_open(c, days.day_of(now - DAY_MS), AT_A_TIME)
        )
        await self._each(over, lambda table: table.cancel(DAY_OVER))

    async def left(self, guild_id: int) -> None:
        """The bot has left a server: its tables sleep, and its lobbies close."""
        for table_id in await self._database.read_at_once(lambda c: store.open_in_guild(c, guild_id)):
            await self._each(
                [table_id],
                lambda table: table.sleep(LEFT) if table.phase == "live" else table.cancel(LEFT),
            )

    async def joined(self, guild_id: int) -> None:
        """The bot is back in a server: its tables sleep on, but for no reason that closes them."""

        async def stay(table: Table) -> None:
            if table.stored.why == LEFT:
                await table.sleep(IDLE)

        await self._each(await self._database.read_at_once(lambda c: store.open_in_guild(c, guild_id)), stay)

    async def _each(self, ids: list[int], act: Callable[[Table], Awaitable[None]]) -> None:
        for table_id in ids:
            try:
                await act(await self._get(table_id))
            except Fenced:
                return
            except (Refused, StoreError) as found:
                log.info("table not looked after", table=table_id, why=str(found))
