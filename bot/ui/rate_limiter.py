"""Rate limits: a token bucket for each person, channel or table."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache, TTLCache

from bot.core.clock import Clock
from bot.core.errors import Refused

MOST_PEOPLE = 10_000
"""Maximum number of people whose press rate is remembered."""


class RateLimiter:
    """Allows `rate` presses per second and bursts of `room`, by default two seconds' worth."""

    def __init__(self, clock: Clock, rate: float, room: float | None = None) -> None:
        self._clock = clock
        self._rate = rate
        self._room = max(1.0, 2 * rate if room is None else room)
        # a full bucket need not be remembered, and a deletion must not fill one
        seconds = self._room / rate
        self._left: TTLCache[Hashable, tuple[float, float]] = TTLCache(MOST_PEOPLE, seconds, clock.monotonic)
        """The number of tokens left and the time of that count, by person."""

    def _tokens(self, key: Hashable, now: float) -> float:
        tokens, since = self._left.get(key, (self._room, now))
        return min(self._room, tokens + (now - since) * self._rate)

    def allows(self, key: Hashable) -> bool:
        """Return whether this person may press now, and count the press."""
        now = self._clock.monotonic()
        tokens = self._tokens(key, now)
        self._left[key] = (tokens - 1 if tokens >= 1 else tokens, now)
        return tokens >= 1

    def seconds_until(self, key: Hashable) -> float:
        """Return the seconds until this person may press, 0 if they may now. This counts no press."""
        return max(0.0, (1 - self._tokens(key, self._clock.monotonic())) / self._rate)


@dataclass(frozen=True, slots=True)
class PostLimit:
    """A limit on posts: the number allowed at once, and the seconds until another one is allowed."""

    name: str
    room: int
    seconds: float


IN_CHANNEL: Final = PostLimit("channel", 15, 2.0)
"""Posts in one channel that people request from the bot."""
OF_TABLE: Final = PostLimit("table", 1, 10.0)
"""Posts about one table: the table again, its replay, its end-of-game picture."""
OF_MATCH: Final = PostLimit("match", 3, 200.0)
"""Changes to the result of one match. Each is announced and calls the players of the next match."""
MOST_PRESSES = 1000
"""Maximum number of presses that are remembered as counted."""


class PostLimiter:
    """Limits the public posts that presses cause, across all people."""

    def __init__(self, clock: Clock) -> None:
        self._limiters = {
            limit: RateLimiter(clock, 1 / limit.seconds, limit.room)
            for limit in (IN_CHANNEL, OF_TABLE, OF_MATCH)
        }
        self._counted: LRUCache[tuple[int, PostLimit], None] = LRUCache(MOST_PRESSES)

    def claim(self, press: int, subjects: dict[PostLimit, Hashable]) -> None:
        """Count a post about these subjects, each once per press.

        Raises:
            Refused: a subject was posted about too recently, with the seconds until the next post. Nothing is
                counted.
        """
        fresh = {limit: key for limit, key in subjects.items() if (press, limit) not in self._counted}
        for limit, key in fresh.items():
            if seconds := self._limiters[limit].seconds_until(key):
                raise Refused(f"posted_{limit.name}", n=math.ceil(seconds))
        for limit, key in fresh.items():
            self._limiters[limit].allows(key)
            self._counted[press, limit] = None
