"""Statistics of finished games, stored with their results and named by card."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, select

from bot import presenters
from bot.store.database import Database
from bot.store.game_statistics import SeatStatistics, store_statistics
from bot.store.models import AchievementRow, ResultRow, table_of
from bot.store.prefs import Prefs, prefs_of, put_prefs
from bot.table import lobby
from bot.table.early_results import is_rated
from bot.table.game_statistics import LATER_MS, Earning, earning, owed, recount, seat_statistics
from bot.table.journal import standing
from bot.table.people import consent
from bot.table.people.consent import find_undo
from bot.table.registry import Tables
from bot.table.storage.rebuild import read_table
from bot.table.table import Table
from bot.table.thinking import WorkerThinker
from bot.workers.errors import NoAnswer
from engine import catalog
from engine.chemistry.battle.game import ChemistryBattle
from engine.game import Game, as_json
from engine.setups import covering
from tests.support.tables.tables import bury, close_tables, journal_of, new_table, opened_tables, settle

ACTS = 150
FEW_ACTS = 30


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
    found = seat_statistics(setup, acts, Earning((), fair=False))
    played = {card for seat in found for card in seat.cards}
    assert played or type(game).played is Game.played, "only a game that names no cards"
    assert played <= {card.key for card in presenters.get(key).cards("en")}
    assert sum(seat.began or 0 for seat in found) <= 1


@pytest.mark.parametrize("key", [key for key in catalog.listed() if key != "probe"])
def test_statistics_are_computed_whatever_was_chosen_for_the_game(key: str) -> None:
    """What one kind of table does not tell keeps nobody's achievements back."""
    game, rng = catalog.get(key), random.Random(5)
    for kind in covering(game):
        seats, options = kind.seats, kind.options
        setup, acts = game.setup(seats, bytes(32), **options), list[tuple[int, Any]]()
        state = game.deal(setup)
        while state.outcome() is None and len(acts) < FEW_ACTS:
            seat = rng.choice(state.to_act())
            action = rng.choice(state.legal_actions(seat))
            acts.append((seat, as_json(action)))
            state.push(seat, action)
        found = seat_statistics(setup, acts, Earning(tuple(range(seats)), fair=True))
        assert [each.seat for each in found] == list(range(seats))


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


async def test_roles_stand_with_the_results_and_come_back_with_a_recount(tables: Tables) -> None:
    """Results of before there were any get theirs as `valence achievements rebuild` plays the games again."""
    table = await played(tables, [1, 2, 3, 4, 5], "atom")
    results = table_of(ResultRow)
    query = select(results.c.role, results.c.began, results.c.side).order_by(results.c.seat)
    rows = await tables.database.read_at_once(lambda c: c.execute(query).all())
    roles = [row.role for row in rows]
    assert roles.count("caller") == 1
    assert set(roles) == set(table.game.roles)
    assert [row.role == "caller" for row in rows] == [row.began == 1 for row in rows]
    assert {row.side for row in rows if row.role != "opponent"}.isdisjoint(
        {row.side for row in rows if row.role == "opponent"}
    )
    await tables.database.write_at_once(lambda c: c.execute(results.update().values(role=None)))
    await recount(tables.database)
    again = await tables.database.read_at_once(lambda c: c.execute(query).all())
    assert again == rows


async def played(tables: Tables, people: list[int], game: str = "chemistry_battle") -> Table:
    table = await new_table(tables, people=people, game=game)
    await lobby.start(table, people[0])
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][-1])
    await settle(tables)
    return table


def owned(connection: Connection) -> list[Any]:
    rows = table_of(AchievementRow)
    return list(connection.execute(select(rows).order_by(*rows.primary_key.columns)).all())


@pytest.fixture
def _as_if_play_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games for two earn what takes a win: they are long enough to earn something for certain."""
    monkeypatch.setattr(ChemistryBattle, "decided_by_deal", lambda *_: False)


@pytest.mark.usefixtures("_as_if_play_decides")
async def test_achievements_are_counted_once_and_a_recount_changes_nothing(tables: Tables) -> None:
    table = await played(tables, [1, 2])
    first = await tables.database.read_at_once(owned)
    assert first, "cards from high to low: rounds in a row, or a comeback"
    assert {(row.game, row.first_game, row.user_id in (1, 2)) for row in first} == {
        ("chemistry_battle", table.id, True)
    }
    again = [SeatStatistics(seat, None, {}, {"small_card": 1}) for seat in (0, 1)]
    await tables.database.write_at_once(lambda c: store_statistics(c, table.id, again))
    assert await tables.database.read_at_once(owned) == first
    second = await played(tables, [1, 2])
    counted = await tables.database.read_at_once(owned)
    assert sum(row.count for row in counted) > sum(row.count for row in first)
    found = await recount(tables.database)
    assert (found.games, found.lost) == (2, ())
    assert await tables.database.read_at_once(owned) == counted
    assert {row.first_game for row in counted} <= {table.id, second.id}


async def test_a_seat_that_others_played_or_that_shares_its_person_earns_nothing(tables: Tables) -> None:
    table = await played(tables, [1, 2], "compound_capture")
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


async def test_a_win_that_the_deal_decides_is_not_fair(tables: Tables) -> None:
    table = await played(tables, [1, 2])
    assert earning(table, standing(await journal_of(tables, table))) == Earning((0, 1), fair=False)
    assert not is_rated(table)
    rows = table_of(ResultRow)
    query = select(rows.c.place, rows.c.mu).where(rows.c.game_id == table.id)
    found = await tables.database.read_at_once(lambda c: c.execute(query).all())
    assert {tuple(row) for row in found} == {(None, None)}
    third = await played(tables, [1, 2, 3])
    assert is_rated(third)


class Silent(WorkerThinker):
    """A thinker whose worker for long work never answers, and says how often it was asked."""

    asked = 0

    async def analyze(self, *_args: object, **_options: object) -> object:
        self.asked += 1
        raise NoAnswer("died")


@pytest.mark.usefixtures("_as_if_play_decides")
async def test_what_a_stop_keeps_from_being_noted_is_noted_after_the_start(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    tables, _, _ = await opened_tables(path, thinker=Silent(0))
    table = await played(tables, [1, 2])
    assert table.phase == "over"
    assert owed(table) is not None
    assert await tables.database.read_at_once(owned) == []
    await tables.runtime.end_tasks()
    await tables.database.close()  # killed: the lease is not given back
    bury(path)
    for _ in range(2):
        tables, clock, _ = await opened_tables(path)
        clock.move(LATER_MS / 1000)
        await settle(tables)
        again = await tables.get(table.id)
        assert owed(again) is None
        counted = await tables.database.read_at_once(owned)
        assert counted
        assert (await recount(tables.database)).games == 1
        assert await tables.database.read_at_once(owned) == counted
        await close_tables(tables)


async def test_a_worker_that_gives_no_answer_is_asked_again_an_hour_later(tmp_path: Path) -> None:
    thinker = Silent(0)
    tables, clock, _ = await opened_tables(tmp_path / "v.db", thinker=thinker)
    table = await played(tables, [1, 2])
    assert thinker.asked == 1
    for _ in range(20):
        clock.move(60)
        await settle(tables)
    assert thinker.asked == 1
    for _ in range(50):
        clock.move(60)
        await settle(tables)
    assert thinker.asked == 2
    assert owed(table) is not None
    await close_tables(tables)


async def test_a_recount_settles_what_is_owed_once(tmp_path: Path) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db", thinker=Silent(0))
    await played(tables, [1, 2])
    await recount(tables.database)
    counted = await tables.database.read_at_once(owned)
    assert counted
    await close_tables(tables)
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    clock.move(LATER_MS / 1000)
    await settle(tables)
    assert await tables.database.read_at_once(owned) == counted
    await close_tables(tables)


async def test_what_ends_during_a_recount_is_not_lost(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot may run meanwhile, and a recount of many games takes its time."""
    await played(tables, [1, 2])
    counted: list[Any] = []

    async def slowly(database: Database, table_id: int) -> Table:
        if not counted:
            counted.append(None)
            await played(tables, [1, 2])
            counted.extend(await tables.database.read_at_once(owned))
        return await read_table(database, table_id)

    monkeypatch.setattr("bot.table.game_statistics.read_table", slowly)
    assert (await recount(tables.database)).games == 2
    assert await tables.database.read_at_once(owned) == counted[1:]


async def test_a_title_goes_with_its_achievement(tables: Tables) -> None:
    await played(tables, [1, 2])
    (row, *_) = await tables.database.read_at_once(owned)
    kept, lost = Prefs(title=f"{row.game}:{row.key}", large=True), Prefs(title="duel52:no_such", large=True)

    def bear(connection: Connection) -> None:
        put_prefs(connection, row.user_id, "Ann", kept, 0)
        put_prefs(connection, 9, "Ben", lost, 0)

    await tables.database.write_at_once(bear)
    await recount(tables.database)
    assert await tables.database.read_at_once(lambda c: prefs_of(c, row.user_id)) == kept
    assert await tables.database.read_at_once(lambda c: prefs_of(c, 9)) == Prefs(large=True)


@pytest.mark.parametrize("peeks", [False, True])
async def test_who_is_alone_and_looks_before_an_undo_earns_nothing(tables: Tables, peeks: bool) -> None:
    game, verb = ("canasta", "draw") if peeks else ("duel52", "play")
    table = await new_table(tables, game=game, people=[1], opponents=1)
    await lobby.start(table, 1)
    while table.waiting() != tuple(table.seats_of(1)[:1]):
        await settle(tables)
    seat = table.seats_of(1)[0]
    action = next(action for action in table.legal[seat] if action[0] == verb)
    await table.act(seat, table.decisions[seat], action)
    found = await find_undo(table, 1, tables.database)
    assert (found.free, found.peeked) == (True, peeks)
    await consent.undo(table, found, tables.database)
    earns = earning(table, standing(await journal_of(tables, table)))
    assert earns.seats == (() if peeks else (seat,))
