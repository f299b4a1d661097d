"""Hourly work: idle tables, tables and data of servers that the bot left, old rows, and work of features."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from functools import partial

import structlog
from sqlalchemy import Connection

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.core.scheduler import Scheduler
from bot.store import queries
from bot.store.database import Database, Fenced, StoreError
from bot.store.days import DAY_MS
from bot.store.personal_data import left_servers
from bot.store.shards import ALL, Shards
from bot.table.people.leaving import forget
from bot.table.storage.retention import PAUSE_SECONDS, Retention
from bot.table.table import LEFT_PAUSED, PAUSED, Table
from bot.table.turns import IDLE_MS

log = structlog.get_logger(__name__)

EVERY_SECONDS = 3600.0
"""Seconds from one round to the next."""
SOON_SECONDS = 60.0
"""Seconds until a failed write is tried again."""
UPKEEP = "upkeep"
"""The name of the loop that does this work."""
LEFT_MS = 30 * DAY_MS
"""Milliseconds from leaving a server until its tables close and its data is removed."""
FORGOTTEN_MS = 365 * DAY_MS
"""Milliseconds after which a sleeping table closes."""
AT_A_TIME, SERVERS_AT_A_TIME = 200, 10
IDLE, LEFT = "idle", "left_server"
"""Reasons for a table to sleep: no one has touched it for a while, or the bot has left its server."""
FORGOTTEN = "forgotten"
"""Reason for closing a table that has slept for a year."""


class Upkeep:
    """Hourly work, which puts idle tables to sleep and closes those that no one can reach any more."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        get: Callable[[int], Awaitable[Table]],
        retention: Retention,
        scheduler: Scheduler,
        *,
        shards: Shards = ALL,
    ) -> None:
        self._database = database
        self._clock = clock
        self._get = get
        self.hourly: list[Callable[[], Awaitable[object]]] = []
        """Hourly work of features."""
        self._retention = retention
        self._scheduler = scheduler
        self._shards = shards
        self._counted = False
        """Whether it is known which servers the bot is in. Until then, no data of servers is removed."""
        self._heard: dict[int, Collection[int] | None] = {}
        """Servers that were left, with their channels, or joined again (None), and are not yet stored as
        such."""

    def unreplayed(self, phase: str) -> int:
        """Return the number of games, `open` or `finished`, that did not replay in the last round."""
        unreplayed = self._retention.unreplayed
        return unreplayed.open if phase == "open" else unreplayed.finished

    async def round(self) -> float:
        """Do the hourly work. Return the seconds until it is due again.

        A defect in one piece of work does not keep the others from being done.

        Raises:
            StoreError: the database did not answer.
            Exception: a defect; all other work was done.
        """
        now, errors = self._clock.now(), list[Exception]()
        jobs: list[Callable[[], Awaitable[object]]] = [
            self._store_heard,
            partial(self._put_to_sleep, now),
            partial(self._close_sleeping, now - LEFT_MS, [LEFT, LEFT_PAUSED], closed=LEFT),
            partial(self._close_sleeping, now - FORGOTTEN_MS, [IDLE, PAUSED, ""], closed=FORGOTTEN),
            *self.hourly,
            partial(self._forget_servers, now - LEFT_MS),
            self._retention.round,
        ]
        for work in jobs:
            try:
                await work()
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - raised below
                errors.append(error)
        for other in errors[1:]:
            log.error("upkeep failed", exc_info=other)
        if errors:
            raise errors[0]
        return EVERY_SECONDS

    async def _put_to_sleep(self, now: int) -> None:
        idle = await self._database.read_at_once(
            lambda c: queries.idle(c, now - IDLE_MS, AT_A_TIME, self._shards)
        )
        await self.each_table(idle, lambda table: table.sleep(IDLE))

    async def _close_sleeping(self, before: int, why: Collection[str], *, closed: str) -> None:
        """Close the tables that have slept since before `before`, for one of the reasons in `why`."""
        slept = await self._database.read_at_once(
            lambda c: queries.asleep_since(c, before, why, AT_A_TIME, self._shards)
        )
        await self.each_table(slept, lambda table: forget(table, closed))

    async def on_guild_remove(self, guild_id: int, channels: Collection[int] = ()) -> None:
        """Put the tables of a server that the bot has left to sleep, and close its lobbies."""

        async def leave(table: Table) -> None:
            if table.phase != "live":
                await table.cancel(LEFT)
            else:
                await table.sleep(LEFT_PAUSED if table.paused else LEFT)

        await self.each_table(await self._tables_of(guild_id, channels, "server left, not noted yet"), leave)

    async def on_guild_join(self, guild_id: int) -> None:
        """Keep the sleeping tables of a server that the bot has joined again from being closed."""

        async def stay(table: Table) -> None:
            if (why := table.stored.why) in (LEFT, LEFT_PAUSED):
                await table.sleep(IDLE if why == LEFT else PAUSED)

        await self.each_table(await self._tables_of(guild_id, None, "server joined, not noted yet"), stay)

    async def _tables_of(self, guild_id: int, heard: Collection[int] | None, event: str) -> list[int]:
        """Return the open tables of a server, after storing what was heard of it (see `_heard`).

        If the database does not answer, return none; the next round stores it.
        """
        self._heard[guild_id] = heard
        try:
            await self._store_heard()
            return await self._database.read_at_once(lambda c: queries.open_in_guild(c, guild_id))
        except StoreError as failure:
            self._later(event, failure)
            return []

    async def reconcile_guilds(self, guild_ids: Collection[int]) -> None:
        """Catch up on the servers that the bot has left or joined while it did not run.

        `guild_ids` are all servers of its shards.
        """
        try:
            with_data = await self._database.read_at_once(
                lambda c: left_servers.servers_with_data(c, self._shards)
            )
            noted = await self._database.read_at_once(lambda c: left_servers.read_notes(c, self._shards))
            for guild_id in noted.keys() & set(guild_ids):
                await self.on_guild_join(guild_id)
            self._heard |= dict.fromkeys(with_data - noted.keys() - set(guild_ids), ())
            await self._store_heard()
        except StoreError as failure:
            self._later("servers not counted", failure)
            return
        self._counted = True

    def _later(self, event: str, failure: StoreError) -> None:
        self._scheduler.trigger(UPKEEP, within=SOON_SECONDS)
        log.warning(event, kind=failure.kind)

    async def _store_heard(self) -> None:
        """Store which servers were left, and which were joined again.

        Raises:
            StoreError: it was not stored; the next round tries again.
        """
        now, heard = self._clock.now(), dict(self._heard)

        def write(connection: Connection) -> None:
            for guild_id, channels in heard.items():
                if channels is None:
                    left_servers.delete_note(connection, guild_id)
                else:
                    left_servers.note(connection, guild_id, now, channels)

        if heard:
            await self._database.write_at_once(write)
            for guild_id, channels in heard.items():
                if guild_id in self._heard and self._heard[guild_id] is channels:
                    del self._heard[guild_id]

    async def _forget_servers(self, before: int) -> None:
        """Remove the data of servers that were left before `before`."""
        if not self._counted:
            return
        work = partial(left_servers.remove, before=before, most=SERVERS_AT_A_TIME, shards=self._shards)
        while done := await self._database.write_at_once(work):
            log.info("servers that were left are forgotten", servers=done)
            await self._clock.sleep(PAUSE_SECONDS)

    async def each_table(self, ids: list[int], act: Callable[[Table], Awaitable[None]]) -> None:
        """Call `act` on each of these tables. A failure at one does not affect the others."""
        for table_id in ids:
            try:
                await act(await self._get(table_id))
            except Fenced:
                return
            except (Refused, StoreError) as failure:
                log.info("table not looked after", table=table_id, why=str(failure))
            except Exception as error:
                log.error("table not looked after", table=table_id, exc_info=error)
