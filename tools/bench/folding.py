"""Measure how much database space folding saves, and how fast it is.

    python -m tools.bench.folding [--games 100] [--json]
    python -m tools.bench.folding --database postgresql://…   an empty database; its contents are replaced

The games are random play of two people (and opponents if the game needs more seats), with results, totals
and ratings. `--games` games of each kind are written and measured, folded as the bot does it and measured
again, then measured without their journals. SQLite is measured by file size after VACUUM, PostgreSQL by the
size of tables with indexes after VACUUM FULL. `games_s` is the rate of reading, replaying in a worker and
writing, without the pauses; CPU time covers this process and the worker.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import resource
import tempfile
import time

import structlog
from sqlalchemy import func, select, text

from bot.core.clock import SystemClock
from bot.settings import with_async_driver
from bot.store.backend import migrate
from bot.store.database import Database
from bot.store.days import DAY_MS
from bot.store.models import EntryRow, FoldRow, GameRow, table_of
from bot.table.storage import compaction
from bot.table.storage.retention import Keeping, Retention
from bot.table.thinking import WorkerThinker
from engine import catalog
from tests.support.tables.ended import AT, ended_game

_TABLES = "entries", "folds", "games", "seats", "results"
_TABLE_BYTES = " + ".join(f"pg_total_relation_size('{name}')" for name in _TABLES)


class Later(SystemClock):
    """A month after the games, without pauses."""

    def now(self) -> int:
        """Old enough for all of them."""
        return AT + 31 * DAY_MS

    async def sleep(self, seconds: float) -> None:
        """Return at once."""
        await asyncio.sleep(0 * seconds)


async def weight(database: Database) -> int:
    """Bytes on the disk."""
    engine = database._writer.execution_options(isolation_level="AUTOCOMMIT")
    if not database.sqlite:
        async with engine.connect() as connection:
            await connection.execute(text(f"VACUUM FULL {', '.join(_TABLES)}"))
            return int((await connection.execute(text(f"SELECT {_TABLE_BYTES}"))).scalar_one())
    await asyncio.to_thread(_vacuum, database)
    return database.place.file.stat().st_size


def _vacuum(database: Database) -> None:
    connection = database._quick.raw_connection()
    try:
        for line in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            connection.cursor().execute(line).fetchall()
    finally:
        connection.close()


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def measure(url: str, key: str, games: int) -> dict[str, object]:
    """One game's line."""
    database = Database(with_async_driver(url))
    for table in (EntryRow, FoldRow, GameRow):
        await database.write_at_once(lambda c, table=table: c.execute(table_of(table).delete()))  # type: ignore[misc]
    empty = await weight(database)
    for seed in range(games):
        await ended_game(database, key, seed)
    acts = await database.read_at_once(
        lambda c: int(c.execute(select(func.count()).select_from(table_of(EntryRow))).scalar_one())
    )
    before = await weight(database)
    thinker = WorkerThinker(1)
    await thinker.run(compaction.folded, [])  # starts the worker
    worker, own, began = _children(), time.process_time(), time.perf_counter()
    await Retention(database, Later(), thinker, Keeping()).round()
    took, own = time.perf_counter() - began, time.process_time() - own
    await thinker.close()
    await asyncio.sleep(0.5)  # the worker is gone, and its CPU time counted
    worker = _children() - worker
    after = await weight(database)
    folds = table_of(FoldRow)
    packed = select(func.count(), func.sum(func.length(folds.c.journal)))
    kept, blob = await database.read_at_once(lambda c: tuple(c.execute(packed).one()))
    if kept != games:
        raise SystemExit(f"{key}: {kept} of {games} games were folded")
    await database.write_at_once(lambda c: c.execute(folds.delete()))
    rest = await weight(database)
    await database.close()
    return {
        "game": key,
        "entries": round(acts / games),
        "journal_bytes": round((before - rest) / games),
        "fold_bytes": round((after - rest) / games),
        "packed_bytes": round(int(blob) / games),
        "other_bytes": round((rest - empty) / games),
        "games_s": round(games / took, 1),
        "entries_s": round(acts / took),
        "bot_ms": round(1000 * own / games, 2),
        "worker_ms": round(1000 * worker / games, 2),
    }


async def main() -> None:
    """Measure every game."""
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--database", default="")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    lines = []
    for key in [key for key in catalog.listed() if key != "probe"]:
        with tempfile.TemporaryDirectory() as folder:
            url = chosen.database or f"sqlite:///{folder}/valence.db"
            await migrate.upgrade(url)
            lines.append(await measure(url, key, chosen.games))
        if not chosen.json:
            print("  ".join(f"{name} {value}" for name, value in lines[-1].items()), flush=True)
    if chosen.json:
        print(json.dumps({"games": lines}, indent=1))


if __name__ == "__main__":
    asyncio.run(main())
