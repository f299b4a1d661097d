"""Deadlines that ring: rows in the database, one timer in memory."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

from bot.store.games import Deadline
from bot.tables.ports import Clock, Handle

LONGEST_SLEEP = 3600.0
SLACK = 64
"""So many replaced deadlines may lie on the heap, and as many again as there are true ones."""

_Entry = tuple[int, int, str, int]


def _entry(deadline: Deadline) -> _Entry:
    return deadline.due_at, deadline.game_id, deadline.kind, deadline.seat


class Alarms:
    """Rings each deadline once, when it falls due. The rows are the truth; this is their timer."""

    def __init__(self, clock: Clock, ring: Callable[[Deadline], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._heap: list[_Entry] = []
        self._waiting: dict[int, frozenset[Deadline]] = {}
        self._rung: dict[int, frozenset[Deadline]] = {}
        """What has rung and still stands in the rows: a seat that another one's act left alone."""
        self._count = 0
        """How many deadlines wait."""
        self._timer: Handle | None = None

    def replace(self, game_id: int, deadlines: Iterable[Deadline], *, rung: Iterable[Deadline] = ()) -> None:
        """These are now all the deadlines of this game; `rung` are those that have rung elsewhere."""
        wanted, before = frozenset(deadlines), self._waiting.get(game_id, frozenset())
        rung = self._rung.get(game_id, frozenset(rung)) & wanted
        fresh = wanted - rung
        _keep(self._rung, game_id, rung)
        if fresh == before:
            return
        _keep(self._waiting, game_id, fresh)
        for deadline in fresh - before:
            heapq.heappush(self._heap, _entry(deadline))
        self._count += len(fresh) - len(before)
        if len(self._heap) > SLACK + 2 * self._count:
            # replaced deadlines would lie here until they would have been due, with long clocks for a day
            self._heap = [_entry(deadline) for each in self._waiting.values() for deadline in each]
            heapq.heapify(self._heap)
        self._arm()

    def close(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._heap.clear()
        self._waiting.clear()
        self._rung.clear()
        self._count = 0

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._heap:
            seconds = max(0.0, (self._heap[0][0] - self._clock.now()) / 1000)
            self._timer = self._clock.call_later(min(seconds, LONGEST_SLEEP), self._ring_due)

    def _ring_due(self) -> None:
        self._timer = None
        while self._heap and self._heap[0][0] <= self._clock.now():
            due_at, game_id, kind, seat = heapq.heappop(self._heap)
            deadline = Deadline(game_id, kind, seat, due_at)
            waiting = self._waiting.get(game_id, frozenset())
            # one that was replaced meanwhile is still on the heap, and no longer true
            if deadline in waiting:
                _keep(self._waiting, game_id, waiting - {deadline})
                self._rung[game_id] = self._rung.get(game_id, frozenset()) | {deadline}
                self._count -= 1
                self._ring(deadline)
        self._arm()


def _keep(sets: dict[int, frozenset[Deadline]], game_id: int, wanted: frozenset[Deadline]) -> None:
    """Remember a set of deadlines; an empty one takes no room."""
    if wanted:
        sets[game_id] = wanted
    else:
        sets.pop(game_id, None)
