"""Deadlines that ring: rows in the database, one timer in memory."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

from bot.store.games import Deadline
from bot.tables.ports import Clock, Handle

LONGEST_SLEEP = 3600.0


class Alarms:
    """Rings each deadline once, when it falls due. The rows are the truth; this is their timer."""

    def __init__(self, clock: Clock, ring: Callable[[Deadline], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._heap: list[tuple[int, int, str, int]] = []
        self._of_game: dict[int, frozenset[Deadline]] = {}
        self._timer: Handle | None = None

    def replace(self, game_id: int, deadlines: Iterable[Deadline]) -> None:
        """These are now all the deadlines of this game."""
        wanted = frozenset(deadlines)
        before = self._of_game.get(game_id, frozenset())
        if wanted == before:
            return
        if wanted:
            self._of_game[game_id] = wanted
        else:
            self._of_game.pop(game_id, None)
        for deadline in wanted - before:
            heapq.heappush(self._heap, (deadline.due_at, game_id, deadline.kind, deadline.seat))
        self._arm()

    def close(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._heap.clear()
        self._of_game.clear()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._heap:
            seconds = max(0.0, (self._heap[0][0] - self._clock.now()) / 1000)
            self._timer = self._clock.call_later(min(seconds, LONGEST_SLEEP), self._rung)

    def _rung(self) -> None:
        self._timer = None
        while self._heap and self._heap[0][0] <= self._clock.now():
            due_at, game_id, kind, seat = heapq.heappop(self._heap)
            deadline = Deadline(game_id, kind, seat, due_at)
            # one that was replaced meanwhile is still on the heap, and no longer true
            if deadline in self._of_game.get(game_id, frozenset()):
                self._of_game[game_id] -= {deadline}
                self._ring(deadline)
        self._arm()
