"""Learned value of the rest of a two-player round to a seat at the end of its turn.

This module names the features of such a position in the order in which `master` computes them. The value is
the sum of each feature times its weight, plus a weight for each element card that the seat keeps.
`python -m tools.train.chemistry_value` learns the weights (`assets/cards/compound_capture_value.json`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import msgspec

from engine import data
from engine.chemistry.deck import KINDS
from engine.elements import BY_SYMBOL

DATA: Final = "compound_capture_value.json"

OWN: Final = (
    "cards",
    "wilds",
    "ready",  # whether an open compound can be captured without drawing
    "more_ready",  # number of further ones
    "one_short",  # open compounds that lack one card, two cards
    "two_short",
    "chance",  # probability that two unseen cards make a capture possible
    "fresh",  # three times the fraction of covered compounds the hand could capture; that lack one, two
    "fresh_one",
    "fresh_two",
    "kinds",  # elements held at least once
    "second",  # whether another compound could be captured after the smallest
)
"""Features of the hand that the seat keeps."""
THEIRS: Final = (
    "their_cards",
    "their_wilds",
    "their_ready",
    "their_ready_by_top",  # with the top of the discard pile in hand
    "their_more_by_top",
    "their_one_short",
    "their_two_short",
    "their_chance",
    "their_fresh",
    "their_fresh_one",
    "their_fresh_two",
    "their_kinds",
)
"""Features of the opponent's hand, averaged over the samples."""
BOTH: Final = (
    "chances",  # product of both chances; their chance times own cards, own wilds, their cards
    "their_chance_cards",
    "their_chance_wilds",
    "their_chance_theirs",
    "both_ready",  # compounds the opponent can likely capture while the seat is ready or one short
    "theirs_one_short",
)
TABLE: Final = (
    "turn",
    "wild_on_top",
    "pairs",  # open compounds of two cards
    "sizes",  # total size of the open compounds, divided by six
    "covered",  # compounds never turned up, as a fraction of 48
    "captured",  # whether the turn captured
)
FEATURES: Final = (*OWN, *THEIRS, *BOTH, *TABLE)
COVERED: Final = 48

Pair = tuple[float, float]


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file: for each feature, and for each element by its symbol, a weight and the change of that
    weight after a turn without a capture."""

    features: dict[str, Pair]
    elements: dict[str, Pair]


class PreparedWeights(NamedTuple):
    """Weights of `FEATURES`, and by kind the value of keeping a card."""

    features: Sequence[float]
    cards: Sequence[float]


class Value:
    """Weights, prepared for turns with and without a capture."""

    def __init__(self, weights: Weights) -> None:
        if tuple(weights.features) != FEATURES:
            raise data.BrokenData(f"{DATA}: the features are not {', '.join(FEATURES)}")
        self.weights = weights
        self.after = (_weighted(weights, 0.0), _weighted(weights, 1.0))
        """Indexed by whether the turn passed without a capture."""


def _weighted(weights: Weights, idle: float) -> PreparedWeights:
    cards = [0.0] * KINDS
    for symbol, (weight, more) in weights.elements.items():
        cards[BY_SYMBOL[symbol].z] = weight + idle * more
    return PreparedWeights([weight + idle * more for weight, more in weights.features.values()], cards)


@cache
def learned() -> Value:
    """Return the weights of the data file."""
    return Value(data.load(DATA, Weights))
