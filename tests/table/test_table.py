"""The tests of `table_tests.py` on a SQLite file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.table.registry import Tables
from tests.support.shared_tests import find_tests
from tests.support.tables import table_tests
from tests.support.tables.tables import close_tables, opened_tables

pytestmark = pytest.mark.repeats

globals().update(find_tests(table_tests))


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    await close_tables(tables)
