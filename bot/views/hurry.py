"""How fast one person may press: a bucket of tokens for each, filled anew all the time."""

from __future__ import annotations

from cachetools import LRUCache

from bot.tables.ports import Clock

MOST_PEOPLE = 10_000
"""The number of people of whom it is remembered how fast they press."""


class Hurry:
    """Allows `rate` presses a second, and twice as many in one moment."""

    def __init__(self, clock: Clock, rate: float) -> None:
        self._clock = clock
        self._rate = rate
        self._room = max(1.0, 2 * rate)
        self._left: LRUCache[int, tuple[float, float]] = LRUCache(MOST_PEOPLE)
        """By person: how many tokens were left, and when."""

    def allows(self, user_id: int) -> bool:
        """Whether this person may press now; counts the press."""
        now = self._clock.monotonic()
        left, since = self._left.get(user_id, (self._room, now))
        left = min(self._room, left + (now - since) * self._rate)
        self._left[user_id] = (left - 1 if left >= 1 else left, now)
        return left >= 1

    def forget(self, user_id: int) -> None:
        """Know nothing any more of how fast a person presses."""
        self._left.pop(user_id, None)
