"""A world in a box: people, owners, a store and a Discord, from a plan to what was wrong in the end."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import sqlite3
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import msgspec

from bot.core.errors import Refused
from tests.sim import (
    asking,
    check,
    dailies,
    doors,
    habits,
    house,
    learning,
    nights,
    rooms,
    screens,
    tournaments,
    watching,
    whims,
)
from tests.sim.around import Call, surroundings
from tests.sim.discord_in_memory import Discord, Interaction, Posted
from tests.sim.disk import Disk
from tests.sim.loop import PROCESS, Stuck, VirtualLoop, deliver
from tests.sim.owner import EPOCH_MS, LOOKS, Owner
from tests.sim.people import Person
from tests.sim.plan import DAYS_FROM, DISCORD, MORE, OUTAGES, STORE, THREADS, Act, Fault, Plan, draw, games

LEASE_SECONDS, LONGER = 300.0, 6
"""Far longer than usual, and in a whole day longer still: a day has 28,800 heartbeats otherwise, on which
nothing here depends. A lease lasts for three of them."""
APART = ("daily", "night", "tournament", *MORE)
"""What people do beside the table of their channel, however much they have played there."""
ENOUGH, ENOUGH_AN_HOUR = (20, 60), (2.6, 0.3)
"""How many acts people want to see in a small world and in a day, and how many more with each hour."""
LOOK_EVERY, LOOK_SECONDS = 12, 4.0
"""After how many presses memory is held against the rows, and how much later."""
HEARTBEATS_MEET = 0.1
"""How often a write that is no change of a table meets what was to go wrong with one."""
SPARED = ("stop", "press ", "open ")
"""What may be under way when an owner ends: a stop waits for answers, but not for ever."""
STORED_BY = ("journal", "reader")
"""The threads that write and read."""
REST_SECONDS = 1800.0
"""How long nothing is broken before the end: longer than a lease and the longest pause between two tries."""


class Report(msgspec.Struct):
    """How a world ended."""

    seed: int
    wrong: list[str]
    acts: list[int]
    """By place, how many acts the journals have."""
    counts: dict[str, int]
    trace: str
    """The same for the same run."""
    cpu: float = 0.0
    """Seconds."""


class World:
    """One run of a plan."""

    def __init__(self, plan: Plan, disk: Disk) -> None:
        self.plan = plan
        self.disk = disk
        self.loop = VirtualLoop()
        self.rng = Random(f"world {plan.seed}")
        self.lease = LEASE_SECONDS * (1 if plan.hours < DAYS_FROM else LONGER)
        """How long a lease lasts."""
        self.discord = Discord(self.loop, plan.seed, lambda: EPOCH_MS + int(self.loop.time() * 1000))
        self.discord.seen += [self._seen, partial(screens.seen, self)]
        self.discord.edited.append(partial(screens.edited, self))
        self.discord.loses = screens.loses(self)
        self.loop.port = self._port
        self.owners: list[Owner] = []
        self.opened_at = [0] * len(plan.places)
        self.presses: list[tuple[Interaction, Owner]] = []
        self.calls: list[Call] = []
        self.wrong: list[str] = []
        self.hands: set[tuple[int, int, str]] = set()
        """Who saw a private picture at which table, and whose observation that was."""
        self.counts = Counter[str]()
        self.looked: dict[int, tuple[Any, ...]] = {}
        """What of a table in memory was last found to be as its rows say."""
        self.changes: dict[tuple[str, int], int] = {}
        """The number of changes, by owner and table."""
        self._store_faults: deque[Fault] = deque()
        self._crash_at_commit: Fault | None = None
        self._outages = habits.Outages(self)
        dailies.deals(self, EPOCH_MS)
        self.nights: list[tuple[int, int]] = []
        """The nights whose lobbies have opened, each with its table."""
        self.evenings: dict[int, nights.Evening] = {}
        """Histories of nights, by number."""
        self.has_nights = any(act.do == "night" for act in plan.acts)
        """Whether people plan nights."""
        self.has_whims = any(act.do == "whim" for act in plan.acts)
        """Whether people do more than play."""
        self.entrants: list[Person] = []
        """Who plays tournaments."""
        self.reported: set[tuple[int, str]] = set()
        """Which matches of which tournaments somebody has reported."""
        if any(act.do == "tournament" for act in plan.acts):
            self.entrants = tournaments.entrants(self)
            self.discord.dated = True
        self.has_rooms = any(act.do == "room" for act in plan.acts)
        """Whether tables have threads."""
        if self.has_rooms:
            rooms.settings(self)
        self.has_doors = any(act.do == "door" for act in plan.acts)
        """Whether tables are not open to everybody."""
        self.lobbies: dict[int, doors.Lobby] = {}
        """What was last stored of such tables."""
        if self.has_doors:
            doors.settings(self)
        self.held: list[house.Held] = []
        """What the settings of the server have been, where somebody changes them; nothing elsewhere."""
        self.begun: dict[int, house.Begun] = {}
        """How tables began."""
        if any(act.do == "setting" for act in plan.acts):
            self.held.append(house.Held(0.0, house.Server(), {}))
            self.discord.managers = house.managers(self)
        self.has_lessons = any(act.do == "learn" for act in plan.acts)
        """Whether people learn games."""
        self.taught: dict[tuple[str, int], str] = {}
        """What lessons ask for, by lesson and move."""
        self.known: dict[int, watching.Known] = {}
        """What was to be seen of the tables that somebody watches."""
        self._version = disk.version()
        """Of what is stored."""
        self._people = [
            [Person(self, place, n) for n in range(found.people)] for place, found in enumerate(plan.places)
        ]
        self.watchers: list[Person] = []
        """Who watches, and sits nowhere."""
        if any(act.do == "watch" for act in plan.acts):
            self.watchers = [Person(self, 0, watching.FIRST + n) for n in range(watching.COME)]
        self._watching = {watcher.id for watcher in self.watchers}

    def after(self, seconds: float, call: Callable[..., object], *args: Any) -> None:
        """Do something after a while, whatever becomes of the process that runs just now."""
        self.loop.call_later(seconds, call, *args, context=contextvars.Context())

    # -- owners -------------------------------------------------------------------------------

    def start_owner(self) -> Owner:
        owner = Owner(self, len(self.owners) + 1)
        self.owners.append(owner)
        return owner

    def receiver(self) -> Owner | None:
        """The process that Discord tells of a press: the newest that takes any; one that has just woken, and
        does not know yet that it was overtaken, gets some as well."""
        awake = [o for o in self.owners if o.process.alive and o.open and not o.process.paused]
        if not awake:
            return None
        return awake[0] if len(awake) > 1 and self.rng.random() < 0.5 else awake[-1]

    def opened(self, owner: Owner) -> None:
        self.counts["opened"] += 1

    def stopped(self, owner: Owner) -> None:
        """It has ended by itself; another one is started in its place, unless one waits already."""
        left = self.loop.unfinished(owner.process)
        if names := [task.get_name() for task in left if not task.get_name().startswith(SPARED)]:
            self.wrong.append(f"hanging: {owner.process.name} has stopped, and still runs {names}")
        owner.die()

    def _crash(self, fault: Fault, owner: Owner | None = None) -> None:
        """Let an owner die: this one, or the one that plays."""
        owner = owner or next((o for o in reversed(self.owners) if o.process.alive), None)
        if owner is None:
            return
        self.counts["died"] += 1
        owner.die()
        if not any(o.process.alive for o in self.owners):
            self.after(fault.seconds, self._start_if_none)

    def _start_if_none(self) -> None:
        if not any(o.process.alive and not o.process.paused for o in self.owners):
            self.start_owner()

    def _stand_by(self) -> None:
        """Start a second owner, which waits for the lease of the first."""
        if sum(o.process.alive for o in self.owners) < 2:
            self.start_owner()

    def _overtake(self, fault: Fault) -> None:
        owner = next((o for o in self.owners if o.process.alive and o.open and not o.process.paused), None)
        if owner is None:
            return
        self.counts["overtake"] += 1
        self.loop.pause(owner.process)
        self._start_if_none()
        self.after(fault.seconds, self._wake, owner)

    def _wake(self, owner: Owner) -> None:
        if owner.process.alive and owner.process.paused:
            self.loop.go_on(owner.process)

    def _break(self, fault: Fault) -> None:
        self.counts[fault.do] += 1
        if fault.do in DISCORD:
            self.discord.faults.append(fault)
        elif fault.do in STORE:
            self._store_faults.append(fault)
        elif fault.do in THREADS:
            self.discord.spoil(fault.do)
        elif fault.do == "crash":
            self._crash(fault)
        elif fault.do == "crash_at_commit":
            self._crash_at_commit = fault
        elif fault.do in OUTAGES:
            self._outages.come(fault)
        elif fault.do == "overtake":
            self._overtake(fault)
        else:
            raise ValueError(fault.do)

    # -- the store's port ---------------------------------------------------------------------

    async def moment(self) -> None:
        """Let a little time pass, as work elsewhere takes."""
        done = self.loop.create_future()
        self.loop.call_later(self.rng.uniform(0.001, 0.05), deliver, done)
        await done

    def _port(self, executor: Any, work: Callable[[], Any], future: Any) -> None:
        name = getattr(executor, "_thread_name_prefix", "")
        if PROCESS.get() is None:
            self._answer(work, future)
        elif name in STORED_BY and self._outages.under_way:
            error = OSError("injected: the store does not answer")
            self.loop.call_later(self.rng.uniform(0.001, 0.01), deliver, future, None, error)
        elif name == "journal":
            task = asyncio.current_task(self.loop)
            change = task is not None and task.get_name().startswith("change of")
            self.loop.call_later(self.rng.uniform(0.0005, 0.004), self._write, work, future, change)
        else:
            self.loop.call_later(self.rng.uniform(0.0003, 0.004), self._answer, work, future)

    @staticmethod
    def _answer(work: Callable[[], Any], future: Any) -> None:
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - handed on to whoever waits
            deliver(future, error=error)
        else:
            deliver(future, result)

    def _write(self, work: Callable[[], Any], future: Any, change: bool, *, slow: bool = False) -> None:
        # most writes are heartbeats, and most of what can go wrong is not
        meets = not slow and (change or self.rng.random() < HEARTBEATS_MEET)
        fault = self._store_faults.popleft() if self._store_faults and meets else None
        what = fault.do if fault is not None else ""
        if fault is not None and what in ("write_slow", "write_stuck"):
            self.loop.call_later(fault.seconds, lambda: self._write(work, future, change, slow=True))
            if what == "write_stuck":
                self.after(1.0, self._stand_by)
            return
        back = self.rng.uniform(0.0002, 0.002)
        if what == "write_failed":
            self.loop.call_later(back, deliver, future, None, OSError("injected: it was not stored"))
            return
        if what == "write_locked":
            self.loop.call_later(back, deliver, future, None, sqlite3.OperationalError("database is locked"))
            return
        result, error = None, None
        try:
            result = work()
        except Exception as found:  # noqa: BLE001 - handed on to whoever waits
            error = found
        if self._stored():
            self._committed()
            if self._crash_at_commit is not None and meets:
                fault, self._crash_at_commit = self._crash_at_commit, None
                self._crash(fault, self._running())
                return
        if what == "write_lost":
            error = OSError("injected: the answer was lost")
        self.loop.call_later(back, deliver, future, result, error)

    def _running(self) -> Owner | None:
        """Whose work is being done."""
        process = PROCESS.get()
        return next((o for o in self.owners if o.process is process), None)

    def _stored(self) -> bool:
        """Whether something was stored since it was last asked."""
        before, self._version = self._version, self.disk.version()
        return self._version != before

    def _committed(self) -> None:
        """Something was stored just now: by whoever holds the lease, or somebody was not kept out."""
        self.counts["commits"] += 1
        found = self.disk.observer.execute("SELECT holder, epoch FROM leases WHERE part = 0").fetchone()
        writer = self._running()
        if found is not None and writer is not None and found[0] not in ("", writer.lease_holder._holder):
            self.wrong.append(f"two owners: {writer.process.name} has committed under epoch {found[1]}")
        self._outages.committed()
        if self.has_nights:
            nights.committed(self)
        if self.has_doors:
            doors.committed(self)
        if self.held:
            house.committed(self)

    # -- what people see and do ---------------------------------------------------------------

    def _seen(self, posted: Posted) -> None:
        if posted.user_id in self._watching:
            watching.seen(self, posted)
            return
        for alt in posted.alts():
            if alt.startswith("seen by ") and (posted.table() or not self.has_lessons):
                self.hands.add((posted.user_id, posted.table(), alt.split(" ")[2].rstrip(":")))

    def _act(self, act: Act) -> None:
        self.counts["pressed"] += 1
        if self.counts["pressed"] % LOOK_EVERY == 0:
            self.after(LOOK_SECONDS, self._look)
        if act.do not in APART and self._rested(act.place):
            return
        people = self._people[act.place]
        person = people[act.who % len(people)]
        if act.do == "play":
            # whose turn it is plays; where it is nobody's, somebody looks
            turn = (people[(act.who + n) % len(people)] for n in range(len(people)))
            person = next((each for each in turn if each.may_decide()), person)
        if act.do == "tournament":
            tournaments.press(self, act)
        else:
            person.act(act)
        if act.twice:
            # the very same press once more: what Discord sends twice, or a double click
            last = self.presses[-1] if self.presses else None
            if last is not None and last[0].pressed is not None:
                self.after(act.twice, self._again, act, last[0])

    def _look(self) -> None:
        for owner in self.owners:
            if owner.in_charge:
                check.memory_of(self, owner)

    def _rested(self, place: int) -> bool:
        """Whether enough was played there by now: nobody plays without end, and games differ in length."""
        here = [7000 + place, *(room.id for room in self.discord.rooms_of(7000 + place))]
        marks = ", ".join("?" * len(here))
        query = f"SELECT count(*) FROM entries JOIN games ON games.id = game_id WHERE channel_id IN ({marks})"
        done = self.disk.observer.execute(query, here).fetchone()[0]
        day = self.plan.hours >= DAYS_FROM
        return bool(done > ENOUGH[day] + ENOUGH_AN_HOUR[day] * self.loop.time() / 3600)

    def _again(self, act: Act, press: Interaction) -> None:
        from bot import custom_ids as ids

        ref, pressed = ids.parse(press.data["custom_id"]), press.pressed
        assert pressed is not None
        if self.discord.gone(pressed):
            return
        values = tuple("=" + value for value in press.data["values"])
        self.counts["doubled"] += 1
        person = next(each for each in self.everybody() if each.id == press.user.id)
        person.send(pressed, ids.Ref(ref.verb, (*ref.args, *values)))

    def everybody(self) -> Iterator[Person]:
        """All people of this world."""
        yield from self.entrants
        yield from self.watchers
        for people in self._people:
            yield from people

    def people_of(self, place: int) -> list[Person]:
        """Who plays at a place."""
        return self._people[place]

    def host_of(self, table: int) -> int:
        """Whose table it is, which its message says."""
        query = "SELECT host_id FROM games WHERE id = ?"
        found = self.disk.observer.execute(query, (table,)).fetchone()
        return int(found[0]) if found else 0

    def tables_of(self, user_id: int) -> list[int]:
        """The games that somebody plays just now, of which they know."""
        query = (
            "SELECT game_id FROM seats JOIN games ON games.id = game_id WHERE user_id = ? AND phase = 'live'"
        )
        return [int(row[0]) for row in self.disk.observer.execute(query, (user_id,))]

    # -- from the beginning to the end --------------------------------------------------------

    def run(self) -> None:
        self.loop.run_until_complete(self._main())

    async def sleep(self, seconds: float) -> None:
        """Let so much time pass."""
        done = self.loop.create_future()
        self.loop.call_later(seconds, deliver, done)
        await done

    def _unlock(self) -> None:
        """No thread is locked any more, and Discord says so to every process that hears it."""
        for room in self.discord.threads.values():
            room.locked = False
            for owner in self.owners:
                if owner.process.alive:
                    tell = owner.publisher.outbox.unlocked
                    self.loop.call_soon(tell, room.id, 1, context=owner.process.context.copy())

    async def _main(self) -> None:
        self.start_owner()
        for act in self.plan.acts:
            self.loop.call_at(act.at, self._act, act)
        for fault in self.plan.faults:
            self.loop.call_at(fault.at, self._break, fault)
        await self.sleep(self.plan.hours * 3600)
        self.discord.faults.clear()
        self._unlock()
        self._store_faults.clear()
        self._outages.end()
        self._crash_at_commit = None
        for owner in self.owners:
            if owner.process.alive and owner.process.paused:
                self.loop.go_on(owner.process)
        self._start_if_none()
        await self.sleep(self.lease * (1 + 1 / LOOKS) + 300)
        self._start_if_none()
        await self.sleep(REST_SECONDS)
        owner = await self._at_rest()
        if owner is None:
            return
        if self.has_rooms:
            await rooms.cool(self, owner)
            owner = await self._at_rest()
            if owner is None:
                return
        await check.tables_of(self, owner)
        self.counts["calls to Discord"] = self.discord.calls
        whims.reports(self)
        await check.rows_of(self, owner)
        whims.rows_of(self)
        await dailies.rows_of(self, owner)
        await nights.rows_of(self, owner)
        await tournaments.rows_of(self, owner)
        await asking.rows_of(self, owner)
        doors.rows_of(self)
        house.rows_of(self)
        watching.rows_of(self)
        learning.rows_of(self)
        stopping = self.loop.spawn(owner.process, owner.stop(), "stop")
        await self.sleep(60)
        if not stopping.done():
            self.wrong.append(f"hanging: {owner.process.name} does not stop")
        self.wrong += [f"nobody caught: {trouble}" for trouble in self.loop.troubles]

    async def _at_rest(self) -> Owner | None:
        """The one owner that is left, in a moment in which nothing goes on."""
        open_now = [o for o in self.owners if o.process.alive and o.open]
        if len(open_now) != 1:
            self.wrong.append(f"owners: {len(open_now)} at the end")
            return None
        running: list[str] = []
        for _ in range(600):
            running = [task.get_name() for task in self.loop.unfinished(open_now[0].process)]
            if not running:
                return open_now[0]
            await self.sleep(0.7)
        self.wrong.append(f"hanging: {sorted(running)}")
        return open_now[0]


_DISK: list[Disk] = []
COLLECT_EVERY = 20
"""After how many worlds the garbage collector looks at what they left."""
_played = 0


def play(plan: Plan) -> Report:
    """Run a plan, and look at what came of it."""
    global _played
    if not _DISK:
        _DISK.append(Disk())
        play(draw(0, 0.5, len(games())))  # whatever is imported with the first press
        gc.collect()
        gc.freeze()
    began = time.process_time()
    disk = _DISK[0]
    disk.fresh()
    world = World(plan, disk)
    hook, sys.unraisablehook = sys.unraisablehook, lambda _args: None
    gc.disable()  # when it runs must not decide which tables are still in memory
    try:
        with surroundings(world):
            try:
                world.run()
            except Stuck as stuck:
                world.wrong.append(f"stuck: {stuck}")
            except Refused as refused:
                world.wrong.append(f"refused: at the end, {refused}")
            for owner in world.owners:
                owner.die()
            report = Report(
                plan.seed,
                sorted(set(world.wrong), key=world.wrong.index),
                check.acts_by_place(world),
                dict(world.counts),
                check.trace(world),
            )
            world.loop.close()
        report.cpu = time.process_time() - began
        return report
    finally:
        del world
        _played += 1
        if _played % COLLECT_EVERY == 0:
            gc.collect()
        gc.enable()
        sys.unraisablehook = hook
