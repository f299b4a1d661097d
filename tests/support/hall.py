"""A hall for tests: a real database file, a clock that tests move, a publisher that remembers."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bot.settings import with_async_driver
from bot.store import migrate
from bot.store.database import Database
from bot.store.terms import Terms
from bot.tables.hall import Hall
from bot.tables.table import Table
from bot.tables.thinking import WorkerThinker


class ManualClock:
    """Time stands still until a test moves it; sleeping tasks go on at once when told to."""

    def __init__(self, at: int = 1_800_000_000_000, *, instant_sleep: bool = True) -> None:
        self._at = at
        self._instant = instant_sleep
        self._order = itertools.count()
        self._timers: list[tuple[int, int, ManualTimer]] = []

    def now(self) -> int:
        return self._at

    def call_later(self, seconds: float, ring: Callable[[], None]) -> ManualTimer:
        timer = ManualTimer(ring)
        heapq.heappush(self._timers, (self._at + int(seconds * 1000), next(self._order), timer))
        return timer

    async def sleep(self, seconds: float) -> None:
        if self._instant:
            await asyncio.sleep(0)
            return
        done = asyncio.Event()
        self.call_later(seconds, done.set)
        await done.wait()

    def move(self, seconds: float) -> None:
        """Let time pass, ringing what falls due on the way."""
        end = self._at + int(seconds * 1000)
        while self._timers and self._timers[0][0] <= end:
            due, _, timer = heapq.heappop(self._timers)
            self._at = max(self._at, due)
            if not timer.cancelled:
                timer.ring()
        self._at = end


class ManualTimer:
    def __init__(self, ring: Callable[[], None]) -> None:
        self.ring = ring
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Notebook:
    """A publisher that writes down what it was told."""

    def __init__(self) -> None:
        self.changes: list[tuple[int, str, int]] = []
        self.reminders: list[tuple[int, int, int]] = []
        self.nudges: list[tuple[int, int]] = []
        self.events: list[Any] = []

    def changed(self, table: Table, events: Sequence[Any]) -> None:
        self.changes.append((table.id, table.phase, table.seq))
        self.events += events

    def remind(self, table: Table, seat: int, minutes: int) -> None:
        self.reminders.append((table.id, seat, minutes))

    def nudge(self, table: Table, seat: int) -> None:
        self.nudges.append((table.id, seat))


async def open_hall(
    path: Path, clock: ManualClock | None = None, *, pace: float = 0.0
) -> tuple[Hall, ManualClock, Notebook]:
    """A hall on the database file, upgraded where needed."""
    url = f"sqlite:///{path}"
    await migrate.upgrade(url)
    clock = clock or ManualClock()
    notebook = Notebook()
    hall = Hall(Database(with_async_driver(url)), clock, WorkerThinker(0), notebook, pace=pace)
    await hall.open()
    return hall, clock, notebook


async def close_hall(hall: Hall) -> None:
    await hall.close()
    await hall.database.close()


async def new_table(hall: Hall, *, people: Sequence[int] = (1,), opponents: int = 0, **options: Any) -> Table:
    """A lobby of the probe game (or `game=`) with these people and opponents."""
    game = options.pop("game", "probe")
    terms = options.pop("terms", Terms())
    table = await hall.new(
        game,
        host_id=people[0],
        host_name=f"person {people[0]}",
        entropy=10_000 + people[0],
        channel_id=7,
        guild_id=70,
        locale="en",
        options=options,
        terms=terms,
    )
    for user in people[1:]:
        await table.join(user, f"person {user}", 10_000 + user)
    for n in range(opponents):
        await table.add_opponent(people[0], "random", f"opponent {n}")
    return table


async def settle(hall: Hall) -> None:
    """Wait until nothing goes on in the hall any more."""
    while hall._tasks:
        await asyncio.gather(*hall._tasks, return_exceptions=True)


async def first_act(table: Table, user: int) -> None:
    """The person's first legal action, as a press of the fresh hand would do it."""
    seat = next(seat for seat in table.seats_of(user) if seat in table.waiting())
    await table.act(seat, table.decisions[seat], table.legal[seat][0])
