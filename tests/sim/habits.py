"""People who pass automatically, and a store that fails for a while.

Both are drawn apart from everything else, so worlds without them stay as they are. A store that fails just
when the bot owes something shows whether it tries again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.sim.plan import OUTAGE, OUTAGES, Act, Fault

if TYPE_CHECKING:
    from tests.sim.people import Person
    from tests.sim.world import World

CHANGES = 0.5
"""The share of acts that change an automatic pass; the others look at the hand."""


def press(person: Person, act: Act) -> None:
    """Change the automatic pass, or look at the hand."""
    board = person.board()
    if board is None or "hand" not in board.verbs():
        return
    hand = person.hand(board.table())
    habit = next((ref for ref in hand.offered if ref.verb == "autopass"), None) if hand is not None else None
    if hand is not None and habit is not None and act.pick * 100 % 1 < CHANGES:
        person.send(hand, habit)
    else:
        look = next(ref for ref in board.offered if ref.verb == "hand")
        person.send(board, look)


class Outages:
    """When the store of a world fails."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._until = 0.0
        self._next: list[Fault] = []
        """Outages that begin as soon as the bot owes something."""

    @property
    def under_way(self) -> bool:
        return self._world.loop.time() < self._until

    def come(self, fault: Fault) -> None:
        """Begin now, or with the next commit that leaves the bot something to do."""
        if fault.do == OUTAGE:
            self._begin(fault)
        else:
            self._next.append(fault)

    def committed(self) -> None:
        """Something was stored just now."""
        if not self._next:
            return
        rows = self._world.disk.observer.execute("SELECT DISTINCT kind FROM clocks").fetchall()
        kinds = {row[0] for row in rows}
        for fault in self._next:
            if OUTAGES[fault.do] in kinds:
                self._next.remove(fault)
                self._begin(fault)
                return

    def end(self) -> None:
        """Fail no more."""
        self._until = 0.0
        self._next.clear()

    def _begin(self, fault: Fault) -> None:
        self._world.counts[f"begun {fault.do}"] += 1
        self._until = max(self._until, self._world.loop.time() + fault.seconds)
