"""Rate limits per person: a bucket of tokens for each, which refills all the time."""

from __future__ import annotations

from cachetools import TTLCache

from bot.tables.ports import Clock

MOST_PEOPLE = 10_000
"""The number of people of whom it is remembered how fast they press."""


class RateLimiter:
    """Allows `rate` presses per second for long, and `room` at once; by default two seconds' worth."""

    def __init__(self, clock: Clock, rate: float, room: float | None = None) -> None:
        self._clock = clock
        self._rate = rate
        self._room = max(1.0, 2 * rate if room is None else room)
        # a full bucket need not be remembered, and a deletion must not fill it
        seconds = self._room / rate
        self._left: TTLCache[int, tuple[float, float]] = TTLCache(MOST_PEOPLE, seconds, clock.monotonic)
        """By person: how many tokens were left, and when."""

    def allows(self, user_id: int) -> bool:
        """Return whether this person may press now, and count the press."""
        now = self._clock.monotonic()
        left, since = self._left.get(user_id, (self._room, now))
        left = min(self._room, left + (now - since) * self._rate)
        self._left[user_id] = (left - 1 if left >= 1 else left, now)
        return left >= 1
