"""What Master leans to in a decision of Atom, beyond what Steady's scores say: a small network that learned.

It reads the features of `network_features`: a line of neurons sees what is known and one play, a second
line sees the first. `python -m tools.train.atom_network` trains the weights
(`assets/cards/atom_network.json`); research/atom.md describes how.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import mul
from typing import Final, NamedTuple

import msgspec

from engine import data
from engine.ai.network import SecondLayerNeuron, logit, must_fit
from engine.atom.ai.features import FOLLOW, HAND, LEAD
from engine.atom.ai.network_features import PLAY, SITUATION, Described

DATA: Final = "atom_network.json"


class FirstLayerNeuron(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A neuron of the first line, by what it sees: what is known, and of a move either that it passes or what
    it does to the hand, as a lead or on a trick, and the play itself."""

    bias: float
    situation: list[float]
    passing: float
    hand: list[float]
    lead: list[float]
    follow: list[float]
    play: list[float]


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All weights; what comes out is in the measure of Steady's scores."""

    first: list[FirstLayerNeuron]
    second: list[SecondLayerNeuron]


class Network(NamedTuple):
    """The weights in the order in which they are used: `lead` and `follow` go with all numbers of a play."""

    weights: Weights
    lead: list[list[float]]
    follow: list[list[float]]

    @classmethod
    def of(cls, weights: Weights) -> Network:
        """Raises ValueError where the weights do not fit the numbers."""
        lengths = (SITUATION, len(HAND), len(LEAD), len(FOLLOW), PLAY)
        for one in weights.first:
            if tuple(map(len, (one.situation, one.hand, one.lead, one.follow, one.play))) != lengths:
                raise ValueError("a neuron of the first line sees other numbers")
        must_fit(weights.second, weights.first)
        return cls(
            weights,
            [[*one.hand, *one.lead, *one.play] for one in weights.first],
            [[*one.hand, *one.follow, *one.play] for one in weights.first],
        )

    def logits(self, known: Sequence[float], plays: Sequence[Described | None], *, free: bool) -> list[float]:
        """By move, None for passing: what speaks for it beyond Steady's score; `free` is a lead."""
        first = self.weights.first
        before = [sum(map(mul, one.situation, known), one.bias) for one in first]
        rows = self.lead if free else self.follow
        found = []
        for play in plays:
            if play is None:
                seen = [max(0.0, some + one.passing) for some, one in zip(before, first, strict=True)]
            else:
                numbers = (*play.hand, *play.trick, *play.play)
                seen = [
                    max(0.0, sum(map(mul, row, numbers), some))
                    for some, row in zip(before, rows, strict=True)
                ]
            found.append(logit(self.weights.second, seen))
        return found


@cache
def learned() -> Network:
    """The network that is shipped."""
    return Network.of(data.load(DATA, Weights))
