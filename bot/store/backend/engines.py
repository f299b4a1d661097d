"""Database engines: connection setup and time limits for SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import structlog
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.backend.urls import DatabasePlace

log = structlog.get_logger(__name__)
from_json = msgspec.json.decode
"""Decoder for JSON columns; a journal has hundreds of them. Encoding is left to SQLAlchemy."""

BUSY_MS = 700
"""Milliseconds that SQLite waits for another process's lock."""
WAL_MIB = 4
"""Size in MiB to which SQLite truncates its write-ahead log when it restarts the log."""
CLOSE_SECONDS = 1.0
"""Seconds that an abandoned connection may take to close politely."""


@dataclass(frozen=True, slots=True)
class WaitLimits:
    """Time limits for PostgreSQL, in seconds; 0 for no limit.

    The server's own limits are shorter than the driver's. So the server itself reports that nothing was
    stored, and the outcome is unknown only if the server no longer answers.
    """

    connect: float = 5.0
    command: float = 5.0
    """One statement, timed by the driver."""
    lock: float = 2.0
    """Waiting for a row that another transaction holds."""
    idle: float = 5.0
    """An idle transaction: its process is frozen, and others need its rows."""
    pool: float = 2.0
    """Waiting for a connection from our own pool."""

    @property
    def statement(self) -> float:
        """One statement, timed by the server."""
        return self.command * 0.9

    def on_server(self) -> dict[str, str]:
        """Return the limits as PostgreSQL settings."""
        seconds = {
            "statement_timeout": self.statement,
            "lock_timeout": self.lock,
            "idle_in_transaction_session_timeout": self.idle,
        }
        return {name: str(int(limit * 1000)) for name, limit in seconds.items()}


USUAL = WaitLimits()
FOR_MIGRATIONS = WaitLimits(command=0, lock=10, idle=0)
"""A migration may take its time, but a bot that holds a lock it needs must not block it forever."""


def failures(place: DatabasePlace) -> tuple[type[Exception], ...]:
    """Return every error that work on this database can raise, whether SQLAlchemy wraps it or not.

    Pool events, such as "connect", use asyncpg directly, and errors raised there stay unwrapped.
    """
    always = (SQLAlchemyError, sqlite3.Error, OSError)
    if place.sqlite:
        return always
    import asyncpg  # imported only if the bot runs on PostgreSQL

    return (*always, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


def postgres(place: DatabasePlace, limits: WaitLimits, **pool: object) -> AsyncEngine:
    """Create an engine for PostgreSQL, through PgBouncer if the place says so."""
    arguments: dict[str, object] = {
        "timeout": limits.connect,
        "command_timeout": limits.command or None,
        "connection_class": _connection_class(),
        **place.arguments,
    }
    if place.pooled:
        arguments["prepared_statement_name_func"] = lambda: f"valence_{uuid4().hex}"
    engine = create_async_engine(
        place.url,
        hide_parameters=True,
        connect_args=arguments,
        pool_timeout=limits.pool,
        json_deserializer=from_json,
        **pool,
    )
    _limit(engine.sync_engine, place, limits)
    return engine


def _limit(engine: Engine, place: DatabasePlace, limits: WaitLimits) -> None:
    """Make the server enforce the limits too. They are set by a statement, not in the start-up message,
    because PgBouncer refuses connections with settings that it does not know."""
    settings = limits.on_server()

    if place.pooled:  # many clients share the session, so settings must be limited to the transaction
        local = ", ".join(f"set_config('{name}', '{limit}', true)" for name, limit in settings.items())

        @event.listens_for(engine, "begin")
        def on_begin(connection: Connection) -> None:
            connection.exec_driver_sql(f"SELECT {local}")

    else:
        whole = "; ".join(f"SET {name} = {limit}" for name, limit in settings.items())

        @event.listens_for(engine, "connect")
        def on_connect(connection: Any, _record: Any) -> None:
            connection.run_async(lambda driver: driver.execute(whole))

    @event.listens_for(engine, "handle_error")
    def on_error(context: ExceptionContext) -> None:
        """Drop a connection at once if the server no longer answers. A rollback, a cancel and a polite close
        would each wait for it again."""
        if isinstance(context.original_exception, TimeoutError):
            context.is_disconnect = True
            context.invalidate_pool_on_disconnect = False
            raw = getattr(context.connection, "_dbapi_connection", None)
            driver = getattr(raw, "driver_connection", None)
            if driver is not None:
                driver.terminate()


def _connection_class() -> type[object]:
    import asyncpg  # imported only if the bot runs on PostgreSQL

    class Connection(asyncpg.Connection):  # type: ignore[misc]
        """An asyncpg connection that is terminated rather than waited for if the server does not answer."""

        async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 - asyncpg's own
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await super().close(timeout=timeout)
            if not self.is_closed():
                self.terminate()

    return Connection


def sqlite(place: DatabasePlace, *, read_only: bool, **pool: object) -> AsyncEngine:
    """Create an engine for a SQLite file that runs each statement in a thread."""
    engine = create_async_engine(place.url, hide_parameters=True, json_deserializer=from_json, **pool)
    _prepare_sqlite(engine.sync_engine, place, read_only=read_only)
    return engine


def sqlite_in_a_thread(place: DatabasePlace, *, read_only: bool, **pool: object) -> Engine:
    """Create an engine for a SQLite file that is used from a thread of our own."""
    url = place.url.set(drivername="sqlite")
    engine = create_engine(url, hide_parameters=True, json_deserializer=from_json, **pool)
    _prepare_sqlite(engine, place, read_only=read_only)
    return engine


def _prepare_sqlite(engine: Engine, place: DatabasePlace, *, read_only: bool) -> None:
    @event.listens_for(engine, "do_connect")
    def before_connect(*_: object) -> None:
        keep_private(place.file)

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions by itself
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        do_without_temp_folder(cursor)
        if read_only:
            cursor.execute("PRAGMA query_only=ON")
        else:
            cursor.execute("PRAGMA journal_mode=WAL")
            (mode,) = cursor.fetchone()
            if mode != "wal":  # games are safe without it, but reads and writes block each other
                log.warning(
                    "SQLite's write-ahead log can't be used on this disk: answers are slower", mode=mode
                )
            cursor.execute("PRAGMA synchronous=FULL")
            cursor.execute("PRAGMA secure_delete=ON")  # else deleted rows stay in the file
            cursor.execute(f"PRAGMA journal_size_limit={WAL_MIB << 20}")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    def begin(connection: Any) -> None:
        # only writers ask for the lock, and they do it at once: a lock requested later may come too late
        cursor = connection.cursor()
        cursor.execute("BEGIN" if read_only else "BEGIN IMMEDIATE")
        cursor.close()

    # not an event listener: with one, an engine runs through all its events for every statement
    engine.dialect.do_begin = begin  # type: ignore[assignment, method-assign]


@cache
def has_temp_folder() -> bool:
    """Return whether this machine has a folder for temporary files that may be written."""
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        return False
    return True


def do_without_temp_folder(cursor: Any) -> None:
    """Make SQLite sort and undo in memory if no folder takes its temporary files.

    Otherwise a large change would fail in a container with a read-only disk.
    """
    if not has_temp_folder():
        cursor.execute("PRAGMA temp_store=MEMORY")


def keep_private(file: Path) -> None:
    """Make sure that only the bot's own user may read a SQLite file: it holds the seeds of live games.

    A missing file is created empty, as SQLite would do; files that SQLite adds next to it get the same
    permissions. A file that belongs to another user, or is on a disk without permissions, stays as it is;
    `doctor` reports it.
    """
    file = file.resolve()
    with suppress(OSError):
        if not file.exists():
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        for each in (file, *(file.with_name(file.name + suffix) for suffix in ("-wal", "-shm"))):
            with suppress(FileNotFoundError):
                if each.stat().st_mode & 0o077:
                    each.chmod(0o600)
