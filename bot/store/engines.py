"""Making engines: how connections to SQLite and PostgreSQL are prepared, and how long they may take."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.urls import Place

from_json = msgspec.json.decode
"""Reads the JSON of a column: a journal has hundreds. What is written stays as SQLAlchemy writes it."""

BUSY_MS = 1000
"""How long SQLite waits for another process's lock."""
WAL_MIB = 4
"""To what size SQLite cuts its write-ahead log back when it begins it anew."""
CLOSE_SECONDS = 1.0
"""How long a connection that is given up may take to say good-bye."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long PostgreSQL may take, in seconds; 0 for as long as it likes.

    The server's own limits are below the driver's: it then says itself that nothing was stored, and only
    a server that no longer answers leaves that open.
    """

    connect: float = 5.0
    command: float = 5.0
    """One statement, seen from here."""
    lock: float = 2.0
    """Waiting for a row that another transaction holds."""
    idle: float = 5.0
    """A transaction in which nothing happens: its process was frozen, and others want its rows."""
    pool: float = 2.0
    """Waiting for one of our own connections."""

    @property
    def statement(self) -> float:
        """One statement, seen from the server."""
        return self.command * 0.9

    def on_server(self) -> dict[str, str]:
        """The server's settings, in its own words."""
        seconds = {
            "statement_timeout": self.statement,
            "lock_timeout": self.lock,
            "idle_in_transaction_session_timeout": self.idle,
        }
        return {name: str(int(limit * 1000)) for name, limit in seconds.items()}


USUAL = Limits()
FOR_MIGRATIONS = Limits(command=0, lock=10, idle=0)
"""A migration may take its time, but a bot that holds what it needs shall not stop it for ever."""


def postgres(place: Place, limits: Limits, **pool: object) -> AsyncEngine:
    """An engine on PostgreSQL, through PgBouncer where the place says so."""
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


def _limit(engine: Engine, place: Place, limits: Limits) -> None:
    """Let the server keep the limits too. They are set by a statement and not by the start-up message:
    PgBouncer refuses a connection that brings settings which it does not know."""
    settings = limits.on_server()

    if place.pooled:  # the session belongs to many: only what a transaction sets for itself is ours
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
        """Give a connection up at once when the server no longer answers: to roll back, to cancel and to
        close politely would each wait for it once more."""
        if isinstance(context.original_exception, TimeoutError):
            context.is_disconnect = True
            context.invalidate_pool_on_disconnect = False
            raw = getattr(context.connection, "_dbapi_connection", None)
            driver = getattr(raw, "driver_connection", None)
            if driver is not None:
                driver.terminate()


def _connection_class() -> type[object]:
    import asyncpg  # only a bot on PostgreSQL loads it

    class Connection(asyncpg.Connection):  # type: ignore[misc]
        """asyncpg's connection; one whose server is silent is torn down and not waited for."""

        async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 - asyncpg's own
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await super().close(timeout=timeout)
            if not self.is_closed():
                self.terminate()

    return Connection


def sqlite(place: Place, *, read_only: bool, **pool: object) -> AsyncEngine:
    """An engine on a SQLite file that hands each statement to a thread."""
    engine = create_async_engine(place.url, hide_parameters=True, json_deserializer=from_json, **pool)
    _prepare_sqlite(engine.sync_engine, place, read_only=read_only)
    return engine


def sqlite_in_a_thread(place: Place, *, read_only: bool, **pool: object) -> Engine:
    """An engine on a SQLite file for a thread of our own."""
    url = place.url.set(drivername="sqlite")
    engine = create_engine(url, hide_parameters=True, json_deserializer=from_json, **pool)
    _prepare_sqlite(engine, place, read_only=read_only)
    return engine


def _prepare_sqlite(engine: Engine, place: Place, *, read_only: bool) -> None:
    @event.listens_for(engine, "do_connect")
    def before_connect(*_: object) -> None:
        keep_private(place.file)

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
            cursor.execute(f"PRAGMA journal_size_limit={WAL_MIB << 20}")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    def begin(connection: Any) -> None:
        # only whoever may write asks for the lock at once; a lock that is asked for later may come too late
        cursor = connection.cursor()
        cursor.execute("BEGIN" if read_only else "BEGIN IMMEDIATE")
        cursor.close()

    # not a listener: an engine with one goes through all its events with every statement
    engine.dialect.do_begin = begin  # type: ignore[assignment, method-assign]


def keep_private(file: Path) -> None:
    """See to it that only the bot's own user may read a SQLite file: it holds the seeds of live games.

    A file that is not there is made, empty, as SQLite would; what SQLite puts beside it gets its rights.
    One that belongs to somebody else, or on a disk without rights, stays as it is: `doctor` tells of it.
    """
    file = file.resolve()
    with suppress(OSError):
        if not file.exists():
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        for each in (file, *(file.with_name(file.name + suffix) for suffix in ("-wal", "-shm"))):
            with suppress(FileNotFoundError):
                if each.stat().st_mode & 0o077:
                    each.chmod(0o600)
