"""What a position of a sampled world is worth: how the points are likely to end, and the share of the win.

All hands lie open here, so it counts who is nearer to running out. What the constants say was fitted to games
of the heuristic against itself (docs/opponents.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from operator import mul
from typing import Any, Final, NamedTuple

from engine.atom import scoring
from engine.atom.cards import BLADES, JOKERS, POINTS, SLOTS, total
from engine.atom.features import HEAVY, groups, strength
from engine.atom.state import AtomState
from engine.game import Seat

POINTS_OF: Final = {4: 300.0, 5: 500.0}
"""By seats: the points of all cards."""
CARDS_OF: Final = {4: 162, 5: 270}
"""By seats: the cards of all hands."""
SCALES: Final = {(4, 0): (0.34, 0.0), (4, 1): (0.34, 0.1), (5, 0): (0.34, 0.1)}
"""By seats and games that are over: what lead makes a difference, when no cards are left and with all."""
BETWEEN: Final = 0.4
"""The same between the games of four."""
NUMBERS: Final = (
    "kept",
    "risk",
    "lies",
    "lies_hold",
    "points",
    "first",
    "last",
    "up",
    "early_first",
    "early_last",
    "lead",
    "hold",
    "early_hold",
    "cost",
    "turns",
    "looks",
    "heavy",
    "blades",
    "jokers",
    "cards",
    "early_captured",
    "early_points",
)
WEIGHTS: Final = {
    4: (
        0.54,
        0.289,
        0.048,
        0.142,
        -0.153,
        -0.142,
        -0.028,
        0.31,
        -0.136,
        0.088,
        0.04,
        -0.012,
        0.047,
        -0.637,
        -0.503,
        0.901,
        0.689,
        0.163,
        0.913,
        1.919,
        0.158,
        0.515,
    ),
    5: (
        0.54,
        0.289,
        0.048,
        0.142,
        -0.153,
        -0.142,
        -0.028,
        0.31,
        -0.136,
        0.088,
        0.04,
        -0.012,
        0.047,
        -0.637,
        -0.503,
        0.901,
        0.689,
        0.163,
        0.913,
        1.919,
        0.158,
        0.515,
    ),
}
EAGER: Final = 1.2
"""How strongly a difference of cost tells who runs out first."""


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


def numbers(state: AtomState) -> tuple[float, ...]:
    """A position in the numbers of `WEIGHTS`, each what the first side has more than the second."""
    teams, seats, left, captured = state.teams, state.seats, state.left, state.captured
    every = POINTS_OF[seats]
    sign = [1.0 if team == 0 else -1.0 for team in teams]
    hands = [read(state, seat) for seat in range(seats)]
    standing = state.best_seat
    leads = standing if standing >= 0 else state.turn
    hold = strength(state.best) if state.best is not None else 0.0
    going = [seat for seat in range(seats) if left[seat]]
    gone = seats - len(going)
    costs = [hands[seat].cost + 0.06 * left[seat] for seat in range(seats)]
    costs[leads] -= 0.7 if standing < 0 else 0.7 * hold
    least, most = min(costs[seat] for seat in going), max(costs[seat] for seat in going)
    soon = [exp(EAGER * (least - costs[seat])) if left[seat] else 0.0 for seat in range(seats)]
    late = [exp(EAGER * (costs[seat] - most)) if left[seat] else 0.0 for seat in range(seats)]
    all_soon, all_late = sum(soon), sum(late)
    first = sum(a * b for a, b in zip(sign, soon, strict=True)) / all_soon
    last = sum(a * b for a, b in zip(sign, late, strict=True)) / all_late
    up = sign[state.out[0]] if gone else first
    risk = sum(many * chance for many, chance in zip(captured, late, strict=True)) / all_late / every
    kept = sum(sign[seat] * captured[seat] * (1 - late[seat] / all_late) for seat in range(seats)) / every
    many = sum(left) / CARDS_OF[seats]
    pot = state.pot / every
    side = sign[leads]
    lies = sign[standing] if standing >= 0 else 0.0

    def summed(of: Sequence[float]) -> float:
        return sum(a * b for a, b in zip(sign, of, strict=True))

    return (
        kept,
        risk * up,
        lies * pot,
        lies * pot * hold,
        summed([one.points for one in hands]) / every,
        first,
        last,
        up,
        first * many,
        last * many,
        side if standing < 0 else 0.0,
        lies * hold,
        lies * hold * many,
        summed(costs) / 10,
        summed([one.turns for one in hands]) / 10,
        summed([one.looks for one in hands]) / 10,
        summed([one.heavy for one in hands]) / 10,
        summed([one.blades for one in hands]) / 10,
        summed([one.jokers for one in hands]) / 10,
        summed(left) / 100,
        summed(captured) / every * many,
        summed([one.points for one in hands]) / every * many,
    )


def expected(state: AtomState) -> float:
    """By how much the first side is likely to end the running game ahead, in parts of all points; with five
    by how much it beats the points that it needs, in parts of 200."""
    return sum(map(mul, WEIGHTS[state.seats], numbers(state)), 0.0)


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
