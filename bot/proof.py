"""Proving a SQLite file: whole, of a schema that is known, and its games replay."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from bot.store import migrate
from bot.store.database import Database, StoreError
from bot.store.soundness import damage
from bot.tables.proving import Fault, Replayed, replay_all


class Unproved(Exception):
    """A file that is not what it should be: why, in words."""


def url_of(file: Path) -> str:
    """The URL of a SQLite file."""
    return f"sqlite:///{file.absolute().as_posix()}"


def must_be_whole(file: Path, *, thorough: bool = False) -> None:
    """Raises Unproved where a file is damaged, with the first findings."""
    try:
        found = damage(file, thorough=thorough)
    except StoreError as trouble:
        raise Unproved(f"it cannot be read: {trouble}") from trouble
    if found:
        raise Unproved(f"it is damaged: {'; '.join(' '.join(line.split()) for line in found)}")


async def _replay(file: Path, *, closed: bool, told: Callable[[int], object]) -> Replayed:
    database = Database(url_of(file))
    try:
        return await replay_all(database, closed=closed, told=told)
    finally:
        await database.close()


def replay(
    file: Path, *, closed: bool = False, told: Callable[[int], object] = lambda _done: None
) -> Replayed:
    """Replay the games of a file of today's schema.

    Raises:
        Unproved: it cannot be read.
    """
    try:
        return asyncio.run(_replay(file, closed=closed, told=told))
    except StoreError as trouble:
        raise Unproved(f"its games cannot be read: {trouble}") from trouble


def bring_up(file: Path) -> str:
    """Bring a scratch copy to today's schema; the revision that it had.

    Raises:
        Unproved: it is no database of Valence, or of a version that is not known here.
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
    except StoreError as trouble:
        why = "a newer version of Valence made it" if trouble.kind == "newer" else str(trouble)
        raise Unproved(why) from trouble


def is_of_today(file: Path) -> bool:
    """Whether this version can read a file without an upgrade."""
    try:
        asyncio.run(migrate.check(url_of(file)))
    except StoreError as trouble:
        if trouble.kind in ("empty", "old", "newer"):
            return False
        raise Unproved(str(trouble)) from trouble
    return True


def in_a_line(faults: tuple[Fault, ...]) -> str:
    """Which games do not replay, and why."""
    shown = [f"#{fault.table} {fault.game} ({fault.why})" for fault in faults[:5]]
    return ", ".join(shown) + (f" and {len(faults) - 5} more" if len(faults) > 5 else "")
