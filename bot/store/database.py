"""The way to the database: one writer, many readers, and its troubles by name."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store.models import SCHEMA

T = TypeVar("T")
BUSY_MS = 1000
"""How long SQLite waits for another process's lock."""
READERS = 2
"""How many threads read from SQLite in one piece."""


class StoreTrouble(Exception):
    """The database could not do it; nothing was stored unless `doubtful`.

    `kind` is the key of the words: locked, full, readonly, gone, old, newer, not_a_database, fenced, unknown.
    """

    def __init__(self, kind: str, detail: str = "", *, doubtful: bool = False) -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.doubtful = doubtful


class Conflict(StoreTrouble):
    """The row is there already: somebody else was first."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("conflict", detail)


class Overtaken(StoreTrouble):
    """What was to be changed has been changed since it was read: nothing was stored."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("conflict", detail)


class Fenced(StoreTrouble):
    """This process may not write (any more): another one holds the lease. Nothing was stored."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("fenced", detail)


def trouble(error: BaseException) -> StoreTrouble:
    """The trouble behind a driver's error."""
    if isinstance(error, IntegrityError):
        return Conflict(str(error.orig))
    said = str(getattr(error, "orig", error)).lower()
    for sign, kind in (
        ("locked", "locked"),
        ("busy", "locked"),
        ("full", "full"),
        ("no space", "full"),
        ("readonly", "readonly"),
        ("read-only", "readonly"),
        ("not a database", "not_a_database"),
        ("malformed", "not_a_database"),
    ):
        if sign in said:
            return StoreTrouble(kind, said)
    return StoreTrouble("gone", said, doubtful=True)


class Database:
    """Two pools on one database: writes go through `write`, reads through `read`.

    `fence` is called at the beginning of every write, in its transaction, and raises `Fenced` where this
    process may not write; without one everybody may (the command line, tests).
    """

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self._writer: AsyncEngine
        self._reader: AsyncEngine
        self.fence: Callable[[Connection], None] | None = None
        self._turn = asyncio.Lock()
        """Whose turn it is to write to SQLite; PostgreSQL needs none."""
        if self.sqlite:
            # With more than one writer SQLite loses read-modify-writes or answers "locked".
            self._writer = create_async_engine(self.url, pool_size=1, max_overflow=0, pool_timeout=5)
            self._reader = create_async_engine(self.url, pool_size=2, max_overflow=2)
            _prepare_sqlite(self._writer.sync_engine, begin="BEGIN IMMEDIATE")
            _prepare_sqlite(self._reader.sync_engine, begin="BEGIN", read_only=True)
            self._quick = create_engine(self.url.set(drivername="sqlite"), pool_size=1, max_overflow=0)
            _prepare_sqlite(self._quick, begin="BEGIN IMMEDIATE")
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
            self._quick_reader = create_engine(
                self.url.set(drivername="sqlite"), pool_size=READERS, max_overflow=0
            )
            _prepare_sqlite(self._quick_reader, begin="BEGIN", read_only=True)
            self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        else:
            self._writer = create_async_engine(self.url, pool_size=5, pool_pre_ping=True)
            self._reader = self._writer

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits at the end of the block.

        Raises:
            StoreTrouble: it did not commit; where `doubtful`, read again to know.
        """
        async with self._turn if self.sqlite else nullcontext():
            try:
                async with self._writer.begin() as connection:
                    if self.fence is not None:
                        await connection.run_sync(self.fence)
                    yield connection
            except (SQLAlchemyError, sqlite3.Error, OSError) as error:
                raise trouble(error) from error

    async def write_at_once(self, work: Callable[[Connection], T], *, fenced: bool = True) -> T:
        """A whole transaction as one piece of work, for the hot path.

        With SQLite each statement of `write` is handed to a thread and back, a dozen times for one
        act, and on a busy machine every hand-over waits for the interpreter: here it is one.
        Only the lease itself is written with `fenced` false.

        Raises:
            Fenced: this process may not write.
            StoreTrouble: it did not commit; where `doubtful`, read again to know.
        """

        def piece(connection: Connection) -> T:
            if fenced and self.fence is not None:
                self.fence(connection)
            return work(connection)

        try:
            if not self.sqlite:
                async with self._writer.begin() as connection:
                    return await connection.run_sync(piece)
            async with self._turn:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._thread, self._in_one_piece, piece)
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise trouble(error) from error

    def _in_one_piece(self, work: Callable[[Connection], T]) -> T:
        with self._quick.begin() as connection:
            return work(connection)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection that only reads.

        Raises:
            StoreTrouble: the database did not answer.
        """
        try:
            async with self._reader.connect() as connection:
                yield connection
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise trouble(error) from error

    async def read_at_once(self, work: Callable[[Connection], T]) -> T:
        """Several reads as one piece of work: with SQLite one hand-over to a thread instead of one each.

        Raises:
            StoreTrouble: the database did not answer.
        """
        if not self.sqlite:
            async with self.read() as connection:
                return await connection.run_sync(work)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._readers, self._read_in_one_piece, work)
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise trouble(error) from error

    def _read_in_one_piece(self, work: Callable[[Connection], T]) -> T:
        with self._quick_reader.connect() as connection:
            return work(connection)

    async def revision(self) -> str | None:
        """The schema's revision, None for an empty database.

        Raises:
            StoreTrouble: it is not a database, or cannot be reached.
        """
        try:
            if self.sqlite:
                await asyncio.to_thread(self._open_once)
            async with self._reader.connect() as connection:
                found = await connection.execute(text("SELECT version_num FROM alembic_version"))
                return found.scalar_one_or_none()
        except DBAPIError as error:
            said = str(error.orig).lower()
            if "no such table" in said or "does not exist" in said:
                return None
            raise trouble(error) from error
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise trouble(error) from error

    def _open_once(self) -> None:
        """Fail here where the file cannot be opened: the thread that aiosqlite leaves behind then speaks to
        a loop that may be gone, with a traceback."""
        args, options = self._quick.dialect.create_connect_args(self._quick.url)
        self._quick.dialect.connect(*args, **options).close()

    async def check_schema(self) -> None:
        """Return if the schema is ours.

        Raises:
            StoreTrouble: `old` (an upgrade is due) or `newer` (made by a later version).
        """
        revision = await self.revision()
        if revision == SCHEMA:
            return
        raise StoreTrouble("old" if revision is None or revision < SCHEMA else "newer", str(revision))

    async def close(self) -> None:
        """Give all connections back. May be called twice."""
        await self._writer.dispose()
        if self.sqlite:
            self._thread.shutdown(wait=True)  # what it still writes takes a millisecond
            self._quick.dispose()
            self._readers.shutdown(wait=True)
            self._quick_reader.dispose()
        if self._reader is not self._writer:
            await self._reader.dispose()


def _prepare_sqlite(engine: Engine, *, begin: str, read_only: bool = False) -> None:
    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions of its own
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        if read_only:
            cursor.execute("PRAGMA query_only=ON")
        else:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def on_begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)
