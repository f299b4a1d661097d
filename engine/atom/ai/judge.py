"""What a position of a sampled world is worth: how the points are likely to end, and the share of the win.

All hands lie open here, so it counts who is nearer to running out. What the constants say was fitted to games
of the heuristic against itself (research/atom.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import exp
from operator import mul
from typing import Any, Final, NamedTuple

from engine.atom import scoring
from engine.atom.ai.features import HEAVY, groups, strength
from engine.atom.cards import BLADES, JOKERS, POINTS, SLOTS, total
from engine.atom.state import AtomState
from engine.game import Seat

POINTS_OF: Final = {4: 300.0, 5: 500.0}
"""By seats: the points of all cards."""
CARDS_OF: Final = {4: 162, 5: 270}
"""By seats: the cards of all hands."""
SCALES: Final = {(4, 0): (0.34, 0.05), (4, 1): (0.26, 0.3), (5, 0): (0.22, 0.2)}
"""By seats and games that are over: what lead makes a difference, when no cards are left and with all."""
BETWEEN: Final = 0.7
"""The same between the games of four."""
WEIGHTS: Final[Mapping[str, tuple[float, float]]] = {
    "kept": (0.657, 0.682),
    "risk": (0.787, 0.733),
    "safe": (0.248, 0.234),
    "early_taken": (0.009, 0.050),
    "held": (0.016, 0.127),
    "early_held": (0.089, -0.195),
    "first": (0.335, -0.184),
    "early_first": (-0.359, 0.410),
    "last": (-0.031, -0.396),
    "early_last": (-0.133, 0.119),
    "up": (0.070, 0.139),
    "out": (0.364, -0.062),
    "nearness": (-0.294, -0.100),
    "lead": (0.019, -0.010),
    "cost": (-0.019, 0.238),
    "turns": (-0.535, -0.484),
    "looks": (0.791, 0.004),
    "heavy": (0.706, 0.387),
    "blades": (0.136, 0.102),
    "jokers": (1.003, 0.392),
    "cards": (1.906, 0.484),
}
"""Weights of `position_features`, with four and with five players: points taken and likely kept; what
whoever is last is likely to lose to upstream; points of those who are out; points taken, and in hand, more
while many cards are left; who runs out first, and last; who was first, or will be; seats that are out, and
how near the last of a side is; the lead; the hands at a glance."""
_WEIGHTS: Final = {4: [four for four, _ in WEIGHTS.values()], 5: [five for _, five in WEIGHTS.values()]}
EAGER: Final = 0.8
"""How strongly a difference of cost tells who runs out first, or last."""
CARD, TURN = 0.06, 0.7
"""What a card adds to the cost of a hand, in turns, and what having the lead takes off."""


class Rank(NamedTuple):
    """The cards of one rank of a hand: what they cost at a glance, in turns, as how many groups they are
    laid, how many bombs, atoms and nukes are among these, how strong all look, and their points."""

    cost: float
    turns: int
    heavy: int
    looks: float
    points: int


@lru_cache(maxsize=16384)
def rank_of(rank: int, packed: int, blade: int, packs: int) -> Rank:
    """The cards of one rank, read once."""
    cost, stands = groups(rank, packed, blade, packs)
    return Rank(
        cost,
        len(stands),
        sum(stand.kind in HEAVY for stand in stands),
        sum(map(strength, stands)),
        POINTS[rank] * total(packed),
    )


class Hand(NamedTuple):
    """A hand at a glance, in the same terms; `blades` and `jokers` are numbers of cards."""

    cost: float
    turns: int
    heavy: int
    looks: float
    points: int
    blades: int
    jokers: int


def read(state: AtomState, seat: Seat) -> Hand:
    """The hand of a seat at a glance."""
    hand, ranks, blade, packs = state.hands[seat], state.ranks, state.blade, state.packs
    cost = looks = 0.0
    turns = heavy = points = 0
    for slot in range(1, SLOTS):
        packed = hand[slot]
        if packed:
            one = rank_of(ranks[slot], packed, blade, packs)
            cost += one[0]
            turns += one[1]
            heavy += one[2]
            looks += one[3]
            points += one[4]
    return Hand(cost, turns, heavy, looks, points, total(hand[BLADES]), total(hand[JOKERS]))


def position_features(state: AtomState) -> tuple[float, ...]:
    """Return the features of a position between two tricks, in the order of `WEIGHTS`: the lead of the first
    side over the second in each."""
    seats, left, captured = state.seats, state.left, state.captured
    every, early = POINTS_OF[seats], sum(left) / CARDS_OF[seats]
    sign = [1.0 if team == 0 else -1.0 for team in state.teams]
    hands = [read(state, seat) for seat in range(seats)]
    costs = [one.cost + CARD * many for one, many in zip(hands, left, strict=True)]
    lead = 0.0
    if state.best is None:
        lead = sign[state.turn]
        costs[state.turn] -= TURN
    going = [seat for seat in range(seats) if left[seat]]
    soon, late = [0.0] * seats, [0.0] * seats
    for seat in going:
        soon[seat] = exp(-EAGER * costs[seat])
        late[seat] = 1 / soon[seat]
    least, most = sum(soon), sum(late)
    first = sum(map(mul, sign, soon)) / least
    last = sum(map(mul, sign, late)) / most
    up = sign[state.out[0]] if state.out else first
    risks = [taken * chance / most / every for taken, chance in zip(captured, late, strict=True)]
    taken = sum(map(mul, sign, captured)) / every
    held = sum(map(mul, sign, [one.points for one in hands])) / every
    return (
        taken - sum(map(mul, sign, risks)),
        sum(risks) * up,
        sum(sign[seat] * captured[seat] for seat in state.out) / every,
        taken * early,
        held,
        held * early,
        first,
        first * early,
        last,
        last * early,
        up,
        sum(sign[seat] for seat in state.out),
        _nearness(state, 0) - _nearness(state, 1),
        lead,
        sum(map(mul, sign, costs)) / 10,
        sum(map(mul, sign, [one.turns for one in hands])) / 10,
        sum(map(mul, sign, [one.looks for one in hands])) / 10,
        sum(map(mul, sign, [one.heavy for one in hands])) / 10,
        sum(map(mul, sign, [one.blades for one in hands])) / 10,
        sum(map(mul, sign, [one.jokers for one in hands])) / 10,
        sum(map(mul, sign, left)) / 100,
    )


def _nearness(state: AtomState, side: int) -> float:
    """How near a side is to be out altogether: one over the cards of its longest hand."""
    return 1 / (1 + max(many for many, team in zip(state.left, state.teams, strict=True) if team == side))


def expected(state: AtomState) -> float:
    """By how much the first side is likely to end the running game ahead, in parts of all points; with five
    by how much it beats the points that it needs, in parts of 200."""
    return sum(map(mul, _WEIGHTS[state.seats], position_features(state)), 0.0)


def judge(state: Any, seat: Seat) -> float:
    """The share of the win that the side of a seat can expect."""
    first = _first(state)
    return first if state.teams[seat] == 0 else 1 - first


def _first(state: AtomState) -> float:
    """The same for the first side."""
    results = state.results
    lead = sum(result.totals[0] - result.totals[1] for result in results) / POINTS_OF[state.seats]
    if not state.over:
        fixed, more = SCALES[state.seats, len(results)]
        return _share(lead + expected(state), fixed + more * sum(state.left) / CARDS_OF[state.seats])
    if state.seats == 4 and len(results) == 1 and scoring.needs_second(results[0]):
        return _share(lead, BETWEEN)
    return float(state.teams.index(0) in scoring.outcome(results).winners())


def _share(lead: float, scale: float) -> float:
    return 1 / (1 + exp(max(-50.0, min(50.0, -lead / scale))))
