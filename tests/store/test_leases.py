"""One process plays at a time: a standby waits, takes over, and whoever was overtaken changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from bot.settings import with_async_driver
from bot.store import leases
from bot.store.database import Database, Fenced, StoreTrouble
from bot.store.terms import Terms
from bot.tables import lobby
from bot.tables.hall import Hall
from bot.tables.tenure import LEASE_SECONDS, Tenure
from bot.tables.thinking import WorkerThinker
from tests.support.hall import ManualClock, Notebook, close_hall, first_act, journal_of, new_table, settle

Make = Callable[[ManualClock], Hall]


@pytest.fixture
async def make(url: str) -> AsyncIterator[Make]:
    """Halls on one database, as processes of their own would have them."""
    halls: list[Hall] = []

    def make(clock: ManualClock) -> Hall:
        database = Database(with_async_driver(url))
        tenure = Tenure(database, clock)
        hall = Hall(database, clock, WorkerThinker(0), Notebook(), pace=0.0, tenure=tenure)
        halls.append(hall)
        return hall

    yield make
    for hall in halls:
        await close_hall(hall)


def pause(hall: Hall) -> None:
    """As SIGSTOP does: nothing of it goes on, and it gives nothing back."""
    hall._open = False


def go_on(hall: Hall) -> None:
    """As SIGCONT does."""
    hall._open = True
    hall._next_beat()


async def wait_for(clock: ManualClock, task: asyncio.Task[Any], seconds: float) -> float:
    """Let time pass until the task is done; how many seconds that took."""
    passed = 0.0
    while not task.done() and passed < seconds:
        await asyncio.sleep(0.1)  # a database needs real time to answer
        clock.move(0.5)
        passed += 0.5
    assert task.done(), f"not done after {seconds} s"
    await task
    return passed


async def test_a_standby_waits_and_takes_over_at_once_when_the_owner_stops(make: Make) -> None:
    clock = ManualClock(instant_sleep=False)
    one, two = make(clock), make(clock)
    await one.open()
    opening = asyncio.create_task(two.open())
    for _ in range(120):  # a minute
        clock.move(0.5)
        await asyncio.sleep(0.005)
        await settle(one)
    assert not opening.done()
    with pytest.raises(Fenced):
        await new_table(two, people=[1])  # it moves nothing
    await one.close()
    assert await wait_for(clock, opening, 5) <= 1.5


async def test_a_standby_takes_over_when_the_owner_was_killed(make: Make) -> None:
    clock = ManualClock(instant_sleep=False)
    one, two = make(clock), make(clock)
    await one.open()
    table = await new_table(one, people=[1, 2])
    await lobby.start(table, 1)
    await first_act(table, 1)
    opening = asyncio.create_task(two.open())
    await asyncio.sleep(0.05)
    pause(one)
    assert await wait_for(clock, opening, 20) <= LEASE_SECONDS + 3
    again = await two.get(table.id)
    assert again.seq == 1
    await first_act(again, 2)


async def test_who_was_overtaken_changes_nothing_and_stops(make: Make) -> None:
    """A process was paused, another one played on: seats, deals and acts of the first come to nothing."""
    clock = ManualClock(instant_sleep=False)
    one, two = make(clock), make(clock)
    await one.open()
    waiting, live = await new_table(one, people=[1]), await new_table(one, people=[1, 2])
    await lobby.start(live, 1)
    told: list[bool] = []
    one.tenure.on_lost = lambda: told.append(True)
    opening = asyncio.create_task(two.open())
    await asyncio.sleep(0.05)
    pause(one)
    await wait_for(clock, opening, 20)
    await lobby.join(await two.get(waiting.id), 7, "Dora", 70_000)
    attempts: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: first_act(live, 1),
        lambda: lobby.join(waiting, 5, "Eve", 50_000),
        lambda: waiting.cancel("closed"),
        lambda: new_table(one, people=[9]),
    )
    for attempt in attempts:
        with pytest.raises(Fenced):
            await attempt()
    await asyncio.sleep(0.01)
    assert told == [True]
    assert not await one.tenure.renew()
    theirs = await two.get(waiting.id)
    assert [sitter.user_id for sitter in theirs.sitters] == [1, 7]
    assert await journal_of(two, live) == []
    await theirs._read_again()
    assert theirs.phase == "lobby"


async def test_a_lease_that_ran_out_is_renewed_if_nobody_took_it(make: Make) -> None:
    clock = ManualClock(instant_sleep=False)
    one = make(clock)
    await one.open()
    pause(one)
    clock.move(100)
    go_on(one)
    clock.move(3)
    await settle(one)
    assert one.tenure.held
    table = await new_table(one, people=[1, 2])
    await lobby.start(table, 1)


@pytest.mark.parametrize("jump", [-3 * 3600, 3 * 3600])
async def test_wall_clocks_that_differ_take_no_lease_away(make: Make, jump: int) -> None:
    clock, other = ManualClock(instant_sleep=False), ManualClock(instant_sleep=False)
    other.jumped = jump * 1000
    one, two = make(clock), make(other)
    await one.open()
    opening = asyncio.create_task(two.open())
    for _ in range(60):
        clock.move(0.5)
        other.move(0.5)
        await asyncio.sleep(0.005)
        await settle(one)
    assert not opening.done()
    opening.cancel()


@pytest.mark.parametrize("jump", [-3 * 3600, 3 * 3600])
async def test_a_jump_of_the_wall_clock_moves_no_turn_clock(make: Make, jump: int) -> None:
    clock = ManualClock()
    hall = make(clock)
    await hall.open()
    table = await new_table(hall, people=[1, 2], terms=Terms(clock=600))
    await lobby.start(table, 1)
    clock.jumped = jump * 1000
    for _ in range(199):  # 597 seconds, beat by beat
        clock.move(3)
        await settle(hall)
    assert table.acts == 0
    clock.move(3)
    await settle(hall)
    clock.move(3)
    await settle(hall)
    assert table.acts > 0


async def test_what_a_process_was_paused_counts_for_no_clock(make: Make) -> None:
    clock = ManualClock()
    hall = make(clock)
    await hall.open()
    table = await new_table(hall, people=[1, 2], terms=Terms(clock=600))
    await lobby.start(table, 1)
    clock.move(3 * 3600)  # it stood still for three hours
    await settle(hall)
    for _ in range(100):
        clock.move(3)
        await settle(hall)
    assert table.acts == 0


async def test_while_discord_is_away_no_clock_goes_on(make: Make) -> None:
    clock = ManualClock()
    hall = make(clock)
    await hall.open()
    table = await new_table(hall, people=[1, 2], terms=Terms(clock=120))
    await lobby.start(table, 1)
    hall.tenure.pause()
    for _ in range(100):
        clock.move(3)
        await settle(hall)
    assert table.acts == 0
    hall.tenure.go_on()
    for _ in range(42):
        clock.move(3)
        await settle(hall)
    assert table.acts > 0


async def test_while_the_database_is_away_no_clock_goes_on(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock()
    hall = make(clock)
    await hall.open()
    table = await new_table(hall, people=[1, 2], terms=Terms(clock=120))
    await lobby.start(table, 1)

    async def gone(*_: object, **__: object) -> None:
        raise StoreTrouble("gone")

    with monkeypatch.context() as patch:
        patch.setattr(Database, "write_at_once", gone)
        for _ in range(100):
            clock.move(3)
            await settle(hall)
    for _ in range(10):
        clock.move(3)
        await settle(hall)
    assert table.acts == 0


async def test_a_stop_in_the_middle_of_taking_the_lease_leaves_it_to_others(make: Make) -> None:
    clock = ManualClock(instant_sleep=False)
    for rounds in range(12):
        one, two = make(clock), make(clock)
        opening = asyncio.create_task(one.tenure.take())
        for _ in range(rounds):
            await asyncio.sleep(0.001)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)
        await one.close()
        assert await wait_for(clock, asyncio.create_task(two.open()), 5) <= 1.5
        await two.close()


async def test_a_standby_sits_out_a_database_that_fails_over(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock(instant_sleep=False)
    one, two = make(clock), make(clock)
    await one.open()
    opening = asyncio.create_task(two.open())
    for _ in range(4):
        await asyncio.sleep(0.02)
        clock.move(0.5)

    async def gone(_work: object) -> None:
        raise StoreTrouble("gone")

    with monkeypatch.context() as patch:
        patch.setattr(two.database, "read_at_once", gone)
        for _ in range(6):
            await asyncio.sleep(0.02)
            clock.move(0.5)
            await settle(one)
    assert not opening.done()
    await one.close()
    assert await wait_for(clock, opening, 5) <= 1.5


async def test_epochs_only_rise(database: Database) -> None:
    first = await database.write_at_once(lambda c: leases.take(c, None, "one", 10, 5))
    assert first is not None
    assert await database.write_at_once(lambda c: leases.take(c, None, "two", 10, 5)) is None
    second = await database.write_at_once(lambda c: leases.take(c, first, "two", 10, 5))
    assert second is not None
    assert second.epoch == first.epoch + 1
    assert await database.write_at_once(lambda c: leases.renew(c, first, 99, 99)) is None
    await database.write_at_once(lambda c: leases.give_back(c, first.holder, 99))
    assert await database.read_at_once(leases.read) == second
