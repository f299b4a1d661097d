"""The write budget of each channel, and the priority of writes when it is nearly used up."""

from __future__ import annotations

from typing import Final

from cachetools import LRUCache

GATHER_MS = 50
"""Milliseconds that a change waits for others, so that several become one picture."""
SLOT_MS = 1100
"""Minimum milliseconds between two messages or edits in one channel."""
SPAN_MS = 5500
"""Length of the rate limit window in milliseconds. Discord allows five writes in 5,000 ms. The extra time
allows for network delays."""
TAKES: Final = 5
"""Maximum number of writes in a window. The last slot is reserved for final states."""
MOST_CHANNELS: Final = 10_000
"""Maximum number of channels that are busy at a time."""


class ChannelBudget:
    """The times of writes to each channel, in milliseconds."""

    def __init__(self) -> None:
        self._taken: LRUCache[int, tuple[int, ...]] = LRUCache(MOST_CHANNELS)

    def take(self, channel_id: int, now: int, *, last: bool) -> int:
        """Reserve the next time at which this channel accepts a message or edit, and return it.

        With `last` nothing follows it, so it goes as soon as Discord allows, ahead of waiting writes.
        """
        taken = tuple(at for at in self._taken.get(channel_id, ()) if at > now - SPAN_MS)
        due, room = now + GATHER_MS, TAKES if last else TAKES - 1
        if len(taken) >= room:
            due = max(due, taken[-room] + SPAN_MS)
        if taken and not last:
            due = max(due, taken[-1] + SLOT_MS)
        self._taken[channel_id] = tuple(sorted((*taken, due)))
        return due

    def give_back(self, channel_id: int, due: int) -> None:
        """Release a reserved time."""
        self._taken[channel_id] = tuple(at for at in self._taken.get(channel_id, ()) if at != due)

    def clear(self) -> None:
        """Forget all reservations, because the clock was set."""
        self._taken.clear()
