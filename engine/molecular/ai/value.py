"""The learned value of the rest of a two-player game to a seat at the end of its turn.

`FeatureWeights` names the features of a position. Each has weights that depend on the turns to come. So does
each kind of tile that the seat keeps, and each kind of card that it keeps without an example. `python -m
tools.train.molecular_value` learns the weights (`assets/cards/molecular_value.json`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import msgspec

from engine import data
from engine.molecular.cards import BOX

DATA: Final = "molecular_value.json"
LONG: Final = 14
"""Turns a seat still has after its first one in the usual two-player game."""


class FeatureWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The features, each with three weights: constant, times the fraction of turns to come, and divided by
    their number.

    Features up to `completes` depend on the seat's turns to come, the rest on the other player's.
    """

    ripe: tuple[float, ...]
    """Points of the cards held that have an example."""
    ripe_cards: tuple[float, ...]
    missing: tuple[float, ...]
    """Cards missing from a full hand."""
    best: tuple[float, ...]
    """Points of the best-fitting tile left."""
    second: tuple[float, ...]
    unfit: tuple[float, ...]
    """Tiles left that fit nowhere."""
    tiles: tuple[float, ...]
    completed: tuple[float, ...]
    """Points of the cards of which a single tile left would make an example."""
    completes: tuple[float, ...]
    """Number of these cards."""
    found: tuple[float, ...]
    """Expected points of the other player's best tile."""
    finds_two: tuple[float, ...]
    """Chance that it scores two or more; then three or more; then four or more plus five or more."""
    finds_three: tuple[float, ...]
    finds_four: tuple[float, ...]
    ones: tuple[float, ...]
    """Open places that score one point; then two; then more; then those that no tile fits."""
    twos: tuple[float, ...]
    more: tuple[float, ...]
    dead: tuple[float, ...]
    fitting: tuple[float, ...]
    """Kinds of tiles that fit somewhere."""
    theirs: tuple[float, ...]
    """Expected points of the other player's cards."""
    their_ripe: tuple[float, ...]
    """Expected number of these with an example."""
    turn: tuple[float, ...]
    few: tuple[float, ...]
    """Number of open places missing from five."""


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file. Kinds have two weights: constant, and times the fraction of turns to come."""

    features: FeatureWeights
    cards: dict[str, tuple[float, float]]
    tiles: dict[str, tuple[float, float]]


class PreparedWeights(NamedTuple):
    """Weights for a given number of turns to come: of features, of kinds of cards, and of kinds of tiles."""

    features: Sequence[float]
    cards: Sequence[float]
    tiles: Sequence[float]


COMPLETED: Final = FeatureWeights.__struct_fields__.index("completed")
OWN: Final = COMPLETED + 2
"""Number of features that depend on the seat's own turns."""


class Value:
    """Weights, computed once for each number of turns to come."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._known: dict[tuple[int, int], PreparedWeights] = {}

    def weighted(self, mine: int, theirs: int) -> PreparedWeights:
        """Return the weights with `mine` turns of the seat and `theirs` of the other player to come."""
        found = self._known.get((mine, theirs))
        if found is None:
            found = self._known[mine, theirs] = self._weighted(mine, theirs)
        return found

    def _weighted(self, mine: int, theirs: int) -> PreparedWeights:
        weights = self.weights
        features = [
            sum(
                weight * part
                for weight, part in zip(one, parts(mine if place < OWN else theirs), strict=True)
            )
            for place, one in enumerate(msgspec.structs.astuple(weights.features))
        ]
        return PreparedWeights(
            features,
            [_kind(weights.cards[group.id], mine) for group in BOX.groups],
            [_kind(weights.tiles[tile.id], mine) for tile in BOX.tiles],
        )


@cache
def learned() -> Value:
    """Return the value from the data file."""
    return Value(data.load(DATA, Weights))


def parts(turns: int) -> tuple[float, float, float]:
    """Return the factors of a feature's three weights with this many turns to come."""
    return (1.0, turns / LONG, 1 / turns) if turns else (0.0, 0.0, 0.0)


def _kind(weight: tuple[float, float], turns: int) -> float:
    return weight[0] + weight[1] * turns / LONG if turns else 0.0
