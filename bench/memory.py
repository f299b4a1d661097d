"""How much memory the bot needs with so many live tables: python bench/memory.py --tables 1000

Everything that `valence run` imports is imported, the tables are dealt and half-played in a real
database, and the resident memory of this process is printed as JSON. Painting and opponents live in
processes of their own and are not counted.
"""

import argparse
import asyncio
import gc
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
if "rich" not in sys.modules:
    sys.modules["rich"] = None  # type: ignore[assignment]  # as `bot.__main__` does for a running bot

import bot.client
from bot.settings import with_async_driver
from bot.store.database import Database
from bot.store.terms import DAY, Terms
from bot.tables.hall import Hall
from bot.tables.ports import SystemClock
from bot.tables.table import Table
from bot.tables.thinking import WorkerThinker
from engine.game import Event

ACTS = 30


class Nobody:
    """A publisher for a hall without a channel."""

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Nobody looks."""

    def came_back(self, table: Table) -> None:
        """Nobody looks."""

    def remind(self, table: Table, seat: int, minutes: int) -> None:
        """Nobody waits."""


def resident() -> float:
    """The resident memory of this process, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def measure(tables: int, game: str, seed: int) -> dict[str, Any]:
    """Deal and half-play so many tables; the figures."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        subprocess.run([sys.executable, "-m", "bot.store.migrate", url], check=True)
        before = resident()
        after = asyncio.run(deal(tables, game, random.Random(seed), url))
    return {
        "tables": tables,
        "game": game,
        "imports_mib": round(before, 1),
        "resident_mib": round(after, 1),
        "kib_per_table": round((after - before) * 1024 / tables, 1),
    }


async def deal(tables: int, game: str, rng: random.Random, url: str) -> float:
    """Resident MiB with the tables open."""
    hall = Hall(Database(with_async_driver(url)), SystemClock(), WorkerThinker(0), Nobody(), pace=30)
    await hall.open()
    for number in range(tables):
        table = await hall.new(
            game,
            host_id=number * 10 + 1,
            host_name=f"Person {number}",
            entropy=number + 1,
            channel_id=number,
            guild_id=1,
            locale="en",
            options={},
            terms=Terms(clock=DAY),
        )
        for other in range(1, 4):
            await table.join(number * 10 + 1 + other, f"Person {number}.{other}", number + other)
        await table.start(number * 10 + 1)
        for _ in range(ACTS):
            if not table.waiting():
                break
            seat = table.waiting()[0]
            await table.act(seat, table.decisions[seat], rng.choice(table.legal[seat]))
    gc.collect()
    after = resident()
    await hall.close()
    await hall.database.close()
    return after


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--game", default="atom_duel")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    assert bot.client.Valence
    print(json.dumps(measure(chosen.tables, chosen.game, chosen.seed)))
