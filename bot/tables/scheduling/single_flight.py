"""Single flight: what several ask for at once is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from bot.telemetry.trace import waiting_for

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Work by keys, at most one piece for each at a time. Whoever asks while it is under way waits for it;
    who no longer waits does not end it."""

    def __init__(self, name: str) -> None:
        """`name` is what the tasks are called, before their keys."""
        self._name = name
        self._under_way: dict[Hashable, asyncio.Task[T]] = {}

    async def do(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What the work under way for this key brings, or else this work."""
        task = self._under_way.get(key)
        if task is not None:
            return await asyncio.shield(task)
        task = self._under_way[key] = asyncio.create_task(work(), name=f"{self._name} {key}")
        task.add_done_callback(lambda _: self._under_way.pop(key, None))
        # whoever waits hears of its error; where nobody does any more, nobody need
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        with waiting_for(task):
            return await asyncio.shield(task)

    async def end(self) -> None:
        """Cancel what is under way, and wait until it has ended."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
