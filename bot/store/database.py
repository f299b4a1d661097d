"""The way to the database: one writer, many readers, and its troubles by name."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import disk, engines, policy
from bot.store.engines import Limits
from bot.store.models import SCHEMA
from bot.store.urls import Place, place

T = TypeVar("T")
CLOSE_SECONDS = 2.0
"""How long all connections together may take to be given back."""
TIDY_MIB = 8
"""From what size on the write-ahead log of SQLite is folded in."""
READERS = 2
"""How many threads read from SQLite in one piece."""


class StoreError(Exception):
    """The database could not do it; nothing was stored unless `doubtful`.

    `kind` is the key of the words: locked, slow, full, readonly, gone, refused, tls, empty, old, newer, mixed
    (its tables are not those of its revision), not_a_database, restoring, fenced, unknown.
    """

    def __init__(self, kind: str, detail: str = "", *, doubtful: bool = False) -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.doubtful = doubtful


class Conflict(StoreError):
    """The row is there already: somebody else was first."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("conflict", detail)


class Overtaken(StoreError):
    """What was to be changed has been changed since it was read: nothing was stored."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("conflict", detail)


class Fenced(StoreError):
    """This process may not write (any more): another one holds the lease. Nothing was stored."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("fenced", detail)


NO_TABLE = "42P01"
SQLSTATES = {
    "25006": "readonly",
    "25P03": "slow",  # idle in a transaction for too long
    "28000": "refused",
    "28P01": "refused",
    "3D000": "refused",
    "40001": "locked",
    "40P01": "locked",
    "42701": "mixed",  # a column, a table that a migration makes is there
    "42703": "mixed",  # one that should be there is not
    NO_TABLE: "mixed",
    "42P07": "mixed",
    "53100": "full",
    "53300": "gone",  # it has no connection to spare
    "55P03": "locked",
    "57014": "slow",  # the statement took too long
    "57P03": "gone",  # it is starting or stopping, and lets nobody in
}
"""What PostgreSQL's codes mean; in each case it says itself that nothing was stored."""
SIGNS = (
    ("locked", "locked"),
    ("busy", "locked"),
    ("full", "full"),
    ("no space", "full"),
    ("readonly", "readonly"),
    ("read-only", "readonly"),
    ("not a database", "not_a_database"),
    ("malformed", "not_a_database"),
    ("already exists", "mixed"),
    ("duplicate column", "mixed"),
    ("no such table", "mixed"),
    ("no such column", "mixed"),
    ("ssl", "tls"),
    ("certificate", "tls"),
)
"""By which of its words an error is known that has no code."""


NOBODY_THERE = (ConnectionRefusedError, FileNotFoundError, socket.gaierror)
"""What is heard while a connection is made: no statement has left, so nothing was stored. The second where a
socket in a folder is gone, the last where nobody knows the server's name."""
SEVERAL_REFUSED = "multiple exceptions: [errno"
"""As asyncio puts it where a name has more than one address."""


def trouble(error: BaseException) -> StoreError:
    """The trouble behind a driver's error."""
    if isinstance(error, IntegrityError):
        return Conflict(str(error.orig))
    cause = getattr(error, "orig", error)
    said = str(cause).lower()
    if isinstance(cause, NOBODY_THERE) or said.startswith(SEVERAL_REFUSED):
        return StoreError("gone", said)
    if code := getattr(cause, "sqlstate", None):
        if kind := SQLSTATES.get(code):
            return StoreError(kind, said)
    elif isinstance(error, PoolTimeout):
        return StoreError("slow", "all connections are taken")
    elif isinstance(error, TimeoutError):
        return StoreError("slow", "no answer", doubtful=True)
    else:
        for sign, kind in SIGNS:
            if sign in said:
                return StoreError(kind, said)
    return StoreError("gone", said, doubtful=True)


def restoring(file: Path) -> Path:
    """What stands beside a SQLite file while a restored copy is put in its place."""
    return file.with_name(f"{file.name}.restoring")


Timed: TypeAlias = Callable[[str], AbstractContextManager[object]]
"""Lasts as long as one read or write."""


def untimed(_kind: str) -> AbstractContextManager[object]:
    """Time nothing."""
    return nullcontext()


class EngineMaker(Protocol):
    """Makes an engine on a SQLite file; `pool` says how many connections it keeps."""

    def __call__(self, place: Place, *, read_only: bool, **pool: object) -> Engine:
        """The engine; nothing is opened yet."""


class Fence(Protocol):
    """Lets through who may write."""

    def __call__(self, connection: Connection, *, alone: bool = False) -> None:
        """Return if this process may write until this transaction ends; `alone`: once all its other writes
        have come to their end, and no other beside it.

        Raises:
            Fenced: it may not.
        """


class Database:
    """Two pools on one database: writes go through `write`, reads through `read`.

    `fence` is called at the beginning of every write, in its transaction, and raises `Fenced` where this
    process may not write; without one everybody may (the command line, tests).
    """

    def __init__(
        self,
        url: str,
        limits: Limits = engines.USUAL,
        *,
        sqlite_engine: EngineMaker = engines.sqlite_in_a_thread,
    ) -> None:
        """`sqlite_engine` makes the engines of whole pieces of work on SQLite.

        Raises BadUrl where the URL cannot be used. Nothing is opened yet.
        """
        self.place = place(url)
        self.url = self.place.url
        self.sqlite = self.place.sqlite
        self._writer: AsyncEngine
        self._reader: AsyncEngine
        self.fence: Fence | None = None
        self.timed: Timed = untimed
        """Told of each `read` and `write` while it lasts."""
        self._turn = asyncio.Lock()
        """Whose turn it is to write to SQLite; PostgreSQL needs none."""
        if self.sqlite:
            # With more than one writer SQLite loses read-modify-writes or answers "locked".
            one: dict[str, int] = {"pool_size": 1, "max_overflow": 0}
            self._writer = engines.sqlite(self.place, read_only=False, **one, pool_timeout=5)
            self._reader = engines.sqlite(self.place, read_only=True, pool_size=2, max_overflow=2)
            self._quick = sqlite_engine(self.place, read_only=False, **one)
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
            self._quick_reader = sqlite_engine(self.place, read_only=True, pool_size=READERS, max_overflow=0)
            self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        else:
            self._writer = engines.postgres(self.place, limits, pool_size=5, pool_pre_ping=True)
            self._reader = self._writer

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits at the end of the block.

        Raises:
            StoreError: it did not commit; where `doubtful`, read again to know.
        """
        with self.timed("write"):
            async with self._turn if self.sqlite else nullcontext():
                try:
                    async with self._writer.begin() as connection:
                        if self.fence is not None:
                            await connection.run_sync(self.fence)
                        yield connection
                except (SQLAlchemyError, sqlite3.Error, OSError) as error:
                    raise trouble(error) from error

    async def write_at_once(
        self, work: Callable[[Connection], T], *, fenced: bool = True, alone: bool = False
    ) -> T:
        """A whole transaction as one piece of work, for the hot path.

        With SQLite each statement of `write` is handed to a thread and back, a dozen times for one
        act, and on a busy machine every hand-over waits for the interpreter: here it is one.
        Only the lease itself is written with `fenced` false. `alone` waits for all other writes of this
        process, also for those whose line broke: what then is not there will not come any more.

        Raises:
            Fenced: this process may not write.
            StoreError: it did not commit; where `doubtful`, read again to know.
        """

        def piece(connection: Connection) -> T:
            if fenced and self.fence is not None:
                self.fence(connection, alone=alone)
            return work(connection)

        try:
            with self.timed("write"):
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
            StoreError: the database did not answer.
        """
        try:
            with self.timed("read"):
                async with self._reader.connect() as connection:
                    yield connection
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise trouble(error) from error

    async def read_at_once(self, work: Callable[[Connection], T]) -> T:
        """Several reads as one piece of work: with SQLite one hand-over to a thread instead of one each.

        Raises:
            StoreError: the database did not answer.
        """
        if not self.sqlite:
            async with self.read() as connection:
                return await connection.run_sync(work)
        try:
            with self.timed("read"):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._readers, self._read_in_one_piece, work)
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise trouble(error) from error

    def _read_in_one_piece(self, work: Callable[[Connection], T]) -> T:
        with self._quick_reader.connect() as connection:
            return work(connection)

    async def tidy(self) -> bool:
        """Fold the write-ahead log of SQLite into the file where it has grown; whether that was done.

        A long reader keeps SQLite from beginning the log anew, and it grows for as long. Nobody is waited
        for: where somebody reads, the next call does it.

        Raises:
            StoreError: the file cannot be used.
        """
        if not self.sqlite or await asyncio.to_thread(disk.wal_mib, self.place.file) < TIDY_MIB:
            return False
        try:
            async with self._turn:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._thread, self._fold_in)
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise trouble(error) from error

    def _fold_in(self) -> bool:
        connection = self._quick.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute("PRAGMA busy_timeout=0")
            busy, _, _ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not busy
        finally:
            cursor.execute(f"PRAGMA busy_timeout={engines.BUSY_MS}")
            cursor.close()
            connection.close()

    async def revision(self) -> str | None:
        """The schema's revision, None for an empty database.

        Raises:
            StoreError: it is not a database, or cannot be reached.
        """
        try:
            if self.sqlite:
                await asyncio.to_thread(self._open_once)
            async with self._reader.connect() as connection:
                found = await connection.execute(text("SELECT version_num FROM alembic_version"))
                return found.scalar_one_or_none()
        except DBAPIError as error:
            # the words alone would do for SQLite: PostgreSQL says of a database and a user, too, that they do
            # not exist
            if getattr(error.orig, "sqlstate", None) == NO_TABLE or "no such table" in str(error.orig):
                return None
            raise trouble(error) from error
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise trouble(error) from error

    def _open_once(self) -> None:
        """Fail here where the file cannot be opened: the thread that aiosqlite leaves behind then speaks to
        a loop that may be gone, with a traceback."""
        args, options = self._quick.dialect.create_connect_args(self._quick.url)
        self._quick.dialect.connect(*args, **options).close()

    async def check_schema(self) -> str:
        """The schema's revision, if this version can use it: its own, or a later one that only added.

        Raises:
            StoreError: `empty` or `old` (an upgrade is due), `newer` (made by a later version on whose schema
                this one cannot run), or `restoring` (a restore was cut short).
        """
        if self.sqlite and restoring(self.place.file).exists():
            raise StoreError("restoring", str(self.place.file))
        if self.sqlite and self.place.file.parent.is_dir() and not self.place.file.exists():
            raise StoreError("empty", str(self.place.file))  # a question makes no file
        revision = await self.revision()
        if revision is None:
            raise StoreError("empty")
        if revision < SCHEMA:
            raise StoreError("old", str(revision))
        if revision > SCHEMA:
            async with self.read() as connection:
                if not await connection.run_sync(policy.runs, SCHEMA, revision):
                    raise StoreError("newer", revision)
        return revision

    async def close(self) -> None:
        """Give all connections back. May be called twice."""
        with suppress(TimeoutError):  # a server that is silent is not asked for its good-bye
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._writer.dispose()
        if self.sqlite:
            self._thread.shutdown(wait=True)  # what it still writes takes a millisecond
            self._quick.dispose()
            self._readers.shutdown(wait=True)
            self._quick_reader.dispose()
        if self._reader is not self._writer:
            await self._reader.dispose()
