"""The probability of winning a position of Duel 52 at the end of a turn.

`outlook` decides which of two turns is better; this module estimates how likely the win is.

`python -m tools.train.duel52_judge --fit` fits it to games of Steady against itself. The log odds are a
weighted sum of the features in `TRAITS`; the weights depend on the size of the draw pile.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import exp, tanh
from typing import Final

from engine.duel52.ai.outlook import standing, worths
from engine.duel52.ai.race import race
from engine.duel52.sample import World
from engine.game import Seat

TRAITS: Final = ("ended", "sides", "middle", "hands", "cards", "hope", "reach", "near")
"""Features: own turn just ended; sum of the leads in the strongest and the weakest lane; lead in the middle
lane, which decides; lead in cards in hand; lead in cards on the table; value of the plan beyond its final
position; winner of a race within two turns; winner within four."""
KNOTS: Final = (0, 3, 9, 20)
"""Sizes of the draw pile at which weights were fitted; between them they are interpolated linearly."""
WEIGHTS: Final = (
    (0.27, 3.5, 4.52, 0.56, -0.29, 0.3, 0.92, 1.02),
    (0.22, 4.6, 2.75, 0.39, -0.22, 0.54, 0.0, 0.0),
    (0.15, 2.97, 1.63, 0.34, -0.08, 0.1, 0.0, 0.0),
    (0.33, 1.27, 0.56, 0.14, -0.1, 0.25, 0.0, 0.0),
)
"""Weights by knot, then by feature."""
_WIDE: Final = 6.0
"""Scale of a lead in one lane: a lead this large counts three quarters of the maximum."""
_NEAR, _REACH = 4, 2
"""Numbers of turns looked ahead."""
_SLOPE, _LEAST, _EARLY = 0.13, 0.02, 16
"""With three sides: log odds per point of `outlook`, with an empty draw pile and at least; the slope falls
with the size of the pile and reaches the minimum before `_EARLY` cards."""


def share(state: World, seat: Seat, value: float) -> float:
    """Return the share of the win a seat can expect after a turn that `outlook` valued at `value`."""
    if state.ranks:
        ranks = state.ranks
        return 0.0 if ranks[seat] > 1 else state.seats / (state.sides * ranks.count(1))
    if state.sides > 2:
        slope = max(_LEAST, _SLOPE * (1 - len(state.pile) / _EARLY))
        return 1 / (1 + (state.sides - 1) * exp(-slope * value))
    weights = weights_at(len(state.pile))
    return 1 / (1 + exp(-sum(one * by for one, by in zip(traits(state, seat, value), weights, strict=True))))


def traits(state: World, seat: Seat, value: float) -> tuple[float, ...]:
    """Return the `TRAITS` of a position for a seat in a two-sided game."""
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
    """Return the weights of all features for this size of the draw pile."""
    at = bisect_right(KNOTS, pile)
    if at == len(KNOTS):
        return WEIGHTS[-1]
    part = (pile - KNOTS[at - 1]) / (KNOTS[at] - KNOTS[at - 1])
    return [one + part * (then - one) for one, then in zip(WEIGHTS[at - 1], WEIGHTS[at], strict=True)]
