"""Whether a SQLite file is whole."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.database import StoreError, trouble

TOLD = 5
"""How many findings are told of; a torn file has thousands."""


def damage(file: Path, *, thorough: bool = False) -> list[str]:
    """What is wrong inside a SQLite file: an empty list where it is whole. The file is not changed.

    `thorough` also compares every index with its table, which takes several times as long.

    Raises:
        StoreError: the file is no database, is locked, or cannot be read.
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
