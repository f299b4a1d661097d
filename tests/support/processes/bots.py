"""Several bots as processes of their own, on one database and one local Discord."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from bot.settings import with_async_driver
from bot.table import lobby
from playground.actions.person import Person
from playground.server import Playground, start
from tests.support.processes.bot_forks import Forked
from tests.support.processes.stage import HERE, probe_bot, start_bot
from tests.support.tables.tables import ManualClock, close_tables, new_table, opened_tables
from tests.support.waiting import LIMIT_SECONDS, until

KILLED_AFTER = 30.0
"""Hosts kill a process that has not ended by then after they asked it to."""


class Bot:
    """One process. What it says goes to a file of its own."""

    def __init__(self, process: asyncio.subprocess.Process | Forked, log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def said(self) -> str:
        """All that it has said so far."""
        return self._log.read_text()

    async def until(self, words: str, seconds: float = LIMIT_SECONDS) -> None:
        """Wait until it has said that."""

        def never() -> str:
            return f"“{words}” was never said:\n{self.said}"

        await until(lambda: words in self.said or self.process.returncode is not None, seconds, but=never)
        assert words in self.said, never()

    def send(self, sign: signal.Signals) -> None:
        """Send a signal, if there still is a process."""
        if self.process.returncode is None:
            self.process.send_signal(sign)

    def send_to_all(self, sign: signal.Signals) -> None:
        """Send a signal to the process and to all that it has started, as a terminal does."""
        if self.process.returncode is None:
            os.killpg(self.process.pid, sign)

    async def gone(self, seconds: float = KILLED_AFTER) -> int:
        """Wait for its end. Return the exit code."""
        return await asyncio.wait_for(self.process.wait(), seconds)

    def check(self) -> None:
        """Nothing that nobody foresaw has happened, and nothing was forgotten."""
        for sign in ("Traceback", "unforeseen", "never retrieved", "was destroyed", "Exception ignored"):
            assert sign not in self.said, self.said


class Bots:
    """Starts bots on the database of this folder, and ends those that are left."""

    def __init__(self, playground: Playground, folder: Path) -> None:
        self.playground = playground
        self.folder = folder
        self.all: list[Bot] = []

    @property
    def database(self) -> Path:
        return self.folder / "valence.db"

    async def start(self, *words: str, probe: bool = True, tree: Path = HERE, **settings: str) -> Bot:
        """Start another bot from a checkout, with these words after `run`.

        With `probe`, it also deals the probe game of that checkout.
        """
        environment = {
            **os.environ,
            "DISCORD_TOKEN": "playground",
            "DATABASE_URL": f"sqlite:///{self.database}",
            "VALENCE_DISCORD_BASE": self.playground.base,
            "VALENCE_PACE": "0",
            # a worker process knows the games of the catalog only
            "VALENCE_WORKERS": "0" if probe else "1",
            "VALENCE_MOST_PRESSES_A_SECOND": "1000",
            "VALENCE_MOST_TABLES_OF_SERVER": "2000",
            "VALENCE_CACHE": str(self.folder / "cache"),
            "PYTHONPATH": str(tree),
            **settings,
        }
        log = self.folder / f"bot-{len(self.all)}.log"
        program = probe_bot(tree) if probe else ""
        process = await start_bot(
            program, "run", *words, env=environment, cwd=self.folder, log=log, can_fork=tree == HERE
        )
        bot = Bot(process, log)
        self.all.append(bot)
        return bot

    async def end(self) -> None:
        """End those that still run."""
        for bot in self.all:
            if bot.process.returncode is None:
                bot.send(signal.SIGCONT)
                bot.process.kill()
                await bot.process.wait()


async def many_tables(bots: Bots, count: int, person: Person) -> None:
    """Fill the database: live tables of a person and an opponent, which is to act; none is posted yet."""
    tables, _, _ = await opened_tables(bots.database, ManualClock(instant_sleep=False), pace=60)
    table = await new_table(tables, people=[int(person.me["id"])], opponents=1)
    await lobby.start(table, table.stored.host_id)
    await close_tables(tables)
    # a channel of their own: one takes a message a second
    channel = person.channels[person.channel_id("second-table")]
    with closing(sqlite3.connect(bots.database)) as connection:
        connection.execute(
            "UPDATE games SET channel_id = ?, guild_id = ?", (int(channel["id"]), int(channel["guild_id"]))
        )
        numbers = f"(SELECT 2 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})"
        for name in ("games", "seats", "clocks"):
            key = "id" if name == "games" else "game_id"
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            values = ", ".join("n" if column == key else column for column in columns)
            connection.execute(
                f"WITH RECURSIVE numbers AS {numbers} INSERT INTO {name} ({', '.join(columns)}) "
                f"SELECT {values} FROM {name}, numbers WHERE {key} = 1"
            )
        connection.commit()


@asynccontextmanager
async def troupe(backstage: Path, name: str) -> AsyncIterator[Bots]:
    """A local Discord of one's own, with no bot yet."""
    folder = backstage / name
    folder.mkdir()
    async with start() as playground:
        bots = Bots(playground, folder)
        try:
            yield bots
        finally:
            await bots.end()


async def people(bots: Bots, *names: str) -> list[Person]:
    return [await Person.connect(bots.playground.page_url(name), name) for name in names]


async def leave(*persons: Person) -> None:
    for person in persons:
        await person.close()


async def dealt(bots: Bots, bot: Bot, *persons: Person) -> str:
    """A running table of the probe game; the id of its message."""
    await bot.until("ready")
    host, *others = persons
    out = await host.command("card-table", "play", game="probe")
    board = str(out.message_id)
    for person in others:
        await person.wait_message("card-table", lambda m: m["id"] == board)
        await person.press(board, label="Join or leave")
    await host.press(board, label="Start")
    await host.wait_for(lambda: host.button(board, label="My hand"))
    return board


def ask(bots: Bots, sql: str) -> Any:
    with closing(sqlite3.connect(bots.database)) as connection:
        return connection.execute(sql).fetchone()[0]


def public(person: Person) -> list[str]:
    """The messages of the channel that everybody sees."""
    return [m["id"] for m in person.messages("card-table") if not Person.is_ephemeral(m)]


class Wire:
    """A line to the server that can be made to swallow everything, as a dead router does."""

    def __init__(self, url: str, context: ssl.SSLContext | None = None) -> None:
        self._url = make_url(url)
        self._context = context
        """With it the line is encrypted up to here."""
        self.encrypted = 0
        self._open = asyncio.Event()
        self._open.set()
        self._pumps: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        """Listen; the URL that leads through here."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        url = self._url.set(host="127.0.0.1", port=port, query={})
        return url.render_as_string(hide_password=False)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._context:
            await reader.readexactly(8)  # the wish for TLS
            writer.write(b"S")
            try:
                await writer.start_tls(self._context)
            except (OSError, ssl.SSLError):
                return  # the other side does not trust us
            self.encrypted += 1
        folder = self._url.query["host"]
        port = self._url.port or 5432
        there, back = await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{port}")
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pump(source, sink))
            self._pumps.add(task)
            task.add_done_callback(self._pumps.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                await self._open.wait()
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        finally:
            sink.close()

    def freeze(self) -> None:
        self._open.clear()

    def thaw(self) -> None:
        self._open.set()

    async def close(self) -> None:
        self.thaw()
        self._server.close()
        for task in list(self._pumps):
            task.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)


async def rows_of(url: str, sql: str) -> list[Any]:
    engine = create_async_engine(with_async_driver(url))
    async with engine.connect() as connection:
        found = list((await connection.execute(text(sql))).all())
    await engine.dispose()
    return found
