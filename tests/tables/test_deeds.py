"""What people did in a game is noted with its results, in the words of whoever looks cards up."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import select

from bot import presenters
from bot.store.models import ResultRow, table_of
from bot.tables import lobby
from bot.tables.deeds import done
from bot.tables.tables import Tables
from engine import catalog
from engine.game import as_json
from tests.support.tables import close_tables, new_table, opened_tables, settle

ACTS = 150


@pytest.mark.parametrize("key", [key for key in catalog.listed() if key != "probe"])
def test_each_card_that_is_played_can_be_looked_up(key: str) -> None:
    game, rng = catalog.get(key), random.Random(3)
    setup = game.setup(game.seats(game.defaults())[-1], bytes(32))
    state, acts = game.deal(setup), []
    while state.outcome() is None and len(acts) < ACTS:
        seat = rng.choice(state.to_act())
        action = rng.choice(state.legal_actions(seat))
        acts.append((seat, as_json(action)))
        state.push(seat, action)
    found = done(setup, acts)
    played = {card for deed in found for card in deed.cards}
    assert played
    assert played <= {card.key for card in presenters.get(key).cards("en")}
    assert sum(deed.began or 0 for deed in found) <= 1


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "valence.db")
    yield tables
    await close_tables(tables)


async def test_who_began_stands_with_the_results(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2], game="chemistry_battle")
    await lobby.start(table, 1)
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(tables)
    results = table_of(ResultRow)
    query = select(results.c.began, results.c.cards).order_by(results.c.seat)
    found = await tables.database.read_at_once(lambda c: c.execute(query).all())
    assert sorted(row.began for row in found) == [0, 1]
    assert all(row.cards for row in found)
