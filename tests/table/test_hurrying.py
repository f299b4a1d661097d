"""A game that stands still can get a shorter turn clock, whatever its clocks do at the time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.terms import ConsentRequest, Terms
from bot.table import lobby
from bot.table.news import untold
from bot.table.people import consent
from bot.table.people.hurrying import shorten_clock
from bot.table.table import Table
from tests.support.tables.absence import World, dealt
from tests.support.tables.tables import close_tables, first_act, new_table

DAY, HOUR, MINUTE = 86_400, 3600, 60


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


def seconds_left(table: Table) -> dict[int, float]:
    """How long each seat still has for its turn."""
    return {each.seat: (each.due_at - table.now()) / 1000 for each in table.deadlines if each.kind == "turn"}


async def test_turns_that_run_end_with_the_shorter_clock(world: World) -> None:
    table = await dealt(world, DAY, 1, 2)
    await shorten_clock(table, HOUR)
    assert table.stored.terms.clock == HOUR
    assert seconds_left(table) == {0: HOUR, 1: HOUR}


async def test_a_turn_that_would_end_before_keeps_its_end(world: World) -> None:
    table = await dealt(world, DAY, 1, 2)
    await world.pass_by(DAY - MINUTE)
    await shorten_clock(table, HOUR)
    assert seconds_left(table) == {0: MINUTE, 1: MINUTE}


async def test_a_game_without_a_clock_gets_one(world: World) -> None:
    table = await dealt(world, 0, 1, 2)
    await shorten_clock(table, HOUR)
    assert seconds_left(table) == {0: HOUR, 1: HOUR}


async def test_a_shorter_clock_stays_as_it_is(world: World) -> None:
    table = await dealt(world, MINUTE, 1, 2)
    before = table.seq, table.deadlines
    await shorten_clock(table, HOUR)
    assert (table.stored.terms.clock, table.seq, table.deadlines) == (MINUTE, *before)


async def test_who_has_moved_already_gets_no_clock(world: World) -> None:
    table = await dealt(world, DAY, 1, 2)
    await first_act(table, 1)
    await shorten_clock(table, HOUR)
    assert seconds_left(table) == {1: HOUR}


async def test_news_that_is_still_to_be_told_is_told(world: World) -> None:
    table = await dealt(world, DAY, 1, 2)
    await consent.ask(table, 1, ConsentRequest(what="pause", by=1, seq=table.seq), world.tables.database)
    pending = untold(table.deadlines)
    await shorten_clock(table, HOUR)
    assert pending
    assert untold(table.deadlines) == pending


async def test_in_a_lobby_the_time_to_come_ends_with_the_clock(world: World) -> None:
    table = await new_table(world.tables, people=[1], terms=Terms(clock=DAY))
    await lobby.await_players(table, DAY // MINUTE)
    await shorten_clock(table, HOUR)
    assert table.stored.terms.clock == HOUR
    assert [(each.kind, each.due_at - table.now()) for each in table.deadlines] == [("lobby", HOUR * 1000)]


async def test_a_game_that_its_players_paused_goes_on_with_the_new_clock(world: World) -> None:
    table = await dealt(world, DAY, 1, 2)
    database = world.tables.database
    await consent.ask(table, 1, ConsentRequest(what="pause", by=1, seq=table.seq), database)
    asked = consent.asked(table)
    assert asked is not None
    await consent.answer(table, 2, consent.name_of(table, asked), yes=True, database=database)
    assert table.paused
    await shorten_clock(table, HOUR)
    assert table.paused
    assert seconds_left(table) == {}
    await consent.resume(table, 1)
    assert seconds_left(table) == {0: HOUR, 1: HOUR}


async def test_a_game_that_nobody_played_for_long_wakes_up(world: World) -> None:
    table = await dealt(world, DAY, 1, 2)
    await table.sleep("resting")
    assert (table.asleep, seconds_left(table)) == (True, {})
    await shorten_clock(table, HOUR)
    assert not table.asleep
    assert seconds_left(table) == {0: HOUR, 1: HOUR}


async def test_a_game_that_is_over_keeps_its_clock(world: World) -> None:
    table = await dealt(world, DAY, 1, 2)
    await table.cancel("closed")
    await shorten_clock(table, HOUR)
    assert table.stored.terms.clock == DAY
