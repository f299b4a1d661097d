"""Where computer opponents think: worker processes that hold the engine and nothing else, here or in a
cluster."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final

from bot.workers.cluster import Cluster
from bot.workers.errors import NoAnswer
from bot.workers.pool import Pool
from engine import catalog
from engine.ai.advice import Advice, advise, luck_of
from engine.ai.motive import Motive, hindsight, motive
from engine.game import Event
from engine.verdict import Stop

THOUGHT_SECONDS: Final = 5.0
"""How long an opponent may think about one decision."""
PATIENCE: Final = 4
"""How many times longer it may think where another one cannot stand in."""
STUDY_SECONDS: Final = 2.0
"""When the teacher stops to try and answers; it is a tenth of that unless the machine is very busy."""
HINT_SECONDS: Final = 0.25
"""CPU time after which a hint is told. Nearly all take less; late in long games worlds cost more."""
KEEPSAKE_SECONDS: Final = 40.0
"""How long any other work may take; drawing a molecule begins with loading a large library."""
MAKER_REST_SECONDS: Final = 60.0
"""After that much rest the process for other work ends, and gives the memory of its libraries back."""
LONG_JOB_SECONDS: Final = 60.0
"""How long what takes seconds may take, on a machine that has much else to do."""

HEDGE_SECONDS: Final = 1.0
"""After so long without an answer of the cluster a thought is begun here as well."""


def decide(
    game: str, level: str, observation: object, actions: Sequence[object], luck: bytes | None = None
) -> object:
    """One of the actions, by the opponent of this level; the same for the same `luck`. Runs in the worker."""
    return catalog.get(game).opponents[level](observation, actions, random.Random(luck))


def hint(game: str, observation: object, actions: Sequence[object]) -> Advice:
    """What the teacher says of a decision, the same whenever it is asked, unless its time is up; runs in the
    worker.

    Raises:
        LookupError: the game has no study.
    """
    known, stop = catalog.get(game), _time_up(HINT_SECONDS)
    return advise(known, observation, actions, luck_of(observation), stop=stop)


def motive_of(game: str, usual: str, asked: Sequence[tuple[object, Event | None]]) -> tuple[int, Motive]:
    """Why a seat did what it did last, from what the asker saw before each decision and was told of it, held
    against the level `usual`; runs in the worker. Of several decisions, the newest first, the one for which a
    reason can be told, and its place among them.

    Raises:
        LookupError: the game has no study.
    """
    known, stop = catalog.get(game), _time_up()
    found = list[Motive]()
    for before, told in asked:
        found.append(motive(known, known.opponents[usual], before, told, luck_of(before, told), stop=stop))
        if found[-1].has_reason or stop():
            break
    best = next((place for place, one in enumerate(found) if one.has_reason), 0)
    return best, found[best]


def hindsight_of(game: str, asked: Sequence[tuple[object, Sequence[Any], Any]]) -> tuple[int, Advice]:
    """What would have been best for a seat in each of its last decisions, the newest first, from its own
    observation, what it could do and what it did; runs in the worker. The first of them where that can be
    told, and its place.

    Raises:
        LookupError: the game has no study.
    """
    known, stop = catalog.get(game), _time_up()
    found = list[Advice]()
    for seen, actions, made in asked:
        found.append(hindsight(known, seen, actions, made, luck_of(seen), stop=stop))
        if found[-1].clear or stop():
            break
    best = next((place for place, one in enumerate(found) if one.clear), 0)
    return best, found[best]


def _time_up(work: float = STUDY_SECONDS) -> Stop:
    """Whether the teacher is to stop: after so much work of its own, in CPU seconds, or `STUDY_SECONDS`."""
    until, spent = time.monotonic() + STUDY_SECONDS, time.thread_time() + work
    return lambda: time.thread_time() > spent or time.monotonic() > until


def load_games() -> None:
    """Import every game; runs in the worker before its first thought, whose time it would take."""
    for key in catalog.listed():
        with contextlib.suppress(Exception):  # one that cannot be imported is played by nobody
            catalog.get(key)


def call_by_name(name: str, *args: object) -> object:
    """Call `module:function`, imported here, in the worker, and nowhere else.

    Raises:
        Exception: whatever the function raises.
    """
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)(*args)


class WorkerThinker:
    """Opponents think in `workers` processes; with 0 in one thread, for tests and tiny machines.

    Other work has a process of its own, so that no opponent waits for it, and so has what takes seconds, so
    that no picture does. With a `cluster` thoughts and studies go there while it is up; what it does not
    answer, or not soon, is done here. Keepsakes and films never leave: they are pictures and people's data.

    `load_pictures` runs once in each process that may be asked for a picture. It loads what a picture needs
    and its pickle does not name, such as the painters of sprites.
    """

    def __init__(
        self,
        workers: int,
        *,
        thought_seconds: float = THOUGHT_SECONDS,
        cluster: Cluster | None = None,
        load_pictures: Callable[[], object] | None = None,
    ) -> None:
        self._thought_seconds = thought_seconds
        self.cluster = cluster
        self.thoughts = Pool("opponents", workers, prepare=load_games, wait=6 * thought_seconds)
        one = partial(Pool, workers=min(1, workers), keep=0, idle=MAKER_REST_SECONDS, prepare=load_pictures)
        self.makers = one("makers", wait=KEEPSAKE_SECONDS)
        self.analyzers = one("ponderers", wait=5 * LONG_JOB_SECONDS)
        self.films = one("films", wait=5 * LONG_JOB_SECONDS)
        self.pools = [self.thoughts, self.makers, self.analyzers, self.films]
        """All of them, with their figures."""
        if cluster is not None:
            self._far_thoughts = Pool("opponents-cluster", 0, port=cluster, wait=thought_seconds)
            self._far_studies = Pool("studies-cluster", 0, port=cluster, wait=LONG_JOB_SECONDS)
            self.pools += [self._far_thoughts, self._far_studies]

    async def warm_up(self) -> None:
        """Start the process in which opponents think here, so that it is there when the cluster is not."""
        await self.thoughts.warm_up()

    async def choose(
        self,
        game: str,
        level: str,
        observation: object,
        actions: Sequence[object],
        *,
        whose: Hashable = None,
        luck: bytes | None = None,
    ) -> object:
        """The opponent's choice. A forced one is made without thinking.

        `whose`: the table or channel that it plays at; each gets a turn. With `luck` it is the same whenever
        it is asked, and gets the time for that.

        Raises:
            NoAnswer: it thought too long, its process died twice, or too many think already.
            Exception: whatever the opponent raises.
        """
        if len(actions) == 1:
            return actions[0]
        deadline = self._thought_seconds if luck is None else PATIENCE * self._thought_seconds
        return await self._think(
            decide, game, level, observation, actions, luck, deadline=deadline, whose=whose
        )

    async def advise(self, work: Callable[..., object], *args: object, whose: Hashable = None) -> object:
        """Call a function of the teacher where the opponents think.

        Raises:
            NoAnswer: it thought too long, its process died twice, or too many think already.
            Exception: whatever the function raises.
        """
        return await self._think(work, *args, deadline=self._thought_seconds, whose=whose)

    async def _think(
        self, work: Callable[..., object], *args: object, deadline: float, whose: Hashable
    ) -> object:
        """A thought of the cluster, or one of here: whichever comes first, once the cluster is late."""
        if (threads := self._threads()) == 0:
            return await self.thoughts.run(work, *args, deadline=deadline, whose=whose)
        self._far_thoughts.most = threads
        tries = [asyncio.ensure_future(self._far_thoughts.run(work, *args, deadline=deadline, whose=whose))]
        try:
            await asyncio.wait(tries, timeout=HEDGE_SECONDS)
            if _told(tries[0]):
                return tries[0].result()
            tries.append(
                asyncio.ensure_future(self.thoughts.run(work, *args, deadline=deadline, whose=whose))
            )
            waiting = set(tries)
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if (first := next(filter(_told, done), None)) is not None:
                    return first.result()
            return tries[1].result()
        finally:
            for each in tries:
                each.cancel()

    def _threads(self) -> int:
        """How many jobs the cluster does at a time; 0 where there is none, or it is away."""
        return self.cluster.threads if self.cluster is not None and self.cluster.up else 0

    async def run(
        self,
        work: Callable[..., object],
        *args: object,
        deadline: float = KEEPSAKE_SECONDS,
        whose: Hashable = None,
    ) -> object:
        """Call a function in the other worker.

        Raises:
            NoAnswer: it took longer than `deadline` seconds, its process died, or too much waits.
            Exception: whatever the function raises.
        """
        return await self.makers.run(work, *args, deadline=deadline, whose=whose)

    async def analyze(self, work: Callable[..., object], *args: object, whose: Hashable = None) -> object:
        """Call a function that studies a finished game for seconds, in the cluster or in the third worker.

        Raises:
            NoAnswer: it took longer than a minute, its process died, or too much waits.
            Exception: whatever the function raises.
        """
        if threads := self._threads():
            # opponents are waited for, so they always have the other half
            self._far_studies.most = max(1, threads // 2)
            with contextlib.suppress(NoAnswer):
                return await self._far_studies.run(work, *args, deadline=LONG_JOB_SECONDS, whose=whose)
        return await self.analyzers.run(work, *args, deadline=LONG_JOB_SECONDS, whose=whose)

    async def draw(self, work: Callable[..., object], *args: object, whose: Hashable = None) -> object:
        """Call a function that draws for seconds, in a worker of its own, so that no review waits for it.

        Raises:
            NoAnswer: it took longer than a minute, its process died, or too much waits.
            Exception: whatever the function raises.
        """
        return await self.films.run(work, *args, deadline=LONG_JOB_SECONDS, whose=whose)

    async def close(self) -> None:
        """Stop the workers, whatever they do; nobody waits for a thought any more."""
        for pool in self.pools:
            pool.kill()


def _told(asked: asyncio.Future[object]) -> bool:
    """Whether there is an answer, be it an error of the work."""
    return asked.done() and not isinstance(asked.exception(), NoAnswer)
