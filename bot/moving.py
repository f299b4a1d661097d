"""Moving from a SQLite file to PostgreSQL: every row of every table, in one transaction, then proved.

The file stays as it is. It is copied first, so one of an older version is brought up on the copy, and what
is moved is one moment of it.
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
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.proof import bring_up, must_be_whole
from bot.restoring import Held
from bot.store import copies, engines, migrate
from bot.store.database import Database, trouble
from bot.store.holder import holder_of
from bot.store.models import Base
from bot.store.urls import place
from bot.tables.proving import Replayed, replay_all

ROWS: Final = 1000
"""So many rows go in one statement."""


class NotEmpty(Exception):
    """Somebody uses the database that is to be filled; says how."""


@dataclass(frozen=True, slots=True)
class Moved:
    """How many rows were moved, and how the games replay where they are now."""

    rows: int
    replayed: Replayed


def move(
    file: Path, url: str, *, lease_seconds: float, told: Callable[[str, int], object] = lambda _t, _n: None
) -> Moved:
    """Copy a SQLite database into an empty one of PostgreSQL, and prove it there; whole or not at all.

    `told` hears of each table with the number of its rows. The file is not changed.

    Raises:
        Held: a bot lives on the file.
        NotEmpty: games, people or settings are in the other database already, or a bot lives on it.
        Unproved: the file is damaged, not ours, or newer than this version.
        StoreError: a file, or the other database, cannot be read or written.
        BadUrl: the URL cannot be used.
    """
    if holder := holder_of(file, seconds=lease_seconds):
        raise Held(holder)
    try:
        scratch = tempfile.TemporaryDirectory(dir=file.absolute().parent)
    except OSError as error:  # a folder that is only to be read, perhaps
        raise trouble(error) from error
    with scratch as folder:
        copy = Path(folder) / "moving.db"
        copies.copy(file, copy)
        must_be_whole(copy, thorough=True)
        bring_up(copy)
        return asyncio.run(_move(copy, url, lease_seconds, told))


_wait = asyncio.sleep


def _look(connection: Connection) -> list[Any]:
    """The leases that somebody holds there.

    Raises:
        NotEmpty: games, people or settings are there.
    """

    def rows_of(columns: str, name: str, rest: str) -> list[Any]:
        if not inspect(connection).has_table(name):
            return []  # of an older schema, or none at all
        return [tuple(row) for row in connection.execute(text(f"SELECT {columns} FROM {name} {rest}"))]  # noqa: S608 - names of our own tables

    for name in ("games", "players"):
        if rows_of("1", name, "LIMIT 1"):
            raise NotEmpty("people have played there")
    if rows_of("1", "settings", "WHERE scope IN ('server', 'channel', 'person') LIMIT 1"):
        raise NotEmpty("somebody has chosen settings there")
    return rows_of("part, holder, at", "leases", "WHERE holder <> '' ORDER BY part")


async def _must_be_empty(engine: AsyncEngine, lease_seconds: float) -> None:
    """Look before anything is changed: what is in use stays as it is, of whatever schema."""
    async with engine.connect() as connection:
        before = await connection.run_sync(_look)
    if not before:
        return
    # the row of a bot that was killed stands still, that of one which lives moves on
    await _wait(lease_seconds)
    async with engine.connect() as connection:
        if await connection.run_sync(_look) != before:
            raise NotEmpty(f"{before[0][1]} lives there; stop it first")


async def _move(file: Path, url: str, lease_seconds: float, told: Callable[[str, int], object]) -> Moved:
    engine = engines.postgres(place(url), engines.FOR_MIGRATIONS)
    try:
        await _must_be_empty(engine, lease_seconds)
    except (SQLAlchemyError, OSError) as error:
        raise trouble(error) from error
    finally:
        await engine.dispose()
    await migrate.upgrade(url)
    rows = 0

    def fill(connection: Connection) -> None:
        nonlocal rows
        _look(connection)  # somebody may have begun meanwhile
        tables = _tables()
        for table in reversed(tables):  # what the upgrade itself has written
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

    engine = engines.postgres(place(url), engines.FOR_MIGRATIONS)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(fill)
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise trouble(error) from error
    finally:
        await engine.dispose()
    database = Database(url)
    try:
        return Moved(rows, await replay_all(database, closed=True))
    finally:
        await database.close()


def _tables() -> list[Table]:
    """All tables, each after those it refers to. What is nothing stays nothing: of a column of JSON
    SQLAlchemy would make JSON's null."""
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
    """What a column of JSON holds: nothing, JSON's null, or a value."""
    if stored is None:
        return None
    found = json.loads(stored)
    return JSON.NULL if found is None else found


def _count_on(connection: Connection, table: Table) -> None:
    """Let the numbers of new rows follow those that are there."""
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
