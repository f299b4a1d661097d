"""Evidence from the backs on the table: a player who leaves a card face-down does not want its power yet, or
is setting a trap with a 3.

Jacks, 2s and 4s are turned up soon while cards are still drawn. A back that has been there for long is
therefore rarely one of them, and up to four times as likely as by chance to be a 3.
`python -m tools.train.duel52_inference --fit` counts this in games of the Steady opponent. Other players may
leave other cards, so the weights use only half of it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

from engine.duel52.observation import HIDDEN, Observation
from engine.duel52.state import DuelState

AGES: Final = (2, 6, 12)
"""Age limits of a back, in cards laid since; a back is older if more cards were laid."""
PILES: Final = (0, 8)
"""Limits on the size of the draw pile, which affects what people turn up."""
LEAST, MOST = 0.2, 4.0
"""Bounds on the relative frequency of a rank, however few backs were counted."""
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
"""Relative frequency of a back's rank, chance being 1: by age, draw pile, and rank from 2 to Ace."""
_WEIGHTS: Final = tuple(tuple(tuple(sqrt(often) for often in ranks) for ranks in piles) for piles in _LAIN)
"""Weights: the square root also predicts backs of Casual and Newcomer; the full ratio does not."""


def likelihood(seen: Observation) -> Callable[[DuelState], float]:
    """Return a function that weighs a sample by how well it explains which cards were left face-down."""
    lain = backs(seen)

    def weigh(world: DuelState) -> float:
        product = 1.0
        for unit, row in lain:
            product *= row[world.card[unit] >> 2]
        return product

    return weigh


def backs(seen: Observation) -> list[tuple[int, tuple[float, ...]]]:
    """Return the backs that their owner knows and the viewer does not, each with its weights by rank.

    Bases carry no evidence, because no player chose them. Vampiric games are left out, because powers differ.
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
    """Return how many of these bounds a count exceeds.

    >>> place(0, (2, 6)), place(5, (2, 6)), place(9, (2, 6))
    (0, 1, 2)
    """
    return sum(count > bound for bound in bounds)


def _side(seen: Observation, side: int) -> int:
    """Return the seats of a side as a bit mask, like `knowers`."""
    return sum(1 << seat for seat in range(seen.setup.seats) if seat % seen.setup.sides == side)
