"""Failing one chosen call of a store: the line breaks before it, or after a COMMIT was done."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine

from bot.store.database import Database

CALLS = ("connect", "execute", "commit", "rollback")
"""The calls of a driver that can fail. `committed` is a commit that was done and whose answer was lost."""


class Faults:
    """Sits between SQLAlchemy and the driver of one `Database`, and fails the calls that it is told to."""

    def __init__(self, database: Database, stand_still: Callable[[], None]) -> None:
        """`stand_still` stops the process, right where it is."""
        self.done = Counter[str]()
        """What failed, by the call."""
        self._armed: dict[str, tuple[int, str]] = {}
        self._stand_still = stand_still
        names = ("_quick", "_quick_reader", "_writer", "_reader")
        engines = {id(e): e for name in names if (e := getattr(database, name, None)) is not None}
        for engine in engines.values():
            self._watch(getattr(engine, "sync_engine", engine), sqlite=database.sqlite)

    def arm(self, call: str, number: int, how: str = "fail") -> None:
        """Let the n-th call of this kind from now on fail, once; `any` for whichever comes n-th.

        `how`: "fail", "fail twice" (and so does one of the calls that follow), "stop" (the process stands
        still there, and the call is made when it goes on), or "fail and stop".
        """
        self._armed[call] = (number, how)

    def disarm(self) -> None:
        self._armed.clear()

    def _due(self, call: str, name: str) -> bool:
        """Whether this call is to fail; it is noted by its name."""
        fails = False
        for kind in (call, "any") if call != "committed" else (call,):
            if kind not in self._armed:
                continue
            number, how = self._armed.pop(kind)
            if number > 1:
                self._armed[kind] = (number - 1, how)
                continue
            self.done[name if "fail" in how else f"stopped at {name}"] += 1
            fails = fails or "fail" in how
            if how == "fail twice":
                self._armed["any"] = (1 + len(name) % 3, "fail")
            if "stop" in how:
                self._stand_still()
        return fails

    def _watch(self, engine: Engine, *, sqlite: bool) -> None:
        dialect: Any = engine.dialect
        snap = _snap_sqlite if sqlite else _snap_postgres
        connect, commit, rollback = dialect.connect, dialect.do_commit, dialect.do_rollback

        def connecting(*args: Any, **options: Any) -> Any:
            if self._due("connect", "connect"):
                raise (
                    sqlite3.OperationalError("disk I/O error")
                    if sqlite
                    else ConnectionRefusedError("injected")
                )
            return connect(*args, **options)

        def committing(connection: Any) -> None:
            if self._due("commit", "COMMIT"):
                snap(connection)
            commit(connection)
            if self._due("committed", "after COMMIT"):
                snap(connection)
                raise ConnectionResetError("injected: the answer to COMMIT was lost")

        def rolling_back(connection: Any) -> None:
            if self._due("rollback", "ROLLBACK"):
                snap(connection)
            rollback(connection)

        dialect.connect, dialect.do_commit, dialect.do_rollback = connecting, committing, rolling_back
        for name in ("do_execute", "do_executemany", "do_execute_no_params"):
            setattr(dialect, name, self._executing(getattr(dialect, name), snap))

    def _executing(self, execute: Callable[..., Any], snap: Callable[[Any], None]) -> Callable[..., Any]:
        def executing(cursor: Any, statement: str, *rest: Any) -> Any:
            if self._due("execute", _name(statement)):
                snap(getattr(cursor, "_adapt_connection", None))
            return execute(cursor, statement, *rest)

        return executing


def _name(statement: str) -> str:
    """`UPDATE games` of a statement."""
    words = re.sub(r"\s+", " ", statement).strip()
    table = re.search(r"(?:FROM|INTO|UPDATE) (\w+)", words)
    return f"{words.split()[0]} {table.group(1)}" if table else words


def _snap_sqlite(_connection: Any) -> None:
    raise sqlite3.OperationalError("disk I/O error")


def _snap_postgres(connection: Any) -> None:
    """The call itself then fails as it does on a broken line."""
    connection.driver_connection.terminate()
