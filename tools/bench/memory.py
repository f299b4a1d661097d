"""Measure the memory that tables take: python -m tools.bench.memory --tables 10000 --warm 500

A separate process fills a database with `--tables` live tables. This process imports everything that `valence
run` imports, opens the bot on that database and loads `--warm` tables. It prints its resident memory as JSON,
and for each game the bytes of a loaded table next to the cache's estimate. Painters and opponents run in
other processes and are not included.
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

if "rich" not in sys.modules and "--fill" not in sys.argv:
    sys.modules["rich"] = None  # type: ignore[assignment]  # as `bot.__main__` does for a running bot

import bot.client  # noqa: F401 - part of what `valence run` holds in memory
from bot.core.clock import SystemClock
from bot.settings import with_async_driver
from bot.store.database import Database
from bot.store.games import Whereabouts
from bot.store.models import GameRow, table_of
from bot.store.terms import Knock
from bot.table.registry import Tables
from bot.table.storage.rebuild import read_table
from bot.table.storage.table_cache import weight
from bot.table.table import Table
from bot.table.thinking import WorkerThinker
from engine import catalog
from engine.game import Event

OF_EACH = 40
"""Tables of each game whose memory is measured."""


class SilentPublisher:
    """A publisher that shows nothing to anyone."""

    def changed(self, table: Table, events: Sequence[Event]) -> None: ...

    def came_back(self, table: Table) -> None: ...

    def resting(self, place: Whereabouts) -> None: ...

    def remind(self, table: Table, seat: int, seconds: int, *, aloud: bool, ping: bool = True) -> None: ...

    def knocked(self, table: Table, knock: Knock) -> None: ...

    def seat_free(self, table: Table, user_id: int) -> None: ...

    def on_holiday(self, table: Table, seat: int, until: int) -> None: ...

    def tell_news(self, table: Table, kind: str, seat: int) -> None:
        """Say nothing."""

    def nudge(self, table: Table, seat: int) -> None: ...

    async def morning(self, channel_id: int, morning: object, summary: object) -> None: ...


def resident() -> float:
    """The resident memory of this process, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def fill(path: str, tables: int, seed: int) -> None:
    """Write the database."""
    from bot.store.backend import migrate
    from tools.bench.cold_tables import SNOWFLAKE, TableAsker
    from tools.bench.cold_tables import fill as put_all

    async def run() -> None:
        await migrate.upgrade(f"sqlite:///{path}")
        database = Database(with_async_driver(f"sqlite:///{path}"))
        asker, now = TableAsker(SNOWFLAKE, SNOWFLAKE, SNOWFLAKE + 1), int(time.time() * 1000)
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
    """Return the resident memory with the tables open, and with `warm` of them loaded."""
    clock, rng = SystemClock(), random.Random(seed)
    tables = Tables(
        Database(with_async_driver(f"sqlite:///{path}")), clock, WorkerThinker(0), SilentPublisher(), pace=30
    )
    await tables.runtime.open()
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
        "warm": len(tables.cache),
        "kib_per_warm_table": round((resident() - opened) * 1024 / max(warm, 1), 1),
        "shelf_counts_kib_each": round(
            statistics.mean(weight(table) for table in tables.cache.values()) / 1024, 1
        ),
    }
    await tables.runtime.close()
    await tables.database.close()
    return figures


async def weigh(path: str) -> dict[str, dict[str, int]]:
    """For each game what Python allocates for a loaded table, and what the cache counts, in bytes."""
    database = Database(with_async_driver(f"sqlite:///{path}"))
    found = {}
    for key, ids in (await database.read_at_once(numbers)).items():
        some = ids[:OF_EACH]
        for number in some:  # fill the caches that all tables share
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
        again = [sys.executable, "-m", "tools.bench.memory", "--tables", str(tables)]
        again += ["--seed", str(seed), "--fill", path]
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
        print(json.dumps(measure(chosen.tables, chosen.warm, chosen.seed), indent=1))
