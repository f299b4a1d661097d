"""Time: the clock that the bot reads and waits by, so that tests can hold it."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

WRONG_MS = 60_000
"""Difference in milliseconds between a clock and Discord's from which the clock counts as wrong."""
DATE_MS = 2_000
"""Error of such a comparison in milliseconds: Discord's answers are dated to the second."""


class Handle(Protocol):
    """A timer that can be cancelled."""

    def cancel(self) -> None:
        """Cancel the timer. Harmless if it has fired."""


class Clock(Protocol):
    """Time, injected so that tests can control it."""

    def now(self) -> int:
        """Return the milliseconds since 1970 (UTC)."""

    def monotonic(self) -> float:
        """Return seconds that never jump; only differences mean something."""

    def call_later(self, seconds: float, ring: Callable[[], None]) -> Handle:
        """Call `ring` on the event loop after this many seconds."""

    async def sleep(self, seconds: float) -> None:
        """Wait for this many seconds."""


class SystemClock:
    """The time of this machine, or Discord's time while the machine's clock is wrong by more than a minute.

    A clock that jumps for a while would close tables, end nights and remove what is kept for a limited time.
    """

    def __init__(self) -> None:
        self._ahead = 0

    def now(self) -> int:
        """Return the milliseconds since 1970 (UTC)."""
        return time.time_ns() // 1_000_000 - self._ahead

    def compare(self, other: int) -> int | None:
        """Compare the machine's clock with Discord's time, in milliseconds since 1970.

        Return by how many milliseconds it is ahead if it has become wrong, 0 if it is right again, else None.
        """
        before, ahead = self._ahead, time.time_ns() // 1_000_000 - other
        if abs(ahead) <= WRONG_MS:
            self._ahead = 0
        elif abs(ahead - before) > DATE_MS:
            self._ahead = ahead
        return self._ahead if bool(before) is not bool(self._ahead) else None

    def monotonic(self) -> float:
        """Return the seconds since some moment."""
        return time.monotonic()

    def call_later(self, seconds: float, ring: Callable[[], None]) -> Handle:
        """Start a timer of the running event loop, in a context of its own."""
        return asyncio.get_running_loop().call_later(seconds, ring, context=contextvars.Context())

    async def sleep(self, seconds: float) -> None:
        """Wait for this many seconds."""
        await asyncio.sleep(seconds)


@asynccontextmanager
async def time_limit(clock: Clock, seconds: float) -> AsyncIterator[None]:
    """Cancel the block once it has taken this many seconds by this clock.

    Raises:
        TimeoutError: it took longer.
    """
    async with asyncio.timeout(None) as limit:
        timer = clock.call_later(seconds, lambda: limit.reschedule(asyncio.get_running_loop().time()))
        try:
            yield
        finally:
            timer.cancel()
