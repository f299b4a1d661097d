"""News of slow games: rows that are stored with the change that they describe, and sent once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.terms import ConsentRequest, Knock, Terms
from bot.table import lobby
from bot.table.game_runner import ASK_AGAIN_MS
from bot.table.news import ASKED, AWAY, DECLINED, ENDED, MISSED_TURN, NEWS, PAUSE, STARTED
from bot.table.people import consent, guests, leaving
from bot.table.people.consent import name_of
from bot.table.table import Table
from bot.table.turns import NUDGE_SECONDS, RELAXED_SECONDS
from tests.support.tables.absence import World, dealt
from tests.support.tables.tables import first_act, new_table, settle

ANN, BEN, CLEO = 1, 2, 3
DAY = 86_400
QUICK = 600


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await world.tables.runtime.close()
    await world.tables.database.close()


def told(world: World) -> list[tuple[str, int]]:
    """The news so far: kind and seat."""
    return [(kind, seat) for _, kind, seat in world.notes.news]


async def played_out(world: World, table: Table) -> int:
    """Play a game to its end. Return the seat that moved last."""
    seat = -1
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(world.tables)
    await world.pass_by(1)
    assert table.phase == "over"
    return seat


@pytest.mark.parametrize("clock", [0, RELAXED_SECONDS, DAY])
async def test_the_end_of_a_slow_game_is_told_once_to_those_who_did_not_move_last(
    world: World, clock: int
) -> None:
    table = await dealt(world, clock, ANN, BEN)
    last = await played_out(world, table)
    assert told(world) == [(ENDED, last)]
    await world.restart()
    await world.pass_by(60)
    assert told(world) == []
    assert not [each for each in (await world.tables.get(table.id)).deadlines if each.kind in NEWS]


async def test_the_end_of_a_quick_game_is_told_to_no_one(world: World) -> None:
    await played_out(world, await dealt(world, QUICK, ANN, BEN))
    assert told(world) == []


async def test_a_stop_before_it_was_told_loses_no_news(world: World) -> None:
    """The process dies between the end of the game and the message about it."""
    table = await dealt(world, DAY, ANN, BEN)
    while table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(world.tables)
    assert told(world) == [], "no time has passed yet"
    await world.restart()
    await world.pass_by(60)
    assert [kind for kind, _ in told(world)] == [ENDED]


async def test_where_everyone_stays_away_each_is_told_of_their_seat(world: World) -> None:
    table = await dealt(world, DAY, ANN, BEN)
    await first_act(table, ANN)
    for _ in range(40):
        if table.phase != "live" or table.asleep:
            break
        await world.pass_by(DAY + 1)
    assert table.asleep
    await world.pass_by(1)
    kinds = [kind for kind, _ in told(world)]
    assert kinds.count(AWAY) == 2
    assert ENDED not in kinds


async def test_a_turn_that_the_computer_took_is_told_to_its_person(world: World) -> None:
    table = await dealt(world, DAY, ANN, BEN)
    await first_act(table, ANN)
    await world.pass_by(DAY + 1)
    await world.pass_by(1)
    seat = table.seats_of(BEN)[0]
    assert told(world)[0] == (MISSED_TURN, seat)
    assert (AWAY, seat) not in told(world)
    while (AWAY, seat) not in told(world):
        if set(table.waiting()) & set(table.seats_of(ANN)):
            await first_act(table, ANN)
        else:
            await world.pass_by(DAY + 1)
    await world.pass_by(60)
    assert told(world).count((AWAY, seat)) == 1, "what it plays from then on is told to no one"


async def test_leaving_tells_who_has_won(world: World) -> None:
    table = await dealt(world, DAY, ANN, BEN)
    await first_act(table, ANN)
    await leaving.leave_game(table, ANN, "random", "Robo")
    await world.pass_by(1)
    assert told(world) == [(ENDED, -1)]
    await played_out(world, table)
    assert told(world) == [(ENDED, -1)], "the game went on for fun"


async def test_of_three_who_play_on_no_one_is_told_that_one_left(world: World) -> None:
    table = await dealt(world, DAY, ANN, BEN, CLEO)
    await first_act(table, ANN)
    await leaving.leave_game(table, ANN, "random", "Robo")
    await world.pass_by(1)
    assert told(world) == []


async def test_closing_tells_the_others(world: World) -> None:
    table = await dealt(world, DAY, ANN, BEN)
    await leaving.close(table, ANN, world.tables.database)
    await world.pass_by(1)
    assert told(world) == [(ENDED, table.seats_of(ANN)[0])]


async def test_a_request_is_told_after_a_while_unless_it_is_answered(world: World) -> None:
    table = await dealt(world, DAY, ANN, BEN)
    database = world.tables.database
    pause = ConsentRequest(what="pause", by=ANN, seq=table.seq)
    await consent.ask(table, ANN, pause, database)
    await world.pass_by(NUDGE_SECONDS - 1)
    assert told(world) == []
    await world.pass_by(2)
    assert told(world) == [(ASKED, table.seats_of(ANN)[0])]
    await consent.answer(table, BEN, name_of(table, pause), yes=True, database=database)
    await world.pass_by(1)
    assert told(world)[1:] == [(PAUSE, table.seats_of(BEN)[0])]


async def test_who_asks_again_and_again_notifies_others_once_in_ten_minutes(world: World) -> None:
    table = await dealt(world, DAY, ANN, BEN)
    database = world.tables.database
    for _ in range(10):
        pause = ConsentRequest(what="pause", by=ANN, seq=table.seq)
        await consent.ask(table, ANN, pause, database)
        await world.pass_by(NUDGE_SECONDS + 1)
        await consent.answer(table, ANN, name_of(table, pause), yes=False, database=database)
    assert len(told(world)) <= 1 + 10 * (NUDGE_SECONDS + 1) * 1000 // ASK_AGAIN_MS


async def test_who_asked_is_told_that_someone_would_rather_not(world: World) -> None:
    table = await dealt(world, DAY, ANN, BEN)
    pause = ConsentRequest(what="pause", by=ANN, seq=table.seq)
    await consent.ask(table, ANN, pause, world.tables.database)
    await consent.answer(table, BEN, name_of(table, pause), yes=False, database=world.tables.database)
    await world.pass_by(NUDGE_SECONDS + 1)
    assert told(world) == [(DECLINED, table.seats_of(ANN)[0])]


async def test_who_waits_for_a_seat_is_told_that_the_game_has_begun(world: World) -> None:
    terms = Terms(clock=DAY, access="invited", guests=(BEN,))
    table = await new_table(world.tables, people=(ANN, BEN), terms=terms)
    await guests.knock(table, Knock(user=CLEO, name="Cleo", entropy=7))
    await lobby.start(table, ANN)
    await world.pass_by(1)
    assert told(world) == [(STARTED, -1)]
