"""Where computer opponents think: worker processes that hold the engine and nothing else."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any

from bot import worker
from engine import catalog


def decide(game: str, level: str, observation: Any, actions: Sequence[Any]) -> Any:
    """One of the actions, by the opponent of this level; runs in the worker."""
    return catalog.get(game).opponents[level](observation, actions, random.Random())


def call_by_name(name: str, *args: Any) -> Any:
    """Call `module:function`, imported here, in the worker, and nowhere else.

    Raises:
        Exception: whatever the function raises.
    """
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)(*args)


class WorkerThinker:
    """Opponents think in `workers` processes; with 0 in one thread, for tests and tiny machines."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: Executor | None = None

    def _executor(self) -> Executor:
        if self._pool is None:
            if self._workers:
                # spawned, not forked: a fork would carry the memory and the locks of the bot along
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self._workers, mp_context=context, initializer=worker.begin)
            else:
                self._pool = ThreadPoolExecutor(1, thread_name_prefix="opponent")
        return self._pool

    async def choose(self, game: str, level: str, observation: Any, actions: Sequence[Any]) -> Any:
        """The opponent's choice. A forced one is made without thinking.

        Raises:
            BrokenProcessPool: a worker died twice in a row.
        """
        if len(actions) == 1:
            return actions[0]
        return await self.run(decide, game, level, observation, actions)

    async def run(self, work: Callable[..., Any], *args: Any) -> Any:
        """Call a function in a worker.

        Raises:
            BrokenProcessPool: a worker died twice in a row.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._executor(), work, *args)
        except BrokenProcessPool:
            await self.close()
            return await loop.run_in_executor(self._executor(), work, *args)

    async def close(self) -> None:
        """Stop the workers."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
