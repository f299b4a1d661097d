"""Bringing a database to the newest schema. The only place that imports alembic; a running bot does not."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import event
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.settings import with_async_driver
from bot.store.database import Database, StoreTrouble, trouble


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


async def _with(url: str, act: Any) -> None:
    engine = create_async_engine(with_async_driver(url))
    if engine.dialect.name == "sqlite":
        _whole_or_not_at_all(engine)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(act)
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise trouble(error) from error
    finally:
        await engine.dispose()


def _whole_or_not_at_all(engine: AsyncEngine) -> None:
    """Let SQLite change the schema inside the transaction: by itself the driver begins none for that."""

    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None

    @event.listens_for(engine.sync_engine, "begin")
    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


async def upgrade(url: str) -> None:
    """Bring the database to the newest schema; does nothing to one that is there.

    Raises:
        StoreTrouble: it cannot be reached or written, or a newer version made it.
    """
    database = Database(with_async_driver(url))
    try:
        await database.check_schema()
    except StoreTrouble as found:
        if found.kind != "old":
            raise
        await _with(url, lambda connection: command.upgrade(_config(connection), "head"))
    finally:
        await database.close()


async def check(url: str) -> str:
    """The revision of a database that is as this version needs it.

    Raises:
        StoreTrouble: it is old, newer, damaged or out of reach.
    """
    database = Database(with_async_driver(url))
    try:
        await database.check_schema()
        return await database.revision() or ""
    finally:
        await database.close()


def backup(url: str, target: Path) -> None:
    """Copy a SQLite database, also one in use, into `target`.

    Raises:
        StoreTrouble: the database is no SQLite file, or either file cannot be used.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        raise StoreTrouble("not_sqlite", "use pg_dump for PostgreSQL")
    if not Path(parsed.database).is_file():
        raise StoreTrouble("gone", parsed.database)
    try:
        with sqlite3.connect(parsed.database) as source, sqlite3.connect(target) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        raise trouble(error) from error


if __name__ == "__main__":
    # A process of its own, so that the bot that waits for it never loads alembic.
    try:
        asyncio.run(upgrade(sys.argv[1]))
    except StoreTrouble as found:
        sys.stderr.write(f"{found}\n")
        sys.exit(3)
