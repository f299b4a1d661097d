"""The tests of `table_tests.py` on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.table.registry import Tables
from tests.support.processes.databases import Postgres
from tests.support.shared_tests import find_tests
from tests.support.tables import table_tests
from tests.support.tables.tables import close_tables, unopened_tables

globals().update(find_tests(table_tests))


@pytest.fixture
def fresh(postgres: Postgres) -> str:
    return postgres.fresh()


@pytest.fixture
async def tables(fresh: str) -> AsyncIterator[Tables]:
    """In the place of the tables that those tests have on a SQLite file."""
    tables = unopened_tables(fresh)
    await tables.runtime.open()
    yield tables
    await close_tables(tables)


def test_they_are_all_here() -> None:
    assert sum(name.startswith("test_") for name in globals()) > 15
