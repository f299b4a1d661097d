"""Hands that are prepared while the decision that leads to them is being stored."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.features.table.hand.seat_view import SeatView, SeatViews
from bot.render.scene import Scene
from bot.store.database import StoreError
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table import Table
from engine import catalog
from engine.game import AnyState
from engine.ladder import fewest_seats
from tests.support.tables.tables import close_tables, new_table, opened_tables

ACTS = 40
"""Number of decisions of each game that are foreseen."""


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    await close_tables(tables)


async def begun(tables: Tables, game: str) -> Table:
    """A game that people play, one at each seat."""
    rules = catalog.get(game)
    people = range(1, fewest_seats(rules, rules.defaults()) + 1)
    table = await new_table(tables, game=game, people=list(people))
    await lobby.start(table, 1)
    return table


@pytest.mark.parametrize("game", catalog.listed())
async def test_a_hand_that_was_foreseen_is_the_hand_that_comes(tables: Tables, game: str) -> None:
    table, views, rng = await begun(tables, game), SeatViews(), random.Random(1)
    for _ in range(ACTS):
        if not table.waiting():
            break
        seat = rng.choice(table.waiting())
        view, foreseen = views.of(table, seat, "en"), list[Scene]()

        def foresee(state: AnyState, view: SeatView = view, into: list[Scene] = foreseen) -> None:
            into.append(views.foresee(view, state))

        await table.act(seat, view.decision, rng.choice(view.legal), foresee=foresee)
        after = views.of(table, seat, "en")
        assert after.scene == SeatView(table, seat, "en").scene
        assert after.scene is foreseen[0]


async def test_a_hand_whose_decision_was_not_stored_is_no_hand(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, views = await begun(tables, "duel52"), SeatViews()
    seat = table.waiting()[0]
    before = views.of(table, seat, "en")

    async def locked(*_: Any, **__: Any) -> None:
        await asyncio.sleep(0)
        raise StoreError("locked")

    monkeypatch.setattr(tables.database, "write_at_once", locked)
    with pytest.raises(StoreError):
        await table.act(seat, None, table.legal[seat][0], foresee=lambda state: views.foresee(before, state))
    monkeypatch.undo()
    assert views.of(table, seat, "en").scene == SeatView(table, seat, "en").scene
