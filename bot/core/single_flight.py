"""Single flight: callers who ask for the same work at the same time share it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from bot.telemetry.trace import waiting_for

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Work by key, at most one task per key. A caller who is cancelled does not cancel the shared task."""

    def __init__(self, name: str) -> None:
        """`name` and the key together name the task."""
        self._name = name
        self._under_way: dict[Hashable, asyncio.Task[T]] = {}

    async def do(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the task under way for this key, or else of this work."""
        task = self._under_way.get(key)
        if task is not None:
            return await asyncio.shield(task)
        task = self._under_way[key] = asyncio.create_task(work(), name=f"{self._name} {key}")
        task.add_done_callback(lambda _: self._under_way.pop(key, None))
        # callers get its error; if none is left, no one needs it
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        with waiting_for(task):
            return await asyncio.shield(task)

    async def end(self) -> None:
        """Cancel the tasks under way, and wait until they have ended."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
