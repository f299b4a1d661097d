"""Whether a bot lives on a SQLite file. The one place that knows how this is told."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

ALIVE_SECONDS = 45
"""A heartbeat is written every fifteen seconds: three in a row were missed."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who uses the file."""

    open: bool
    """Whether a process of this machine has it open at this moment."""
    seconds: int
    """How long ago the bot last said that it lives."""

    @property
    def wait(self) -> int:
        """Seconds after which a bot that was killed counts as gone."""
        return max(1, ALIVE_SECONDS - self.seconds)


def holder_of(file: Path, *, now: float | None = None) -> Holder | None:
    """Who uses a SQLite file, or None. A file that is damaged or not there is used by nobody.

    An exclusive lock says it for this machine; for a disk that machines share, the heartbeat does.
    `now` is in seconds since 1970.
    """
    if not file.is_file():
        return None
    try:
        with closing(sqlite3.connect(file, timeout=0.2, isolation_level=None)) as connection:
            # without this, SQLite's write-ahead log lets anybody in while others have the file open
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            beat = _beat(connection)
            connection.execute("ROLLBACK")
    except sqlite3.DatabaseError as error:
        if "locked" in str(error) or "busy" in str(error):
            return Holder(open=True, seconds=0)
        return None
    seconds = (time.time() if now is None else now) - beat / 1000
    return Holder(open=False, seconds=int(abs(seconds))) if abs(seconds) < ALIVE_SECONDS else None


def _beat(connection: sqlite3.Connection) -> int:
    """When a bot last lived, in milliseconds; 0 where nobody ever said."""
    try:
        found = connection.execute("SELECT at FROM heartbeat WHERE id = 1").fetchone()
    except sqlite3.OperationalError:  # not ours, or empty
        return 0
    return int(found[0]) if found else 0
