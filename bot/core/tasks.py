"""Short tasks in the background, which no caller waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import structlog

from bot.store.database import Fenced

log = structlog.get_logger(__name__)

Spawn: TypeAlias = Callable[[Coroutine[Any, Any, Any], str], None]
"""Start a short task under a name; its errors are logged."""


class Tasks:
    """The tasks of one bot. Before `open` and after `halt` nothing is started."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[object]] = set()
        self._open = False

    def open(self) -> None:
        """Start tasks from now on."""
        self._open = True

    def halt(self) -> None:
        """Start no more tasks. Those under way continue."""
        self._open = False

    def spawn(self, work: Coroutine[object, object, object], name: str) -> None:
        """Start a short task; an error in it is logged with its name."""
        if not self._open:
            work.close()
            return
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._done)

    async def end(self) -> None:
        """Cancel the tasks under way, and wait until they have ended."""
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._running.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, Fenced):
            log.info("task given up: another process plays", task=task.get_name())
        else:
            log.error("task failed", task=task.get_name(), exc_info=error)
