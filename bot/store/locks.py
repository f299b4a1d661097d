"""Changes that go by what they have read, one after the other.

SQLite has one writer at a time. PostgreSQL lets two read what is there before either has written, and the
second then writes over what the first one changed.
"""

from __future__ import annotations

from sqlalchemy import Connection, text


def one_at_a_time(connection: Connection, what: str, number: int) -> None:
    """Wait until nobody else changes this, and let nobody begin before this transaction ends.

    It comes before what is read. Whoever takes several takes them in the same order as everybody else, or
    two would wait for each other.
    """
    if connection.dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(hashtextextended(:thing, 0))")
        connection.execute(lock, {"thing": f"{what} {number}"})
