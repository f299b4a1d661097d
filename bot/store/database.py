"""Access to the database: one writer, many readers, and classified errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.backend import disk, engines, misconfiguration, policy
from bot.store.backend.engines import WaitLimits
from bot.store.backend.error_kinds import NO_TABLE, error_kind
from bot.store.backend.misconfiguration import Misconfiguration
from bot.store.backend.urls import DatabasePlace, place
from bot.store.backend.versions import Outdated, outdated_postgres, outdated_sqlite
from bot.store.models import SCHEMA

T = TypeVar("T")
CLOSE_SECONDS = 2.0
"""Seconds within which all connections together must be closed."""
TIDY_MIB = 8
"""Size in MiB above which SQLite's write-ahead log is checkpointed into the file."""
READERS = 2
"""Number of threads that run whole reads on SQLite."""


LASTING = frozenset(("rejected", "unsupported", "too_old"))
"""Kinds of errors that waiting does not end."""


class StoreError(Exception):
    """The database failed to do something; nothing was stored unless `doubtful`.

    `kind` is the key of the message: locked, slow, full, readonly, gone, refused, tls, empty, old, newer,
    mixed (its tables are not those of its revision), not_a_database (or damaged), restoring, fenced, denied,
    encoding (it cannot store these characters), pooler, unsupported, too_old, rejected (a bug of ours),
    unknown.
    """

    def __init__(self, kind: str, detail: str = "", *, doubtful: bool = False) -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.doubtful = doubtful

    @property
    def lasting(self) -> bool:
        """Whether the same statement fails again until the program or the database is another version."""
        return self.kind in LASTING


class Misconfigured(StoreError):
    """PostgreSQL does not work for the bot until an operator runs a statement; nothing was stored."""

    def __init__(self, fault: Misconfiguration) -> None:
        super().__init__(fault.kind, f"{fault.user} needs: {fault.statement}")
        self.fault = fault


class TooOld(StoreError):
    """SQLite or the PostgreSQL server is too old for the statements of the bot; nothing was stored."""

    def __init__(self, outdated: Outdated) -> None:
        super().__init__("too_old", f"{outdated.has} < {outdated.needs}")
        self.outdated = outdated


class Conflict(StoreError):
    """The row already exists: someone else was first."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("conflict", detail)


class Overtaken(StoreError):
    """The data has changed since it was read; nothing was stored."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("conflict", detail)


class Fenced(StoreError):
    """This process may not write, or no longer: another one holds the lease. Nothing was stored."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("fenced", detail)


def trouble(error: BaseException, *, begun: bool = True) -> StoreError:
    """Return the StoreError for an error of the driver, of SQLAlchemy, or of the system.

    `begun`: a transaction had begun. Before that nothing can have been stored, so the error is not doubtful.
    """
    kind, doubtful = error_kind(error)
    said = str(getattr(error, "orig", error)).lower()
    return Conflict(said) if kind == "conflict" else StoreError(kind, said, doubtful=doubtful and begun)


def restoring(file: Path) -> Path:
    """Return the marker next to a SQLite file that exists while a restored copy replaces the file."""
    return file.with_name(f"{file.name}.restoring")


Timed: TypeAlias = Callable[[str], AbstractContextManager[object]]
"""A function whose context lasts as long as one read or write."""


def untimed(_kind: str) -> AbstractContextManager[object]:
    """Time nothing."""
    return nullcontext()


class EngineMaker(Protocol):
    """A factory of engines for a SQLite file; `pool` sets the number of connections."""

    def __call__(self, place: DatabasePlace, *, read_only: bool, **pool: object) -> Engine:
        """Return the engine, without opening anything yet."""


class Fence(Protocol):
    """A check at the beginning of a write that this process may write."""

    def __call__(self, connection: Connection, *, alone: bool = False) -> None:
        """Return if this process may write until the transaction ends.

        With `alone`, first wait until all its other writes have ended, and let no other start.

        Raises:
            Fenced: this process may not write.
        """


class Database:
    """Two connection pools on one database: writes use `write`, reads use `read`.

    `fence` is called at the beginning of every write, in its transaction, and raises `Fenced` if this process
    may not write. Without a fence every process may write (the command line, tests).
    """

    def __init__(
        self,
        url: str,
        limits: WaitLimits = engines.USUAL,
        *,
        sqlite_engine: EngineMaker = engines.sqlite_in_a_thread,
    ) -> None:
        """`sqlite_engine` creates the engines that run whole pieces of work on SQLite.

        Raises BadUrl if the URL cannot be used. Nothing is opened yet.
        """
        self.place = place(url)
        self.url = self.place.url
        self.sqlite = self.place.sqlite
        self._failures = engines.failures(self.place)
        self._writer: AsyncEngine
        self._reader: AsyncEngine
        self.fence: Fence | None = None
        self.timed: Timed = untimed
        """The context around each `read` and `write`."""
        self._turn = asyncio.Lock()
        """A lock that serializes writes to SQLite; PostgreSQL does not need it."""
        if self.sqlite:
            # With more than one writer, SQLite would lose read-modify-write changes or answer "locked".
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
        """Open a transaction that commits at the end of the block.

        Raises:
            StoreError: the transaction did not commit; if `doubtful`, read again to find out.
        """
        with self.timed("write"):
            async with self._turn if self.sqlite else nullcontext(), self._begun() as connection:
                if self.fence is not None:
                    await connection.run_sync(self.fence)
                yield connection

    @asynccontextmanager
    async def _begun(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction of the writer, with its errors converted to StoreErrors."""
        begun = False
        try:
            async with self._writer.begin() as connection:
                begun = True
                yield connection
        except self._failures as error:
            raise trouble(error, begun=begun) from error

    async def write_at_once(
        self, work: Callable[[Connection], T], *, fenced: bool = True, alone: bool = False
    ) -> T:
        """Run a whole transaction as one piece of work, for the hot path.

        With SQLite, `write` hands each statement to a thread and back, a dozen times per act, and on a busy
        machine each hand-over waits for the interpreter. Here there is only one. Only the lease itself is
        written with `fenced` false. `alone` waits for all other writes of this process, including those that
        lost their connection: a row that is missing after that will not appear later.

        Raises:
            Fenced: this process may not write.
            StoreError: the transaction did not commit; if `doubtful`, read again to find out.
        """

        def piece(connection: Connection) -> T:
            if fenced and self.fence is not None:
                self.fence(connection, alone=alone)
            return work(connection)

        try:
            with self.timed("write"):
                if not self.sqlite:
                    async with self._begun() as connection:
                        return await connection.run_sync(piece)
                async with self._turn:
                    loop = asyncio.get_running_loop()
                    return await loop.run_in_executor(self._thread, self._in_one_piece, piece)
        except self._failures as error:
            raise trouble(error) from error

    def _in_one_piece(self, work: Callable[[Connection], T]) -> T:
        with self._quick.begin() as connection:
            return work(connection)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection that only reads.

        Raises:
            StoreError: the database did not answer.
        """
        try:
            with self.timed("read"):
                async with self._reader.connect() as connection:
                    yield connection
        except self._failures as error:
            raise trouble(error) from error

    async def read_at_once(self, work: Callable[[Connection], T]) -> T:
        """Run several reads as one piece of work: with SQLite this takes one thread hand-over instead of one
        each.

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
        except self._failures as error:
            raise trouble(error) from error

    def _read_in_one_piece(self, work: Callable[[Connection], T]) -> T:
        with self._quick_reader.connect() as connection:
            return work(connection)

    async def tidy(self) -> bool:
        """Checkpoint SQLite's write-ahead log into the file if it has grown. Return whether that was done.

        A long reader keeps SQLite from restarting the log, so the log grows meanwhile. This never waits for
        readers; if one is active, the next call does it.

        Raises:
            StoreError: the file cannot be used.
        """
        if not self.sqlite or await asyncio.to_thread(disk.wal_mib, self.place.file) < TIDY_MIB:
            return False
        try:
            async with self._turn:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._thread, self._fold_in)
        except self._failures as error:
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
        """Return the schema's revision, or None for an empty database.

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
            found_out = trouble(error)
            if getattr(error.orig, "sqlstate", None) == NO_TABLE or (
                self.sqlite and found_out.kind == "mixed"
            ):
                return None
            raise found_out from error
        except self._failures as error:
            raise trouble(error) from error

    def _open_once(self) -> None:
        """Fail here if the file cannot be opened. Otherwise the thread left behind by aiosqlite would print a
        traceback when it calls a loop that may be gone."""
        args, options = self._quick.dialect.create_connect_args(self._quick.url)
        self._quick.dialect.connect(*args, **options).close()

    async def check_schema(self) -> str:
        """Return the schema's revision if this version can use it: its own, or a later one that only added.

        Raises:
            StoreError: `empty` or `old` (an upgrade is due), `newer` (made by a later version on whose schema
                this one cannot run), `mixed` (a table or column is missing), or `restoring` (a restore was
                interrupted).
            TooOld: SQLite or the PostgreSQL server is too old.
            Misconfigured: an operator of the PostgreSQL server must run a statement first.
        """
        if self.sqlite and (outdated := outdated_sqlite()):
            raise TooOld(outdated)
        if self.sqlite and restoring(self.place.file).exists():
            raise StoreError("restoring", str(self.place.file))
        if self.sqlite and self.place.file.parent.is_dir() and not self.place.file.exists():
            raise StoreError("empty", str(self.place.file))  # a query must not create the file
        await self._must_pass(outdated_postgres)
        await self._must_pass(misconfiguration.wrong_setup)
        try:
            revision = await self.revision()
        except StoreError as found:
            if found.kind == "denied":
                await self._must_pass(misconfiguration.to_write)
            raise
        if revision is None:
            await self._must_pass(misconfiguration.missing_to_create)
            raise StoreError("empty")
        if revision < SCHEMA:
            await self._must_pass(misconfiguration.missing_to_create)
            raise StoreError("old", str(revision))
        if revision > SCHEMA:
            async with self.read() as connection:
                if not await connection.run_sync(policy.runs, SCHEMA, revision):
                    raise StoreError("newer", revision)
        await self._must_pass(misconfiguration.missing_to_write)
        await self._must_pass(misconfiguration.missing_sequence)
        if revision == SCHEMA:  # a later one may have dropped what this version no longer uses
            await self.read_at_once(misconfiguration.must_have_all_tables)
        return revision

    async def _must_pass(self, check: Callable[[Connection], Misconfiguration | Outdated | None]) -> None:
        """Raise Misconfigured or TooOld if this check of a PostgreSQL database fails."""
        if self.sqlite:
            return
        try:
            fault = await self.read_at_once(check)
        except StoreError as found:
            if found.kind == "denied":  # everyone may read what a check reads, so connecting is denied
                raise Misconfigured(misconfiguration.to_connect(self.url)) from found
            raise
        if isinstance(fault, Outdated):
            raise TooOld(fault)
        if fault:
            raise Misconfigured(fault)

    async def try_to_write(self) -> None:
        """Begin a write that changes no row.

        Raises:
            StoreError: the database cannot be written.
        """

        def touch(connection: Connection) -> None:
            connection.execute(text("UPDATE leases SET at = at WHERE at IS NULL"))

        await self.write_at_once(touch, fenced=False)

    async def close(self) -> None:
        """Close all connections. May be called twice."""
        with suppress(TimeoutError):  # do not wait for a server that does not answer
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._writer.dispose()
        if self.sqlite:
            self._thread.shutdown(wait=True)  # a write still in progress takes a millisecond
            self._quick.dispose()
            self._readers.shutdown(wait=True)
            self._quick_reader.dispose()
        if self._reader is not self._writer:
            await self._reader.dispose()
