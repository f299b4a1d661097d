"""Turns for opening shards: Discord lets a bot IDENTIFY once in five seconds, across all its processes.

Shards whose ids have the same remainder modulo `max_concurrency` wait for each other. A turn is a PostgreSQL
lock; it is held for as long as the others must wait, and is released if its process dies.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from sqlalchemy import text

from bot.store.database import Database, StoreError

log = structlog.get_logger(__name__)

APART_SECONDS = 5.5
"""Seconds between two IDENTIFYs; Discord requires five."""
LOOK_SECONDS = 0.25
_LOCK: Final = 0x7A1E
"""The first number of the advisory lock; the second is the bucket."""


class IdentifyTurns:
    """The turns of one process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._held: set[asyncio.Task[None]] = set()

    async def wait(self, bucket: int) -> None:
        """Return when this process may IDENTIFY a shard of a bucket; it then holds the turn for a while.

        If the database does not answer, this waits no longer than one turn takes: Discord refuses a session
        that comes too early, and it is tried again.
        """
        while True:
            got: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            task = asyncio.create_task(self._hold(bucket, got), name="turn to identify")
            self._held.add(task)
            task.add_done_callback(self._held.discard)
            if await got:
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def _hold(self, bucket: int, got: asyncio.Future[bool]) -> None:
        try:
            async with self._database.read() as connection:
                # the lock lives as long as this transaction, which stays idle
                idle = str(int(2000 * APART_SECONDS))
                await connection.execute(
                    text("SELECT set_config('idle_in_transaction_session_timeout', :idle, true)"),
                    {"idle": idle},
                )
                asked = text("SELECT pg_try_advisory_xact_lock(:lock, :bucket)")
                mine = (await connection.execute(asked, {"lock": _LOCK, "bucket": bucket})).scalar_one()
                if not got.done():
                    got.set_result(bool(mine))
                if mine:
                    await asyncio.sleep(APART_SECONDS)
        except StoreError as found:
            log.warning("no turns to identify", kind=found.kind)
            # still wait, or refused attempts add up: after a thousand in a day Discord revokes the token
            await asyncio.sleep(APART_SECONDS)
        finally:
            if not got.done():
                got.set_result(True)

    async def close(self) -> None:
        """Release all turns."""
        for task in self._held:
            task.cancel()
        if self._held:
            await asyncio.wait(set(self._held))
