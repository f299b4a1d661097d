"""Upgrades of a database to the newest schema. The only module that imports alembic; a running bot does
not."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import event
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.backend import engines
from bot.store.backend import sqlite_backup as copies
from bot.store.backend.urls import DatabasePlace, place
from bot.store.database import Database, StoreError, trouble
from bot.store.models import SCHEMA

MIGRATIONS = Path(__file__).parents[1] / "migrations"
KEPT = 2
"""Number of copies kept from before upgrades."""


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def _engine(where: DatabasePlace) -> AsyncEngine:
    if not where.sqlite:
        return engines.postgres(where, engines.FOR_MIGRATIONS)
    engines.keep_private(where.file)
    engine = create_async_engine(where.url, hide_parameters=True)
    _whole_or_not_at_all(engine)
    return engine


async def _with(url: str, act: Callable[[Connection], object]) -> None:
    where = place(url)
    engine = _engine(where)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(act)
    except engines.failures(where) as error:
        raise trouble(error) from error
    finally:
        await engine.dispose()


def _whole_or_not_at_all(engine: AsyncEngine) -> None:
    """Make SQLite change the schema inside the transaction; by default the driver does not begin one for
    that."""

    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        engines.do_without_temp_folder(cursor)
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


async def upgrade(
    url: str,
    revision: str = "head",
    *,
    keep_copy: bool = True,
    tell: Callable[[str], object] = lambda _line: None,
) -> None:
    """Bring the database to the newest schema; does nothing if it is already there.

    With `keep_copy`, a non-empty SQLite file is copied first, and `tell` is called with one line saying where
    the copy is.

    Raises:
        StoreError: the database cannot be reached or written, or a newer version made it.
        BadUrl: the URL cannot be used.
    """
    database = Database(url)
    where, before = database.place, None
    try:
        await database.check_schema()
    except StoreError as found:
        if found.kind not in ("empty", "old"):
            raise
        before = await database.revision()
    else:
        return
    finally:
        await database.close()
    if keep_copy and where.sqlite and before is not None:
        copy = await asyncio.to_thread(_keep_copy, where.file, SCHEMA)
        tell(f"Before the upgrade to schema {SCHEMA} the database was copied to {copy}.")
    await _with(url, lambda connection: command.upgrade(_config(connection), revision))


def _keep_copy(file: Path, revision: str) -> Path:
    """Copy a SQLite file as NAME.before-REVISION, keeping only the latest of these copies."""
    copy = file.with_name(f"{file.name}.before-{revision}")
    copies.copy(file, copy, replace=True)
    kept = sorted(file.parent.glob(f"{file.name}.before-[0-9][0-9][0-9][0-9]"))
    for old in kept[:-KEPT]:
        old.unlink(missing_ok=True)
    return copy


async def check(url: str) -> str:
    """Return the revision of a database that this version can use.

    Raises:
        StoreError: the database is old, newer, damaged or out of reach.
        BadUrl: the URL cannot be used.
    """
    database = Database(url)
    try:
        return await database.check_schema()
    finally:
        await database.close()


if __name__ == "__main__":
    # A separate process, so that the bot that waits for it never loads alembic.
    try:
        asyncio.run(upgrade(sys.argv[1], tell=lambda line: sys.stdout.write(f"{line}\n")))
    except StoreError as found:
        sys.stderr.write(f"{found}\n")
        sys.exit(3)
