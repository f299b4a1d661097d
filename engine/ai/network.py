"""Common parts of the games' neural networks: the second hidden layer and the output.

The first hidden layer reads the input features of a game, each game in its own way; the second reads the
first. Each game stores its weights as data.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

import msgspec


class SecondLayerNeuron(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A neuron of the second layer. It adds `out` times its ReLU activation to the output."""

    bias: float
    weights: list[float]
    out: float


def logit(second: Sequence[SecondLayerNeuron], seen: Sequence[float]) -> float:
    """Return the network output, given the activations of the first layer."""
    found = 0.0
    for one in second:
        more = sum(map(mul, one.weights, seen), one.bias)
        if more > 0:
            found += one.out * more
    return found


def must_fit(second: Sequence[SecondLayerNeuron], first: Sequence[object]) -> None:
    """Check that the second layer has one weight for each neuron of the first.

    Raises:
        ValueError: a neuron has a different number of weights.
    """
    if any(len(one.weights) != len(first) for one in second):
        raise ValueError("a neuron of the second line sees another first line")
