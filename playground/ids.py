"""Snowflakes: ids that carry their time, as Discord's do."""

from __future__ import annotations

from playground.clock import PlaygroundClock

EPOCH_MS = 1_420_070_400_000


class Snowflakes:
    """Makes ids that always grow, also when the clock stands still."""

    def __init__(self, clock: PlaygroundClock) -> None:
        self._clock = clock
        self.last = 0
        """The youngest id so far."""

    def next(self) -> int:
        """Return a new id for this moment."""
        fresh = (int(self._clock.now() * 1000) - EPOCH_MS) << 22
        self.last = fresh if fresh > self.last else self.last + 1
        return self.last

    def on_shard(self, index: int, count: int) -> int:
        """Return a new id that belongs to a shard, from a few milliseconds ahead where need be."""
        moment = (self.next() >> 22) + 1
        self.last = (moment + (index - moment) % count) << 22
        return self.last


def moment(snowflake: int) -> float:
    """Return the time (seconds since 1970) that an id carries."""
    return ((snowflake >> 22) + EPOCH_MS) / 1000
