"""The service and its changes of tournaments, tested again on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.features.tournaments.service import Tournaments
from tests.features.tournaments import test_changes, test_service
from tests.support.processes.databases import Postgres
from tests.support.tables.tables import close_tables, unopened_tables
from tests.support.tables.tournaments import World

for module in (test_service, test_changes):
    globals().update({name: found for name, found in vars(module).items() if name.startswith("test_")})


class There(World):
    """A world whose database is a server's."""

    def __init__(self, url: str) -> None:
        super().__init__(Path())
        self._url = url

    async def open(self) -> None:
        self.tables = unopened_tables(self._url, self.clock)
        await self.tables.open()
        self.tournaments = Tournaments(self.tables.database, self.clock, self.tables, self.stage)


@pytest.fixture
def fresh(postgres: Postgres) -> str:
    return postgres.fresh()


@pytest.fixture
async def world(fresh: str) -> AsyncIterator[World]:
    """In the place of the world that those tests have on a SQLite file."""
    world = There(fresh)
    await world.open()
    yield world
    await close_tables(world.tables)


def test_they_are_all_here() -> None:
    assert sum(name.startswith("test_") for name in globals()) > 20
