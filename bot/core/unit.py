"""Store first: a change is committed to the database before memory changes.

A *unit* changes as a whole: a table, or a tournament. Each change runs under the unit's lock in a task of
its own, so a cancelled caller cannot tear it, and commits once. If the commit is in doubt (the connection
broke on the way), the database is asked whether it was stored before anyone gets an answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

import structlog
from sqlalchemy import Connection

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.store.database import Conflict, Database, Fenced, Overtaken, StoreError
from bot.telemetry.trace import waiting_for
from engine.game import IllegalSetup, Refusal

log = structlog.get_logger(__name__)
T = TypeVar("T")

ASK_AGAIN = Backoff(first=5.0, factor=1.0)
"""Pauses until the database is asked again whether something was stored."""


class Unit:
    """An object that is kept in the database and changes one step at a time."""

    __slots__ = ("_database", "_in_doubt", "_lock", "_running")

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = asyncio.Lock()
        self._running: set[asyncio.Task[object]] = set()
        self._in_doubt = False
        """Whether it is still unknown if the last change was stored."""

    async def _read_again(self) -> None:
        """Read everything from the database.

        It must wait for a commit that is still on its way, so it reads in a write, with a lock on the row.

        Raises:
            StoreError: it did not answer.
        """
        raise NotImplementedError  # pragma: no cover - every unit overrides it

    def _publish_found(self) -> None:
        """Publish a change that was in doubt and has been read. The change that waited for it may be refused,
        so nothing else would show it."""

    @property
    def database(self) -> Database:
        """The database that keeps this unit."""
        return self._database

    @property
    def busy(self) -> bool:
        """Whether a change is under way."""
        return bool(self._running)

    @property
    def in_doubt(self) -> bool:
        """Whether it is still unknown if the last change was stored; the next change asks again."""
        return self._in_doubt

    async def read_again(self) -> None:
        """Read everything from the database after something else has changed it.

        Raises:
            StoreError: the database did not answer; the unit is in doubt until it is read.
        """
        try:
            await self._change(self._read_again())
        except StoreError:
            self._in_doubt = True
            raise

    async def drain(self) -> None:
        """Wait until every change that is under way has ended."""
        while self._running:
            await asyncio.wait(set(self._running))

    async def _commit(self, write: Callable[[Connection], None], stored: Callable[[], bool]) -> bool:
        """Store a change in one transaction.

        If the commit is in doubt, everything is read again, and `stored` says whether the change is in it.
        Return True if memory must still follow, False if it has been read again.

        Raises:
            Conflict, Overtaken: another change came first; memory has been read again.
            StoreError: the change was not stored; if its kind is `unknown`, it may have been, and the next
                change asks again. `Fenced` is certain as well, so a process that is overtaken while it asks
                gets `unknown`.
        """
        try:
            await self._database.write_at_once(write)
        except StoreError as failure:
            overtaken = isinstance(failure, (Conflict, Overtaken))
            if not (failure.doubtful or overtaken):
                raise
            self._in_doubt = True
            await self._ask_again(failure)
            if overtaken or not stored():
                raise
            return False
        return True

    async def _ask_again(self, failure: StoreError | None = None) -> None:
        try:
            await self._read_again()
        except StoreError as second:
            if isinstance(second, Fenced) and not (failure and failure.doubtful):
                raise
            raise StoreError("unknown", str(second)) from failure or second
        self._in_doubt = False

    async def _change(
        self,
        work: Coroutine[object, object, T],
        after: Callable[[], None] = lambda: None,
    ) -> T:
        """Run `work` under the lock in a task of its own, then `after`.

        Both finish even if the caller is cancelled.
        """

        async def run() -> T:
            async with self._lock:
                if self._in_doubt:
                    await self._ask_again()
                    self._publish_found()
                result = await work
            after()
            return result

        task = asyncio.create_task(run(), name=f"change of {self}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(lambda _: work.close())  # the task may have ended before it began
        try:
            with waiting_for(task):
                return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.done():
                task.add_done_callback(_report)
            raise


async def make(
    database: Database, write: Callable[[Connection], T], find: Callable[[Connection], T | None]
) -> T:
    """Store something new in one transaction. If the commit is in doubt, `find` looks for it.

    Raises:
        StoreError: it was not stored; if its kind is `unknown`, it may have been.
    """
    try:
        return await database.write_at_once(write)
    except StoreError as failure:
        if not failure.doubtful:
            raise
        try:
            # the row whose lock it could wait for does not exist yet
            stored = await database.write_at_once(find, alone=True)
        except StoreError as second:
            raise StoreError("unknown", str(second)) from failure
        if stored is None:
            raise
        return stored


async def find_out(database: Database, clock: Clock, find: Callable[[Connection], T | None]) -> T | None:
    """Return what `make` stored, or None, after a commit in doubt. Ask until the database answers.

    Raises:
        Fenced: another process has the lease, and finds it.
    """
    while True:
        await clock.sleep(ASK_AGAIN.first)
        try:
            return await database.write_at_once(find, alone=True)
        except Fenced:
            raise
        except StoreError as failure:
            log.warning("still in doubt", kind=failure.kind)


def _report(task: asyncio.Task[object]) -> None:
    """Report an error of a change that no caller waits for any more. A refusal is not an error."""
    if not task.cancelled() and isinstance(error := task.exception(), Exception):
        expected = isinstance(error, (Refused, Refusal, StoreError, IllegalSetup))
        if not expected:
            task.get_loop().call_exception_handler({"message": "a late change failed", "exception": error})
