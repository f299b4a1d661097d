"""Time, as the playground sees it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A call that is planned and can be taken back."""

    def cancel(self) -> None:
        """Forget the planned call."""


class PlaygroundClock(Protocol):
    """What the server needs of time."""

    def now(self) -> float:
        """Seconds since 1970."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Call back after `delay` seconds, on the event loop."""


class RealClock:
    """The machine's clock and the running event loop."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Call back after `delay` seconds, on the event loop."""
        return asyncio.get_running_loop().call_later(delay, callback)
