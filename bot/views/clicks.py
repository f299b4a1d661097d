"""Two clicks that follow each other at once: the second was meant as the first, and is no mistake."""

from __future__ import annotations

from collections.abc import Awaitable

from cachetools import LRUCache

from bot.tables.ports import Clock, Refused

SECONDS = 3.0
"""So far apart two clicks may be that were meant as one."""
RARELY_SECONDS = 600.0
"""Nobody is called to the same table again within so long."""
MOST = 5000


class Clicks:
    """Who has clicked what a moment ago."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._done: LRUCache[tuple[int, str], float] = LRUCache(MOST)
        self._clicked: LRUCache[tuple[int, str], float] = LRUCache(MOST)

    def first(self, user_id: int, custom_id: str) -> bool:
        """Whether this is no second click of a double one: for what each click would do anew."""
        key, now = (user_id, custom_id), self._clock.monotonic()
        before = self._clicked.get(key)
        self._clicked[key] = now
        return before is None or now - before > SECONDS

    def rarely(self, user_id: int, what: str) -> bool:
        """Whether this was not done to the person in the last minutes; then it counts as done."""
        key, now = (user_id, what), self._clock.monotonic()
        before = self._done.get(key)
        if before is not None and now - before <= RARELY_SECONDS:
            return False
        self._done[key] = now
        return True

    def take_back(self, user_id: int, what: str) -> None:
        """It was not done after all: what `rarely` counted may be done at once."""
        self._done.pop((user_id, what), None)

    def forget(self, user_id: int) -> None:
        """Know nothing any more of what a person has clicked."""
        for memory in (self._done, self._clicked):
            for key in [key for key in memory if key[0] == user_id]:
                del memory[key]

    async def once(self, user_id: int, custom_id: str, work: Awaitable[None]) -> bool:
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
