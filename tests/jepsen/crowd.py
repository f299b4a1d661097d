"""One round: people who press, a nemesis that breaks things under them, and what is left in the end."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from tests.jepsen.faults import CALLS
from tests.jepsen.history import Fault, Press

LEAST_STORED = 15
HOURS_MS = 3 * 3_600_000


class Bot(Protocol):
    """One process of the bot, however it is run."""

    name: str

    async def ask(self, press: dict[str, Any]) -> dict[str, Any] | None:
        """Its answer; None where it died before it gave one."""

    async def stop(self) -> None:
        """Let it stand still, as SIGSTOP does."""

    async def go_on(self) -> None:
        """Let it go on; harmless where it does."""

    async def kill(self) -> None:
        """Let it end at once, and start it anew."""

    async def set_clock(self, offset_ms: int) -> None:
        """Set its wall clock; nothing else of time moves."""

    async def arm(self, call: str, number: int, how: str) -> None:
        """Let the n-th call of this kind of its store fail; see `Faults.arm`."""

    async def heal(self) -> None:
        """Take back whatever was broken but the clock."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take, in seconds of the round's own time."""

    lease: float
    round: float
    longest: float
    """A round in which hardly anything was stored goes on until then."""
    between_presses: float
    between_faults: float
    patience: float
    """How long a person waits for an answer before they press something else."""
    at_rest: float
    """How long everything may take to work again once nothing is broken any more."""


@dataclass(slots=True)
class Round:
    """Two bots, a few people, and everything that they asked and heard."""

    seed: int
    bots: list[Bot]
    pace: Pace
    sleep: Callable[[float], Awaitable[None]]
    break_line: Callable[[], Awaitable[bool]] | None = None
    """Break a line to the database from the server's side; whether there was one."""
    people: int = 4
    history: list[Press] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    tables: list[int] = field(default_factory=list)
    stuck: bool = False
    """Whether nobody was answered any more though nothing was broken."""
    _views: dict[int, dict[str, Any]] = field(default_factory=dict)
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _owner: int = 0
    _waiting: set[asyncio.Task[Any]] = field(default_factory=set)

    async def run(self) -> None:
        """Press and break for a while, then heal, and see that all of it works again."""
        going = [self._person(user) for user in range(1, self.people + 1)]
        tasks = [asyncio.ensure_future(work) for work in (*going, self._nemesis())]
        await self.sleep(self.pace.round)
        rest = self.pace.longest - self.pace.round
        while rest > 0 and sum(press.out == "ok" for press in self.history) < LEAST_STORED:
            await self.sleep(self.pace.lease)
            rest -= self.pace.lease
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for bot in self.bots:
            await bot.heal()
        await self._comes_to_rest()
        for task in tasks:
            if not task.cancelled() and (error := task.exception()):
                raise error

    async def _comes_to_rest(self) -> None:
        """Whoever waits hears something, and somebody opens a last table."""
        until, rng = self.pace.at_rest, Random(f"{self.seed} rest")
        while until > 0:
            press = await self._press("new", user=99, rng=rng)
            if press.out == "ok":
                break
            until -= self.pace.lease / 3
            await self.sleep(self.pace.lease / 3)
        self.stuck = until <= 0
        for _ in range(10):
            if not self._waiting:
                break
            await self.sleep(self.pace.lease / 3)

    # -- people -------------------------------------------------------------------------------

    async def _person(self, user: int) -> None:
        rng = Random(f"{self.seed} person {user}")
        while True:
            await self.sleep(rng.uniform(0.2, 1.8) * self.pace.between_presses)
            open_tables = [t for t in self.tables if self._phase(t) in ("lobby", "live", "")]
            if len(open_tables) < 2 or rng.random() < 0.02:
                await self._press("new", user=user, rng=rng, rounds=rng.choice((2, 3, 50)))
                continue
            # now and then somebody presses at a table that is closed
            table = rng.choice(self.tables if rng.random() < 0.1 else open_tables)
            await self._at(table, user, rng)

    def _phase(self, table: int) -> str:
        return str(self._views.get(table, {}).get("phase", ""))

    async def _at(self, table: int, user: int, rng: Random) -> None:
        seen = self._views.get(table)
        if seen is None or rng.random() < 0.1:
            await self._press("look", user=user, rng=rng, table=table)
            return
        seats, mine = seen["seats"], [s for s, who in enumerate(seen["seats"]) if who == user]
        if seen["phase"] == "lobby":
            if not mine:
                do = "join"
            elif seen["host"] == user:
                ready = len(seats) > 1
                do = rng.choices(("option", "start", "leave", "cancel"), (3, 8 if ready else 0, 1, 0.3))[0]
            else:
                do = rng.choices(("look", "leave", "start"), (6, 2, 1))[0]
            await self._press(do, user=user, rng=rng, table=table)
            return
        if rng.random() < 0.02:
            await self._press("cancel", user=user, rng=rng, table=table)
        elif mine and len(seen["decisions"]) > mine[0]:
            what = {"table": table, "seat": mine[0], "decision": seen["decisions"][mine[0]]}
            presses = [self._press("act", user=user, rng=rng, **what)]
            if rng.random() < 0.2:  # a double click
                presses.append(self._press("act", user=user, rng=rng, **what))
            await asyncio.gather(*presses)
        else:
            await self._press(rng.choice(("look", "join")), user=user, rng=rng, table=table)

    async def _press(self, do: str, *, user: int, rng: Random, **what: Any) -> Press:
        to = self._owner if rng.random() < 0.85 else rng.randrange(len(self.bots))
        bot = self.bots[to]
        rounds = what.pop("rounds", None)
        press = Press(id=next(self._ids), do=do, user=user, to=bot.name, invoked=time.monotonic(), **what)
        asked = {"id": press.id, "do": do, "user": user, **what} | ({"rounds": rounds} if rounds else {})
        if do != "look":
            self.history.append(press)
        waiting = asyncio.ensure_future(self._hear(press, bot, to, asked))
        self._waiting.add(waiting)
        waiting.add_done_callback(self._waiting.discard)
        patience = asyncio.ensure_future(self.sleep(self.pace.patience))
        try:
            await asyncio.wait({waiting, patience}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            patience.cancel()
        if not waiting.done() and to == self._owner:
            self._owner = (to + 1) % len(self.bots)
        return press

    async def _hear(self, press: Press, bot: Bot, to: int, asked: dict[str, Any]) -> None:
        answer = await bot.ask(asked)
        if answer is None or answer["out"] == "standby":
            # who died said nothing; a standby never tried
            if answer is not None:
                press.out, press.why, press.answered = "no", "standby", time.monotonic()
            if to == self._owner:
                self._owner = (to + 1) % len(self.bots)
            return
        press.answered, press.out, press.why = time.monotonic(), answer["out"], answer.get("why", "")
        if press.out == "ok":
            self._owner = to
            if press.do not in ("look", "new"):
                press.revision, press.seq = answer["revision"], answer["seq"]
                press.deal = answer["deal"]
            if press.do != "look":
                press.epoch = answer["epoch"]
            if press.do == "new":
                press.table = answer["table"]
                self.tables.append(press.table)
        elif press.why == "fenced" and to == self._owner:
            self._owner = (to + 1) % len(self.bots)
        if (table := press.table) and "view" in answer:
            self._views[table] = answer["view"]

    # -- the nemesis --------------------------------------------------------------------------

    async def _nemesis(self) -> None:
        rng = Random(f"{self.seed} nemesis")
        later: set[asyncio.Task[None]] = set()
        kinds = {"stop": 5, "stop both": 1, "kill": 2, "clock": 2, "call": 8, "line": 2}
        if self.break_line is None:
            del kinds["line"]
        while True:
            await self.sleep(rng.uniform(0.3, 1.7) * self.pace.between_faults)
            (kind,) = rng.choices(list(kinds), list(kinds.values()))
            to = self._owner if rng.random() < 0.7 else 1 - self._owner
            bot = self.bots[to]
            if kind == "stop":
                later.add(asyncio.ensure_future(self._stop([bot], rng)))
            elif kind == "stop both":
                later.add(asyncio.ensure_future(self._stop(self.bots, rng)))
            elif kind == "kill":
                self._note("kill", bot)
                await bot.kill()
            elif kind == "clock":
                offset = rng.choice((-HOURS_MS, HOURS_MS, 0))
                self._note(f"clock {offset // 3_600_000:+d} h", bot)
                await bot.set_clock(offset)
            elif kind == "line" and self.break_line is not None:
                if await self.break_line():
                    self._note("server ends a line", bot)
            else:
                call = rng.choices(("committed", "any", *CALLS), (5, 4, 1, 3, 2, 1))[0]
                how = rng.choices(("fail", "fail twice", "stop", "fail and stop"), (4, 2, 2, 2))[0]
                few = call in ("commit", "committed", "rollback")
                await bot.arm(call, rng.randint(1, 3 if few else 12), how)
                if "stop" in how:
                    later.add(asyncio.ensure_future(self._go_on(bot, rng)))

    async def _go_on(self, bot: Bot, rng: Random) -> None:
        """Wherever it stopped by itself, it goes on some time."""
        for _ in range(3):
            await self.sleep(rng.choice((0.5, 1.3, 2.5)) * self.pace.lease)
            await bot.go_on()

    async def _stop(self, bots: list[Bot], rng: Random) -> None:
        for bot in bots:
            self._note("stop", bot)
            await bot.stop()
        await self.sleep(rng.choice((0.1, 0.5, 1.3, 2.5)) * self.pace.lease)
        for bot in bots:
            await bot.go_on()

    def _note(self, kind: str, bot: Bot) -> None:
        self.faults.append(Fault(time.monotonic(), kind, bot.name))


def tally(rounds: list[Round]) -> Counter[str]:
    """The faults of the nemesis, by their kind."""
    return Counter(fault.kind for each in rounds for fault in each.faults)
