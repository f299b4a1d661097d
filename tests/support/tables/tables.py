"""Tables for tests: a real database file, a clock that tests move, a publisher that remembers."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from bot.core.lease_holder import LeaseHolder
from bot.settings import with_async_driver
from bot.store import games as store
from bot.store.backend.engines import WaitLimits
from bot.store.database import Database
from bot.store.games import Entry, Whereabouts
from bot.store.models import GameRow, table_of
from bot.store.terms import Knock, Terms
from bot.table import lobby
from bot.table.people.quotas import Quotas
from bot.table.ports import DiscordFailure
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.thinking import WorkerThinker
from tests.support.processes.schema import upgrade

_GAMES = table_of(GameRow)
PLENTY = Quotas(100_000, 100_000, 100_000, 100_000)

if TYPE_CHECKING:
    from bot.features.daily.morning_rows import Morning, Summary


class ManualClock:
    """Time stands still until a test moves it; sleeping tasks go on at once when told to."""

    def __init__(self, at: int = 1_800_000_000_000, *, instant_sleep: bool = True) -> None:
        self._at = at
        self._instant = instant_sleep
        self.jumped = 0
        """Milliseconds by which the wall clock was set, while nothing else moved."""
        self._order = itertools.count()
        self._timers: list[tuple[int, int, ManualTimer]] = []

    def now(self) -> int:
        return self._at + self.jumped

    def monotonic(self) -> float:
        return self._at / 1000

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
        self.said: list[tuple[str, bool]] = []
        """Of each reminder: to whom it went, and whether it pings them."""
        self.holidays: list[tuple[int, int, int]] = []
        self.nudges: list[tuple[int, int]] = []
        self.seats_free: list[tuple[int, int]] = []
        self.knocks: list[tuple[int, int, int]] = []
        """The table, its host, and who asks."""
        self.events: list[Any] = []
        self.mornings: list[tuple[int, Morning, Summary]] = []
        self.hinders: list[DiscordFailure | None] = []
        """How the next mornings go wrong."""
        self.morning_troubles: list[tuple[int, str]] = []
        """Channels without their summary, with the key of the words that the server got."""
        self.departures: set[tuple[int, int]] = set()
        """Servers, and people who have left them."""
        self.rested: list[int] = []
        self.news: list[tuple[int, str, int]] = []

    def changed(self, table: Table, events: Sequence[Any]) -> None:
        self.changes.append((table.id, table.phase, table.seq))
        self.events += events

    def resting(self, place: Whereabouts) -> None:
        self.rested.append(place.id)

    def came_back(self, table: Table) -> None:
        self.changes.append((table.id, table.phase, table.seq))

    def remind(self, table: Table, seat: int, seconds: int, *, aloud: bool, ping: bool = True) -> None:
        self.reminders.append((table.id, seat, seconds))
        self.said.append(("everybody" if aloud else "alone", ping))

    def on_holiday(self, table: Table, seat: int, until: int) -> None:
        self.holidays.append((table.id, seat, until))

    def knocked(self, table: Table, knock: Knock) -> None:
        self.knocks.append((table.id, table.stored.host_id, knock.user))

    def seat_free(self, table: Table, user_id: int) -> None:
        self.seats_free.append((table.id, user_id))

    def tell_news(self, table: Table, kind: str, seat: int) -> None:
        self.news.append((table.id, kind, seat))

    def nudge(self, table: Table, seat: int) -> None:
        self.nudges.append((table.id, seat))

    async def morning(self, channel_id: int, morning: Morning, summary: Summary) -> None:
        self.mornings.append((channel_id, morning, summary))
        if trouble := self.hinders.pop(0) if self.hinders else None:
            raise trouble

    async def departed(self, guild_id: int, users: Sequence[int]) -> set[int]:
        return {user for user in users if (guild_id, user) in self.departures}

    async def tell_hindered(self, channel_id: int, morning: Morning, hindered: DiscordFailure) -> None:
        self.morning_troubles.append((channel_id, hindered.key))


PATIENT = WaitLimits(connect=60.0, command=60.0, lock=60.0, idle=60.0, pool=60.0)
"""Limits that a busy machine keeps as well. Tests of the limits set shorter ones."""


def patient_database(url: str) -> Database:
    """The database at this URL, which waits long enough for a busy machine."""
    return Database(with_async_driver(url), PATIENT)


def unopened_tables(url: str, clock: ManualClock | None = None, **options: Any) -> Tables:
    """Tables that are not open yet. Their time follows the clock however far a test moves it."""
    clock = clock or ManualClock()
    database = patient_database(url)
    lease_holder = LeaseHolder(database, clock, longest_step=math.inf)
    options = {"pace": 0.0, "lease_holder": lease_holder, "quotas": PLENTY, **options}
    publisher = options.pop("publisher", None) or Notebook()
    thinker = options.pop("thinker", None) or WorkerThinker(0)
    tables = Tables(database, clock, thinker, publisher, **options)
    if isinstance(publisher, Notebook):
        from bot.features.daily.morning_service import Mornings  # that folder may be deleted
        from bot.features.daily.service import DailyDeals

        tables.runtime.attach(DailyDeals(tables))
        tables.runtime.attach(
            Mornings(database, clock, publisher, tables.runtime.scheduler, lease_holder.shards)
        )
    return tables


async def opened_tables(
    path: Path, clock: ManualClock | None = None, *, pace: float = 0.0, **options: Any
) -> tuple[Tables, ManualClock, Notebook]:
    """Open tables on the database file, upgraded where needed."""
    url = await upgrade(path)
    clock = clock or ManualClock()
    tables = unopened_tables(url, clock, pace=pace, **options)
    await tables.runtime.open()
    assert isinstance(tables.publisher, Notebook)
    return tables, clock, tables.publisher


async def open_tables(tables: Tables) -> dict[int, Table]:
    """All open tables by their numbers, from memory or from the rows, without those that rest."""
    open_now = select(_GAMES.c.id).where(_GAMES.c.phase.in_(store.OPEN_PHASES))
    ids = await tables.database.read_at_once(lambda connection: connection.execute(open_now).scalars().all())
    return {table.id: table for table in sorted(await tables._loader.those(ids), key=lambda table: table.id)}


def at_hand(tables: Tables) -> dict[int, Table]:
    """The open tables that are in memory, by their numbers."""
    found = sorted(tables.cache.values(), key=lambda table: table.id)
    return {table.id: table for table in found if table.phase in store.OPEN_PHASES}


async def the_table(tables: Tables) -> Table:
    """The only open table."""
    (table,) = (await open_tables(tables)).values()
    return table


async def journal_of(tables: Tables, table: Table) -> list[Entry]:
    """What the database has of a game."""
    return await tables.database.read_at_once(lambda connection: store.journal(connection, table.id))


def bury(path: Path) -> None:
    """The process that held the lease was killed, and so long ago that it has run out."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE leases SET holder = ''")
        connection.commit()


async def close_tables(tables: Tables) -> None:
    await tables.runtime.close()
    await tables.database.close()


async def new_table(
    tables: Tables, *, people: Sequence[int] = (1,), opponents: int = 0, **options: Any
) -> Table:
    """A lobby of the probe game (or `game=`) with these people and opponents."""
    game = options.pop("game", "probe")
    terms = options.pop("terms", Terms())
    table = await tables.opener.open_lobby(
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
        await lobby.join(table, user, f"person {user}", 10_000 + user)
    for n in range(opponents):
        await lobby.add_opponent(table, "random", f"opponent {n}")
    return table


async def settle(tables: Tables) -> None:
    """Wait until nothing goes on at the tables any more."""
    while tables.tasks._running:
        await asyncio.gather(*tables.tasks._running, return_exceptions=True)


def go_on(tables: Tables) -> None:
    """Start again what was halted, and what should have started meanwhile."""
    tables.tasks.open()
    for job in list(tables.runtime.scheduler._jobs.values()):
        tables.runtime.scheduler._start(job)


async def first_act(table: Table, user: int) -> None:
    """The person's first legal action, as a press of the fresh hand would do it."""
    seat = next(seat for seat in table.seats_of(user) if seat in table.waiting())
    await table.act(seat, table.decisions[seat], table.legal[seat][0])
