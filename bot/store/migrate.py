"""Bringing a database to the newest schema. The only place that imports alembic; a running bot does not."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import event
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store import copies, engines
from bot.store.database import Database, StoreError, trouble
from bot.store.models import SCHEMA
from bot.store.urls import Place, place

MIGRATIONS = Path(__file__).parent / "migrations"
KEPT = 2
"""How many copies from before an upgrade are kept."""


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def _engine(where: Place) -> AsyncEngine:
    if not where.sqlite:
        return engines.postgres(where, engines.FOR_MIGRATIONS)
    engines.keep_private(where.file)
    engine = create_async_engine(where.url, hide_parameters=True)
    _whole_or_not_at_all(engine)
    return engine


async def _with(url: str, act: Callable[[Connection], object]) -> None:
    engine = _engine(place(url))
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


async def upgrade(
    url: str,
    revision: str = "head",
    *,
    keep_copy: bool = True,
    tell: Callable[[str], object] = lambda _line: None,
) -> None:
    """Bring the database to the newest schema; does nothing to one that is there.

    With `keep_copy` a SQLite file that holds something is copied first; `tell` hears in one line where the
    copy is.

    Raises:
        StoreError: it cannot be reached or written, or a newer version made it.
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
    """Copy a SQLite file as NAME.before-REVISION; only the last of these copies are kept."""
    copy = file.with_name(f"{file.name}.before-{revision}")
    copies.copy(file, copy, replace=True)
    kept = sorted(file.parent.glob(f"{file.name}.before-[0-9][0-9][0-9][0-9]"))
    for old in kept[:-KEPT]:
        old.unlink(missing_ok=True)
    return copy


async def check(url: str) -> str:
    """The revision of a database that this version can use.

    Raises:
        StoreError: it is old, newer, damaged or out of reach.
        BadUrl: the URL cannot be used.
    """
    database = Database(url)
    try:
        return await database.check_schema()
    finally:
        await database.close()


if __name__ == "__main__":
    # A process of its own, so that the bot that waits for it never loads alembic.
    try:
        asyncio.run(upgrade(sys.argv[1], tell=lambda line: sys.stdout.write(f"{line}\n")))
    except StoreError as found:
        sys.stderr.write(f"{found}\n")
        sys.exit(3)
