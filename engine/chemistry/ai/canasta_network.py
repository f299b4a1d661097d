"""The small neural network that corrects Steady's scores for Master in Canasta.

It reads a decision as the numbers of `canasta_features`: the first layer sees the situation and one move, the
second layer sees the first. `python -m tools.train.canasta_network` trains the weights
(`assets/cards/canasta_network.json`); research/canasta.md describes how.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import mul
from typing import Final

import msgspec

from engine import data
from engine.ai.network import SecondLayerNeuron, logit, must_fit
from engine.chemistry.ai.canasta_features import PLAY, SITUATION

DATA: Final = "canasta_network.json"


class FirstLayerNeuron(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of one first-layer neuron: bias, situation inputs and move inputs."""

    bias: float
    situation: list[float]
    play: list[float]


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All weights. The output has the scale of Steady's scores divided by `canasta_master.HEAT`."""

    first: list[FirstLayerNeuron]
    second: list[SecondLayerNeuron]


class Network:
    """The network, evaluated on one decision at a time."""

    def __init__(self, weights: Weights) -> None:
        """Raise ValueError if the weights do not fit the number of inputs."""
        if any((len(one.situation), len(one.play)) != (SITUATION, PLAY) for one in weights.first):
            raise ValueError("a neuron of the first line sees other numbers")
        must_fit(weights.second, weights.first)
        self.weights = weights

    def logits(self, known: Sequence[float], plays: Sequence[Sequence[float]]) -> list[float]:
        """Return for each move the correction to Steady's score."""
        first = self.weights.first
        before = [sum(map(mul, one.situation, known), one.bias) for one in first]
        found = []
        for play in plays:
            seen = [
                max(0.0, sum(map(mul, one.play, play), some)) for some, one in zip(before, first, strict=True)
            ]
            found.append(logit(self.weights.second, seen))
        return found


@cache
def learned() -> Network:
    """Return the shipped network."""
    return Network(data.load(DATA, Weights))
