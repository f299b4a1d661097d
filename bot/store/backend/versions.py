"""The oldest versions of SQLite and PostgreSQL on which every statement of the bot works."""

from __future__ import annotations

import sqlite3
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

MIN_SQLITE: Final = (3, 32, 0)
"""Window functions came with 3.25, and statements with more than 999 values with 3.32."""
MIN_POSTGRES: Final = 11
"""`hashtextextended`, for advisory locks."""


class Outdated(NamedTuple):
    """A database program that lacks what the bot needs. `key` names the sentence in "doctor.store.<key>"."""

    key: str
    has: str
    needs: str


def outdated_sqlite() -> Outdated | None:
    """Return this machine's SQLite if it is too old, or was built without threads. Otherwise return None."""
    has, needs = (".".join(map(str, each)) for each in (sqlite3.sqlite_version_info, MIN_SQLITE[:2]))
    if sqlite3.sqlite_version_info < MIN_SQLITE:
        return Outdated("old_sqlite", has, needs)
    return None if sqlite3.threadsafety else Outdated("sqlite_threads", has, needs)


def outdated_postgres(connection: Connection) -> Outdated | None:
    """Return the PostgreSQL server if it is too old, or None."""
    number = int(connection.execute(text("SHOW server_version_num")).scalar_one())
    if number >= MIN_POSTGRES * 10_000:
        return None
    major = number // 10_000
    has = str(major) if major >= 10 else f"{major}.{number // 100 % 100}"  # 9.6 is a version, 10.1 a release
    return Outdated("old_postgres", has, str(MIN_POSTGRES))
