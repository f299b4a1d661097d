"""How the points of a position of Molecular are likely to end: a judge that foretells more than Sharp's.

What a seat still gets is a sum of numbers of its cards and tiles, each with a weight that goes with the
actions it has left; cards without an example on the table and tiles in the pool count by their kind. The
weights stand in `molecular_forecast.json`; `python -m bench.molecular_forecast` finds, tests and plays them.
No opponent uses it: see docs/opponents.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp, sqrt
from operator import mul
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from engine.game import Seat
from engine.molecular import searching
from engine.molecular.cards import BOX
from engine.molecular.heuristic import gain
from engine.molecular.outlook import Outlook
from engine.molecular.scoring import satisfied
from engine.molecular.state import MolecularState

DATA: Final = Path(__file__).with_name("molecular_forecast.json")
KNOTS: Final = (1, 2, 4, 8, 16, 30)
"""The actions left for which there are weights; between them they change evenly."""
FEW_KNOTS: Final = (2, 8, 30)
"""The same for kinds of cards and tiles."""
BEST: Final = 3
"""So many of the best places, and of the best tiles, are looked at."""
MOST_BONDS: Final = 5
WIDE, SURE, LEAST = 1.5, 1.0, 0.5
"""How far the lead at the end is from what is expected: `WIDE` times the root of the actions that a seat
still has, less `SURE`, in points."""


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By knot: for the numbers of the seat in turn, after them those of the board; for the numbers of a seat
    that waits; for the kinds of cards, after them those of tiles."""

    turn: tuple[tuple[float, ...], ...]
    waits: tuple[tuple[float, ...], ...]
    kinds: tuple[tuple[float, ...], ...]


class Table(NamedTuple):
    """The weights for one number of actions left."""

    turn: Sequence[float]
    waits: Sequence[float]
    kinds: Sequence[float]


def numbers(view: Outlook, left: int) -> list[float]:
    """What counts of a seat's cards and tiles, `left` actions before its game ends."""
    ripe = sorted((points for _, points in view.cards if points), reverse=True)
    places = [points for points, _, _ in view._places()[:BEST]]
    fitting = view.fitting()
    gains = sorted((gain(view, cell, kind) for kind, cell in fitting), reverse=True)[:BEST]
    found: list[float] = [
        left,
        sum(ripe[:left]),
        min(len(ripe), left),
        min(len(view.cards), left),
        *places,
        *[0] * (BEST - len(places)),
        len(fitting),
        len({kind for kind, _ in fitting}),
        *gains,
        *[0.0] * (BEST - len(gains)),
    ]
    return found


def places(state: MolecularState) -> list[int]:
    """How many places there are by the bonds that a tile there would satisfy, from 0."""
    found = [0] * (MOST_BONDS + 1)
    for pattern in state.board.open.values():
        found[min(MOST_BONDS, sum(satisfied(pattern)))] += 1
    return found


def kinds(view: Outlook) -> list[int]:
    """The kinds that a seat holds: cards without an example, and, counted on after the last group, tiles."""
    groups = len(BOX.groups)
    return [group for group, points in view.cards if not points] + [groups + kind for kind in view.pool]


def still(state: MolecularState, seat: Seat) -> float:
    """The points that a seat is likely to get from here to the end, up to what is the same for all."""
    left = searching.actions_left(state, seat)
    view, table = Outlook.within(state, seat), _tables(state.actions > 1)[min(left, KNOTS[-1])]
    found = numbers(view, min(left, KNOTS[-1]))
    if seat == state.turn:
        value = float(sum(map(mul, table.turn, [1.0, *found, *places(state)])))
    else:
        value = float(sum(map(mul, table.waits, found)))
    for kind in kinds(view):
        value += table.kinds[kind]
    return value


def judge(state: Any, seat: Seat) -> float:
    """The share of the win that a seat can expect; who plays alone is judged as by Sharp."""
    if state.over or state.seats == 1:
        return searching.judge(state, seat)
    seats = range(state.seats)
    left = sum(searching.actions_left(state, other) for other in seats) / state.seats
    spread = searching.LOGISTIC * max(LEAST, WIDE * sqrt(left) - SURE)
    ends: list[float] = [float(state.scores[other]) + still(state, other) for other in seats]
    mine = ends[seat]
    return 1 / sum(exp(min(99.0, (end - mine) / spread)) for end in ends)


def hats(left: float, knots: Sequence[int]) -> list[float]:
    """How much the weights of each knot count, 1 in all: those of the two next to it.

    >>> hats(6, (2, 8, 30))
    [0.33333333333333337, 0.6666666666666666, 0.0]
    """
    left = min(max(left, knots[0]), knots[-1])
    found = [0.0] * len(knots)
    place = max(number for number, knot in enumerate(knots[:-1]) if knot <= left)
    share = (left - knots[place]) / (knots[place + 1] - knots[place])
    found[place], found[place + 1] = 1 - share, share
    return found


@cache
def _tables(fresh: bool) -> Sequence[Table]:
    """By actions left, for a turn in which both actions are to come, or one of them at most."""
    weights = msgspec.json.decode(DATA.read_bytes(), type=dict[str, Weights])["2" if fresh else "1"]
    return [
        Table(
            _between(left, KNOTS, weights.turn),
            _between(left, KNOTS, weights.waits),
            _between(left, FEW_KNOTS, weights.kinds),
        )
        for left in range(KNOTS[-1] + 1)
    ]


def _between(left: int, knots: Sequence[int], rows: Sequence[Sequence[float]]) -> list[float]:
    shares = hats(left, knots)
    return [sum(map(mul, shares, column)) for column in zip(*rows, strict=True)]
