"""The last events of a game, and which of them came since a seat's last move."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from engine.game import Event, Seat

LATE = "late"
"""The kind of an event that no game emits: its seat took too long, so the computer moves for it."""


UNDONE = "undone"
"""Another kind that no game emits: its seat has taken back its last move, and everything after it."""


def with_late_event(events: Iterable[Event], actor: Seat | None, *, moved: bool) -> list[Event]:
    """Return the events of an action, after a `LATE` event if the player of `actor` did not choose it."""
    return [*events] if moved or actor is None else [Event(LATE, actor), *events]


class Recent:
    """The latest events of a game, at most `most`, the newest last."""

    __slots__ = ("_before", "_events", "_last", "_since", "_total")

    def __init__(self, most: int) -> None:
        self._events: deque[Event] = deque(maxlen=most)
        self._total = 0
        """Number of events added so far, including those no longer kept."""
        self._before: dict[Seat, int] = {}
        """Number of events before each seat's last move."""
        self._since: dict[Seat, int] = {}
        """Number of events before the last move of each seat's previous turn."""
        self._last: Seat | None = None
        """The seat that moved last."""

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __len__(self) -> int:
        return len(self._events)

    def add(self, events: Iterable[Event], mover: Seat | None) -> None:
        """Add the events of a move by `mover`, or None if no player chose it, such as a deadline."""
        if mover is not None:
            if mover != self._last:
                self._since[mover] = self._before.get(mover, 0)
            self._before[mover] = self._total
        self._last = mover
        for event in events:
            self._events.append(event)
            self._total += 1

    def moved(self, seat: Seat) -> bool:
        """Return whether this seat has moved, as far as moves are kept."""
        return seat in self._before

    @property
    def total(self) -> int:
        """Number of events counted since the table was loaded."""
        return self._total

    def after(self, count: int) -> list[Event]:
        """Return the events after the first `count`, as far as they are kept."""
        new = self._total - count
        return list(self._events)[-new:] if new > 0 else []

    def since(self, seat: Seat) -> list[Event]:
        """Return the events from a seat's last move on, as far as they are kept, or all if it has not moved.

        In a turn of several moves, start at the last move of the previous turn, so that the other players'
        moves stay visible.
        """
        start = self._since if seat == self._last else self._before
        count = self._total - start.get(seat, 0)
        return list(self._events)[-count:] if count else []
