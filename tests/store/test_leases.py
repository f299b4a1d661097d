"""One process plays at a time: a standby waits, takes over, and whoever was overtaken changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from bot.core.lease_holder import LEASE_SECONDS, LeaseHolder
from bot.settings import with_async_driver
from bot.store import leases
from bot.store.database import Database, Fenced, StoreError
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.thinking import WorkerThinker
from tests.support.tables.tables import (
    ManualClock,
    Notebook,
    close_tables,
    first_act,
    go_on,
    journal_of,
    new_table,
    settle,
)
from tests.support.waiting import LIMIT_SECONDS

Make = Callable[[ManualClock], Tables]
SPINS = 20
"""So many turns of the event loop lie at most between two calls of the store that follow each other."""


class Watched(Database):
    """Knows when nothing is under way, so that time moves only then; and it can break, or hang."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.at_work = 0
        self.broken = ""
        """The kind of trouble that every call has."""
        self.hanging: asyncio.Event | None = None
        """While there is one, every call waits for it."""

    async def write_at_once(self, work: Callable[[Any], Any], **how: bool) -> Any:
        return await self._watched(lambda: super(Watched, self).write_at_once(work, **how))

    async def read_at_once(self, work: Callable[[Any], Any]) -> Any:
        return await self._watched(lambda: super(Watched, self).read_at_once(work))

    async def tidy(self) -> bool:
        return await self._watched(super().tidy)

    async def _watched(self, call: Callable[[], Awaitable[Any]]) -> Any:
        if self.hanging is not None:
            await self.hanging.wait()
        if self.broken:
            raise StoreError(self.broken)
        self.at_work += 1
        try:
            return await call()
        finally:
            self.at_work -= 1


async def at_rest(*bots: Tables) -> None:
    """Wait until everybody waits for the clock alone."""
    stores = [tables.database for tables in bots]
    quiet = 0
    async with asyncio.timeout(LIMIT_SECONDS):
        while quiet < SPINS:
            busy = any(isinstance(store, Watched) and store.at_work for store in stores)
            await asyncio.sleep(0.001 if busy else 0)
            quiet = 0 if busy else quiet + 1


async def pass_time(seconds: float, *bots: Tables) -> None:
    """Let time pass for these processes; what a store takes to answer does not count."""
    clocks = {id(tables.clock): tables.clock for tables in bots}
    await at_rest(*bots)
    for _ in range(round(2 * seconds)):
        for clock in clocks.values():
            assert isinstance(clock, ManualClock)
            clock.move(0.5)
        await at_rest(*bots)


@pytest.fixture
async def make(url: str) -> AsyncIterator[Make]:
    """Bots on one database, as processes of their own would have them."""
    bots: list[Tables] = []

    def make(clock: ManualClock) -> Tables:
        database = Watched(with_async_driver(url))
        lease_holder = LeaseHolder(database, clock)
        tables = Tables(database, clock, WorkerThinker(0), Notebook(), pace=0.0, lease_holder=lease_holder)
        bots.append(tables)
        return tables

    yield make
    break_off("", *bots)
    answer(*bots)
    for tables in bots:
        await close_tables(tables)


def pause(tables: Tables) -> None:
    """As SIGSTOP does: nothing more runs, and the lease is not given back. `go_on` is SIGCONT."""
    tables.tasks.halt()


def break_off(kind: str, *bots: Tables) -> None:
    """From now on every call of these processes' stores has this trouble; none if empty."""
    for tables in bots:
        assert isinstance(tables.database, Watched)
        tables.database.broken = kind


def silence(*bots: Tables) -> None:
    """From now on no call of these processes' stores is answered."""
    for tables in bots:
        assert isinstance(tables.database, Watched)
        tables.database.hanging = asyncio.Event()


def answer(*bots: Tables) -> None:
    """What these processes have asked is answered now."""
    for tables in bots:
        assert isinstance(tables.database, Watched)
        if tables.database.hanging is not None:
            tables.database.hanging.set()
        tables.database.hanging = None


async def wait_for(task: asyncio.Task[Any], most: float, *bots: Tables) -> float:
    """Let time pass until the task is done; how many seconds that took."""
    passed = 0.0
    await at_rest(*bots)
    while not task.done() and passed < most:
        await pass_time(0.5, *bots)
        passed += 0.5
    assert task.done(), f"not done after {most} s"
    await task
    return passed


async def test_a_standby_waits_and_takes_over_at_once_when_the_owner_stops(make: Make) -> None:
    clock = ManualClock(instant_sleep=False)
    one, two = make(clock), make(clock)
    await one.runtime.open()
    opening = asyncio.create_task(two.runtime.open())
    await pass_time(60, one, two)
    assert not opening.done()
    with pytest.raises(Fenced):
        await new_table(two, people=[1])  # it moves nothing
    await one.runtime.close()
    assert await wait_for(opening, 5, two) <= 1.5


async def test_a_standby_takes_over_when_the_owner_was_killed(make: Make) -> None:
    clock = ManualClock(instant_sleep=False)
    one, two = make(clock), make(clock)
    await one.runtime.open()
    table = await new_table(one, people=[1, 2])
    await lobby.start(table, 1)
    await first_act(table, 1)
    opening = asyncio.create_task(two.runtime.open())
    await at_rest(one, two)
    pause(one)
    assert await wait_for(opening, 20, one, two) <= LEASE_SECONDS + 3
    again = await two.get(table.id)
    assert again.seq == 1
    await first_act(again, 2)


async def test_who_was_overtaken_changes_nothing_and_stops(make: Make) -> None:
    """A process was paused, another one played on: seats, deals and acts of the first come to nothing."""
    clock = ManualClock(instant_sleep=False)
    one, two = make(clock), make(clock)
    await one.runtime.open()
    waiting, live = await new_table(one, people=[1]), await new_table(one, people=[1, 2])
    await lobby.start(live, 1)
    told: list[bool] = []
    one.lease_holder.on_lost = lambda: told.append(True)
    opening = asyncio.create_task(two.runtime.open())
    await at_rest(one, two)
    pause(one)
    await wait_for(opening, 20, one, two)
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
    await at_rest(one, two)
    assert told == [True]
    assert not await one.lease_holder.renew()
    theirs = await two.get(waiting.id)
    assert [sitter.user_id for sitter in theirs.sitters] == [1, 7]
    assert await journal_of(two, live) == []
    await theirs._read_again()
    assert theirs.phase == "lobby"


async def test_a_lease_that_ran_out_is_renewed_if_nobody_took_it(make: Make) -> None:
    clock = ManualClock(instant_sleep=False)
    one = make(clock)
    await one.runtime.open()
    pause(one)
    clock.move(100)
    go_on(one)
    clock.move(3)
    await settle(one)
    assert one.lease_holder.held
    table = await new_table(one, people=[1, 2])
    await lobby.start(table, 1)


@pytest.mark.parametrize("jump", [-3 * 3600, 3 * 3600])
async def test_wall_clocks_that_differ_take_no_lease_away(make: Make, jump: int) -> None:
    clock, other = ManualClock(instant_sleep=False), ManualClock(instant_sleep=False)
    other.jumped = jump * 1000
    one, two = make(clock), make(other)
    await one.runtime.open()
    opening = asyncio.create_task(two.runtime.open())
    await pass_time(30, one, two)
    assert not opening.done()
    opening.cancel()


@pytest.mark.parametrize("jump", [-3 * 3600, 3 * 3600])
async def test_a_jump_of_the_wall_clock_moves_no_turn_clock(make: Make, jump: int) -> None:
    clock = ManualClock()
    tables = make(clock)
    await tables.runtime.open()
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=600))
    await lobby.start(table, 1)
    clock.jumped = jump * 1000
    for _ in range(199):  # 597 seconds, beat by beat
        clock.move(3)
        await settle(tables)
    assert table.acts == 0
    clock.move(3)
    await settle(tables)
    clock.move(3)
    await settle(tables)
    assert table.acts > 0


async def test_what_a_process_was_paused_counts_for_no_clock(make: Make) -> None:
    clock = ManualClock()
    tables = make(clock)
    await tables.runtime.open()
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=600))
    await lobby.start(table, 1)
    clock.move(3 * 3600)  # it stood still for three hours
    await settle(tables)
    for _ in range(100):
        clock.move(3)
        await settle(tables)
    assert table.acts == 0


async def test_while_discord_is_away_no_clock_goes_on(make: Make) -> None:
    clock = ManualClock()
    tables = make(clock)
    await tables.runtime.open()
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=120))
    await lobby.start(table, 1)
    tables.lease_holder.pause()
    for _ in range(100):
        clock.move(3)
        await settle(tables)
    assert table.acts == 0
    tables.lease_holder.go_on()
    for _ in range(42):
        clock.move(3)
        await settle(tables)
    assert table.acts > 0


async def test_while_the_database_is_away_no_clock_goes_on(make: Make) -> None:
    clock = ManualClock()
    tables = make(clock)
    await tables.runtime.open()
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=120))
    await lobby.start(table, 1)
    break_off("gone", tables)
    for _ in range(100):
        clock.move(3)
        await settle(tables)
    break_off("", tables)
    for _ in range(10):
        clock.move(3)
        await settle(tables)
    assert table.acts == 0


async def test_a_stop_in_the_middle_of_taking_the_lease_leaves_it_to_others(make: Make) -> None:
    clock = ManualClock(instant_sleep=False)
    for rounds in range(12):
        one, two = make(clock), make(clock)
        opening = asyncio.create_task(one.lease_holder.take())
        for _ in range(rounds):
            await asyncio.sleep(0.001)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)
        await one.runtime.close()
        assert await wait_for(asyncio.create_task(two.runtime.open()), 5, two) <= 1.5
        await two.runtime.close()


@pytest.mark.parametrize("how", ["errors", "silence"])
async def test_an_outage_longer_than_a_lease_takes_it_from_nobody(make: Make, how: str) -> None:
    """Nobody could renew while nobody was answered: the standby waits anew, and the owner goes on."""
    clock = ManualClock(instant_sleep=False)
    one, two = make(clock), make(clock)
    await one.runtime.open()
    opening = asyncio.create_task(two.runtime.open())
    await pass_time(4, one, two)
    if how == "errors":
        break_off("gone", one, two)
    else:
        silence(one, two)
    await pass_time(3 * LEASE_SECONDS, one, two)
    assert not opening.done()
    break_off("", one, two)
    answer(two)  # the standby is the first to be answered
    await pass_time(2, one, two)
    answer(one)
    await pass_time(3 * LEASE_SECONDS, one, two)
    assert one.lease_holder.held
    assert not opening.done()
    table = await new_table(one, people=[1, 2])
    await lobby.start(table, 1)
    await one.runtime.close()
    assert await wait_for(opening, 5, two) <= 1.5


@pytest.mark.parametrize("how", ["errors", "silence"])
async def test_an_owner_that_dies_in_an_outage_is_followed_after_it(make: Make, how: str) -> None:
    """It could not give the lease back; the standby counts from the end of the outage on."""
    clock = ManualClock(instant_sleep=False)
    one, two = make(clock), make(clock)
    await one.runtime.open()
    opening = asyncio.create_task(two.runtime.open())
    await pass_time(4, one, two)
    if how == "errors":
        break_off("gone", one, two)
    else:
        silence(one, two)
    await pass_time(LEASE_SECONDS, one, two)
    pause(one)
    await pass_time(LEASE_SECONDS, one, two)
    assert not opening.done()
    break_off("", two)
    answer(two)
    assert LEASE_SECONDS / 2 <= await wait_for(opening, 20, one, two) <= LEASE_SECONDS + 3


@pytest.mark.parametrize("kind", ["gone", "refused", "readonly", "newer"])
async def test_who_starts_on_a_database_that_cannot_be_used_hears_it_at_once(make: Make, kind: str) -> None:
    clock = ManualClock(instant_sleep=False)
    tables = make(clock)
    break_off(kind, tables)
    with pytest.raises(StoreError) as found:
        await asyncio.wait_for(tables.lease_holder.take(), LIMIT_SECONDS)  # no second passes by the clock
    assert found.value.kind == kind
    assert not tables.lease_holder.held


async def test_who_cannot_write_hears_it_at_once_but_waits_for_a_lock(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock(instant_sleep=False)
    tables = make(clock)
    kinds = ["locked", "slow", "readonly"]

    async def write(*_: object, **__: object) -> None:
        raise StoreError(kinds.pop(0))

    with monkeypatch.context() as patch:
        patch.setattr(tables.database, "write_at_once", write)
        taking = asyncio.create_task(tables.lease_holder.take())
        await at_rest(tables)
        assert kinds == ["slow", "readonly"]
        await pass_time(1, tables)
        assert not taking.done()
        with pytest.raises(StoreError, match="readonly"):
            await wait_for(taking, 2, tables)
    assert not tables.lease_holder.held


async def test_epochs_only_rise(database: Database) -> None:
    first = await database.write_at_once(lambda c: leases.take(c, (), "one", until=10, at=5))
    assert first
    assert await database.write_at_once(lambda c: leases.take(c, (), "two", until=10, at=5)) == ()
    second = await database.write_at_once(lambda c: leases.take(c, first, "two", until=10, at=5))
    assert second[0].epoch == first[0].epoch + 1
    assert await database.write_at_once(lambda c: leases.renew(c, first, 99, 99)) == ()
    await database.write_at_once(lambda c: leases.give_back(c, first[0].holder, 99))
    assert await database.read_at_once(leases.read) == second
