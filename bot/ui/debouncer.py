"""Debouncing: the second click of a double click, and cooldowns of actions."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager

import aiohttp
from cachetools import LRUCache, TTLCache

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.workers.errors import TooSlow, WorkerDied

SECONDS = 3.0
"""Maximum seconds between the two clicks of a double click."""
COOLDOWN_SECONDS = 600.0
"""Seconds until someone can be called to the same table again, or can repeat something expensive."""
MOST = 5000
TOOK_TOO_LONG = (TooSlow, WorkerDied, TimeoutError)
"""Failures of expensive work that used up its time, or the memory of its worker."""


class Debouncer:
    """The recent clicks and expensive actions of each person."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._done: TTLCache[tuple[int, str], float] = TTLCache(MOST, COOLDOWN_SECONDS, clock.monotonic)
        self._doing = set[tuple[int, str]]()
        self._clicked: LRUCache[tuple[int, str], float] = LRUCache(MOST)

    def is_first_click(self, user_id: int, custom_id: str) -> bool:
        """Note a click. Return False for the second click of a double click."""
        key, now = (user_id, custom_id), self._clock.monotonic()
        last_click = self._clicked.get(key)
        self._clicked[key] = now
        return last_click is None or now - last_click > SECONDS

    def start_cooldown(self, user_id: int, what: str, seconds: float = COOLDOWN_SECONDS) -> bool:
        """Start a cooldown for this person and action, at most `COOLDOWN_SECONDS` long.

        Return False if one is running.
        """
        key, now = (user_id, what), self._clock.monotonic()
        last_time = self._done.get(key)
        if last_time is not None and now - last_time <= seconds:
            return False
        self._done[key] = now
        return True

    @contextmanager
    def cooldown(
        self, user_id: int, what: str, refusal: str, seconds: float = COOLDOWN_SECONDS
    ) -> Iterator[None]:
        """Let a person do something expensive once at a time, and not again within `seconds`.

        Cooldowns last at most `COOLDOWN_SECONDS`. Failures do not start one, unless they took too long, since
        those cost most.

        Raises:
            Refused: `refusal`, if it is too soon.
        """
        key = (user_id, what)
        last_time = self._done.get(key)
        recent = last_time is not None and self._clock.monotonic() - last_time <= seconds
        if recent or key in self._doing:
            raise Refused(refusal)
        self._doing.add(key)
        try:
            yield
        except TOOK_TOO_LONG as error:
            if not isinstance(error, aiohttp.ClientError):  # Discord was slow, not the work
                self._done[key] = self._clock.monotonic()
            raise
        else:
            self._done[key] = self._clock.monotonic()
        finally:
            self._doing.discard(key)

    def forget(self, user_id: int) -> None:
        """Forget a person's clicks. Cooldowns stay until they end, so that a deletion lifts no limit."""
        for key in [key for key in self._clicked if key[0] == user_id]:
            del self._clicked[key]

    async def run_once(self, user_id: int, custom_id: str, work: Awaitable[None]) -> bool:
        """Do the work of a click. Return False if it is refused only because the same click was just handled.

        Raises:
            Refused: it is refused, and no such click was just handled.
            Exception: any other error of `work`.
        """
        key, now = (user_id, custom_id), self._clock.monotonic()
        last_click = self._clicked.get(key)
        self._clicked[key] = now
        try:
            await work
        except Refused:
            if last_click is not None and now - last_click <= SECONDS:
                return False
            self._clicked.pop(key, None)
            raise
        except BaseException:
            self._clicked.pop(key, None)
            raise
        return True
