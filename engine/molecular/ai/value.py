"""The learned value of the rest of a two-player game to a seat at the end of its turn.

`Numbers` names the features of a position. Each has prices that depend on the turns to come. So does each
kind of tile that the seat keeps, and each kind of card that it keeps without an example. `python -m
tools.train.molecular_value` learns the prices (`assets/cards/molecular_value.json`).
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


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The features, each with three prices: constant, times the fraction of turns to come, and divided by
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


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file. Kinds have two prices: constant, and times the fraction of turns to come."""

    numbers: Numbers
    cards: dict[str, tuple[float, float]]
    tiles: dict[str, tuple[float, float]]


class Priced(NamedTuple):
    """Prices for a given number of turns to come: of `Numbers`, of kinds of cards, of kinds of tiles."""

    numbers: Sequence[float]
    cards: Sequence[float]
    tiles: Sequence[float]


COMPLETED: Final = Numbers.__struct_fields__.index("completed")
OWN: Final = COMPLETED + 2
"""Number of features that depend on the seat's own turns."""


class Value:
    """Prices, computed once for each number of turns to come."""

    def __init__(self, prices: Prices) -> None:
        self.prices = prices
        self._known: dict[tuple[int, int], Priced] = {}

    def priced(self, mine: int, theirs: int) -> Priced:
        """Return the prices with `mine` turns of the seat and `theirs` of the other player to come."""
        found = self._known.get((mine, theirs))
        if found is None:
            found = self._known[mine, theirs] = self._priced(mine, theirs)
        return found

    def _priced(self, mine: int, theirs: int) -> Priced:
        prices = self.prices
        numbers = [
            sum(price * part for price, part in zip(one, parts(mine if place < OWN else theirs), strict=True))
            for place, one in enumerate(msgspec.structs.astuple(prices.numbers))
        ]
        return Priced(
            numbers,
            [_kind(prices.cards[group.id], mine) for group in BOX.groups],
            [_kind(prices.tiles[tile.id], mine) for tile in BOX.tiles],
        )


@cache
def learned() -> Value:
    """Return the value from the data file."""
    return Value(data.load(DATA, Prices))


def parts(turns: int) -> tuple[float, float, float]:
    """Return the weights of a feature's three prices with this many turns to come."""
    return (1.0, turns / LONG, 1 / turns) if turns else (0.0, 0.0, 0.0)


def _kind(price: tuple[float, float], turns: int) -> float:
    return price[0] + price[1] * turns / LONG if turns else 0.0
