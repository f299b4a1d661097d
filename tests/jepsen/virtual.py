"""Rounds in one process, under virtual time: two bots on one database, each with its own clock.

A process that is stopped is one whose timers, writes and answers stand still; one that is killed never
goes on. SQLite is called without a thread, so the same seed gives the same round.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from typing import Any

from sqlalchemy import event
from sqlalchemy.util import await_only

from bot.settings import with_async_driver
from bot.store.backend.engines import WaitLimits
from bot.store.database import Database
from tests.jepsen import player
from tests.jepsen.crowd import Pace, Round
from tests.jepsen.databases import Lane
from tests.jepsen.faults import Faults
from tests.support.tables.tables import ManualClock, ManualTimer

PACE = Pace(
    lease=5.0,
    round=30.0,
    longest=60.0,
    between_presses=0.9,
    between_faults=2.0,
    patience=2.0,
    at_rest=60.0,
)
RENEW_SECONDS = 1.5
STEP_SECONDS = 0.25
LIMITS = WaitLimits(connect=2.0, command=2.0, lock=0.2, idle=0.3, pool=0.5)


class Inline(ThreadPoolExecutor):
    """Does everything at once, in the thread that asks."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
            done.set_exception(error)
        return done


class ClockOfProcess:
    """The common time as one process sees it: its wall clock can be set, and it can stand still."""

    def __init__(self, common: ManualClock, offset_ms: int) -> None:
        self._common = common
        self.offset_ms = offset_ms
        self.going = asyncio.Event()
        self.going.set()
        self._missed: list[Callable[[], None]] = []

    def now(self) -> int:
        return self._common.now() + self.offset_ms

    def monotonic(self) -> float:
        return self._common.monotonic()

    def call_later(self, seconds: float, ring: Callable[[], None]) -> ManualTimer:
        return self._common.call_later(seconds, lambda: self._ring(ring))

    def _ring(self, ring: Callable[[], None]) -> None:
        if self.going.is_set():
            ring()
        else:
            self._missed.append(ring)

    async def sleep(self, seconds: float) -> None:
        done = asyncio.Event()
        self.call_later(seconds, done.set)
        await done.wait()

    def stop(self) -> None:
        self.going.clear()

    def go_on(self) -> None:
        self.going.set()
        missed, self._missed = self._missed, []
        for ring in missed:
            ring()


class VirtualBot:
    """A bot within this process."""

    def __init__(self, name: str, url: str, common: ManualClock) -> None:
        self.name = name
        self._url = url
        self._common = common
        self._offset = 0
        self.at_work = 0
        """How many calls of the store are under way."""
        self.databases: list[Database] = []
        self.done: list[Faults] = []
        self.lives = 0
        self._start()

    def _start(self) -> None:
        self.lives += 1
        self.clock = ClockOfProcess(self._common, self._offset)
        self.database = Database(with_async_driver(self._url), LIMITS)
        self.databases.append(self.database)
        if self.database.sqlite:
            self.database._thread.shutdown(wait=False)
            self.database._readers.shutdown(wait=False)
            self.database._thread = self.database._readers = Inline(1)
            event.listen(self.database._quick, "connect", _no_disk)
        self.faults = Faults(self.database, self._still(self.clock))
        self.done.append(self.faults)
        self._gate(self.database, self.clock)
        self.tables = player.unopened_tables(self.database, self.clock, PACE.lease, RENEW_SECONDS)
        self.tables.lease_holder.on_lost = lambda: self._lost(self.tables)
        self._dead = asyncio.Event()
        self._opening = asyncio.ensure_future(self._open(self.tables))

    def _still(self, clock: ClockOfProcess) -> Callable[[], None]:
        """Stands still in the middle of a transaction on PostgreSQL; on SQLite, which is called without a
        thread, after it."""

        def still() -> None:
            clock.stop()
            if not self.database.sqlite:
                self.at_work -= 1
                try:
                    await_only(clock.going.wait())
                finally:
                    self.at_work += 1

        return still

    def _gate(self, database: Database, clock: ClockOfProcess) -> None:
        """Whoever is stopped is so before a call of the store, or between what it did and hearing of it."""

        def gated(call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            async def through(*args: Any, **options: Any) -> Any:
                await clock.going.wait()
                try:
                    self.at_work += 1
                    try:
                        found = await call(*args, **options)
                    finally:
                        self.at_work -= 1
                except Exception:
                    await clock.going.wait()
                    raise
                await clock.going.wait()
                return found

            return through

        database.write_at_once = gated(database.write_at_once)  # type: ignore[method-assign]
        database.read_at_once = gated(database.read_at_once)  # type: ignore[method-assign]

    async def _open(self, tables: Any) -> None:
        try:
            await tables.runtime.open()
        except Exception:  # noqa: BLE001 - a bot that cannot start ends, and its host starts it again
            if tables is self.tables:
                await self._anew(tables)

    def _lost(self, tables: Any) -> None:
        if tables is self.tables:
            asyncio.ensure_future(self._anew(tables))  # noqa: RUF006 - the round outlives it

    async def _anew(self, tables: Any) -> None:
        await self.clock.going.wait()
        await tables.runtime.close()
        if tables is self.tables:
            self._dead.set()
            self._start()

    async def ask(self, press: dict[str, Any]) -> dict[str, Any] | None:
        clock, tables, dead = self.clock, self.tables, self._dead

        async def answer() -> dict[str, Any]:
            await clock.going.wait()
            found = await player.ask(tables, press)
            await clock.going.wait()
            return found

        work, ending = asyncio.ensure_future(answer()), asyncio.ensure_future(dead.wait())
        await asyncio.wait({work, ending}, return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        return work.result() if work.done() else None

    async def stop(self) -> None:
        self.clock.stop()

    async def go_on(self) -> None:
        self.clock.go_on()

    async def kill(self) -> None:
        self.clock.stop()
        self.clock._missed.clear()
        self._dead.set()
        self._start()

    async def set_clock(self, offset_ms: int) -> None:
        self._offset = self.clock.offset_ms = offset_ms

    async def arm(self, call: str, number: int, how: str) -> None:
        self.faults.arm(call, number, how)

    async def heal(self) -> None:
        self.clock.go_on()
        self.faults.disarm()


def _no_disk(connection: Any, _record: Any) -> None:
    """No process dies here, so nothing has to reach the disk."""
    connection.execute("PRAGMA synchronous=OFF")


async def play(seed: int, lane: Lane) -> tuple[Round, list[Faults]]:
    """One round; what happened, and what failed in the stores."""
    asyncio.get_running_loop().set_default_executor(Inline(1))
    common = ManualClock(instant_sleep=False)
    url = await lane.empty()
    bots = [VirtualBot(name, url, common) for name in ("one", "two")]
    line = lane.break_line if lane.postgres else None
    found = Round(seed, list(bots), PACE, common.sleep, line)
    running = asyncio.ensure_future(found.run())
    rng = Random(f"{seed} steps")
    while not running.done():
        for _ in range(rng.randint(2, 12)):
            await asyncio.sleep(0)
        if lane.postgres and rng.random() < 0.9:  # a server answers in its own time
            for _ in range(20):
                if not any(bot.at_work for bot in bots):
                    break
                await asyncio.sleep(0.001)
        common.move(STEP_SECONDS)
    await running
    rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    await player.cancelled(rest)
    for bot in bots:
        for database in bot.databases:
            await database.close()
    return found, [faults for bot in bots for faults in bot.done]
