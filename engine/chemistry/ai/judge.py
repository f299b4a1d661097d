"""Evaluation of a position of Compound Capture or Chemistry Canasta, all cards known.

It combines points so far, the expected value of the hands for the rest of the round (a linear regression on
rounds that the `rollout` policy played against itself), and the weight of a lead given what is still to come
(fitted to matches that the heuristic played against itself).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, pairwise
from math import exp, sqrt
from typing import Any, NamedTuple

from engine.chemistry.ai.rollout import can_run, lacks
from engine.chemistry.deck import KINDS, WILD
from engine.chemistry.moves import RUN
from engine.chemistry.observation import OVER
from engine.chemistry.scoring import COMPOUND, RUN_CARD, TARGET
from engine.chemistry.state import CollectState
from engine.game import Seat


class _Scale(NamedTuple):
    """Parameters that turn a lead into an expected share of the match.

    Attributes:
        spread: the lead in points that makes the odds e to 1 when one round of luck is to come.
        beside: luck of a match on top of its rounds, in rounds.
        running: luck of the running round, in rounds.
        begin: value in points of starting the next round.
    """

    spread: float
    beside: float
    running: float
    begin: float


_CAPTURE, _CANASTA = _Scale(20.0, 0.55, 0.9, 9.0), _Scale(26.0, 1.5, 1.4, 7.5)

_ORDER = 14.0
"""Value of being next to move rather than waiting for all others, in a running round."""
_CARD, _WILD_CARD = 4.0, 9.0
"""Average gain from a card held, beyond its penalty, and the extra gain from a wild card."""
_READY = 10.0
_NEIGHBOURS, _LAID_SOON = 5.5, -5.6
"""In Canasta: the value of each pair of numbers at most two apart, and a correction if a run can be laid."""
_FADING = 30
"""Stock size below which held cards lose value and immediate plays gain it."""
_LATE_CARD, _LATE_WILD, _LATE_READY, _LATE_RUN = 1.6, 11.0, 20.0, 15.0
_STOCK = 60
"""Stock size from which a round of Canasta has all its luck to come."""
_USUAL = 430
"""Points that all seats together make in a round of Canasta."""
_APART = 2


def judge(state: Any, seat: Seat) -> float:
    """Return the expected share of the match for a seat: 0 to 1, with a total of 1 over all seats."""
    seats: int = state.seats
    over = state.phase == OVER
    points = [float(total) for total in state.totals]
    if not over:
        points = [total + promise(state, one) for one, total in enumerate(points)]
    best = max(points)
    if seats == 1:
        # a solo player shares with no one: more points are better
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
    """Return the expected share after a round that ended with these totals; the match may be over."""
    seats, best = len(totals), max(totals)
    if played == rounds or (best >= TARGET and totals.count(best) == 1):
        return 1 / totals.count(best) if totals[seat] == best else 0.0
    scale = _CANASTA if canasta else _CAPTURE
    # the deal passes to the left, and the seat after the dealer starts
    points = [
        total + scale.begin * (0.5 - (one - dealer - 2) % seats / (seats - 1))
        for one, total in enumerate(totals)
    ]
    luck = _to_come(best, seats, rounds - played, canasta=canasta)
    return _share(points, seat, best, scale.spread * sqrt(luck))


def _to_come(best: float, seats: int, rounds: int, *, canasta: bool) -> float:
    """Return the luck still to come, in rounds, given the best total."""
    usual = _USUAL / seats if canasta else 60 + 16 * seats
    beside = _CANASTA.beside if canasta else _CAPTURE.beside
    return beside + min(rounds, max(0.0, (TARGET - best) / usual))


def _share(points: Sequence[float], seat: Seat, best: float, spread: float) -> float:
    """Return a seat's share by a softmax over the points."""
    shares = [exp((own - best) / spread) for own in points]
    return shares[seat] / sum(shares)


def promise(state: CollectState, seat: Seat) -> float:
    """Return a seat's points in the running round: scored, plus expected before its next turn begins."""
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
