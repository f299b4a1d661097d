"""One way to write: whatever changes is stored first, and true in memory only then.

A *unit* is what changes as one thing: a table, or a tournament. Each change runs under its lock in a task
of its own, so that no cancelled caller can tear it, and commits once. Where the commit is in doubt (the
connection broke on the way) one question is asked before anybody hears an answer: was it stored?
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

import structlog
from sqlalchemy import Connection

from bot.store.database import Conflict, Database, Fenced, Overtaken, StoreError
from bot.tables.ports import Clock, Refused
from bot.telemetry.trace import waiting_for
from engine.game import IllegalSetup, Refusal

log = structlog.get_logger(__name__)
T = TypeVar("T")

ASK_AGAIN_SECONDS = 5.0
"""The pause before a question that nobody could answer is asked again."""


class Unit:
    """Something that is kept in the database and changes one step at a time."""

    __slots__ = ("_database", "_in_doubt", "_lock", "_running")

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = asyncio.Lock()
        self._running: set[asyncio.Task[object]] = set()
        self._in_doubt = False
        """Whether nobody could say yet if the last change was stored."""

    async def _read_again(self) -> None:
        """Take everything from the database.

        What is still on its way to its commit must be waited for: it asks in a write, with a lock on the row.

        Raises:
            StoreError: it did not answer.
        """
        raise NotImplementedError  # pragma: no cover - each unit has its own

    def _found_out(self) -> None:
        """A change of which nobody could say whether it was stored has been read again. What comes now may be
        refused, so nobody else tells of it."""

    @property
    def database(self) -> Database:
        """The database that keeps it."""
        return self._database

    @property
    def busy(self) -> bool:
        """Whether a change is under way."""
        return bool(self._running)

    @property
    def in_doubt(self) -> bool:
        """Whether nobody could say yet if the last change was stored; the next change asks again."""
        return self._in_doubt

    async def read_again(self) -> None:
        """Take everything from the database, where it was changed beside this unit.

        Raises:
            StoreError: it did not answer; the unit is in doubt until it is read.
        """
        try:
            await self._change(self._read_again())
        except StoreError:
            self._in_doubt = True
            raise

    async def drain(self) -> None:
        """Wait until every change that is under way has come to its end."""
        while self._running:
            await asyncio.wait(set(self._running))

    async def _commit(self, write: Callable[[Connection], None], stored: Callable[[], bool]) -> bool:
        """Store a change in one transaction.

        Where the commit is in doubt everything is read again; `stored` says whether it stands there then.
        True: it is stored, memory may follow. False: it is stored too, and memory has been read again.

        Raises:
            Conflict, Overtaken: somebody else's change came first; memory has been read again.
            StoreError: it was not stored. Only for `unknown` nobody knows: the next change asks again.
                `Fenced` too says for sure that it was not, so who is overtaken while asking hears `unknown`.
        """
        try:
            await self._database.write_at_once(write)
        except StoreError as found:
            overtaken = isinstance(found, (Conflict, Overtaken))
            if not (found.doubtful or overtaken):
                raise
            self._in_doubt = True
            await self._ask_again(found)
            if overtaken or not stored():
                raise
            return False
        return True

    async def _ask_again(self, found: StoreError | None = None) -> None:
        try:
            await self._read_again()
        except StoreError as second:
            if isinstance(second, Fenced) and not (found and found.doubtful):
                raise
            raise StoreError("unknown", str(second)) from found or second
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
                    self._found_out()
                result = await work
            after()
            return result

        task = asyncio.create_task(run(), name=f"change of {self}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(lambda _: work.close())  # where it never began, as the task may not have
        try:
            with waiting_for(task):
                return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.done():
                task.add_done_callback(_hear_out)
            raise


async def make(
    database: Database, write: Callable[[Connection], T], find: Callable[[Connection], T | None]
) -> T:
    """Store something new in one transaction. Where the commit is in doubt, `find` looks for it.

    Raises:
        StoreError: it was not stored; or `unknown`, where nobody can tell.
    """
    try:
        return await database.write_at_once(write)
    except StoreError as found:
        if not found.doubtful:
            raise
        try:
            # it has no row yet whose lock could be waited for
            known = await database.write_at_once(find, alone=True)
        except StoreError as second:
            raise StoreError("unknown", str(second)) from found
        if known is None:
            raise
        return known


async def find_out(database: Database, clock: Clock, find: Callable[[Connection], T | None]) -> T | None:
    """What `make` stored, where nobody could tell: asked until the database answers; None: it did not.

    Raises:
        Fenced: another process plays, and finds it.
    """
    while True:
        await clock.sleep(ASK_AGAIN_SECONDS)
        try:
            return await database.write_at_once(find, alone=True)
        except Fenced:
            raise
        except StoreError as found:
            log.warning("still in doubt", kind=found.kind)


def _hear_out(task: asyncio.Task[object]) -> None:
    """A change that nobody waits for any more may still be refused; that is no error of the bot."""
    if not task.cancelled() and isinstance(error := task.exception(), Exception):
        expected = isinstance(error, (Refused, Refusal, StoreError, IllegalSetup))
        if not expected:
            task.get_loop().call_exception_handler({"message": "a late change failed", "exception": error})
