"""What Master leans to in a decision of Canasta, beyond Steady's scores: a small network that learned.

It reads a decision in the numbers of `canasta_numbers`: a line of neurons sees what is known and one move, a
second line sees the first. The weights are data (`assets/cards/canasta_network.json`); how they were found:
docs/opponents.md, and `python -m bench.canasta_network` finds such.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import mul
from typing import Final

import msgspec

from engine import data
from engine.ai.network import Second, leaning, must_fit
from engine.chemistry.canasta_numbers import PLAY, SITUATION

DATA: Final = "canasta_network.json"


class First(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A neuron of the first line, by what it sees of what is known and of a move."""

    bias: float
    situation: list[float]
    play: list[float]


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All weights; what comes out is in the measure of Steady's scores over `master.HEAT`."""

    first: list[First]
    second: list[Second]


class Network:
    """The weights in the order in which they are used."""

    def __init__(self, weights: Weights) -> None:
        """Raises ValueError where the weights do not fit the numbers."""
        if any((len(one.situation), len(one.play)) != (SITUATION, PLAY) for one in weights.first):
            raise ValueError("a neuron of the first line sees other numbers")
        must_fit(weights.second, weights.first)
        self.weights = weights

    def leanings(self, known: Sequence[float], plays: Sequence[Sequence[float]]) -> list[float]:
        """By move what speaks for it beyond Steady's score."""
        first = self.weights.first
        before = [sum(map(mul, one.situation, known), one.bias) for one in first]
        found = []
        for play in plays:
            seen = [
                max(0.0, sum(map(mul, one.play, play), some)) for some, one in zip(before, first, strict=True)
            ]
            found.append(leaning(self.weights.second, seen))
        return found


@cache
def learned() -> Network:
    """The network that is shipped."""
    return Network(data.load(DATA, Weights))
