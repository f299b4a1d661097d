"""What a position of Compound Capture or Chemistry Canasta is worth to a seat, all cards known.

Points so far, what the hands promise for the rest of the round (a linear regression on rounds that the quick
rule of `rollout` played against itself), and how much a lead counts, given what is still to come (a fit to
matches that the heuristic played against itself).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, pairwise
from math import exp, sqrt
from typing import Any, NamedTuple

from engine.chemistry.deck import KINDS, WILD
from engine.chemistry.moves import RUN
from engine.chemistry.observation import OVER
from engine.chemistry.rollout import can_run, lacks
from engine.chemistry.scoring import COMPOUND, RUN_CARD, TARGET
from engine.chemistry.state import CollectState
from engine.game import Seat


class _Scale(NamedTuple):
    """How much a lead counts: points that make it e to 1 with one round's luck to come; the luck of a match
    beside its rounds, and of the running round, in rounds; what beginning the next round is worth."""

    spread: float
    beside: float
    running: float
    begin: float


_CAPTURE, _CANASTA = _Scale(20.0, 0.55, 0.9, 9.0), _Scale(26.0, 1.5, 1.4, 7.5)

_ORDER = 14.0
"""What it is worth to have the turn rather than to wait for all others, in a running round."""
_CARD, _WILD_CARD = 4.0, 9.0
"""What a card held brings on average beyond what it costs, and a wild card on top."""
_READY = 10.0
_NEIGHBOURS, _LAID_SOON = 5.5, -5.6
"""In Canasta: each pair of numbers at most two apart, and a correction where a run can be laid at once."""
_FADING = 30
"""Cards in the stock below which there is no time left for cards; what can be played at once counts more."""
_LATE_CARD, _LATE_WILD, _LATE_READY, _LATE_RUN = 1.6, 11.0, 20.0, 15.0
_STOCK = 60
"""From so many cards in the stock on a round of Canasta has all its luck to come."""
_USUAL = 430
"""Points that all seats together make in a round of Canasta."""
_APART = 2


def judge(state: Any, seat: Seat) -> float:
    """The share of the match that a seat can hope for: 0 to 1, and 1 for all seats together."""
    seats: int = state.seats
    over = state.phase == OVER
    points = [float(total) for total in state.totals]
    if not over:
        points = [total + promise(state, one) for one, total in enumerate(points)]
    best = max(points)
    if seats == 1:
        # alone there is nobody to share with: more points are more
        return 1 / (1 + exp(-best / TARGET))
    scale = _CANASTA if state.canasta else _CAPTURE
    if over:
        return closing(
            points,
            seat,
            played=state.round,
            rounds=state.rounds,
            dealer=state.dealer,
            canasta=state.canasta,
        )
    stock = len(state.order) - state.at
    luck = scale.running * min(1.0, (1 + stock) / _STOCK) if state.canasta else scale.running
    if state.round != state.rounds:
        luck += _to_come(best, seats, state.rounds - state.round, canasta=state.canasta)
    return _share(points, seat, best, scale.spread * sqrt(luck))


def closing(
    totals: Sequence[float], seat: Seat, *, played: int, rounds: int, dealer: Seat, canasta: bool
) -> float:
    """The same where a round has ended with these totals, so many played: the match may be over."""
    seats, best = len(totals), max(totals)
    if played == rounds or (best >= TARGET and totals.count(best) == 1):
        return 1 / totals.count(best) if totals[seat] == best else 0.0
    scale = _CANASTA if canasta else _CAPTURE
    # the deal goes to the left, and the seat after the dealer begins
    points = [
        total + scale.begin * (0.5 - (one - dealer - 2) % seats / (seats - 1))
        for one, total in enumerate(totals)
    ]
    luck = _to_come(best, seats, rounds - played, canasta=canasta)
    return _share(points, seat, best, scale.spread * sqrt(luck))


def _to_come(best: float, seats: int, rounds: int, *, canasta: bool) -> float:
    """The luck of the rounds to come, in rounds, when the best total is so high."""
    usual = _USUAL / seats if canasta else 60 + 16 * seats
    beside = _CANASTA.beside if canasta else _CAPTURE.beside
    return beside + min(rounds, max(0.0, (TARGET - best) / usual))


def _share(points: Sequence[float], seat: Seat, best: float, spread: float) -> float:
    """The share of a seat, the points seen from the best ones."""
    shares = [exp((own - best) / spread) for own in points]
    return shares[seat] / sum(shares)


def promise(state: CollectState, seat: Seat) -> float:
    """The points of a seat in the running round: made, and to be expected before its next turn begins."""
    hand, size = state.hands[seat], state.sizes[seat]
    wilds = hand[WILD]
    made = COMPOUND * len(state.captured[seat]) + RUN * RUN_CARD * len(state.runs[seat]) - size - 4 * wilds
    ready = 0 in lacks(state.row, hand)
    worth = _CARD * size + _WILD_CARD * wilds + _READY * ready
    worth -= _ORDER * ((seat - state.turn) % state.seats) / state.seats
    if state.canasta:
        held = list(compress(range(1, KINDS), hand[1:]))
        runs = can_run(hand)
        worth += _LAID_SOON * runs
        worth += _NEIGHBOURS * sum(high - low <= _APART for low, high in pairwise(held))
        time = min(1.0, (len(state.order) - state.at) / _FADING)
        late = _LATE_CARD * size + _LATE_WILD * wilds + _LATE_READY * ready + _LATE_RUN * runs
        worth = time * worth + (1 - time) * late
    return made + worth
