"""Databases to break: a fresh SQLite file for each round, or a PostgreSQL database that is emptied."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, func, select

from bot.settings import with_async_driver
from bot.store import games as store
from bot.store.backend import migrate
from bot.store.database import Database
from bot.store.models import Base, GameRow, ResultRow, table_of
from bot.table.storage.rebuild import read_table
from tests.jepsen.history import Ending, Line, Seated
from tests.jepsen.player import deal_of
from tests.support.processes.must import postgres_server
from tests.support.waiting import until


class Server(Protocol):
    """What `tests.support.processes.databases.Postgres` offers."""

    def fresh(self) -> str:
        """The URL of a new database that is upgraded and empty."""


class Lane:
    """A place for one round at a time."""

    def __init__(self, folder: Path, server: Server | None) -> None:
        self.folder = folder
        self.url = "" if server is None else server.fresh()
        self.postgres = server is not None
        self._rounds = 0

    async def empty(self) -> str:
        """The URL of a database in which nothing has happened yet."""
        if self.postgres:
            names = ", ".join(f'"{table.name}"' for table in Base.metadata.sorted_tables)
            await self.run(f"TRUNCATE {names} RESTART IDENTITY CASCADE")
            return self.url
        self._rounds += 1
        template, file = self.folder / "upgraded.db", self.folder / f"{self._rounds}.db"
        for old in self.folder.glob(f"{self._rounds - 1}.db*"):
            old.unlink()
        shutil.copy(template, file)
        self.url = f"sqlite:///{file}"
        return self.url

    async def run(self, line: str) -> list[Any]:
        """One statement on PostgreSQL, outside of what is tested."""
        import asyncpg

        connection = await asyncpg.connect(self.url)
        try:
            return list(await connection.fetch(line))
        finally:
            await connection.close()

    async def break_line(self) -> bool:
        """Let the server end one of the bots' connections."""
        if not self.postgres:
            return False
        ended = await self.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() ORDER BY (state = 'idle'), random() LIMIT 1"
        )
        return bool(ended)

    async def alone(self) -> None:
        """Wait until the server has noticed that all bots are gone: until then one may still commit."""

        async def nobody() -> bool:
            return not await self.run(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid()"
            )

        if self.postgres:
            await until(nobody, but="connections of killed bots stay open")


@contextmanager
def lanes(kind: str, number: int, server: Server | None = None) -> Iterator[list[Lane]]:
    """So many places for rounds on `sqlite` or `postgresql`, which starts a server where there is none."""
    with tempfile.TemporaryDirectory(prefix="jepsen") as name:
        folder = Path(name)
        if kind == "postgresql":
            if server is not None:
                yield [Lane(folder, server) for _ in range(number)]
                return
            with a_server() as own:
                yield [Lane(folder, own) for _ in range(number)]
            return
        found = []
        for n in range(number):
            (folder / str(n)).mkdir()
            found.append(Lane(folder / str(n), None))
        asyncio.run(migrate.upgrade(f"sqlite:///{folder}/0/upgraded.db"))
        for lane in found[1:]:
            shutil.copy(found[0].folder / "upgraded.db", lane.folder / "upgraded.db")
        yield found


@contextmanager
def a_server() -> Iterator[Server]:
    """A PostgreSQL of its own."""
    from tests.support.processes.databases import Postgres

    with postgres_server() as url:
        yield Postgres(url)


async def endings(url: str) -> list[Ending]:
    """What the database says in the end."""
    database = Database(with_async_driver(url))
    try:
        ids = await database.read_at_once(_all_tables)
        return [await _ending(database, table_id) for table_id in ids]
    finally:
        await database.close()


def _all_tables(connection: Connection) -> list[int]:
    games = table_of(GameRow)
    return list(connection.execute(select(games.c.id).order_by(games.c.id)).scalars())


async def _ending(database: Database, table_id: int) -> Ending:
    def read(connection: Connection) -> tuple[store.Stored | None, int]:
        rows = table_of(ResultRow)
        query = select(func.count()).select_from(rows).where(rows.c.game_id == table_id)
        return store.whole(connection, table_id), int(connection.execute(query).scalar_one())

    found, results = await database.read_at_once(read)
    assert found is not None
    game = found.game
    return Ending(
        id=game.id,
        channel=game.channel_id,
        phase=game.phase,
        why=game.why,
        revision=game.revision,
        mood=int(game.options.get("mood", 0)),
        seats=[Seated(s.user_id or 0, s.entropy or 0) for s in found.sitters],
        journal=[Line(e.seq, e.kind, e.seat, int(e.data[1])) for e in found.journal],
        deal=await _dealt(database, found),
        results=results,
    )


async def _dealt(database: Database, found: store.Stored) -> str:
    if found.game.phase == "lobby":
        return ""
    try:
        table = await read_table(database, found.game.id)
        # a table that was closed before anybody acted is not replayed
        state: Any = table.state or table.game.deal(table.setup())
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the checker tells
        return f"broken: {error!r}"
    return deal_of(table) or str(state.deal)
