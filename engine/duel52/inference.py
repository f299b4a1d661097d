"""What play has shown of the backs that lie on the table: who leaves a card face-down does not want its power
yet, or lies in wait with a 3.

Jacks, 2s and 4s are turned up soon while cards are drawn, so a back that has lain long is seldom one of them
and four times as often a 3 as chance would have it. `python -m bench.duel52_inference --fit` counts that in
games of the steady opponent; who plays here may leave other cards, so half of it is believed.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

from engine.duel52.observation import HIDDEN, Observation
from engine.duel52.state import DuelState

AGES: Final = (2, 6, 12)
"""A back is older the more cards were laid since: more than so many."""
PILES: Final = (0, 8)
"""What people turn up hangs on what is to be drawn: more than so many cards."""
LEAST, MOST = 0.2, 4.0
"""No rank is said to be rarer or more frequent than that, however few backs were counted."""
_LAIN: Final = (
    (
        (1.98, 0.66, 1.92, 0.5, 0.44, 0.62, 0.86, 1.99, 0.41, 0.25, 1.07, 0.72, 0.36),
        (0.5, 1.39, 0.91, 1.08, 0.83, 1.07, 1.2, 1.26, 1.15, 0.27, 1.09, 0.98, 1.21),
        (0.2, 2.05, 0.2, 1.23, 1.48, 1.24, 1.26, 0.49, 1.0, 0.2, 1.0, 1.25, 1.48),
    ),
    (
        (1.25, 1.58, 1.51, 0.51, 0.4, 0.81, 1.05, 1.62, 0.54, 0.2, 1.18, 0.79, 0.77),
        (0.46, 2.25, 0.65, 1.1, 0.91, 0.84, 1.21, 1.05, 0.58, 0.2, 1.3, 1.41, 0.94),
        (0.2, 2.97, 0.2, 1.03, 1.58, 1.11, 0.77, 0.36, 0.6, 0.2, 1.04, 1.63, 1.34),
    ),
    (
        (0.37, 2.06, 1.04, 0.49, 0.63, 0.83, 1.58, 1.63, 0.64, 0.2, 1.0, 1.34, 0.8),
        (0.2, 3.6, 0.45, 0.88, 1.1, 0.99, 0.83, 1.08, 0.29, 0.2, 1.41, 1.07, 0.81),
        (0.2, 4.0, 0.2, 0.8, 1.88, 0.66, 0.66, 0.31, 0.34, 0.2, 0.91, 1.44, 1.45),
    ),
    (
        (0.2, 4.0, 0.22, 0.51, 1.3, 0.52, 0.91, 0.87, 0.2, 0.2, 1.12, 1.07, 0.51),
        (0.2, 4.0, 0.2, 0.79, 1.75, 0.35, 0.56, 0.32, 0.2, 0.2, 1.28, 1.76, 0.81),
        (0.2, 4.0, 0.2, 0.72, 2.25, 0.43, 0.57, 0.2, 0.23, 0.2, 0.38, 1.2, 1.47),
    ),
)
"""By age, what is to be drawn, and rank from 2 to Ace: how often a back is that rank, chance being 1."""
_WEIGHTS: Final = tuple(tuple(tuple(sqrt(often) for often in ranks) for ranks in piles) for piles in _LAIN)
"""What a rank counts for: the root of that foretells backs of Casual and Newcomer too, all of it does not."""


def likelihood(seen: Observation) -> Callable[[DuelState], float]:
    """How well a world explains which cards were left face-down, as a weight beside other worlds'."""
    lain = backs(seen)

    def weigh(world: DuelState) -> float:
        product = 1.0
        for unit, row in lain:
            product *= row[world.card[unit] >> 2]
        return product

    return weigh


def backs(seen: Observation) -> list[tuple[int, tuple[float, ...]]]:
    """The backs that the viewer does not know and their owner does, each with what it counts for by rank.

    Bases say nothing, since nobody chose them; Vampiric games neither, whose powers are others.
    """
    if seen.vampiric:
        return []
    drawn = place(seen.pile, PILES)
    return [
        (unit.unit, _WEIGHTS[place(seen.laid - unit.unit, AGES)][drawn])
        for at, row in enumerate(seen.rows)
        for unit in row
        if unit.card == HIDDEN and unit.knowers & _side(seen, at // seen.setup.lanes)
    ]


def place(count: int, bounds: tuple[int, ...]) -> int:
    """How many of these bounds a count exceeds.

    >>> place(0, (2, 6)), place(5, (2, 6)), place(9, (2, 6))
    (0, 1, 2)
    """
    return sum(count > bound for bound in bounds)


def _side(seen: Observation, side: int) -> int:
    """The seats of a side, as `knowers` has them."""
    return sum(1 << seat for seat in range(seen.setup.seats) if seat % seen.setup.sides == side)
