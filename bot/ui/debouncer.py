"""Clicks that come too soon: the second click of a double click, and actions with a cooldown."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager

import aiohttp
from cachetools import LRUCache, TTLCache

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.workers.errors import TooSlow, WorkerDied

SECONDS = 3.0
"""So far apart two clicks may be that were meant as one."""
COOLDOWN_SECONDS = 600.0
"""Seconds before someone is called to the same table again, or may repeat something expensive."""
MOST = 5000
TOOK_TOO_LONG = (TooSlow, WorkerDied, TimeoutError)
"""Failures of expensive work that has used its time, or the memory of its worker."""


class Debouncer:
    """Who has clicked what a moment ago."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._done: TTLCache[tuple[int, str], float] = TTLCache(MOST, COOLDOWN_SECONDS, clock.monotonic)
        self._doing = set[tuple[int, str]]()
        self._clicked: LRUCache[tuple[int, str], float] = LRUCache(MOST)

    def is_first_click(self, user_id: int, custom_id: str) -> bool:
        """Note a click. Return False for the second click of a double click."""
        key, now = (user_id, custom_id), self._clock.monotonic()
        before = self._clicked.get(key)
        self._clicked[key] = now
        return before is None or now - before > SECONDS

    def start_cooldown(self, user_id: int, what: str, seconds: float = COOLDOWN_SECONDS) -> bool:
        """Start a cooldown for this person and action. Return False if one is running. It lasts at most
        `COOLDOWN_SECONDS`."""
        key, now = (user_id, what), self._clock.monotonic()
        before = self._done.get(key)
        if before is not None and now - before <= seconds:
            return False
        self._done[key] = now
        return True

    @contextmanager
    def cooldown(
        self, user_id: int, what: str, refusal: str, seconds: float = COOLDOWN_SECONDS
    ) -> Iterator[None]:
        """Let a person do something expensive, one at a time, and not again within `seconds`, at most
        `COOLDOWN_SECONDS`. What fails does not count, unless it took too long: that is what costs most.

        Raises:
            Refused: `refusal`, if it is too soon.
        """
        key = (user_id, what)
        before = self._done.get(key)
        recent = before is not None and self._clock.monotonic() - before <= seconds
        if recent or key in self._doing:
            raise Refused(refusal)
        self._doing.add(key)
        try:
            yield
        except TOOK_TOO_LONG as error:
            if not isinstance(error, aiohttp.ClientError):  # Discord was slow, and not the work
                self._done[key] = self._clock.monotonic()
            raise
        else:
            self._done[key] = self._clock.monotonic()
        finally:
            self._doing.discard(key)

    def forget(self, user_id: int) -> None:
        """Forget what a person has clicked. What they may do rarely is forgotten when that time is over: a
        deletion lifts no limit."""
        for key in [key for key in self._clicked if key[0] == user_id]:
            del self._clicked[key]

    async def run_once(self, user_id: int, custom_id: str, work: Awaitable[None]) -> bool:
        """Do what a click asks for; whether that was done, and not by the same click just before.

        Raises:
            Refused: it is refused, and there was no such click, or it was refused too.
            Exception: whatever else `work` raises.
        """
        key, now = (user_id, custom_id), self._clock.monotonic()
        before = self._clicked.get(key)
        self._clicked[key] = now
        try:
            await work
        except Refused:
            if before is not None and now - before <= SECONDS:
                return False
            self._clicked.pop(key, None)
            raise
        except BaseException:
            self._clicked.pop(key, None)
            raise
        return True
