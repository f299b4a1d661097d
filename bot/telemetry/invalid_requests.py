"""A count of requests that Discord calls invalid: after 10,000 in ten minutes it blocks the address."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final

import structlog

log = structlog.get_logger(__name__)

MOST: Final = 10_000
"""Invalid requests in ten minutes after which Discord blocks an address for an hour or longer."""
NEAR: Final = 5_000
"""Invalid requests in ten minutes from which the bot slows down what no one has asked for."""
SPAN_SECONDS: Final = 600.0
_STEP_SECONDS: Final = 10.0
STATUSES: Final = frozenset((401, 403, 429))


class InvalidRequests:
    """Invalid requests of the last ten minutes, in steps of ten seconds."""

    def __init__(self, share: float = 1.0, *, now: Callable[[], float] = monotonic) -> None:
        """`share`: the part of the bot's work that this process does."""
        self._now = now
        self._steps: deque[tuple[float, int]] = deque()
        self._near = NEAR * share
        self._warned = False

    def note(self, status: int, headers: Mapping[str, str]) -> None:
        """Record an answer of Discord. A limit that others share costs the bot nothing."""
        if status not in STATUSES or headers.get("X-RateLimit-Scope") == "shared":
            return
        step = self._now() // _STEP_SECONDS * _STEP_SECONDS
        before = self._steps.pop()[1] if self._steps and self._steps[-1][0] == step else 0
        self._steps.append((step, before + 1))
        if self.near and not self._warned:
            log.warning("Discord refuses many requests, and may block this address", n=self.count, of=MOST)
        self._warned = self.near

    @property
    def count(self) -> int:
        """Invalid requests in the last ten minutes."""
        oldest = self._now() - SPAN_SECONDS
        while self._steps and self._steps[0][0] < oldest:
            self._steps.popleft()
        return sum(count for _, count in self._steps)

    @property
    def near(self) -> bool:
        """Whether the limit is near, so that calls no one asked for slow down."""
        return self.count >= self._near
