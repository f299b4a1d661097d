"""Background loops: work that runs again and again, even after errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from bot.core.clock import Clock
from bot.core.tasks import Spawn
from bot.store.database import Fenced, StoreError

log = structlog.get_logger(__name__)

AGAIN_SECONDS, MOST_SECONDS = 5.0, 60.0
"""The pause after a first failure, which doubles with each failure that follows, and the longest one."""
ILL_SECONDS = 300.0
"""A loop is ill once it has failed, or is overdue, for this long, unless it says otherwise."""

Work = Callable[[], Awaitable[float | None]]
"""One round of a loop. Returns the seconds until the next round, or None to end the loop."""


def backoff(failures: int, first: float = AGAIN_SECONDS, most: float = MOST_SECONDS) -> float:
    """Return the pause in seconds after this number of failures in a row."""
    return min(first * 2.0 ** min(failures - 1, 20), most)


@dataclass(slots=True)
class Loop:
    """One background loop and how it is doing; times are monotonic seconds."""

    name: str
    work: Work
    again: float
    most: float
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
        again: float = AGAIN_SECONDS,
        most: float = MOST_SECONDS,
        longest: float = ILL_SECONDS,
    ) -> None:
        """Run `work` now, or in `first` seconds, and again after each pause that it returns.

        After an error it runs again in `again` seconds, doubled with each failure in a row up to `most`.
        `longest`: seconds that a round may take before the loop counts as ill.
        """
        now = self._clock.monotonic()
        due_at = now + (first or 0.0)
        loop = self.running[name] = Loop(name, work, again, most, longest, looked_at=now, due_at=due_at)
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
        pause = backoff(loop.failures, loop.again, loop.most)
        if isinstance(error, StoreError):
            loop.why = error.kind
            log.warning("loop failed", loop=loop.name, kind=error.kind, again_in=pause)
        else:
            loop.why = type(error).__name__
            log.error("loop failed", loop=loop.name, again_in=pause, exc_info=error)
        return pause
