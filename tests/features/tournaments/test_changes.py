"""The tests of `tournament_change_tests.py` on a SQLite file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.shared_tests import find_tests
from tests.support.tables import tournament_change_tests
from tests.support.tables.tables import close_tables
from tests.support.tables.tournaments import World

globals().update(find_tests(tournament_change_tests))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)
