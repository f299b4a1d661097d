"""Timers for the deadlines in the database, which are read shortly before they are due."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

from bot.core.clock import Clock, Handle
from bot.store.games import Deadline

RING_AGAIN_SECONDS = 10.0
"""Seconds after which a deadline rings again if its row still exists."""

_Entry = tuple[int, int, str, int]


def _entry(deadline: Deadline) -> _Entry:
    return deadline.due_at, deadline.game_id, deadline.kind, deadline.seat


class Timers:
    """Timers that ring each deadline when it is due, in table time.

    The rows decide: `found` brings the deadlines of the next seconds, `replace` those that a table has just
    changed.
    """

    def __init__(self, clock: Clock, now: Callable[[], int], ring: Callable[[Deadline], None]) -> None:
        self._clock = clock
        self._now = now
        self._ring = ring
        self._until = 0
        """The time up to which all deadlines are known."""
        self._waiting: dict[int, frozenset[Deadline]] = {}
        self._rung: dict[Deadline, float] = {}
        """Times of the deadlines that have rung and whose rows existed when they were last read."""
        self._heap: list[_Entry] = []
        self._timer: Handle | None = None

    @property
    def rung(self) -> int:
        """Number of deadlines that have rung and whose rows existed when they were last read."""
        return len(self._rung)

    def found(self, deadlines: Iterable[Deadline], until: int) -> None:
        """Take over all deadlines that are due up to `until`."""
        rows = frozenset(deadlines)
        self._rung = {deadline: at for deadline, at in self._rung.items() if deadline in rows}
        since = self._clock.monotonic() - RING_AGAIN_SECONDS
        self._waiting.clear()
        for deadline in rows:
            if self._rung.get(deadline, since) <= since:
                self._waiting[deadline.game_id] = self._waiting.get(deadline.game_id, frozenset()) | {
                    deadline
                }
        self._until = until
        self._heap = [_entry(deadline) for waiting in self._waiting.values() for deadline in waiting]
        heapq.heapify(self._heap)
        self._ring_due()

    def replace(self, game_id: int, deadlines: Iterable[Deadline]) -> None:
        """Replace the deadlines of a game."""
        upcoming = frozenset(
            deadline
            for deadline in deadlines
            if deadline.due_at <= self._until and deadline not in self._rung
        )
        before = self._waiting.pop(game_id, frozenset())
        if upcoming:
            self._waiting[game_id] = upcoming
        for deadline in upcoming - before:
            heapq.heappush(self._heap, _entry(deadline))
        if upcoming != before:
            self._arm()

    def close(self) -> None:
        """Stop ringing."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._heap.clear()
        self._waiting.clear()
        self._rung.clear()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._heap:
            seconds = max(0.0, (self._heap[0][0] - self._now()) / 1000)
            self._timer = self._clock.call_later(seconds, self._ring_due)

    def _ring_due(self) -> None:
        while self._heap and self._heap[0][0] <= self._now():
            due_at, game_id, kind, seat = heapq.heappop(self._heap)
            deadline = Deadline(game_id, kind, seat, due_at)
            waiting = self._waiting.get(game_id, frozenset())
            # a deadline that was replaced is still on the heap
            if deadline in waiting:
                self._waiting[game_id] = waiting - {deadline}
                self._rung[deadline] = self._clock.monotonic()
                self._ring(deadline)
        self._arm()
