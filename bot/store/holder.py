"""Whether a bot lives on a SQLite file. The one place that knows how this is told."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

LEASE_SECONDS = 10.0
"""How long the row of a lease must stand still before its holder counts as gone."""
LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who uses the file: by the name in the lease, or nobody known who has it open."""

    name: str = ""


def holder_of(
    file: Path, *, seconds: float = LEASE_SECONDS, sleep: Callable[[float], object] = time.sleep
) -> Holder | None:
    """Who uses a SQLite file, or None. A file that is damaged or not there is used by nobody.

    A process of this machine that has it open holds a lock. For a disk that machines share the lease
    counts: where a holder stands in it, this waits as long as a lease lasts for the row to move, as a standby
    does. So it takes that long after a bot was killed, and no time after one that stopped.
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
        if "locked" in str(error) or "busy" in str(error):
            return Holder()
    return None


def _lease(file: Path) -> tuple[object, ...] | None:
    """The row of the lease, the holder first; None in a database that knows no leases."""
    with closing(sqlite3.connect(file, timeout=0.2, isolation_level=None)) as connection:
        # without this, SQLite's write-ahead log lets anybody in while others have the file open
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        try:
            found = connection.execute(
                "SELECT holder, epoch, until, at FROM leases WHERE part = 0"
            ).fetchone()
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
            found = None
        connection.execute("ROLLBACK")
    return tuple(found) if found else None
