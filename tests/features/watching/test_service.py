"""What watchers may be shown: nothing young, nothing of a round that goes on, nothing after a no."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from bot.core.errors import Refused
from bot.features.watching import service as watched
from bot.features.watching.service import AGE_MS, ENTRIES, delayed_table, old_enough, round_before
from bot.store.games import UNDO, Entry
from bot.store.models import GuessRow, table_of
from bot.store.terms import ConsentRequest
from bot.table import lobby
from bot.table.game_statistics import earning
from bot.table.journal import standing
from bot.table.people import consent, leaving, shown_hands
from bot.table.people.shown_hands import CLOSING
from bot.table.table import Table
from engine import catalog
from engine.game import as_json
from tests.support.tables.absence import World
from tests.support.tables.tables import journal_of, new_table, settle

LATE = AGE_MS * 10
WITH_ROUNDS = [key for key in catalog.listed() if CLOSING & set(catalog.get(key).events)]


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await world.tables.runtime.close()
    await world.tables.database.close()


def journal(ages: list[int], now: int) -> list[Entry]:
    return [Entry(n, "act", n % 2, ["x"], now - age) for n, age in enumerate(ages, 1)]


def test_what_is_shown_is_old_by_entries_and_by_time() -> None:
    now = 10 * AGE_MS
    old = journal([AGE_MS] * 30, now)
    assert old_enough(old, now) == old[:-ENTRIES]
    assert old_enough(old, now - 1) == []
    assert old_enough(old[:ENTRIES], now) == []
    young = journal([LATE] * 5 + [AGE_MS - 1] * 30, now)
    assert old_enough(young, now) == young[:5]
    # a clock that was set back makes nothing older
    mixed = journal([LATE, 0, LATE, LATE] + [0] * 20, now)
    assert old_enough(mixed, now) == mixed[:1]


def test_what_was_taken_back_is_not_shown() -> None:
    now = 10 * AGE_MS
    acts = journal([LATE] * 20, now)
    back = Entry(22, UNDO, 0, [6], now)
    shown = old_enough([*acts, back], now)
    assert [entry.seq for entry in shown] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("key", WITH_ROUNDS)
def test_of_several_people_only_a_round_that_is_over_is_told(key: str) -> None:
    """Whatever the journal holds: between its deal and the act that ended it, and never beyond."""
    game, rng = catalog.get(key), random.Random(7)
    setup = game.setup(game.seats(game.defaults())[-1], bytes(32))
    state, acts, ends, told = game.deal(setup), list[Entry](), [0], list[int]()
    while state.outcome() is None and len(acts) < 1500:
        seat = rng.choice(state.to_act())
        action = rng.choice(state.legal_actions(seat))
        state.events = []
        acts.append(Entry(len(acts) + 1, "act", seat, as_json(action), 0))
        state.push(seat, action)
        if any(event.kind in CLOSING for event in state.events):
            ends.append(len(acts))
        if len(acts) % 7 == 0 or ends[-1] >= len(acts) - 1:
            shown = len(round_before(game, setup, acts))
            told.append(shown)
            if len(ends) == 1:
                assert shown == 0
            else:
                assert ends[-2] <= shown < ends[-1]
                assert shown == 0 or shown not in ends[1:] or shown == ends[-2]
        if len(ends) == 4:
            break
    assert len(ends) > 1 or key == "atom"
    assert max(told) > 0 or len(ends) == 1


def test_a_round_is_told_by_an_event_of_the_game() -> None:
    assert set(WITH_ROUNDS) == {"atom", "atom_duel", "canasta", "compound_capture"}


async def alone(world: World, game: str = "duel52") -> Table:
    table = await new_table(world.tables, game=game, people=(1,), opponents=1)
    await lobby.start(table, 1)
    await settle(world.tables)
    return table


async def play(world: World, table: Table, acts: int, rng: random.Random) -> None:
    for _ in range(acts):
        if not table.waiting() or table.phase != "live":
            return
        seat = table.waiting()[0]
        if table.sitters[seat].user_id is None:
            await settle(world.tables)
            continue
        await table.act(seat, table.decisions[seat], rng.choice(table.legal[seat]))
        await settle(world.tables)


async def test_the_past_holds_nothing_of_what_is_younger(world: World) -> None:
    table, rng = await alone(world), random.Random(5)
    assert world.clock is not None
    await shown_hands.show_hands(table, 1)
    for _ in range(12):
        await play(world, table, 3, rng)
        world.clock.move(40)
        if table.phase != "live":
            break
        then = await delayed_table(table, world.tables.database)
        entries, now = await journal_of(world.tables, table), world.clock.now()
        old = [entry for entry in entries[:-ENTRIES] if entry.at <= now - AGE_MS]
        if not old:
            assert then is None
            continue
        assert then is not None
        replayed = table.game.deal(table.setup())
        for entry in standing(old):
            replayed.apply(entry.seat, table.game.action(entry.data))
        assert then.state is not None
        for viewer in (0, 1, None):
            assert then.state.observe(viewer) == replayed.observe(viewer)
    assert (await journal_of(world.tables, table))[-1].seq > ENTRIES


async def test_who_plays_alone_and_shows_their_hand_earns_nothing(world: World) -> None:
    table = await alone(world)
    with pytest.raises(Refused, match="hands_closed"):
        await delayed_table(table, world.tables.database)
    await shown_hands.show_hands(table, 1)
    await shown_hands.hide_hands(table, 1)
    with pytest.raises(Refused, match="hands_closed"):
        await delayed_table(table, world.tables.database)
    assert earning(table, standing(await journal_of(world.tables, table))).seats == ()
    with pytest.raises(Refused, match="not_seated"):
        await shown_hands.hide_hands(table, 2)
    with pytest.raises(Refused, match="not_seated"):
        await shown_hands.show_hands(table, 2)


async def test_several_people_agree_together_and_each_may_say_no_later(world: World) -> None:
    table = await new_table(world.tables, game="canasta", people=(1, 2))
    await lobby.start(table, 1)
    with pytest.raises(Refused, match="hands_asks"):
        await shown_hands.show_hands(table, 1)
    database = world.tables.database
    assert not await consent.ask(table, 1, ConsentRequest(what="hands", by=1, seq=table.seq), database)
    assert not table.stored.terms.hands
    assert await consent.answer(table, 2, f"hands-{table.seq}-0", yes=True, database=database)
    assert table.stored.terms.hands
    assert not table.stored.terms.peeked
    assert await delayed_table(table, database) is None
    await shown_hands.hide_hands(table, 2)
    with pytest.raises(Refused, match="hands_closed"):
        await delayed_table(table, database)


@pytest.mark.parametrize("game", ["duel52", "molecular", "chemistry_battle"])
async def test_hands_that_last_are_never_shown_of_several_people(world: World, game: str) -> None:
    table = await new_table(world.tables, game=game, people=(1, 2))
    await lobby.start(table, 1)
    with pytest.raises(Refused, match="hands_never"):
        shown_hands.must_show(table, 1)
    # and not when one of them has left the seat to a computer either
    await leaving.leave_game(table, 2, "random", "Marie")
    with pytest.raises(Refused, match="hands_never"):
        await shown_hands.show_hands(table, 1)


async def test_a_deal_of_a_day_is_never_watched(world: World) -> None:
    table = await alone(world)
    table.stored.terms = replace(table.stored.terms, daily="2027-01-15", hands=True)
    with pytest.raises(Refused, match="daily_sealed"):
        watched.must_be_watched(table)
    assert not shown_hands.may_show_hands(table)
    with pytest.raises(Refused, match="hands_closed"):
        await delayed_table(table, world.tables.database)


async def rows(world: World) -> list[Any]:
    guesses = table_of(GuessRow)
    query = select(guesses.c.user_id, guesses.c.side, guesses.c.right).order_by(guesses.c.user_id)
    return [tuple(row) for row in await world.tables.database.read_at_once(lambda c: c.execute(query).all())]


async def test_guesses_are_judged_with_the_results_and_survive_a_stop(world: World) -> None:
    table = await new_table(world.tables, game="chemistry_battle", people=(1, 2))
    await lobby.start(table, 1)
    database = world.tables.database
    for user_id, side in ((7, 0), (8, 1), (9, 0), (9, 1)):
        await watched.guess(table, user_id, side, database)
    assert table.stored.terms.guesses == {0: 1, 1: 2}
    await world.restart()
    world.tables.runtime.at_end.append(watched.Guesses().note)
    table = await world.tables.get(table.id)
    assert await rows(world) == [(7, 0, None), (8, 1, None), (9, 1, None)]
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][-1])
    await settle(world.tables)
    outcome = table.outcome()
    assert outcome is not None
    (winner,) = outcome.winners()
    assert await rows(world) == [(7, 0, int(winner == 0)), (8, 1, int(winner == 1)), (9, 1, int(winner == 1))]
    assert watched.count_correct_guesses(table) == (1 if winner == 0 else 2, 3)


@pytest.mark.parametrize("key", [key for key in catalog.listed() if key != "probe"])
async def test_guesses_end_early_in_every_game(world: World, key: str) -> None:
    game = catalog.get(key)
    table = await new_table(
        world.tables, game=key, people=tuple(range(1, game.seats(game.defaults())[-1] + 1))
    )
    await lobby.start(table, 1)
    assert watched.takes_guesses(table)
    sides = watched.choices(table)
    assert sorted(seat for side in sides for seat in side) == list(range(len(table.sitters)))
    while watched.takes_guesses(table):
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    assert table.acts <= min(3 * len(sides) + 1, game.bound(table.setup()) // 4 + 1) or key == "atom"
    with pytest.raises(Refused, match="guess_late"):
        await watched.guess(table, 99, 0, world.tables.database)


async def test_one_who_plays_against_the_game_wins_or_loses(world: World) -> None:
    table = await new_table(world.tables, game="molecular", people=(1,))
    await lobby.start(table, 1)
    assert watched.choices(table) == ()
    await watched.guess(table, 7, watched.LOST, world.tables.database)
    assert table.stored.terms.guesses == {watched.LOST: 1}
