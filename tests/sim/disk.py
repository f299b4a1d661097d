"""The database of a world: one SQLite file in memory, and engines that outlast worlds.

What does not depend on the seed is made once a process: the schema (a file of bytes that is copied), and the
engines with all that SQLAlchemy has compiled for them. A process of the bot that dies gives its engines back,
and with them its connections.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from bot.settings import with_async_driver
from bot.store.backend import engines, migrate
from bot.store.database import Database


def _folder() -> Path:
    shared = Path("/dev/shm")
    return shared if shared.is_dir() and os.access(shared, os.W_OK) else Path(tempfile.gettempdir())


class Disk:
    """A file that each world finds fresh."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="sim-", dir=_folder()))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.file = self.folder / "valence.db"
        self.url = with_async_driver(f"sqlite:///{self.file}")
        template = self.folder / "template.db"
        asyncio.run(migrate.upgrade(f"sqlite:///{template}"))
        with sqlite3.connect(template) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode=DELETE")
        connection.close()
        self._template = template.read_bytes()
        self._free: list[dict[str, Any]] = []
        self._observer: sqlite3.Connection | None = None

    def fresh(self) -> None:
        """Begin with an empty database."""
        if self._observer is not None:
            self._observer.close()
        for name in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                self.file.with_name(self.file.name + name).unlink()
        self.file.write_bytes(self._template)
        self.file.chmod(0o600)
        self._observer = sqlite3.connect(self.file, isolation_level=None, check_same_thread=False)

    @property
    def observer(self) -> sqlite3.Connection:
        """A connection of the world's own, which only looks."""
        assert self._observer is not None
        return self._observer

    def version(self) -> int:
        """A number that is another one after each commit."""
        return int(self.observer.execute("PRAGMA data_version").fetchone()[0])

    def database(self) -> tuple[Database, Callable[[], None]]:
        """A database as a process opens it, and what gives its engines back when the process is no more."""
        mine = self._free.pop() if self._free else {}
        for engine in mine.values():
            engine.dispose()  # what was cut off in the last world may have connected after its end

        def made(place: Any, *, read_only: bool, **pool: Any) -> Engine:
            key = f"read_only={read_only}"
            if key not in mine:
                mine[key] = engines.sqlite_in_a_thread(place, read_only=read_only, **pool)
                event.listen(mine[key], "connect", _no_disk)
            return mine[key]

        database = Database(self.url, sqlite_engine=made)

        def back() -> None:
            for engine in mine.values():
                engine.dispose()
            self._free.append(mine)

        return database, back


def _no_disk(connection: Any, _record: Any) -> None:
    """Nothing here outlives the machine."""
    connection.execute("PRAGMA synchronous=OFF")
