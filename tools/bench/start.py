"""The duration of a start with many live tables, until the first press is answered.

The bot runs in its own process, unmodified, on the local Discord; nearly all tables are cold. As soon as it
has connected, a person presses **My hand** of one of them. The clock runs from the log line `starting`, which
the bot writes once its modules are imported, until the hand is shown with its picture. CPU time is reported
as well, because other programs on the machine hardly affect it.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bot.settings import with_async_driver
from bot.store.backend import migrate
from bot.store.database import Database
from bot.table.storage.rebuild import load_table
from bot.table.table import Table
from bot.table.table_context import TableContext
from playground.actions.person import Person
from playground.server import Playground, start
from tools.bench import cold_tables
from tools.bench.cold_tables import TableAsker
from tools.bench.press import CHANNEL, BenchFailed, cpu_seconds, environment, percentiles, resident_mib
from tools.bench.store import mib_of

PATIENCE = 60.0
"""Seconds that a start may take before the bench gives up."""
LOADS = 40
"""Number of times a table of each game is loaded."""


class _Bot:
    """The bot's process and the times of its log lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.began = perf_counter()
        self.at: dict[str, asyncio.Future[float]] = {
            word: asyncio.get_running_loop().create_future() for word in ("starting", "ready")
        }
        self.said: list[str] = []
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, playground: Playground, database: str, cache: Path) -> _Bot:
        """Start the bot on this database; `cache` is its folder for drawn cards."""
        own = {"VALENCE_LOG_LEVEL": "INFO", "VALENCE_CACHE": str(cache)}
        env = {**environment(playground, database), **own}
        return cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", "run"), env=env, stderr=asyncio.subprocess.PIPE
            )
        )

    async def _read(self) -> None:
        if self.process.stderr is None:
            return
        async for line in self.process.stderr:
            words = line.decode(errors="replace").split()
            self.said.append(" ".join(words))
            for word, moment in self.at.items():
                if word in words[:6] and not moment.done():
                    moment.set_result(perf_counter())

    async def moment(self, word: str) -> float:
        """Return the time at which the log contained this word.

        Raises:
            BenchFailed: it never did.
        """
        ended = asyncio.create_task(self.process.wait())
        moment = self.at[word]
        waiting: set[asyncio.Future[Any]] = {moment, ended}
        await asyncio.wait(waiting, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not moment.done():
            raise BenchFailed(f"the bot was not {word}: {self.said[-1:] or 'it said nothing'}")
        return moment.result()

    async def stop(self) -> None:
        """Stop it in an orderly way."""
        if self.process.returncode is None:
            self.process.terminate()
        await self.process.wait()
        await self._reading


async def _one_start(
    playground: Playground, file: Path, person: Person, tables: dict[str, int], first: str
) -> dict[str, Any]:
    """Start the bot, press a button, stop it, and return the figures."""
    bot = await _Bot.start(playground, f"sqlite:///{file}", file.with_name("cache"))
    try:
        imported = await bot.moment("starting")
        spent = cpu_seconds(bot.process.pid)
        await person.wait_for(lambda: person.bot["connected"], PATIENCE)
        connected = perf_counter()
        await _hand(person, tables[first])
        answered = perf_counter()
        spent = cpu_seconds(bot.process.pid) - spent
        ready = await bot.moment("ready")
        figures: dict[str, object] = {
            "imports_s": round(imported - bot.began, 3),
            "connected_s": round(connected - imported, 3),
            "ready_s": round(ready - imported, 3),
            "first_answer_s": round(answered - imported, 3),
            "first_answer_cpu_s": round(spent, 2),
            "rss_mib": resident_mib(bot.process.pid),
        }
        others = {}
        for game in (game for game in tables if game != first):
            pressed = perf_counter()
            await _hand(person, tables[game])
            others[game] = round(1000 * (perf_counter() - pressed), 1)
        figures["hand_ms"] = others
        figures["rss_after_mib"] = resident_mib(bot.process.pid)
        return figures
    finally:
        await bot.stop()


async def _hand(person: Person, table: int) -> None:
    """Press **My hand** of a table and wait until the hand is shown with its picture."""
    out = await person.press(custom_id=f"v:hand:{table}", channel=CHANNEL, forge=True)
    if out.failed or out.message_id is None:
        raise BenchFailed(f"a press was not answered: {out.kind}")
    message_id = out.message_id
    await person.wait_for(lambda: person.message(message_id).get("attachments"), PATIENCE)


async def _loads(database: Database, seed: int) -> dict[str, dict[str, float]]:
    """Return the loading time (rows and replay) of one table of each kind, at the end of its longest game."""
    numbers = await database.write_at_once(lambda c: cold_tables.put_long(c, seed))
    found, context = {}, TableContext.alone(database)
    for name, number in numbers.items():
        spent = []
        cpu = process_time()
        for _ in range(LOADS):
            began = perf_counter()
            table = await load_table(database, number, lambda found: Table(context, found))
            spent.append(1000 * (perf_counter() - began))
        cpu = 1000 * (process_time() - cpu) / LOADS
        spent.sort()
        found[name] = {
            "acts": table.acts,
            "cpu_ms": round(cpu, 2),
            **percentiles(spent),
            "worst_ms": round(spent[-1], 2),
        }
    return found


async def measure(*, tables: int, game: str, seed: int) -> dict[str, Any]:
    """Build a database of this many live tables, start the bot on it twice, and load single tables.

    Raises:
        BenchFailed: the bot did not start or did not answer.
    """
    with tempfile.TemporaryDirectory(prefix="valence-bench-") as folder:
        path = Path(folder, "start.db")
        url = f"sqlite:///{path}"
        await migrate.upgrade(url)
        async with start() as playground:
            person = await Person.connect(playground.page_url(), "ann")
            channel = person.channels[person.channel_id(CHANNEL)]
            asker = TableAsker(int(person.me["id"]), int(channel["guild_id"]), int(channel["id"]))
            database = Database(with_async_driver(url))
            try:
                began = perf_counter()
                now = int(time.time() * 1000)
                mine = await database.write_at_once(lambda c: cold_tables.fill(c, tables, now, asker, seed))
                await database.tidy()
                figures: dict[str, Any] = {
                    "tables": tables,
                    "seed": seed,
                    "entries": await database.read_at_once(cold_tables.entries),
                    "built_s": round(perf_counter() - began, 1),
                    "mib": await database.read_at_once(mib_of),
                }
                await database.close()
                for which in ("start", "restart"):
                    figures[which] = await _one_start(playground, path, person, mine, game)
                database = Database(with_async_driver(url))
                figures["load_ms"] = await _loads(database, seed)
                return figures
            finally:
                await person.close()
                await database.close()
