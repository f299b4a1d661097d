"""What tables take in memory: python bench/memory.py --tables 10000 --warm 500

A database of so many live tables is filled by a process of its own. Here everything that `valence run`
imports is imported, the bot opens on it, and so many tables are touched; the resident memory of this
process is printed as JSON, and for each game the bytes of a loaded table beside those that the shelf
counts for it. Painting and opponents live in processes of their own and are not counted.
"""

import argparse
import asyncio
import gc
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
if "rich" not in sys.modules and "--fill" not in sys.argv:
    sys.modules["rich"] = None  # type: ignore[assignment]  # as `bot.__main__` does for a running bot

import bot.client
from bot.settings import with_async_driver
from bot.store.database import Database
from bot.store.games import Whereabouts
from bot.store.models import GameRow, table_of
from bot.tables.ports import SystemClock
from bot.tables.replaying import read_table
from bot.tables.shelf import weight
from bot.tables.table import Table
from bot.tables.tables import Tables
from bot.tables.thinking import WorkerThinker
from engine import catalog
from engine.game import Event

OF_EACH = 40
"""How many tables of each game are weighed."""


class Nobody:
    """A publisher without a channel."""

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Nobody looks."""

    def came_back(self, table: Table) -> None:
        """Nobody looks."""

    def resting(self, place: Whereabouts) -> None:
        """Nobody is told."""

    def remind(self, table: Table, seat: int, minutes: int) -> None:
        """Nobody waits."""

    def nudge(self, table: Table, seat: int) -> None:
        """Nobody waits."""

    async def morning(self, channel_id: int, morning: object, summary: object) -> None:
        """Nobody gets up."""


def resident() -> float:
    """The resident memory of this process, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def fill(path: str, tables: int, seed: int) -> None:
    """Write the database."""
    from bot.cli.cold_tables import SNOWFLAKE, Asker
    from bot.cli.cold_tables import fill as put_all
    from bot.store import migrate

    async def run() -> None:
        await migrate.upgrade(f"sqlite:///{path}")
        database = Database(with_async_driver(f"sqlite:///{path}"))
        asker, now = Asker(SNOWFLAKE, SNOWFLAKE, SNOWFLAKE + 1), int(time.time() * 1000)
        await database.write_at_once(lambda c: put_all(c, tables, now, asker, seed))
        await database.close()

    asyncio.run(run())


def numbers(connection: Any) -> dict[str, list[int]]:
    """The tables of each game."""
    games = table_of(GameRow)
    found: dict[str, list[int]] = {key: [] for key in catalog.listed()}
    for row in connection.execute(games.select().with_only_columns(games.c.id, games.c.game)):
        found[row.game].append(row.id)
    return found


async def warm_tables(path: str, warm: int, seed: int) -> dict[str, Any]:
    """Resident MiB with the tables open, and with so many tables touched."""
    clock, rng = SystemClock(), random.Random(seed)
    tables = Tables(
        Database(with_async_driver(f"sqlite:///{path}")), clock, WorkerThinker(0), Nobody(), pace=30
    )
    await tables.open()
    known = await tables.database.read_at_once(numbers)
    ids = sorted(number for each in known.values() for number in each)
    gc.collect()
    opened = resident()
    for number in rng.sample(ids, warm):
        await tables.get(number)
    gc.collect()
    figures = {
        "hall_open_mib": round(opened, 1),
        "resident_mib": round(resident(), 1),
        "warm": len(tables.shelf),
        "kib_per_warm_table": round((resident() - opened) * 1024 / max(warm, 1), 1),
        "shelf_counts_kib_each": round(
            statistics.mean(weight(table) for table in tables.shelf.held()) / 1024, 1
        ),
    }
    await tables.close()
    await tables.database.close()
    return figures


async def weigh(path: str) -> dict[str, dict[str, int]]:
    """For each game what Python allocates for a loaded table, and what the shelf counts, in bytes."""
    database = Database(with_async_driver(f"sqlite:///{path}"))
    found = {}
    for key, ids in (await database.read_at_once(numbers)).items():
        some = ids[:OF_EACH]
        for number in some:  # what is made once for all tables
            await read_table(database, number)
        gc.collect()
        tracemalloc.start()
        tables = [await read_table(database, number) for number in some]
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        found[key] = {
            "bytes": taken // len(tables),
            "counted": int(statistics.mean(map(weight, tables))),
            "actions": int(statistics.mean(sum(map(len, table.legal)) for table in tables)),
            "events": int(statistics.mean(len(table.recent) for table in tables)),
        }
    await database.close()
    return found


def measure(tables: int, warm: int, seed: int) -> dict[str, Any]:
    """The figures."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "bench.db")
        again = [sys.executable, __file__, "--tables", str(tables), "--seed", str(seed), "--fill", path]
        subprocess.run(again, check=True)
        imported = resident()
        figures = asyncio.run(warm_tables(path, warm, seed))
        return {
            "tables": tables,
            "imports_mib": round(imported, 1),
            **figures,
            "a_table": asyncio.run(weigh(path)),
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--warm", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fill", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.fill:
        fill(chosen.fill, chosen.tables, chosen.seed)
    else:
        assert bot.client.Valence
        print(json.dumps(measure(chosen.tables, chosen.warm, chosen.seed), indent=1))
