"""Background loops: work that runs again and again, even after errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.core.tasks import Spawn
from bot.store.database import Fenced, StoreError

log = structlog.get_logger(__name__)

RETRY = Backoff(first=5.0, longest=60.0)
"""Pauses after failures, unless a loop has its own."""
ILL_SECONDS = 300.0
"""A loop is ill once it has failed, or is overdue, for this long, unless it says otherwise."""

Work = Callable[[], Awaitable[float | None]]
"""One round of a loop. Returns the seconds until the next round, or None to end the loop."""


@dataclass(slots=True)
class Loop:
    """One background loop and how it is doing; times are monotonic seconds."""

    name: str
    work: Work
    retry: Backoff
    longest: float
    """Seconds by which it may be overdue or failing before it is ill."""
    looked_at: float
    """The end of the last round that succeeded; at first, when the loop was started."""
    due_at: float
    """When the next round is due, or the running one was."""
    failures: int = 0
    """Failures since the last round that succeeded."""
    failing_since: float | None = None
    why: str = ""
    """The last failure: the kind of a StoreError, or the name of the exception's class."""


class Loops:
    """The background loops of one bot. They stop when `spawn` starts nothing any more."""

    def __init__(self, clock: Clock, spawn: Spawn) -> None:
        self._clock = clock
        self._spawn = spawn
        self.running: dict[str, Loop] = {}

    def keep(
        self,
        name: str,
        work: Work,
        *,
        first: float | None = None,
        retry: Backoff = RETRY,
        longest: float = ILL_SECONDS,
    ) -> None:
        """Run `work` now, or in `first` seconds, and again after each pause that it returns.

        After an error it runs again as `retry` says.
        `longest`: seconds that a round may take before the loop counts as ill.
        """
        now = self._clock.monotonic()
        due_at = now + (first or 0.0)
        loop = self.running[name] = Loop(name, work, retry, longest, looked_at=now, due_at=due_at)
        if first is None:
            self._start(loop)
        else:
            self._clock.call_later(first, lambda: self._start(loop))

    def ill(self) -> list[Loop]:
        """Return the loops that have failed, or have been overdue, for too long."""
        now = self._clock.monotonic()
        return [
            loop
            for loop in self.running.values()
            if now - (loop.due_at if loop.failing_since is None else loop.failing_since) >= loop.longest
        ]

    def _start(self, loop: Loop) -> None:
        if self.running.get(loop.name) is loop:
            self._spawn(self._round(loop), loop.name)

    async def _round(self, loop: Loop) -> None:
        try:
            pause = await loop.work()
        except Fenced:
            log.info("loop ended: another process plays", loop=loop.name)
            pause = None
        except Exception as error:  # noqa: BLE001 - a loop outlives whatever goes wrong in it
            pause = self._failed(loop, error)
        else:
            loop.failures, loop.failing_since, loop.why = 0, None, ""
            loop.looked_at = self._clock.monotonic()
        if pause is None:
            self.running.pop(loop.name, None)
            return
        loop.due_at = self._clock.monotonic() + pause
        self._clock.call_later(pause, lambda: self._start(loop))

    def _failed(self, loop: Loop, error: Exception) -> float:
        loop.failures += 1
        if loop.failing_since is None:
            loop.failing_since = self._clock.monotonic()
        pause = loop.retry.pause(loop.failures)
        if isinstance(error, StoreError):
            loop.why = error.kind
            log.warning("loop failed", loop=loop.name, kind=error.kind, again_in=pause)
        else:
            loop.why = type(error).__name__
            log.error("loop failed", loop=loop.name, again_in=pause, exc_info=error)
        return pause
