"""A database file in which people have played, and what may happen to it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.table import lobby
from tests.support.tables.tables import close_tables, new_table, opened_tables


def play(file: Path, *, count: int = 1, acts: int = 1, game: str = "probe") -> None:
    """Open tables and act at each."""

    async def run() -> None:
        tables, _, _ = await opened_tables(file)
        for _ in range(count):
            table = await new_table(tables, people=[1, 2], game=game)
            await lobby.start(table, 1)
            for _ in range(acts):
                seat = table.waiting()[0]
                await table.act(seat, table.decisions[seat], table.legal[seat][0])
        await close_tables(tables)

    asyncio.run(run())


def tear(file: Path) -> None:
    """Zero a page in the middle, as a bad disk does."""
    with closing(sqlite3.connect(file)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()
    with file.open("r+b") as raw:
        raw.seek(4096 * (root - 1))
        raw.write(b"\0" * 4096)
