"""Locks for changes that depend on data they have read, so that they run one after another.

SQLite has one writer at a time. PostgreSQL lets two transactions read before either has written, and the
second then overwrites the change of the first.
"""

from __future__ import annotations

from sqlalchemy import Connection, text


def one_at_a_time(connection: Connection, what: str, number: int) -> None:
    """Wait until no one else is changing this, and keep others from starting until this transaction ends.

    Call it before reading. Callers that take several locks must all take them in the same order, or two could
    deadlock.
    """
    if connection.dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(hashtextextended(:thing, 0))")
        connection.execute(lock, {"thing": f"{what} {number}"})
