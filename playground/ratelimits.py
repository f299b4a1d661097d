"""Discord's rate limits: a few sends per channel and route, and a global pace."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass

from playground.clock import PlaygroundClock

KEPT_BUCKETS = 4096


@dataclass(frozen=True, slots=True)
class Limit:
    """A number of requests in a number of seconds."""

    count: int
    seconds: float


SEND = Limit(5, 5.0)
EDIT = Limit(5, 5.0)
DELETE = Limit(5, 1.0)
FOLLOW_UP = Limit(5, 2.0)
REACTION = Limit(1, 0.25)
GLOBAL = Limit(50, 1.0)


@dataclass(slots=True)
class _Window:
    ends: float
    used: int


class RateLimits:
    """Counts requests per bucket and says when one has to wait."""

    def __init__(self, clock: PlaygroundClock, *, enabled: bool = True) -> None:
        self._clock = clock
        self.enabled = enabled
        self._windows: OrderedDict[tuple[str, str], _Window] = OrderedDict()

    def take(self, route: str, major: str, limit: Limit) -> tuple[dict[str, str], float]:
        """Count one request. Returns the headers and the seconds to wait (0: go on)."""
        if not self.enabled:
            return {}, 0.0
        now = self._clock.now()
        window = self._windows.get((route, major))
        if window is None or window.ends <= now:
            window = _Window(now + limit.seconds, 0)
            self._windows[route, major] = window
            if len(self._windows) > KEPT_BUCKETS:
                self._windows.popitem(last=False)
        wait = 0.0
        if window.used >= limit.count:
            wait = max(window.ends - now, 0.001)
        else:
            window.used += 1
        headers = {
            "X-RateLimit-Limit": str(limit.count),
            "X-RateLimit-Remaining": str(limit.count - window.used),
            "X-RateLimit-Reset": f"{window.ends:.3f}",
            "X-RateLimit-Reset-After": f"{max(window.ends - now, 0.0):.3f}",
            "X-RateLimit-Bucket": hashlib.sha256(route.encode()).hexdigest()[:32],
        }
        return headers, wait
