"""Scores of plays: plain numbers in, the parts of the score out. Used by both the rules and the opponents.

Source: docs/rules/molecular.md, sections 2, 3 and 5. Bonuses raise the base before the floor at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.molecular.board import FAMILIES, FAMILY, OFFSETS, Board, bonds_of
from engine.molecular.cards import BASE, CARD_BONUS, EDGES, EFFECTOR, ELEMENT, RAISED

UNSAT = EFFECTOR["unsat"]
RING = EFFECTOR["ringbonus"]
OPEN_ACCESS = EFFECTOR["openaccess"]
STRICT = EFFECTOR["strict"]
HYDROGEN = EFFECTOR["hydrogen"]
GRIGNARD = EFFECTOR["grignard"]

_CARBON = frozenset(number for number, (element, _) in enumerate(FAMILIES) if element == "C")


class TileScore(NamedTuple):
    """The parts of a tile's score: bonds satisfied, and the bonuses from active effectors."""

    bonds: int
    unsat: int = 0
    ring: int = 0
    reagent: int = 0

    @property
    def total(self) -> int:
        """The points scored."""
        return self.bonds + self.unsat + self.ring + self.reagent


class GroupScore(NamedTuple):
    """The parts of a group card's score. Without an example the total is 0."""

    examples: int
    base: int
    bonus: int
    counters: int
    weight: int

    @property
    def total(self) -> int:
        """The points scored, never below 0."""
        if not self.examples:
            return 0
        return max(0, self.base + self.bonus + self.examples - 1 - self.counters * self.weight)


_satisfied: dict[int, tuple[int, ...]] = {}


def satisfied(pattern: int) -> tuple[int, ...]:
    """Return the orders of the bonds that a tile in a cell with this rim entry satisfies."""
    found = _satisfied.get(pattern)
    if found is None:
        found = _satisfied[pattern] = bonds_of(pattern)
    return found


class _Plain(dict[int, TileScore]):
    def __init__(self, points: Callable[[tuple[int, ...]], int]) -> None:
        super().__init__()
        self._points = points

    def __missing__(self, pattern: int) -> TileScore:
        found = self[pattern] = TileScore(self._points(satisfied(pattern)))
        return found


_plain: Final = (_Plain(sum), _Plain(len))
"""The score of a tile without active effectors, by `per_edge`, then `[pattern]`."""


def tile_score(
    board: Board, cell: int, kind: int, actives: Sequence[int], reagent: int, *, per_edge: bool = False
) -> TileScore:
    """Return the score of a tile of this kind in this empty cell, if it fits; the rotation does not matter.

    Bonds count with their order, or 1 per edge with the option `per_edge`.
    """
    pattern = board.rim[cell]
    if not actives and reagent < 0:
        return _plain[per_edge][pattern]
    orders = satisfied(pattern)
    points = len(orders) if per_edge else sum(orders)
    unsat = actives.count(UNSAT) if max(orders) > 1 else 0
    ring = actives.count(RING) if len(orders) > 1 else 0
    extra = 0
    if reagent == HYDROGEN:
        extra = int(ELEMENT[kind] == "H")
    elif reagent == GRIGNARD and ELEMENT[kind] == "C":
        extra = int(_meets_carbon(board, cell, pattern))
    return TileScore(points, unsat, ring, extra)


def _meets_carbon(board: Board, cell: int, pattern: int) -> bool:
    """Return whether a bond satisfied in this cell leads to carbon."""
    return any(
        pattern >> 3 * edge & 3 and FAMILY[board.tiles[cell + OFFSETS[edge]]] in _CARBON
        for edge in range(EDGES)
    )


def weight_of(actives: Sequence[int]) -> int:
    """Return how much each handicap counter subtracts. Open access overrules Strict referee."""
    if OPEN_ACCESS in actives:
        return 0
    return 1 + actives.count(STRICT)


def group_score(group: int, count: int, counters: int, actives: Sequence[int], reagent: int) -> GroupScore:
    """Return the score of a group card with `count` examples on the table and `counters` on the group."""
    bonus = CARD_BONUS if group in RAISED.get(reagent, ()) else 0
    return GroupScore(count, BASE[group], bonus, counters, weight_of(actives))
