"""A table without a turn clock goes on though somebody does not come: after a day its host sees to that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.errors import Refused
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.people.absent import PATIENCE_MS, let_opponent_play, on_holiday
from bot.table.table import PAUSED, Table
from bot.table.turns import NUDGE_SECONDS, RELAXED_SECONDS
from tests.support.tables.absence import World, goes_on_holiday
from tests.support.tables.tables import first_act, new_table, settle

DAY = PATIENCE_MS // 1000


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await world.tables.runtime.close()
    await world.tables.database.close()


async def dealt(world: World, *people: int, terms: Terms | None = None) -> Table:
    table = await new_table(world.tables, people=people, terms=terms or Terms(), rounds=3)
    await lobby.start(table, people[0])
    return table


async def a_day(world: World) -> None:
    """At the first turn it begins with the ping for it, the last that is known of the table."""
    await world.pass_by(NUDGE_SECONDS)
    await world.pass_by(DAY)


async def ask(world: World, table: Table, by: int = 1) -> list[int]:
    assert world.clock is not None
    held = await let_opponent_play(table, by, world.tables.database, world.clock)
    await settle(world.tables)
    return held


async def test_a_day_after_the_turn_came_the_host_may_let_an_opponent_play(world: World) -> None:
    table = await dealt(world, 1, 2)
    await first_act(table, 2)
    while table.waiting() != (1,):
        await world.pass_by(DAY // 2)  # what went on before does not count
        await first_act(table, 1)
    assert world.clock is not None
    turn_came = world.clock.now()
    await world.pass_by(DAY - 1)
    with pytest.raises(Refused, match="nobody_late") as refused:
        await ask(world, table)
    assert refused.value.facts["at"] == (turn_came + PATIENCE_MS) // 1000
    await world.pass_by(1)
    seq = table.seq
    assert await ask(world, table) == [1]
    assert table.away(1)
    assert table.seq > seq  # the Steady opponent has acted
    await table.come_back(2)
    assert not table.away(1)
    while 1 not in table.waiting():
        await first_act(table, 1)
    seq = table.seq
    await world.pass_by(2 * DAY)
    assert table.seq == seq  # and now they are waited for again


async def test_it_survives_a_restart_and_a_press_of_the_owner(world: World) -> None:
    table = await dealt(world, 1, 2, 3)
    await first_act(table, 1)
    await first_act(table, 2)
    await a_day(world)
    assert await ask(world, table) == [2]
    await world.restart()
    again = await world.tables.get(table.id)
    assert again.away(2)
    await again.come_back(3)
    await world.restart()
    assert not (await world.tables.get(table.id)).away(2)


async def test_nobody_waits_for_themselves_and_all_who_are_late_are_played_for(world: World) -> None:
    table = await dealt(world, 1, 2, 3)
    await a_day(world)
    assert await ask(world, table, by=1) == [1, 2]  # of the three who bid at a time
    assert not table.away(0)
    assert table.waiting() == (0,)
    with pytest.raises(Refused, match="waits_for_nobody"):
        await ask(world, table, by=1)
    assert not table.asleep


async def test_where_nobody_is_left_the_table_sleeps(world: World) -> None:
    table = await dealt(world, 1, 2)
    await a_day(world)
    assert await ask(world, table, by=99) == [0, 1]  # a moderator, who does not play
    assert table.asleep
    await table.come_back(1)
    assert not table.asleep


async def test_a_table_that_sleeps_wakes_to_go_on(world: World) -> None:
    table = await dealt(world, 1, 2)
    await first_act(table, 1)
    await table.sleep("idle")
    await world.pass_by(8 * DAY)
    assert await ask(world, table) == [1]
    assert not table.asleep
    assert table.acts > 1


async def test_a_pause_that_all_agreed_to_stays_until_somebody_goes_on(world: World) -> None:
    """Nobody is made away by the others while no clock runs for them."""
    table = await dealt(world, 1, 2)
    await first_act(table, 1)
    await table.sleep(PAUSED)
    await world.pass_by(2 * DAY)
    with pytest.raises(Refused, match="paused"):
        await ask(world, table)
    assert table.paused
    assert table.stored.terms.missed == {}


async def test_a_pause_that_all_agree_to_meanwhile_stays(world: World) -> None:
    """While it was looked up how long Ben has kept Ann waiting."""
    table = await dealt(world, 1, 2)
    await first_act(table, 2)
    while table.waiting() != (1,):
        await first_act(table, 1)
    await a_day(world)

    class Slow:
        async def read_at_once(self, work: Any) -> Any:
            found = await world.tables.database.read_at_once(work)
            await table.sleep(PAUSED)
            return found

    slow: Any = Slow()
    assert world.clock is not None
    with pytest.raises(Refused, match="paused"):
        await let_opponent_play(table, 1, slow, world.clock)
    assert table.paused
    assert not table.away(1)


async def test_where_a_table_with_a_relaxed_clock_sleeps_half_of_it_is_waited_for(world: World) -> None:
    """And not for ever: no clock runs while it sleeps."""
    table = await dealt(world, 1, 2, terms=Terms(clock=2 * DAY))
    await first_act(table, 1)
    await table.sleep("idle")
    slept = table.stored.asleep_at
    await world.pass_by(DAY - 60)
    with pytest.raises(Refused, match="nobody_late") as refused:
        await ask(world, table)
    assert refused.value.facts["at"] == slept // 1000 + DAY
    await world.pass_by(61)
    assert await ask(world, table) == [1]
    assert not table.asleep


async def test_who_is_held_already_is_waited_for_no_more(world: World) -> None:
    """Also in the moment in which the opponent has not acted yet."""
    table = await dealt(world, 1, 2)
    await first_act(table, 1)
    await a_day(world)
    world.tables.runtime.halt()
    assert await ask(world, table) == [1]
    assert table.waiting() == (1,)
    with pytest.raises(Refused, match="waits_for_nobody"):
        await ask(world, table)


async def test_who_is_on_holiday_is_told_until_it_ends(world: World) -> None:
    """And nobody is said to be on one that is over, or that never was."""
    table = await dealt(world, 1, 2, terms=Terms(clock=6 * RELAXED_SECONDS))  # nor does it run out
    await first_act(table, 1)
    assert world.clock is not None
    assert await on_holiday(table, world.tables.database, world.clock) == {}
    until = await goes_on_holiday(world, 2, 1)
    assert await on_holiday(table, world.tables.database, world.clock) == {1: until}
    await world.pass_by(DAY)
    assert table.waiting() == (1,)
    assert await on_holiday(table, world.tables.database, world.clock) == {}


async def test_a_table_without_a_clock_waits_for_a_holiday_and_then_a_day(world: World) -> None:
    table = await dealt(world, 1, 2)
    await first_act(table, 1)
    assert world.clock is not None
    until = await goes_on_holiday(world, 2, 3)
    await world.pass_by(2 * DAY)
    with pytest.raises(Refused, match="on_holiday") as refused:
        await ask(world, table)
    assert refused.value.facts["at"] == until // 1000
    assert await on_holiday(table, world.tables.database, world.clock) == {1: until}
    await world.pass_by(DAY + 60)
    with pytest.raises(Refused, match="nobody_late"):
        await ask(world, table)
    await world.pass_by(DAY)
    assert await ask(world, table) == [1]


async def test_a_turn_clock_sees_to_it_by_itself(world: World) -> None:
    table = await dealt(world, 1, 2, terms=Terms(clock=3600))
    with pytest.raises(Refused, match="has_clock"):
        await ask(world, table)


async def test_a_lobby_and_a_finished_game_wait_for_nobody(world: World) -> None:
    table = await new_table(world.tables, people=[1, 2])
    with pytest.raises(Refused, match="not_started"):
        await ask(world, table)
    await table.cancel("closed")
    with pytest.raises(Refused, match="closed"):
        await ask(world, table)
