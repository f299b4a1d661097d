"""How often a channel is written to: what it takes, and who goes first when it is nearly full."""

from __future__ import annotations

from typing import Final

from cachetools import LRUCache

GATHER_MS = 50
"""How long a change waits for others, so that several become one picture."""
SLOT_MS = 1100
"""The least time between two messages or edits in one channel."""
SPAN_MS = 5500
"""Discord takes five of them in five seconds; this leaves room for their way to it."""
TAKES: Final = 5
"""How many go into such a span. The last one is kept for what nothing follows."""
MOST_CHANNELS: Final = 10_000
"""As many as can be busy at a time."""


class ChannelBudget:
    """The times in milliseconds at which each channel is written to."""

    def __init__(self) -> None:
        self._taken: LRUCache[int, tuple[int, ...]] = LRUCache(MOST_CHANNELS)

    def take(self, channel_id: int, now: int, *, last: bool) -> int:
        """When this channel takes another message or edit; that time is taken from then on.

        `last`: nothing follows it, so it goes as soon as Discord allows, before what waits already.
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
        """Nobody writes at that time after all."""
        self._taken[channel_id] = tuple(at for at in self._taken.get(channel_id, ()) if at != due)

    def clear(self) -> None:
        """Forget all: the clock was set."""
        self._taken.clear()
