"""What share of the win a position of Duel 52 promises at the end of a turn.

`outlook` judges which of two turns is better, this module how likely the win is.

A regression on games of Steady against itself (`python -m bench.duel52_judge --fit`): the logarithm of the
odds is a sum of what is listed in `traits`, each by a weight that goes with the cards left to draw.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import exp, tanh
from typing import Final

from engine.duel52.outlook import standing, worths
from engine.duel52.race import race
from engine.duel52.sample import World
from engine.game import Seat

TRAITS: Final = ("ended", "sides", "middle", "hands", "cards", "hope", "reach", "near")
"""That the own turn has just ended; the lead in the strongest and the weakest lane together, and in the one
between them, which decides; cards in hand more than the others hold, and on the table; what a plan promises
beside the position where it ends; who wins a race in the running turn or the next, and in one of four."""
KNOTS: Final = (0, 3, 9, 20)
"""Cards to draw at which the weights were found; between them they change evenly."""
WEIGHTS: Final = (
    (0.27, 3.5, 4.52, 0.56, -0.29, 0.3, 0.92, 1.02),
    (0.22, 4.6, 2.75, 0.39, -0.22, 0.54, 0.0, 0.0),
    (0.15, 2.97, 1.63, 0.34, -0.08, 0.1, 0.0, 0.0),
    (0.33, 1.27, 0.56, 0.14, -0.1, 0.25, 0.0, 0.0),
)
"""By knot, then by trait."""
_WIDE: Final = 6.0
"""A lead of so much in one lane is worth three quarters of any lead there."""
_NEAR, _REACH = 4, 2
"""Turns that are looked ahead."""
_SLOPE, _LEAST, _EARLY = 0.13, 0.02, 16
"""With three sides: how much a point of `outlook` adds to the odds of the win, as a logarithm, once the draw
pile is empty, the less the longer the pile is, and the least from `_EARLY` cards on."""


def share(state: World, seat: Seat, value: float) -> float:
    """The share of the win that a seat can expect where a turn ends here that was worth so much to it."""
    if state.ranks:
        ranks = state.ranks
        return 0.0 if ranks[seat] > 1 else state.seats / (state.sides * ranks.count(1))
    if state.sides > 2:
        slope = max(_LEAST, _SLOPE * (1 - len(state.pile) / _EARLY))
        return 1 / (1 + (state.sides - 1) * exp(-slope * value))
    weights = weights_at(len(state.pile))
    return 1 / (1 + exp(-sum(one * by for one, by in zip(traits(state, seat, value), weights, strict=True))))


def traits(state: World, seat: Seat, value: float) -> tuple[float, ...]:
    """What speaks for a seat in a game of two sides, see `TRAITS`."""
    side, lanes, rows = seat % 2, state.lanes, worths(state, seat)
    own, others = side * lanes, (1 - side) * lanes
    low, *middle, high = sorted(rows[own + lane] - rows[others + lane] for lane in range(lanes))
    held = [sum(len(hand) for hand in state.hands[one::2]) for one in (side, 1 - side)]
    laid = [sum(len(row) for row in state.rows[one : one + lanes]) for one in (own, others)]
    won = None if state.pile else race(state, _NEAR)
    sign = 0 if won is None else 1 if won[0] == side else -1
    return (
        1.0,
        tanh(low / _WIDE) + tanh(high / _WIDE),
        sum(tanh(lead / _WIDE) for lead in middle),
        float(held[0] - held[1]),
        float(laid[0] - laid[1]),
        value - standing(state, seat, rows),
        float(sign if won is not None and won[1] < _REACH else 0),
        float(sign),
    )


def weights_at(pile: int) -> Sequence[float]:
    """The weights of all traits with so many cards to draw."""
    at = bisect_right(KNOTS, pile)
    if at == len(KNOTS):
        return WEIGHTS[-1]
    part = (pile - KNOTS[at - 1]) / (KNOTS[at] - KNOTS[at - 1])
    return [one + part * (then - one) for one, then in zip(WEIGHTS[at - 1], WEIGHTS[at], strict=True)]
