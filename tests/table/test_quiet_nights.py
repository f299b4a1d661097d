"""Reminders that would come in the night of a person wait for their morning."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.table.turns import NUDGE_SECONDS, RELAXED_SECONDS
from tests.support.tables.absence import World, dealt, lives_in
from tests.support.tables.tables import close_tables, first_act

DAY = 86_400


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


def hour_in(zone_shift: int, world: World) -> int:
    assert world.clock is not None
    return (datetime.fromtimestamp(world.clock.now() / 1000, UTC).hour + zone_shift) % 24


def zone_where_it_is(hour: int, world: World) -> str:
    """A zone in which the clock of the world shows this hour now."""
    shift = (hour - hour_in(0, world) + 11) % 24 - 11
    return f"UTC{shift:+}"


@pytest.mark.parametrize("clock", [0, 3 * DAY])
async def test_a_reminder_at_night_comes_in_the_morning(world: World, clock: int) -> None:
    table = await dealt(world, clock, 1, 2)
    await lives_in(world, 2, zone_where_it_is(23, world))
    await first_act(table, 1)
    await world.pass_by(NUDGE_SECONDS)
    assert world.notes.nudges == []
    await world.restart()
    await world.pass_by(8 * 3600)
    assert world.notes.nudges == []
    await world.pass_by(3600)
    assert world.notes.nudges == [(table.id, 1)]


async def test_by_day_a_reminder_comes_at_once(world: World) -> None:
    table = await dealt(world, 0, 1, 2)
    await lives_in(world, 2, zone_where_it_is(12, world))
    await first_act(table, 1)
    await world.pass_by(NUDGE_SECONDS)
    assert world.notes.nudges == [(table.id, 1)]


async def test_somebody_who_wants_reminders_at_night_gets_them(world: World) -> None:
    table = await dealt(world, 0, 1, 2)
    await lives_in(world, 2, zone_where_it_is(2, world), at_night=True)
    await first_act(table, 1)
    await world.pass_by(NUDGE_SECONDS)
    assert world.notes.nudges == [(table.id, 1)]


async def test_somebody_who_has_just_played_is_awake(world: World) -> None:
    table = await dealt(world, 0, 1, 2)
    await lives_in(world, 1, zone_where_it_is(23, world))
    await first_act(table, 1)
    await first_act(table, 2)
    await world.pass_by(NUDGE_SECONDS)
    assert world.notes.nudges == [(table.id, 0)]


async def test_at_a_table_with_a_short_clock_people_are_there(world: World) -> None:
    table = await dealt(world, 3600, 1, 2)
    await lives_in(world, 2, zone_where_it_is(23, world))
    await first_act(table, 1)
    await world.pass_by(NUDGE_SECONDS)
    assert world.notes.nudges == [(table.id, 1)]


async def test_a_reminder_that_would_come_too_late_does_not_come(world: World) -> None:
    table = await dealt(world, RELAXED_SECONDS, 1, 2)
    await lives_in(world, 2, zone_where_it_is(22, world))
    await first_act(table, 1)
    acts = table.acts
    await world.pass_by(NUDGE_SECONDS)
    assert world.notes.nudges == []
    await world.pass_by(10 * 3600)
    assert world.notes.nudges == [(table.id, 1)]
    assert table.acts == acts
