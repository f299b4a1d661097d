"""What a review says of single moves, and the codes of replays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.errors import Refused
from bot.features.replays.service import code_of, marks, may_share, shared
from bot.table.registry import Tables
from engine.ai.review import Judged, Review
from tests.support.games.probe_study import taught
from tests.support.tables.reviews import finished, practice
from tests.support.tables.tables import close_tables, opened_tables

ANN, BEN = 1, 2


@pytest.fixture
async def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tables]:
    taught(monkeypatch)
    found, _, _ = await opened_tables(tmp_path / "v.db")
    yield found
    await close_tables(found)


def judged(act: int, chance: float, loss: float = 0.0, error: float = 0.01) -> Judged:
    return Judged(act=act, best=["x"], chance=chance, loss=loss, error=error)


def test_a_clear_loss_is_marked_and_a_great_one_twice() -> None:
    told = marks(Review(0, (judged(0, 0.5, 0.05), judged(4, 0.5, 0.3), judged(6, 0.5, 0.02)), 0.5))
    assert {at: mark.sign for at, mark in told.items()} == {1: "?", 5: "??"}
    assert told[5].loss == pytest.approx(0.3)


def test_the_best_move_of_a_turning_point_is_marked() -> None:
    curve = [judged(act, chance) for act, chance in ((0, 0.5), (2, 0.9), (4, 0.3), (6, 0.31), (8, 0.8))]
    told = marks(Review(0, tuple(curve), 0.8))
    # up at once after the acts 0 and 6, down after act 2
    assert {at: mark.sign for at, mark in told.items()} == {1: "!!", 7: "!!"}


async def test_a_code_is_of_one_table_and_opens_no_practice(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(tables, ANN, BEN)
    other = await finished(tables, ANN, BEN)
    assert code_of(table) != code_of(other)
    assert (await shared(tables, code_of(table))).id == table.id
    stolen = code_of(table).replace(f"{table.id}-", f"{other.id}-")
    with pytest.raises(Refused, match="replay_code"):
        await shared(tables, stolen)
    again: Any = await practice(tables, table)
    assert not may_share(again, ANN)
    with pytest.raises(Refused, match="replay_code"):
        await shared(tables, code_of(again))
    assert may_share(table, BEN)
    assert not may_share(table, 99)
