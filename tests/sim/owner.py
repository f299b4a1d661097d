"""One process of the bot: the real tables, publisher, timers and store, put together as `bot.client` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from cachetools import TTLCache

from bot.core.lease_holder import LeaseHolder
from bot.core.tasks import Tasks
from bot.features.daily.service import DailyDeals
from bot.features.nights.service import Nights
from bot.features.play.handlers import Rematches
from bot.features.table.hand import open_hands
from bot.features.table.hand.open_hands import OpenHands
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.table.status import LastAsked
from bot.features.teacher.review_service import Reviews, reviewed
from bot.features.tournaments.messages import TournamentBoard
from bot.features.tournaments.service import Tournaments
from bot.features.watching.watchers import MOST_VIEWS, Watchers
from bot.store.database import StoreError
from bot.table.registry import Tables
from bot.telemetry.metrics import Metrics
from bot.ui.app import App
from bot.ui.debouncer import Debouncer
from bot.ui.live.private_message import MINUTES
from bot.ui.outbox import Outbox
from bot.ui.preferences import Preferences
from bot.ui.rate_limiter import RateLimiter
from tests.sim import asking, doors, due, house, nights
from tests.sim.discord_in_memory import Client
from tests.sim.loop import Process, VirtualLoop
from tests.sim.screens import Studio
from tests.support.tables.tables import PLENTY

if TYPE_CHECKING:
    from tests.sim.world import World

LOOKS = 5
"""How often a standby looks at the lease for as long as one lasts."""
EPOCH_MS = 1_800_000_000_000
METRICS = Metrics()


class SimClock:
    """The time of the world as one process has it."""

    def __init__(self, loop: VirtualLoop, process: Process) -> None:
        self._loop = loop
        self._process = process

    def now(self) -> int:
        return EPOCH_MS + int(self._loop.time() * 1000)

    def monotonic(self) -> float:
        return self._loop.time()

    def call_later(self, seconds: float, ring: Callable[[], None]) -> Any:
        return self._loop.call_later(seconds, ring, context=self._process.context.copy())

    async def sleep(self, seconds: float) -> None:
        done = self._loop.create_future()
        self._loop.call_later(seconds, _wake, done)
        await done


class PatientClock(SimClock):
    """For the lease alone: a standby looks more rarely."""

    def __init__(self, loop: VirtualLoop, process: Process, lease: float) -> None:
        super().__init__(loop, process)
        self._pause = lease / LOOKS

    async def sleep(self, seconds: float) -> None:
        await super().sleep(max(seconds, self._pause))


def _wake(done: Any) -> None:
    if not done.done():
        done.set_result(None)


class CheapThinker:
    """Opponents who decide inline, by what was drawn for this moment, or by the luck that they are given."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._thinking: list[tuple[int, Any]] = []
        """Decisions that opponents are thinking about: `whose`, and their observation."""

    async def choose(
        self,
        _game: str,
        _level: str,
        seen: Any,
        actions: Sequence[Any],
        *,
        whose: int,
        luck: bytes | None,
        **_: Any,
    ) -> Any:
        with due.asked(self._world, self._thinking, whose, seen):
            await self._world.moment()
        rng = self._world.rng if luck is None else Random(luck)
        return actions[rng.randrange(len(actions))]

    async def analyze(self, work: Callable[..., Any], *args: Any, **_: Any) -> Any:
        await self._world.moment()
        return asking.review(self._world, *args) if work is reviewed else work(*args)

    async def advise(self, work: Callable[..., Any], *about: Any, **_: Any) -> Any:
        await self._world.moment()
        return asking.taught(self._world, work, about)

    async def run(self, work: Callable[..., Any], *args: Any, **_: Any) -> Any:
        await self._world.moment()
        return asking.made(work, *args)

    async def close(self) -> None:
        """It has nothing to stop."""


class Owner:
    """A process that owns the tables, or waits for them."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.process = Process(f"owner {number}")
        loop = world.loop
        clock = self.clock = SimClock(loop, self.process)
        self.database, self._give_back = world.disk.database()
        self.tasks = Tasks()
        studio: Any = Studio(world)
        self.hands = OpenHands(studio)
        minutes = MINUTES * 60
        self.hands._open = TTLCache(open_hands.MOST_HANDS, minutes, timer=loop.time)
        self.hands._made = TTLCache(open_hands.MOST_HANDS, minutes, timer=loop.time)
        preferences = Preferences(self.database)
        if world.held:
            house.witnessed(world, preferences)
        client: Any = Client(world.discord)
        self.client = client
        outbox = Outbox(clock, client, studio, METRICS, self.tasks.spawn, preferences=preferences)
        watchers = self.watchers = Watchers(studio, self.database)
        watchers._views = TTLCache(MOST_VIEWS, minutes, timer=loop.time)
        self.publisher = TablePublisher(outbox, self.hands)
        self.publisher.followers.append(watchers)
        self.lease_holder = LeaseHolder(
            self.database,
            PatientClock(loop, self.process, world.lease),
            seconds=world.lease,
            renew_every=world.lease / 3,
            on_lost=self._lost,
        )
        thinker: Any = CheapThinker(world)
        self.tables = Tables(
            self.database,
            clock,
            thinker,
            self.publisher,
            quotas=PLENTY,
            lease_holder=self.lease_holder,
            tasks=self.tasks,
            lobby_minutes=doors.LOBBY_MINUTES if world.has_doors else 60,
        )
        self.nights = Nights(self.database, clock, self.tables, nights.Board(self.publisher, world))
        self._has_nights = any(act.do == "night" for act in world.plan.acts)
        board = TournamentBoard(self.publisher)
        self.tournaments = Tournaments(self.database, clock, self.tables, board)
        for service in (DailyDeals(self.tables), self.nights, self.tournaments):
            self.tables.runtime.attach(service)
        self._has_tournaments = bool(world.entrants)
        nothing: Any = None
        client.app = App(
            settings=nothing,
            database=self.database,
            studio=studio,
            clock=clock,
            tasks=self.tables.tasks,
            accounts=self.tables.accounts,
            rate_limiter=RateLimiter(clock, 1e6),
            typing=RateLimiter(clock, 1e6),
            debouncer=Debouncer(clock),
            preferences=preferences,
            metrics=METRICS,
            reply_priority=outbox.reply_priority,
            chance=Random(f"chance {world.plan.seed}"),
        )
        reviews = Reviews(self.database, thinker, self.tables.tasks.spawn)
        client.app.add(
            self.tables, self.tables.opener, self.tables.runtime, outbox, self.hands, self.publisher
        )
        client.app.add(self.tournaments, self.nights, board, watchers, reviews, Rematches(), LastAsked())
        self.open = False
        """Whether it has the lease, and presses reach it."""
        self._stopping = False
        self.opening = loop.spawn(self.process, self._open(), "open")

    async def _open(self) -> None:
        while True:
            try:
                await self.tables.runtime.open()
                if self._has_tournaments:
                    await self.tournaments.open()
                if self._has_nights:
                    await self.nights.open()
            except StoreError:
                await self.clock.sleep(5)  # its host starts it again
                continue
            except Exception as error:  # noqa: BLE001 - told, and this owner never opens
                self.world.wrong.append(f"open: {self.process.name} does not start: {error!r}")
                return
            self.open = True
            self.world.opened(self)
            return

    @property
    def in_charge(self) -> bool:
        """Whether it holds the lease, as the rows say: one that was overtaken may not have heard of it."""
        holder = self.world.disk.observer.execute("SELECT holder FROM leases").fetchone()
        return (
            self.process.alive
            and self.open
            and not self.process.paused
            and (holder == (self.lease_holder._holder,))
        )

    def _lost(self) -> None:
        if not self._stopping:
            self._stopping = True
            self.world.loop.spawn(self.process, self.stop(), "stop")

    async def stop(self) -> None:
        """Stop as a bot does that is asked to, or has been overtaken."""
        self.client.closing = "store.fenced"
        self.tables.runtime.halt()
        self.publisher.outbox.halt()
        await self.publisher.outbox.drain()
        await self.tables.runtime.end_tasks()
        await self.tables.runtime.drain()
        await self.tournaments.drain()
        await self.tables.runtime.close()
        self.open = False
        self.world.stopped(self)

    def die(self) -> None:
        """Be no more, right where it stands."""
        if self.process.alive:
            self.process.alive = False
            self.open = False
            self._give_back()
