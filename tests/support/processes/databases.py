"""Databases to test on: SQLite files, and a real PostgreSQL from a package, each test with one of its own."""

from __future__ import annotations

import asyncio
import itertools
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from bot.settings import with_async_driver
from bot.store.backend import migrate
from bot.store.database import Database
from bot.table.registry import Tables
from tests.support.processes.must import postgres_server
from tests.support.processes.schema import empty
from tests.support.tables.tables import patient_database, unopened_tables

_numbers = itertools.count(1)


class Postgres:
    """A running server; `fresh()` is the URL of a database that is upgraded and empty."""

    def __init__(self, url: str) -> None:
        self.url = url
        for line in ("fsync = off", "full_page_writes = off", "synchronous_commit = off"):
            self.do(f"ALTER SYSTEM SET {line}")  # nothing here outlives the tests
        self.do("SELECT pg_reload_conf()")
        self.do(f'CREATE DATABASE "{self.template}"')
        asyncio.run(migrate.upgrade(self.named(self.template)))

    template = "upgraded"

    def named(self, name: str) -> str:
        return make_url(self.url).set(database=name).render_as_string(hide_password=False)

    def fresh(self, template: str = template) -> str:
        name = f"test_{next(_numbers)}"
        self.do(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.named(name)

    def do(self, *lines: str) -> None:
        """Run lines as the owner of the server."""

        async def run() -> None:
            engine = create_async_engine(with_async_driver(self.url), isolation_level="AUTOCOMMIT")
            async with engine.connect() as connection:
                for line in lines:
                    await connection.execute(text(line))
            await engine.dispose()

        asyncio.run(run())


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server, started once."""
    with postgres_server() as url:
        yield Postgres(url)


@pytest.fixture(scope="session")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An upgraded, empty SQLite file to copy."""
    path = tmp_path_factory.mktemp("sqlite") / "valence.db"
    path.write_bytes(empty())
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a fresh database of either kind."""
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        return server.fresh()
    path = tmp_path / "valence.db"
    shutil.copy(request.getfixturevalue("upgraded"), path)
    return f"sqlite:///{path}"


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    database = patient_database(url)
    yield database
    await database.close()


Open = Callable[..., Awaitable[Tables]]


@pytest.fixture
async def opened_tables(url: str) -> AsyncIterator[Open]:
    """Open tables on the database, one after another or several at once, as several bots would."""
    bots: list[Tables] = []

    async def opened_tables(clock: Any = None) -> Tables:
        tables = unopened_tables(url, clock)
        bots.append(tables)
        await tables.runtime.open()
        return tables

    yield opened_tables
    for tables in bots:
        await tables.runtime.close()
        await tables.database.close()
