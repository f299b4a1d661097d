"""All that tests/tables proves of tables on SQLite, once more on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.tables.hall import Hall
from tests.store.conftest import Postgres
from tests.support.hall import a_hall, close_hall
from tests.tables import test_table

globals().update({name: found for name, found in vars(test_table).items() if name.startswith("test_")})


@pytest.fixture
def fresh(postgres: Postgres) -> str:
    return postgres.fresh()


@pytest.fixture
async def hall(fresh: str) -> AsyncIterator[Hall]:
    """In the place of the hall that those tests have on a SQLite file."""
    hall = a_hall(fresh)
    await hall.open()
    yield hall
    await close_hall(hall)


def test_they_are_all_here() -> None:
    assert sum(name.startswith("test_") for name in globals()) > 15
