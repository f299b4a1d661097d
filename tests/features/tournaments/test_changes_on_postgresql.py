"""The tests of `tournament_tests.py` and `tournament_change_tests.py` on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.features.tournaments.service import Tournaments
from tests.support.processes.databases import Postgres
from tests.support.shared_tests import find_tests
from tests.support.tables import tournament_change_tests, tournament_tests
from tests.support.tables.tables import close_tables, unopened_tables
from tests.support.tables.tournaments import World

globals().update(find_tests(tournament_tests))
globals().update(find_tests(tournament_change_tests))


class There(World):
    """A world whose database is a server's."""

    def __init__(self, url: str) -> None:
        super().__init__(Path())
        self._url = url

    async def open(self) -> None:
        self.tables = unopened_tables(self._url, self.clock)
        await self.tables.runtime.open()
        self.tournaments = Tournaments(self.tables.database, self.clock, self.tables, self.stage)
        self.tables.runtime.attach(self.tournaments)


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
