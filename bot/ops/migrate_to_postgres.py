"""Moving from a SQLite file to PostgreSQL: every row of every table, in one transaction, then verified.

The file is not changed. It is copied first, so that an older version is upgraded on the copy, and the moved
rows all show the same moment.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import JSON, Connection, MetaData, Table, delete, func, insert, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.ops.integrity import bring_up, must_be_whole
from bot.ops.replay_check import ReplayReport, replay_all
from bot.ops.restore import HeldDatabase
from bot.store.backend import engines, migrate
from bot.store.backend import sqlite_backup as copies
from bot.store.backend.file_lock import holder_of
from bot.store.backend.urls import place
from bot.store.database import Database, trouble
from bot.store.models import Base

ROWS: Final = 1000
"""Number of rows per statement."""


class NotEmpty(Exception):
    """The database to be filled is in use; the message says how."""


@dataclass(frozen=True, slots=True)
class MovedRows:
    """Number of rows moved, and the result of replaying the games in their new database."""

    rows: int
    replayed: ReplayReport


def move(
    file: Path, url: str, *, lease_seconds: float, told: Callable[[str, int], object] = lambda _t, _n: None
) -> MovedRows:
    """Copy a SQLite database to an empty PostgreSQL database and verify it there, completely or not at all.

    `told` is called for each table with its number of rows. The file is not changed.

    Raises:
        Held: a bot uses the file.
        NotEmpty: the other database already holds games, people or settings, or a bot uses it.
        Unproved: the file is damaged, not ours, or newer than this version.
        StoreError: a file, or the other database, cannot be read or written.
        BadUrl: the URL cannot be used.
    """
    if holder := holder_of(file, seconds=lease_seconds):
        raise HeldDatabase(holder)
    try:
        scratch = tempfile.TemporaryDirectory(dir=file.absolute().parent)
    except OSError as error:  # the folder may be read-only
        raise trouble(error) from error
    with scratch as folder:
        copy = Path(folder) / "moving.db"
        copies.copy(file, copy)
        must_be_whole(copy, thorough=True)
        bring_up(copy)
        return asyncio.run(_move(copy, url, lease_seconds, told))


_wait = asyncio.sleep


def _look(connection: Connection) -> list[Any]:
    """Return the leases that have a holder.

    Raises:
        NotEmpty: the database holds games, people or settings.
    """

    def rows_of(columns: str, name: str, rest: str) -> list[Any]:
        if not inspect(connection).has_table(name):
            return []  # the schema is older, or the database is empty
        return [tuple(row) for row in connection.execute(text(f"SELECT {columns} FROM {name} {rest}"))]  # noqa: S608 - names of our own tables

    for name in ("games", "players"):
        if rows_of("1", name, "LIMIT 1"):
            raise NotEmpty("people have played there")
    if rows_of("1", "settings", "WHERE scope IN ('server', 'channel', 'person') LIMIT 1"):
        raise NotEmpty("somebody has chosen settings there")
    return rows_of("part, holder, at", "leases", "WHERE holder <> '' ORDER BY part")


async def _must_be_empty(engine: AsyncEngine, lease_seconds: float) -> None:
    """Check before anything is changed, so that a database in use stays as it is under any schema."""
    async with engine.connect() as connection:
        before = await connection.run_sync(_look)
    if not before:
        return
    # the lease row of a killed bot stays the same, that of a live one changes
    await _wait(lease_seconds)
    async with engine.connect() as connection:
        if await connection.run_sync(_look) != before:
            raise NotEmpty(f"{before[0][1]} lives there; stop it first")


async def _move(file: Path, url: str, lease_seconds: float, told: Callable[[str, int], object]) -> MovedRows:
    where = place(url)
    engine = engines.postgres(where, engines.FOR_MIGRATIONS)
    try:
        await _must_be_empty(engine, lease_seconds)
    except engines.failures(where) as error:
        raise trouble(error) from error
    finally:
        await engine.dispose()
    await migrate.upgrade(url)
    rows = 0

    def fill(connection: Connection) -> None:
        nonlocal rows
        _look(connection)  # someone may have started to use it meanwhile
        tables = _tables()
        for table in reversed(tables):  # rows written by the upgrade itself
            connection.execute(delete(table))
        with closing(sqlite3.connect(file)) as source:
            for table in tables:
                count = 0
                for some in _read(source, table):
                    connection.execute(insert(table), some)
                    count += len(some)
                _count_on(connection, table)
                rows += count
                told(table.name, count)

    engine = engines.postgres(where, engines.FOR_MIGRATIONS)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(fill)
    except engines.failures(where) as error:
        raise trouble(error) from error
    finally:
        await engine.dispose()
    database = Database(url)
    try:
        return MovedRows(rows, await replay_all(database, closed=True))
    finally:
        await database.close()


def _tables() -> list[Table]:
    """Return copies of all tables, each after those it refers to, with SQL NULL for None in JSON columns.
    SQLAlchemy would otherwise write JSON's null."""
    apart = MetaData()
    for table in Base.metadata.sorted_tables:
        table.to_metadata(apart)
    for table in apart.tables.values():
        for column in table.columns:
            if isinstance(column.type, JSON):
                column.type = JSON(none_as_null=True)
    return apart.sorted_tables


def _read(source: sqlite3.Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    names = [column.name for column in table.columns]
    from_json = [isinstance(column.type, JSON) for column in table.columns]
    listed = ", ".join(f'"{name}"' for name in names)
    cursor = source.execute(f'SELECT {listed} FROM "{table.name}"')  # noqa: S608 - names of our own models
    while found := cursor.fetchmany(ROWS):
        yield [
            {
                name: _value(value) if packed else value
                for name, packed, value in zip(names, from_json, row, strict=True)
            }
            for row in found
        ]


def _value(stored: str | None) -> Any:
    """Return the value of a JSON column: None, JSON's null, or a value."""
    if stored is None:
        return None
    found = json.loads(stored)
    return JSON.NULL if found is None else found


def _count_on(connection: Connection, table: Table) -> None:
    """Continue the numbering of new rows after the existing ones."""
    column = table.autoincrement_column
    if column is None:
        return
    asked = text("SELECT pg_get_serial_sequence(:table, :column)")
    sequence = connection.execute(asked, {"table": table.name, "column": column.name}).scalar_one_or_none()
    last = connection.execute(select(func.max(column))).scalar_one_or_none()
    if sequence and last:
        connection.execute(
            text("SELECT setval(CAST(:sequence AS regclass), :last)"), {"sequence": sequence, "last": last}
        )
