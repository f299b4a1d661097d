"""What people did in a game is noted with its results, in the words of whoever looks cards up."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, select

from bot import presenters
from bot.store.deeds import Deed, keep_deeds
from bot.store.models import AchievementRow, ResultRow, table_of
from bot.tables import lobby
from bot.tables.deeds import Earning, done, earning, recount
from bot.tables.journal import standing
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine import catalog
from engine.game import Game, as_json
from tests.support.tables import close_tables, journal_of, new_table, opened_tables, settle

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
    found = done(setup, acts, Earning((), fair=False))
    played = {card for deed in found for card in deed.cards}
    assert played or type(game).played is Game.played, "only a game that names no cards"
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


async def played(tables: Tables, people: list[int]) -> Table:
    table = await new_table(tables, people=people, game="chemistry_battle")
    await lobby.start(table, people[0])
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][-1])
    await settle(tables)
    return table


def owned(connection: Connection) -> list[Any]:
    rows = table_of(AchievementRow)
    return list(connection.execute(select(rows).order_by(*rows.primary_key.columns)).all())


async def test_achievements_are_counted_once_and_a_recount_changes_nothing(tables: Tables) -> None:
    table = await played(tables, [1, 2])
    first = await tables.database.read_at_once(owned)
    assert first, "cards from high to low: rounds in a row, or a comeback"
    assert {(row.game, row.first_game, row.user_id in (1, 2)) for row in first} == {
        ("chemistry_battle", table.id, True)
    }
    again = [Deed(seat, None, {}, {"small_card": 1}) for seat in (0, 1)]
    await tables.database.write_at_once(lambda c: keep_deeds(c, table.id, again))
    assert await tables.database.read_at_once(owned) == first
    second = await played(tables, [1, 2])
    counted = await tables.database.read_at_once(owned)
    assert sum(row.count for row in counted) > sum(row.count for row in first)
    found = await recount(tables.database)
    assert (found.games, found.lost) == (2, ())
    assert await tables.database.read_at_once(owned) == counted
    assert {row.first_game for row in counted} <= {table.id, second.id}


async def test_a_seat_that_others_played_or_that_shares_its_person_earns_nothing(tables: Tables) -> None:
    table = await played(tables, [1, 2])
    acts = standing(await journal_of(tables, table))
    assert earning(table, acts) == Earning((0, 1), fair=True)
    late = [msgspec.structs.replace(acts[0], kind="timeout"), *acts[1:]]
    assert earning(table, late).seats == tuple(s for s in (0, 1) if s != acts[0].seat)
    mine = [msgspec.structs.replace(who, user_id=1) for who in table.sitters]
    table.sitters = mine
    assert earning(table, acts).seats == ()
    weak = [mine[0], msgspec.structs.replace(mine[1], user_id=None, level="newcomer")]
    table.sitters = weak
    assert earning(table, acts) == Earning((0,), fair=False)
    table.sitters = [weak[0], msgspec.structs.replace(weak[1], level="steady")]
    assert earning(table, acts) == Earning((0,), fair=True)
