"""Servers that became available, looked at one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from bot.core.clock import Clock

PAUSE_SECONDS = 0.02
"""Seconds between two servers. A look takes three short reads, so most of the time is left for presses."""


class ServerChecks:
    """The servers that are still to be looked at.

    After a start Discord announces all servers of a bot at once. If all were looked at in that moment, the
    first press would wait until the database has answered for each of them.
    """

    def __init__(self, clock: Clock, look: Callable[[int], None]) -> None:
        self._clock = clock
        self._look = look
        self._waiting = deque[int]()
        self._pausing = False

    def add(self, guild_id: int) -> None:
        """Look at this server as soon as it is its turn, at once if none waits."""
        self._waiting.append(guild_id)
        if not self._pausing:
            self._next()

    def _next(self) -> None:
        self._pausing = bool(self._waiting)
        if self._waiting:
            self._clock.call_later(PAUSE_SECONDS, self._next)
            self._look(self._waiting.popleft())
