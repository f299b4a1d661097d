"""The only check of whether a bot uses a SQLite file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.store.backend.error_kinds import error_kind

LEASE_SECONDS = 10.0
"""Seconds for which a lease row must not change before its holder counts as gone."""
LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Holder:
    """The user of a file, with the name from its lease; empty for an unknown process that has the file
    open."""

    name: str = ""


def holder_of(
    file: Path, *, seconds: float = LEASE_SECONDS, sleep: Callable[[float], object] = time.sleep
) -> Holder | None:
    """Return the holder that uses a SQLite file, or None. A damaged or missing file is not in use.

    A process on this machine that has the file open holds a lock. On a disk shared by machines the lease
    counts: if it has a holder, this waits for a full lease duration for the row to change, as a standby does.
    So this takes that long after a bot was killed, and no time after one that stopped properly.
    """
    if not file.is_file():
        return None
    try:
        before = _lease(file)
        if before is None or not before[0]:
            return None
        waited = 0.0
        while waited < seconds:
            sleep(LOOK_SECONDS)
            waited += LOOK_SECONDS
            if (now := _lease(file)) != before:
                return Holder(str(now[0])) if now and now[0] else None
    except sqlite3.DatabaseError as error:
        if error_kind(error).kind == "locked":
            return Holder()
    return None


def _lease(file: Path) -> tuple[object, ...] | None:
    """Return the lease row, with the holder first, or None if the database has no leases."""
    with closing(sqlite3.connect(file, timeout=0.2, isolation_level=None)) as connection:
        # without this, a write-ahead log lets us in while others have the file open
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        try:
            found = connection.execute(
                "SELECT holder, epoch, until, at FROM leases WHERE part = 0"
            ).fetchone()
        except sqlite3.OperationalError as error:
            if error_kind(error).kind != "mixed":
                raise
            found = None
        connection.execute("ROLLBACK")
    return tuple(found) if found else None
