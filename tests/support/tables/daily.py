"""The deal of a day played by rote: the same moves of the person in every process.

python -m tests.support.tables.daily FILE GAME…    plays on a copy of a database, and prints the journals
"""

from __future__ import annotations

import asyncio
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.features.daily import service as today
from bot.store import days
from bot.table.daily import others_decided
from bot.table.registry import Tables
from bot.table.table import Table
from tests.support.tables.tables import ManualClock, close_tables, journal_of, opened_tables, settle

DAY = "2027-01-15"
NOON = days.begins_at(DAY) + 12 * 3_600_000
MOVES = 6
NAMES = ("Curie", "Bohr", "Noether", "Meitner", "Pauling")


async def begin(tables: Tables, game: str, user_id: int = 1, **wanted: Any) -> Table:
    known = {"name": f"n{user_id}", "opponents": NAMES, "guild_id": 70, "locale": "en"}
    return await today.begin(tables, game, user_id=user_id, **known | wanted)


async def play(tables: Tables, table: Table, moves: int) -> None:
    """Make so many moves of the person, each by rote, as soon as they can be made."""
    for _ in range(moves):
        await settle(tables)
        await others_decided(table, tables.clock)
        if 0 not in table.waiting():
            break
        legal = table.legal[0]
        luck = int.from_bytes(sha256(f"{table.acts} {len(legal)}".encode()).digest()[:4], "big")
        await table.act(0, table.decisions[0], legal[luck % len(legal)])
    await settle(tables)


async def played(file: Path, games: list[str]) -> dict[str, list[Any]]:
    """The journals of these games, played on this database on the same day."""
    tables, _, _ = await opened_tables(file, ManualClock(NOON), pace=0.0)
    found = {}
    for game in games:
        table = await begin(tables, game)
        await play(tables, table, MOVES)
        found[game] = [[each.seat, each.data] for each in await journal_of(tables, table)]
    await close_tables(tables)
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(played(Path(sys.argv[1]), sys.argv[2:]))))
