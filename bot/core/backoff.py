"""Pauses between retries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """A retry policy: pauses that grow with each failure in a row.

    >>> [Backoff(first=5, longest=60).pause(failures) for failures in (1, 2, 5)]
    [5.0, 10.0, 60]
    >>> list(Backoff(first=5, factor=6, retries=2))
    [5, 30]
    """

    first: float
    """Seconds after the first failure."""
    longest: float | None = None
    """Longest pause in seconds, or None without a limit."""
    factor: float = 2.0
    """Factor by which each pause is longer than the one before; 1 for equal pauses."""
    retries: int | None = None
    """Number of retries before giving up, or None to retry forever."""

    def pause(self, failures: int) -> float:
        """Return the seconds to wait after this number of failures in a row, 1 or more."""
        pause = self.first * self.factor ** min(failures - 1, 40)
        return pause if self.longest is None else min(pause, self.longest)

    def __iter__(self) -> Iterator[float]:
        """Yield the pauses of a policy that gives up.

        Raises:
            ValueError: it never gives up.
        """
        if self.retries is None:
            raise ValueError("a policy that retries forever has no list of pauses")
        return (self.pause(failures) for failures in range(1, self.retries + 1))
