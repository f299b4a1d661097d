"""What the networks of several games have in common: the second line of neurons, and what comes out.

The first line sees the numbers of a game, each in its own way; the second sees the first. The weights are
data of each game.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

import msgspec


class Second(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A neuron of the second line: it adds `out` times what it sees of the first beyond nothing."""

    bias: float
    weights: list[float]
    out: float


def leaning(second: Sequence[Second], seen: Sequence[float]) -> float:
    """What comes out, where the first line says `seen`."""
    found = 0.0
    for one in second:
        more = sum(map(mul, one.weights, seen), one.bias)
        if more > 0:
            found += one.out * more
    return found


def must_fit(second: Sequence[Second], first: Sequence[object]) -> None:
    """Raises ValueError unless each neuron of the second line sees as many as the first one has."""
    if any(len(one.weights) != len(first) for one in second):
        raise ValueError("a neuron of the second line sees another first line")
