"""Turn clocks: what is said before they end, holidays, and who does not come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from bot.core.errors import Refused
from bot.store.models import ClockRow, ResultRow, table_of
from bot.table.people.absent import let_opponent_play, wait_for_holiday
from bot.table.results import lost_by_absence
from bot.table.runtime import MOST_DUE
from bot.table.turns import LIVELY_SECONDS, NUDGE_SECONDS, RELAXED_SECONDS
from tests.support.tables.absence import World, dealt, goes_on_holiday
from tests.support.tables.tables import first_act, settle

HALF_A_DAY = RELAXED_SECONDS


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await world.tables.runtime.close()
    await world.tables.database.close()


async def test_what_nobody_can_answer_stops_no_other_clock(world: World) -> None:
    """As many rows as are looked up at a time are overdue, and stay: a game whose results break."""
    broken = await dealt(world, 0, 8, 9)
    rows = [{"game_id": broken.id, "kind": "settle", "seat": n, "due_at": 1} for n in range(MOST_DUE)]
    await world.tables.database.write_at_once(lambda c: c.execute(insert(table_of(ClockRow)), rows))
    table = await dealt(world, 60, 1, 2)
    for _ in range(8):
        await world.pass_by(10)
    assert table.stored.terms.missed == {0: 1, 1: 1}


async def test_a_short_clock_is_told_to_the_person_and_then_to_everybody(world: World) -> None:
    table = await dealt(world, 60, 1, 2)
    await first_act(table, 1)
    await world.pass_by(30)
    assert world.notes.reminders == [(table.id, 1, 30)]
    assert world.notes.said == [("alone", False)]
    await world.pass_by(15)
    assert world.notes.reminders[1:] == [(table.id, 1, 15)]
    assert world.notes.said[1:] == [("everybody", True)]
    acts = table.acts
    await world.pass_by(15)
    assert table.acts > acts  # the computer has made that one move


@pytest.mark.parametrize("clock", [LIVELY_SECONDS, 3600, HALF_A_DAY, 259_200])
async def test_nobody_is_pinged_twice_in_one_turn(world: World, clock: int) -> None:
    """Who has heard that it is their turn is named before the end, not called."""
    table = await dealt(world, clock, 1, 2)
    await first_act(table, 1)
    await world.pass_by(NUDGE_SECONDS)
    assert world.notes.nudges == [(table.id, 1)]
    await world.pass_by(clock - NUDGE_SECONDS - 1)
    assert world.notes.reminders == [(table.id, 1, clock // 4)]
    assert world.notes.said == [("everybody", False)]
    assert len(world.notes.nudges) == 1


async def test_of_two_who_would_ping_at_once_one_does(world: World) -> None:
    """Who finds the deadline struck out says nothing."""
    table = await dealt(world, 3600, 1, 2)
    await first_act(table, 1)
    nudge = next(each for each in table.deadlines if each.kind == "nudge")
    assert await asyncio.gather(table.drop_reminder(nudge), table.drop_reminder(nudge)) == [True, False]
    assert nudge not in table.deadlines


async def test_a_relaxed_clock_waits_for_who_is_on_holiday(world: World) -> None:
    table = await dealt(world, HALF_A_DAY, 1, 2)
    await first_act(table, 1)
    until = await goes_on_holiday(world, 2, 3)
    acts = table.acts
    await world.pass_by(HALF_A_DAY + 1)
    assert (table.acts, world.notes.nudges, world.notes.reminders) == (acts, [], [])
    assert world.notes.holidays == [(table.id, 1, until // 1000)]
    await world.restart()
    table = await world.tables.get(table.id)
    for _ in range(5):
        await world.pass_by(HALF_A_DAY)  # to the end of the holiday, where the clock begins anew
    assert (table.acts, world.notes.reminders) == (acts, [])
    # nobody has called them in this turn: they hear it like everybody
    await world.pass_by(HALF_A_DAY // 2)
    await world.pass_by(HALF_A_DAY // 4)
    assert world.notes.reminders == [(table.id, 1, HALF_A_DAY // 2), (table.id, 1, HALF_A_DAY // 4)]
    assert world.notes.said == [("alone", False), ("everybody", True)]
    assert table.acts == acts
    await world.pass_by(HALF_A_DAY // 4)
    assert table.acts > acts


async def test_a_holiday_is_said_once_though_two_would_say_it(world: World) -> None:
    table = await dealt(world, HALF_A_DAY, 1, 2)
    await first_act(table, 1)
    until = await goes_on_holiday(world, 2, 3)
    ends = next(each for each in table.deadlines if each.kind == "turn")
    both = await asyncio.gather(*(wait_for_holiday(table, ends, until) for _ in range(2)))
    assert both == [True, False]


async def test_nobody_is_called_on_holiday_where_there_is_no_clock(world: World) -> None:
    table = await dealt(world, 0, 1, 2)
    await first_act(table, 1)
    await goes_on_holiday(world, 2, 3)
    await world.pass_by(NUDGE_SECONDS)
    assert (world.notes.nudges, world.notes.holidays) == ([], [])


async def test_a_short_clock_knows_no_holiday(world: World) -> None:
    table = await dealt(world, 3600, 1, 2)
    await first_act(table, 1)
    await goes_on_holiday(world, 2, 3)
    acts = table.acts
    await world.pass_by(3601)
    assert table.acts > acts
    assert world.notes.holidays == []


async def test_at_half_of_a_relaxed_clock_the_others_may_call_an_opponent(world: World) -> None:
    table = await dealt(world, HALF_A_DAY, 1, 2)
    await first_act(table, 1)
    assert world.clock is not None

    async def call() -> list[int]:
        assert world.clock is not None
        held = await let_opponent_play(table, 1, world.tables.database, world.clock)
        await settle(world.tables)
        return held

    await world.pass_by(HALF_A_DAY // 2 - 1)
    with pytest.raises(Refused, match="nobody_late"):
        await call()
    await world.pass_by(1)
    await goes_on_holiday(world, 2, 1)
    with pytest.raises(Refused, match="on_holiday"):
        await call()
    await goes_on_holiday(world, 2, 0)
    assert await call() == [1]
    assert table.away(1)


async def test_a_short_clock_sees_to_that_by_itself(world: World) -> None:
    table = await dealt(world, 900, 1, 2)
    await first_act(table, 1)
    assert world.clock is not None
    with pytest.raises(Refused, match="has_clock"):
        await let_opponent_play(table, 1, world.tables.database, world.clock)


@pytest.mark.parametrize("comes_back", [False, True])
async def test_a_result_is_theirs_who_come_back_before_the_end(world: World, comes_back: bool) -> None:
    table = await dealt(world, 600, 1, 2)
    while not table.away(1):
        if 0 in table.waiting():
            await first_act(table, 1)
        else:
            await world.pass_by(601)
    if comes_back:
        await table.come_back(2)
    while table.phase == "live" and table.outcome() is None:
        if 0 in table.waiting():
            await first_act(table, 1)
        await settle(world.tables)
        while comes_back and 1 in table.waiting():
            await first_act(table, 2)
    await settle(world.tables)
    assert table.phase == "over"
    assert lost_by_absence(table) == ({} if comes_back else {1: 2})
    results = table_of(ResultRow)
    query = select(results.c.seat, results.c.rank).where(results.c.game_id == table.id)
    found = await world.tables.database.read_at_once(lambda c: c.execute(query).all())
    outcome = table.outcome()
    assert outcome is not None
    rank = outcome.standings[1].rank if comes_back else len(outcome.standings)
    assert {each.seat: each.rank for each in found}[1] == rank
