"""People who are away: an opponent holds the seat, a table sleeps, and one press brings everything back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.errors import Refused
from bot.store import games as store
from bot.store.days import DAY_MS
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.people import consent, leaving
from bot.table.people.habits import set_autopass
from bot.table.results import passed_over, winners
from bot.table.table import PAUSED, Table
from bot.table.upkeep import EVERY_SECONDS, FORGOTTEN, LEFT
from tests.support.games.probe import Act
from tests.support.tables.absence import CLOCK, World
from tests.support.tables.tables import (
    ManualClock,
    close_tables,
    first_act,
    journal_of,
    new_table,
    open_tables,
    opened_tables,
    settle,
)

pytestmark = pytest.mark.repeats

DAY = DAY_MS // 1000


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


async def dealt(world: World, **options: Any) -> Table:
    """Two people; ann (1) plays at once whenever she must, so that only ben (2) is waited for."""
    options = {"people": [1, 2], "terms": Terms(clock=CLOCK), "rounds": 3, **options}
    table = await new_table(world.tables, **options)
    await lobby.start(table, 1)
    return table


async def ben_is_away(world: World, **options: Any) -> Table:
    table = await dealt(world, **options)
    while not table.away(1):
        if 0 in table.waiting():
            await first_act(table, 1)
            await settle(world.tables)
        else:
            await world.missed(table)
    return table


def deadlines(table: Table, seat: int) -> set[str]:
    return {deadline.kind for deadline in table.deadlines if deadline.seat == seat}


async def test_after_two_time_outs_an_opponent_holds_the_seat(world: World) -> None:
    table = await ben_is_away(world)
    assert {kind for kind in await world.kinds(table) if kind.endswith("1")} == {"timeout1"}
    said = (len(world.notes.reminders), len(world.notes.nudges))
    while table.phase == "live" and table.waiting():
        assert table.waiting() == (0,)  # nobody waits for ben any more
        assert deadlines(table, 1) <= {"opponent"}
        await first_act(table, 1)
        await settle(world.tables)
    kinds = [kind for kind in await world.kinds(table) if kind.endswith("1")]
    assert len(kinds) > 2
    assert set(kinds) == {"timeout1"}
    assert (len(world.notes.reminders), len(world.notes.nudges)) == said
    assert table.phase == "over"


async def test_one_time_out_is_none(world: World) -> None:
    table = await dealt(world)
    await first_act(table, 1)
    await world.missed(table)
    assert not table.away(1)
    assert table.stored.terms.missed == {1: 1}
    while 1 not in table.waiting():
        await first_act(table, 1)
    await first_act(table, 2)
    assert table.stored.terms.missed == {}


async def test_the_owner_takes_the_seat_back_at_once(world: World) -> None:
    table = await ben_is_away(world)
    await table.come_back(2)
    assert not table.away(1)
    while 1 not in table.waiting():
        await first_act(table, 1)
        await settle(world.tables)
    assert "turn" in deadlines(table, 1)
    seq = table.seq
    await world.pass_by(5)
    assert table.seq == seq
    await first_act(table, 2)
    assert (await world.kinds(table))[-1] == "act1"


async def play_to_the_end(world: World, table: Table, *, looks: bool = False) -> None:
    """Ann plays whenever she must; ben looks at his hand as often as he likes, and decides nothing."""
    while table.phase == "live":
        if looks and table.waiting() and table.away(1):
            await table.come_back(2)
        if 0 in table.waiting():
            await first_act(table, 1)
            await settle(world.tables)
        elif table.waiting():
            await world.missed(table)
        else:
            await settle(world.tables)


async def test_who_only_looks_while_an_opponent_plays_wins_nothing(world: World) -> None:
    table = await ben_is_away(world)
    await play_to_the_end(world, table, looks=True)
    kinds = await world.kinds(table)
    assert kinds.count("timeout1") > 2
    assert "act1" not in kinds
    assert table.away(1)
    assert passed_over(table) == {1: 2}
    outcome = table.outcome()
    assert outcome is not None
    assert winners(table, outcome) == (0,)


async def test_one_missed_move_of_many_costs_no_win(world: World) -> None:
    table = await dealt(world)
    await first_act(table, 1)
    await world.missed(table)
    while table.phase == "live":
        if table.waiting():
            await first_act(table, table.waiting()[0] + 1)
        await settle(world.tables)
    assert not table.away(1)
    assert passed_over(table) == {}


async def test_who_was_late_once_gains_no_time_by_looking(world: World) -> None:
    table = await dealt(world)
    await first_act(table, 1)
    await world.missed(table)
    assert table.misses(2)
    while 1 not in table.waiting():
        await first_act(table, 1)
    ends = [deadline for deadline in table.deadlines if deadline.seat == 1]
    await world.pass_by(CLOCK // 10)
    await table.come_back(2)
    assert [deadline for deadline in table.deadlines if deadline.seat == 1] == ends
    assert not table.misses(2)


async def test_a_seat_is_taken_back_in_a_pause_that_goes_on(world: World) -> None:
    """Looking ends no pause; once somebody does, the table waits for the owner and not for an opponent."""
    table = await ben_is_away(world)
    await table.sleep(PAUSED)
    await table.come_back(2)
    assert table.paused
    assert table.deadlines == ()
    assert not table.away(1)
    assert not table.misses(2)
    await consent.resume(table, 1)
    while 1 not in table.waiting():
        await first_act(table, 1)
        await settle(world.tables)
    assert "turn" in deadlines(table, 1)


async def test_an_opponent_that_was_about_to_act_leaves_the_seat(tmp_path: Path) -> None:
    """The owner is back while the opponent still thinks."""
    clock = ManualClock(instant_sleep=False)
    tables, _, _ = await opened_tables(tmp_path / "v.db", clock, pace=5)
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=CLOCK, missed={1: 2}))
    await lobby.start(table, 1)
    assert deadlines(table, 1) == {"opponent"}
    await asyncio.sleep(0)
    await table.come_back(2)
    clock.move(30)
    await settle(tables)
    assert (await journal_of(tables, table), table.seq) == ([], 0)
    assert 1 in table.waiting()
    await close_tables(tables)


async def test_who_is_away_is_so_after_a_restart(world: World) -> None:
    table = await ben_is_away(world)
    await world.restart()
    table = await world.tables.get(table.id)
    assert table.away(1)
    await first_act(table, 1)
    await settle(world.tables)
    assert 1 not in table.waiting()


async def test_a_pass_asked_for_ahead_is_no_presence(world: World) -> None:
    """Else a table would go on for ever of which nobody knows any more."""
    table = await ben_is_away(world)
    await set_autopass(table, 2, 20)
    assert table.away(1)
    await first_act(table, 1)
    await world.pass_by(30)
    assert table.away(1)
    assert {kind for kind in await world.kinds(table) if kind.endswith("1")} == {"timeout1"}


async def test_an_automatic_pass_keeps_a_time_out_in_mind(world: World) -> None:
    table = await dealt(world)
    await table.act(0, None, Act("bid", 3))
    await world.missed(table)
    assert table.stored.terms.missed == {1: 1}
    await set_autopass(table, 2, 20)
    while table.waiting() == (0,):
        await first_act(table, 1)
    await world.pass_by(21)
    assert (await world.kinds(table))[-1] == "act1"
    assert (await journal_of(world.tables, table))[-1].data[0] == "pass"
    assert table.stored.terms.missed == {1: 1}


async def all_away(world: World, **terms: Any) -> Table:
    table = await dealt(world, terms=Terms(clock=CLOCK, **terms))
    for _ in range(30):
        if table.asleep or table.phase != "live":
            break
        await world.pass_by(CLOCK + 1)
    return table


async def test_when_everybody_is_away_the_table_sleeps(world: World) -> None:
    table = await all_away(world)
    assert table.asleep
    assert table.deadlines == ()
    seq, said = table.seq, len(world.notes.reminders) + len(world.notes.nudges)
    await world.pass_by(5 * DAY)
    await world.restart()
    table = await world.tables.get(table.id)
    await world.pass_by(5 * DAY)
    assert (table.phase, table.asleep, table.seq) == ("live", True, seq)
    assert len(world.notes.reminders) + len(world.notes.nudges) in (0, said)


@pytest.mark.parametrize("who", [1, 2])
async def test_who_comes_back_wakes_it(world: World, who: int) -> None:
    table = await all_away(world)
    await table.come_back(who)
    await settle(world.tables)
    assert not table.asleep
    assert not table.away(who - 1)
    assert table.away(2 - who)  # of the other one it waits for nobody
    assert table.waiting() == (who - 1,)
    assert "turn" in deadlines(table, who - 1)
    await world.missed(table, 2)
    assert table.asleep  # again


async def test_a_typed_move_wakes_it_too(world: World) -> None:
    table = await all_away(world)
    seat = table.waiting()[0]
    await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(world.tables)
    assert not table.asleep
    assert table.deadlines != ()


async def test_an_opponent_of_the_computer_keeps_nobody_awake(world: World) -> None:
    table = await dealt(world, people=[1], opponents=2)
    for _ in range(10):
        await world.pass_by(CLOCK + 1)
    assert table.asleep
    assert table.phase == "live"


async def test_a_match_of_a_tournament_goes_on_to_its_end(world: World) -> None:
    """Others wait for it."""
    table = await all_away(world, tournament=7, match="W1.1")
    await settle(world.tables)
    assert (table.phase, table.asleep) == ("over", False)


async def test_one_person_on_several_seats(world: World) -> None:
    """Solo: both seats are one person's; who presses is back at both."""
    table = await new_table(world.tables, people=[1], game="duel52", terms=Terms(clock=CLOCK), variant="solo")
    await lobby.start(table, 1)
    for _ in range(20):
        if table.asleep:
            break
        await world.pass_by(CLOCK + 1)
    assert table.asleep
    await table.come_back(1)
    assert table.stored.terms.missed == {}


# -- what nobody touches ------------------------------------------------------------------------


async def pass_days(world: World, days: float) -> None:
    """Let days pass hour by hour; of weeks every eighth hour, but for the last ones."""
    hours = int(days * DAY / EVERY_SECONDS)
    steps = [8] * (hours // 8) + [1] * (hours % 8) if days > 7 else [1] * hours
    for step in steps:
        await world.pass_by(step * EVERY_SECONDS)


async def test_a_table_without_a_clock_sleeps_after_a_week(world: World) -> None:
    table = await dealt(world, terms=Terms())
    await first_act(table, 1)
    await pass_days(world, 6.9)
    assert not table.asleep
    await pass_days(world, 0.3)
    assert table.asleep
    assert table.stored.why == "idle"
    await pass_days(world, 32)
    assert table.phase == "live"  # nothing closes a table but people
    await table.come_back(2)
    assert not table.asleep
    await pass_days(world, 6)
    assert not table.asleep


async def test_who_wakes_a_table_by_a_move_has_woken_it_for_good(world: World) -> None:
    """Why it slept is forgotten: else a table of a server that was left would close while it is played."""
    table = await dealt(world, terms=Terms())
    await table.sleep(LEFT)
    await first_act(table, 1)
    assert (table.asleep, table.stored.why) == (False, "")
    await pass_days(world, 40)
    assert (table.phase, table.asleep) == ("live", True)


async def test_a_server_that_was_left(world: World) -> None:
    waiting, live = await new_table(world.tables), await dealt(world, terms=Terms())
    idle = await dealt(world, terms=Terms())
    elsewhere = await dealt(world, terms=Terms())
    await elsewhere.set_place(8, 9, guild_id=71)
    await idle.sleep("idle")
    await world.tables.runtime.upkeep.on_guild_remove(70)
    assert (waiting.phase, waiting.stored.why) == ("cancelled", LEFT)
    for table in (live, idle):
        assert (table.phase, table.asleep, table.stored.why) == ("live", True, LEFT)
    assert not elsewhere.asleep
    await pass_days(world, 29.9)
    assert [table.phase for table in (live, idle)] == ["live", "live"]
    await pass_days(world, 0.3)
    assert [(t.phase, t.stored.why) for t in (live, idle)] == [("cancelled", LEFT)] * 2
    assert elsewhere.phase == "live"
    assert elsewhere.asleep  # since nobody has played for a week


async def test_a_table_that_has_slept_for_a_year_closes(world: World) -> None:
    idle, paused, away = [await dealt(world, terms=Terms()) for _ in range(3)]
    for table, why in ((idle, "idle"), (paused, PAUSED), (away, "")):
        await table.sleep(why)
    awake = await dealt(world, terms=Terms())
    clock = world.clock
    assert clock is not None
    clock.move(364.9 * DAY_MS / 1000)
    await world.tables.runtime.upkeep.round()
    assert [table.phase for table in (idle, paused, away)] == ["live"] * 3
    clock.move(0.2 * DAY_MS / 1000)
    await world.tables.runtime.upkeep.round()
    assert [(t.phase, t.stored.why) for t in (idle, paused, away)] == [("cancelled", FORGOTTEN)] * 3
    assert (awake.phase, awake.asleep) == ("live", True)


async def test_a_server_to_which_the_bot_comes_back_keeps_its_tables(world: World) -> None:
    table, woken = await dealt(world, terms=Terms()), await dealt(world, terms=Terms())
    await world.tables.runtime.upkeep.on_guild_remove(70)
    await woken.come_back(1)
    await pass_days(world, 20)
    await world.tables.runtime.upkeep.on_guild_join(70)
    assert (table.asleep, woken.asleep) == (True, True)
    await pass_days(world, 40)
    assert [each.phase for each in (table, woken)] == ["live", "live"]
    await table.come_back(2)
    assert not table.asleep


async def test_who_plays_on_in_a_server_that_was_left_keeps_the_table(world: World) -> None:
    """Hands work anywhere, and the bot may have been asked back."""
    table = await dealt(world, terms=Terms())
    await world.tables.runtime.upkeep.on_guild_remove(70)
    await table.come_back(1)
    await pass_days(world, 40)
    assert table.phase == "live"


async def test_a_table_that_sleeps_can_be_left_and_closed(world: World) -> None:
    table = await all_away(world)
    await leaving.leave_game(table, 1, "random", "Marie")
    assert table.asleep  # whoever goes does not wake it for the other one
    assert table.deadlines == ()
    await table.cancel("closed")
    assert await open_tables(world.tables) == {}
    other = await dealt(world)
    await other.sleep("idle")
    with pytest.raises(Refused, match="not_seated"):
        await other.come_back(9)
    assert other.asleep


async def test_an_end_is_settled_though_everybody_is_away(world: World) -> None:
    """The last decision is made by an opponent for somebody who is away; the other one as well."""
    table = await dealt(world, people=[1], opponents=1, rounds=1)
    for _ in range(10):
        await world.pass_by(CLOCK + 1)
        if table.asleep:
            await table.come_back(1)
    assert table.phase == "over"
    stored = await world.tables.database.read_at_once(lambda connection: store.load(connection, table.id))
    assert stored is not None
    assert stored.phase == "over"
