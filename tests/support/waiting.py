"""Waiting for a condition, with a limit: no test waits for a fixed time (`tests/house/test_waiting.py`)."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any

LIMIT_SECONDS = 60.0
"""Long enough for a busy machine; only a test that fails waits for so long."""

PAUSE_SECONDS = 0.01


async def until(holds: Callable[[], Any], seconds: float = LIMIT_SECONDS, *, but: Any = "") -> Any:
    """Wait until this holds, and return what it says. It may be a coroutine function.

    `but`: what to tell where it never does, or a function that makes it.
    """
    end = time.monotonic() + seconds
    while True:
        found = holds()
        if inspect.isawaitable(found):
            found = await found
        if found:
            return found
        assert time.monotonic() < end, (but() if callable(but) else but) or "it never came to that"
        await asyncio.sleep(PAUSE_SECONDS)


def wait_until(holds: Callable[[], Any], seconds: float = LIMIT_SECONDS) -> Any:
    """The same in a thread or process of its own."""
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end, "it never came to that"
        time.sleep(PAUSE_SECONDS)
    return found


async def turns(count: int = 20) -> None:
    """Let everybody else in the event loop have so many turns; no time passes."""
    for _ in range(count):
        await asyncio.sleep(0)
