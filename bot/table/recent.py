"""The last events of a game, and which of them came since a seat's last move."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from engine.game import Event, Seat

LATE = "late"
"""The kind of an event that no game tells: its seat took too long, so the computer moves for it."""


UNDONE = "undone"
"""The kind of another one: its seat has taken back what it did last, and all that came after."""


def with_late_event(events: Iterable[Event], actor: Seat | None, *, moved: bool) -> list[Event]:
    """What an action led to, and before it that whoever holds the seat did not choose it."""
    return [*events] if moved or actor is None else [Event(LATE, actor), *events]


class Recent:
    """Up to `most` events, the newest last."""

    __slots__ = ("_before", "_events", "_last", "_since", "_total")

    def __init__(self, most: int) -> None:
        self._events: deque[Event] = deque(maxlen=most)
        self._total = 0
        """How many events there were in all."""
        self._before: dict[Seat, int] = {}
        """By seat: how many of them came before its last move."""
        self._since: dict[Seat, int] = {}
        """By seat: how many came before the move that was its last one when somebody else moved."""
        self._last: Seat | None = None
        """Whose move came last."""

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __len__(self) -> int:
        return len(self._events)

    def add(self, events: Iterable[Event], mover: Seat | None) -> None:
        """What a move of `mover` led to; None: nobody decided it, such as a deadline."""
        if mover is not None:
            if mover != self._last:
                self._since[mover] = self._before.get(mover, 0)
            self._before[mover] = self._total
        self._last = mover
        for event in events:
            self._events.append(event)
            self._total += 1

    def moved(self, seat: Seat) -> bool:
        """Whether this seat has moved, as far as is kept."""
        return seat in self._before

    @property
    def total(self) -> int:
        """How many events there were in all, as far as they were counted since the table was loaded."""
        return self._total

    def after(self, count: int) -> list[Event]:
        """What came after so many events, as far as it is kept."""
        new = self._total - count
        return list(self._events)[-new:] if new > 0 else []

    def since(self, seat: Seat) -> list[Event]:
        """What came of the last move of a seat, and all that came after it, as far as it is kept; everything
        where the seat has not moved yet. In a turn of several moves it is the last one of the turn before, so
        that what the others did stays in view."""
        start = self._since if seat == self._last else self._before
        count = self._total - start.get(seat, 0)
        return list(self._events)[-count:] if count else []
