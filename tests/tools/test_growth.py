"""`python -m tools.bench.growth` lets grow what it says, and measures all its work at each size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from tools.bench import growth, growth_rows, growth_tournaments

COUNTED = {
    "results": "SELECT count(*) FROM results",
    "games of one person": f"SELECT count(*) FROM seats WHERE user_id = {growth_rows.PERSON}",
    "sleeping tables of one server": "SELECT count(*) FROM games WHERE asleep_at > 0",
    "people known": f"SELECT count(*) FROM seekers WHERE guild_id <> {growth_rows.SERVER}",
    "members of one server": f"SELECT count(*) FROM seekers WHERE guild_id = {growth_rows.SERVER}",
    "finished tournaments": "SELECT count(*) FROM tournaments WHERE phase = 'over'",
}


@pytest.fixture
async def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A smaller small database."""
    monkeypatch.setattr(growth, "RESULTS", 200)
    monkeypatch.setattr(growth, "CALLS", 1)
    path = tmp_path / "small.db"
    await growth.small(path)
    return path


@pytest.mark.parametrize("axis", COUNTED)
async def test_a_pile_grows_and_all_work_is_measured(axis: str, base: Path, tmp_path: Path) -> None:
    def count() -> int:
        engine = create_engine(f"sqlite:///{tmp_path / 'grown.db'}")
        with engine.connect() as connection:
            found = int(connection.execute(text(COUNTED[axis])).scalar_one())
        engine.dispose()
        return found

    sizes = {}
    for size in (400, 1200):
        costs = await growth.measure(axis, size, base, tmp_path)
        assert list(costs) == [work.name for work in growth.WORK]
        assert all(steps > 0 for _, steps in costs.values())
        sizes[size] = count()
    assert 500 < sizes[1200] - sizes[400] < 1100, sizes


async def test_a_press_waits_for_one_server_at_most(base: Path, tmp_path: Path) -> None:
    costs = await growth.measure("servers", 50, base, tmp_path)
    _, asked_before = costs["first answer"]
    assert asked_before < 50


async def test_a_press_is_measured_at_each_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "ACTS", 2)
    lengths = []
    for size in (10, 100):
        (tmp_path / "grown.db").unlink(missing_ok=True)
        costs: dict[str, Any] = await growth.measure("entries in a game", size, tmp_path, tmp_path)
        assert costs.keys() == {"walk, cold", "act", "log"}
        lengths.append(costs["act"][1])
    assert lengths[0] < lengths[1]


async def test_the_hands_of_all_others_are_refreshed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "ACTS", 2)
    costs = await growth.measure("open hands at a table", 4, tmp_path, tmp_path)
    assert costs.keys() == {"act", "other hands", "their pictures"}
    assert costs["their pictures"][0] > 0


@pytest.mark.parametrize("axis", growth_tournaments.SIZES)
async def test_a_tournament_of_the_largest_size_is_measured(axis: str, tmp_path: Path) -> None:
    sizes = growth_tournaments.SIZES[axis]
    small, large = [await growth.measure(axis, size, tmp_path, tmp_path) for size in sizes]
    assert list(small) == list(large) == ["join", "report", "board", "picture", "reread"]
    assert small["report"][1] < large["report"][1]
