"""An empty database of the newest schema, made once in a process and then copied: sixteen migrations take as
long as many a test."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from bot.store.backend import migrate


@cache
def empty() -> bytes:
    """The file of such a database; not to be called where an event loop runs."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        asyncio.run(migrate.upgrade(f"sqlite:///{file}"))
        with closing(sqlite3.connect(file)) as connection:
            return connection.serialize()


def _made(file: Path) -> bool:
    """Whether there was no such file, and now it is an empty one."""
    if file.exists():
        return False
    file.write_bytes(empty())
    file.chmod(0o600)
    return True


async def upgrade(file: Path) -> str:
    """The URL of this file, at the newest schema: a fresh one where there is none, else upgraded."""
    url = f"sqlite:///{file}"
    if not await asyncio.to_thread(_made, file):
        await migrate.upgrade(url)
    return url
