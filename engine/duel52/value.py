"""How likely a position of Duel 52 is won, by a small network that learned from games.

What it reads is in `numbers`. A line of neurons sees the lanes, from the one in which the seat stands worst
to the best; what single cards are worth is added, the more of it the fewer are to be drawn. The weights are
data (`assets/cards/duel52_value.json`), which `python -m bench.duel52_value` finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from operator import mul
from typing import Final

import msgspec

from engine import data
from engine.duel52.numbers import numbers
from engine.duel52.sample import World
from engine.game import Seat

DATA: Final = "duel52_value.json"
LATE: Final = 10
"""Cards to draw from which on a card is worth what it is early in a game."""
_WIDEST: Final = 20.0
"""No odds are surer than that, as a logarithm."""


class Neuron(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One that adds `out` times what it sees beyond nothing."""

    weights: list[float]
    bias: float
    out: float


class Network(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All weights: `dense` go around the neurons, `early` and `late` are those of single cards: what they are
    worth while many are to be drawn, and what is added to that by the end."""

    bias: float
    dense: list[float]
    early: list[float]
    late: list[float]
    neurons: list[Neuron]


def odds(state: World, seat: Seat) -> float:
    """The logarithm of a seat's odds to win a position that is not decided, in a game of two sides."""
    network, found = _network(), numbers(state, seat)
    dense = found.dense
    total: float = network.bias + sum(map(mul, network.dense, dense))
    total += sum(map(mul, _cards(found.pile), found.counts))
    for neuron in network.neurons:
        seen = sum(map(mul, neuron.weights, dense), neuron.bias)
        if seen > 0:
            total += neuron.out * seen
    return max(-_WIDEST, min(_WIDEST, total))


@cache
def _network() -> Network:
    return data.load(DATA, Network)


@lru_cache(maxsize=LATE + 1)
def _cards(pile: int) -> Sequence[float]:
    """What each card is worth with so many to draw."""
    network = _network()
    part = max(0.0, 1 - pile / LATE)
    return [early + part * late for early, late in zip(network.early, network.late, strict=True)]
