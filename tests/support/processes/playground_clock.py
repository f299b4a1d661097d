"""A clock for the playground that tests move by hand."""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable

from playground.clock import Timer


class _ManualTimer:
    __slots__ = ("callback", "cancelled")

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback = callback
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class ManualClock:
    """A clock that stands still until `advance` moves it: for deadlines in tests."""

    def __init__(self, start: float | None = None) -> None:
        self._now = time.time() if start is None else start
        self._order = itertools.count()
        self._timers: list[tuple[float, int, _ManualTimer]] = []

    def now(self) -> float:
        """Seconds since 1970, as last moved."""
        return self._now

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Plan a call; it happens inside the `advance` that reaches it."""
        timer = _ManualTimer(callback)
        heapq.heappush(self._timers, (self._now + delay, next(self._order), timer))
        return timer

    def advance(self, seconds: float) -> None:
        """Move on, making every call that falls due on the way, in order."""
        end = self._now + seconds
        while self._timers and self._timers[0][0] <= end:
            self._now, _, timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                timer.callback()
        self._now = end
