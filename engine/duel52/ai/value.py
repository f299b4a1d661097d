"""The probability of winning a position of Duel 52, by a small network trained on games.

`features` defines its inputs. A layer of neurons sees the lanes, from the seat's worst to its best. The
values of single cards are added, with weights that shift as the draw pile shrinks.
`python -m tools.train.duel52_value` learns the weights (`assets/cards/duel52_value.json`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from operator import mul
from typing import Final

import msgspec

from engine import data
from engine.duel52.ai.features import position_features
from engine.duel52.sample import World
from engine.game import Seat

DATA: Final = "duel52_value.json"
LATE: Final = 10
"""Size of the draw pile from which cards have their early values."""
_WIDEST: Final = 20.0
"""Limit on the log odds."""


class Neuron(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A neuron that adds `out` times its input, if that is positive."""

    weights: list[float]
    bias: float
    out: float


class Network(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All weights.

    `dense` bypasses the neurons. `early` holds the values of single cards while the draw pile is large;
    `late` is the change of these values by the time it is empty.
    """

    bias: float
    dense: list[float]
    early: list[float]
    late: list[float]
    neurons: list[Neuron]


def odds(state: World, seat: Seat) -> float:
    """Return the log odds that a seat wins an undecided position with two sides."""
    network, found = _network(), position_features(state, seat)
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
    """Return the value of each card for this size of the draw pile."""
    network = _network()
    part = max(0.0, 1 - pile / LATE)
    return [early + part * late for early, late in zip(network.early, network.late, strict=True)]
