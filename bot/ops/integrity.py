"""Checks of a SQLite file: undamaged, with a known schema, and with games that replay."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bot.ops.replay_check import Fault, ReplayReport, replay_all
from bot.store.backend import migrate
from bot.store.database import Database, StoreError, trouble

TOLD = 5
"""Maximum number of findings reported; a torn file has thousands."""


def damage(file: Path, *, thorough: bool = False) -> list[str]:
    """Return the damage found in a SQLite file, or an empty list. The file is not changed.

    `thorough` also compares every index with its table, which takes several times as long.

    Raises:
        StoreError: the file is not a database, is locked, or cannot be read.
    """
    if not file.is_file():
        raise StoreError("gone", str(file))
    check = "integrity_check" if thorough else "quick_check"
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("PRAGMA query_only=ON")
            found = [row[0] for row in connection.execute(f"PRAGMA {check}({TOLD})")]
            if found == ["ok"]:
                found = []
            strays = connection.execute("PRAGMA foreign_key_check").fetchmany(TOLD)
    except sqlite3.DatabaseError as error:
        found = [str(error)]
        if (known := trouble(error)).kind != "not_a_database":
            raise known from error
        strays = []
    return [*found, *(f"{table}: a row belongs to no row of {parent}" for table, _, parent, _ in strays)]


class Unproved(Exception):
    """A file that fails a check; the message says why."""


def url_of(file: Path) -> str:
    """Return the URL of a SQLite file."""
    return f"sqlite:///{file.absolute().as_posix()}"


def must_be_whole(file: Path, *, thorough: bool = False) -> None:
    """Raise Unproved, with the first findings, if a file is damaged."""
    try:
        found = damage(file, thorough=thorough)
    except StoreError as error:
        raise Unproved(f"it cannot be read: {error}") from error
    if found:
        raise Unproved(f"it is damaged: {'; '.join(' '.join(line.split()) for line in found)}")


async def _replay(file: Path, *, closed: bool, told: Callable[[int], object]) -> ReplayReport:
    database = Database(url_of(file))
    try:
        return await replay_all(database, closed=closed, told=told)
    finally:
        await database.close()


def replay(
    file: Path, *, closed: bool = False, told: Callable[[int], object] = lambda _done: None
) -> ReplayReport:
    """Replay the games of a file with the current schema.

    Raises:
        Unproved: the games cannot be read.
    """
    try:
        return asyncio.run(_replay(file, closed=closed, told=told))
    except StoreError as error:
        raise Unproved(f"its games cannot be read: {error}") from error


def bring_up(file: Path) -> str:
    """Upgrade a scratch copy to the current schema. Return the revision it had before.

    Raises:
        Unproved: the file is not a Valence database, or its version is unknown here.
    """

    async def both() -> str:
        database = Database(url_of(file))
        try:
            revision = await database.revision()
        finally:
            await database.close()
        if revision is None:
            raise Unproved("it is no database of Valence")
        await migrate.upgrade(url_of(file), keep_copy=False)
        return revision

    try:
        return asyncio.run(both())
    except StoreError as error:
        why = "a newer version of Valence made it" if error.kind == "newer" else str(error)
        raise Unproved(why) from error


def is_of_today(file: Path) -> bool:
    """Return whether this version can read a file without an upgrade."""
    try:
        asyncio.run(migrate.check(url_of(file)))
    except StoreError as error:
        if error.kind in ("empty", "old", "newer"):
            return False
        raise Unproved(str(error)) from error
    return True


def in_a_line(faults: tuple[Fault, ...]) -> str:
    """List the games that do not replay, with reasons."""
    shown = [f"#{fault.table} {fault.game} ({fault.why})" for fault in faults[:5]]
    return ", ".join(shown) + (f" and {len(faults) - 5} more" if len(faults) > 5 else "")
