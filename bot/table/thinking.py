"""Worker processes for computer opponents and other long work, here or in a cluster.

They load the engine and nothing else.
"""

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
"""Time limit in seconds for one decision of an opponent."""
PATIENCE: Final = 4
"""Multiple of that limit if no other opponent can decide instead."""
STUDY_SECONDS: Final = 2.0
"""Seconds after which the teacher stops trying actions and answers. It usually takes a tenth of that."""
HINT_SECONDS: Final = 0.4
"""CPU seconds after which a hint is given. Nearly all take less; samples late in long games cost more."""
KEEPSAKE_SECONDS: Final = 40.0
"""Time limit in seconds for any other work. Drawing a molecule begins with loading a large library."""
MAKER_REST_SECONDS: Final = 60.0
"""Idle seconds after which the process for other work ends, to free the memory of its libraries."""
LONG_JOB_SECONDS: Final = 60.0
"""Time limit in seconds for work that takes seconds, on a busy machine."""

HEDGE_SECONDS: Final = 1.0
"""Seconds without an answer from the cluster after which the same work is started here as well."""


def decide(
    game: str, level: str, observation: object, actions: Sequence[object], luck: bytes | None = None
) -> object:
    """Return the action that the opponent of this level chooses. Runs in the worker.

    The same `luck` gives the same action.
    """
    return catalog.get(game).opponents[level](observation, actions, random.Random(luck))


def hint(game: str, observation: object, actions: Sequence[object]) -> Advice:
    """Return the teacher's advice for a decision. Runs in the worker.

    The advice is the same each time, unless the time runs out.

    Raises:
        LookupError: the game has no study.
    """
    rules, stop = catalog.get(game), _time_up(HINT_SECONDS)
    return advise(rules, observation, actions, luck_of(observation), stop=stop)


def motive_of(game: str, usual: str, asked: Sequence[tuple[object, Event | None]]) -> tuple[int, Motive]:
    """Return which of a seat's last decisions can be explained, as an index, and its motive. Runs in the
    worker.

    `asked` holds, newest first, what the asker saw before each decision and the event that they saw of it.
    Each is compared with the choices of the level `usual`. The first decision with a reason counts.

    Raises:
        LookupError: the game has no study.
    """
    rules, stop = catalog.get(game), _time_up()
    motives = list[Motive]()
    for observation, event in asked:
        motives.append(
            motive(rules, rules.opponents[usual], observation, event, luck_of(observation, event), stop=stop)
        )
        if motives[-1].has_reason or stop():
            break
    best = next((place for place, one in enumerate(motives) if one.has_reason), 0)
    return best, motives[best]


def hindsight_of(game: str, asked: Sequence[tuple[object, Sequence[Any], Any]]) -> tuple[int, Advice]:
    """Return which of a seat's last decisions can be judged, as an index, and what was best. Runs in the
    worker.

    `asked` holds, newest first, the seat's own observation before each decision, its legal actions and its
    choice. The first clear case counts.

    Raises:
        LookupError: the game has no study.
    """
    rules, stop = catalog.get(game), _time_up()
    advice = list[Advice]()
    for observation, actions, choice in asked:
        advice.append(hindsight(rules, observation, actions, choice, luck_of(observation), stop=stop))
        if advice[-1].clear or stop():
            break
    best = next((place for place, one in enumerate(advice) if one.clear), 0)
    return best, advice[best]


def _time_up(work: float = STUDY_SECONDS) -> Stop:
    """Return a check that is true once the teacher must stop: after this much CPU time, or
    `STUDY_SECONDS`."""
    until, spent = time.monotonic() + STUDY_SECONDS, time.thread_time() + work
    return lambda: time.thread_time() > spent or time.monotonic() > until


def load_games() -> None:
    """Import every game. Runs in the worker before its first decision, whose time it would take."""
    for key in catalog.listed():
        with contextlib.suppress(Exception):  # no one plays a game that cannot be imported
            catalog.get(key)


def call_by_name(name: str, *args: object) -> object:
    """Call `module:function`. The module is imported only in the worker.

    Raises:
        Exception: as raised by the function.
    """
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)(*args)


class WorkerThinker:
    """Computer opponents in `workers` processes, or in one thread if 0, for tests and tiny machines.

    Other work has its own process, so that no opponent waits for it. So does work that takes seconds, so that
    no picture waits for it. With a `cluster`, decisions and studies go there while it is up, and anything
    that it does not answer soon is done here. Keepsakes and films are always made here: they are pictures and
    people's data.

    `load_pictures` runs once in each process that may draw a picture. It loads what a picture needs but its
    pickle does not name, such as the painters of sprites.
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
        new_pool = partial(
            Pool, workers=min(1, workers), keep=0, idle=MAKER_REST_SECONDS, prepare=load_pictures
        )
        self.makers = new_pool("makers", wait=KEEPSAKE_SECONDS)
        self.analyzers = new_pool("ponderers", wait=5 * LONG_JOB_SECONDS)
        self.films = new_pool("films", wait=5 * LONG_JOB_SECONDS)
        self.pools = [self.thoughts, self.makers, self.analyzers, self.films]
        """All pools, with their figures."""
        if cluster is not None:
            self._far_thoughts = Pool("opponents-cluster", 0, port=cluster, wait=thought_seconds)
            self._far_studies = Pool("studies-cluster", 0, port=cluster, wait=LONG_JOB_SECONDS)
            self.pools += [self._far_thoughts, self._far_studies]

    async def warm_up(self) -> None:
        """Start the local process for opponents, so that it is ready when the cluster is not."""
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
        """Return the opponent's choice. A forced one is made without thinking.

        `whose` is the table or channel at which it plays; they take turns. With `luck` the choice is always
        the same, and gets more time.

        Raises:
            NoAnswer: it thought too long, its process died twice, or too many think already.
            Exception: as raised by the opponent.
        """
        if len(actions) == 1:
            return actions[0]
        deadline = self._thought_seconds if luck is None else PATIENCE * self._thought_seconds
        return await self._think(
            decide, game, level, observation, actions, luck, deadline=deadline, whose=whose
        )

    async def advise(self, work: Callable[..., object], *args: object, whose: Hashable = None) -> object:
        """Call a function of the teacher in a worker for opponents.

        Raises:
            NoAnswer: it thought too long, its process died twice, or too many think already.
            Exception: as raised by the function.
        """
        return await self._think(work, *args, deadline=self._thought_seconds, whose=whose)

    async def _think(
        self, work: Callable[..., object], *args: object, deadline: float, whose: Hashable
    ) -> object:
        """Return the answer of the cluster, or a local one if it comes first once the cluster is late."""
        if (threads := self._threads()) == 0:
            return await self.thoughts.run(work, *args, deadline=deadline, whose=whose)
        self._far_thoughts.most = threads
        attempts = [
            asyncio.ensure_future(self._far_thoughts.run(work, *args, deadline=deadline, whose=whose))
        ]
        try:
            await asyncio.wait(attempts, timeout=HEDGE_SECONDS)
            if _told(attempts[0]):
                return attempts[0].result()
            attempts.append(
                asyncio.ensure_future(self.thoughts.run(work, *args, deadline=deadline, whose=whose))
            )
            waiting = set(attempts)
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if (first := next(filter(_told, done), None)) is not None:
                    return first.result()
            return attempts[1].result()
        finally:
            for attempt in attempts:
                attempt.cancel()

    def _threads(self) -> int:
        """Return the number of jobs that the cluster does at a time, or 0 if it is missing or down."""
        return self.cluster.threads if self.cluster is not None and self.cluster.up else 0

    async def run(
        self,
        work: Callable[..., object],
        *args: object,
        deadline: float = KEEPSAKE_SECONDS,
        whose: Hashable = None,
    ) -> object:
        """Call a function in the worker for other work.

        Raises:
            NoAnswer: it took longer than `deadline` seconds, its process died, or too much waits.
            Exception: as raised by the function.
        """
        return await self.makers.run(work, *args, deadline=deadline, whose=whose)

    async def analyze(self, work: Callable[..., object], *args: object, whose: Hashable = None) -> object:
        """Call a function that studies a finished game for seconds, in the cluster or in a worker of its own.

        Raises:
            NoAnswer: it took longer than a minute, its process died, or too much waits.
            Exception: as raised by the function.
        """
        if threads := self._threads():
            # the other half is always free for opponents, because players wait for them
            self._far_studies.most = max(1, threads // 2)
            with contextlib.suppress(NoAnswer):
                return await self._far_studies.run(work, *args, deadline=LONG_JOB_SECONDS, whose=whose)
        return await self.analyzers.run(work, *args, deadline=LONG_JOB_SECONDS, whose=whose)

    async def draw(self, work: Callable[..., object], *args: object, whose: Hashable = None) -> object:
        """Call a function that draws for seconds, in a worker of its own, so that no review waits for it.

        Raises:
            NoAnswer: it took longer than a minute, its process died, or too much waits.
            Exception: as raised by the function.
        """
        return await self.films.run(work, *args, deadline=LONG_JOB_SECONDS, whose=whose)

    async def close(self) -> None:
        """Stop the workers, even if they are busy. No one waits for their answers any more."""
        for pool in self.pools:
            pool.kill()


def _told(call: asyncio.Future[object]) -> bool:
    """Return whether a call has an answer, even if that is an error of the work."""
    return call.done() and not isinstance(call.exception(), NoAnswer)
