"""What the rest of a game of two is worth to a seat at the end of its turn: prices that were learned.

The numbers of a position are named in `Numbers`; each has a price that goes with the turns to come, and so
has every kind of card without an example and of tile that the seat keeps. The prices are data
(`assets/cards/molecular_value.json`); `python -m bench.molecular_value` finds such.
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
"""Turns that a seat has to come after its first one of a usual game of two."""


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is counted, each with three prices: as it is, times the part of the turns still to come, and over
    their number. Those down to `completes` go with the own turns, the rest with those of the other."""

    ripe: tuple[float, ...]
    """Points of the cards held that have an example."""
    ripe_cards: tuple[float, ...]
    missing: tuple[float, ...]
    """Cards fewer than a full hand."""
    best: tuple[float, ...]
    """Points of the tile left that fits best."""
    second: tuple[float, ...]
    unfit: tuple[float, ...]
    """Tiles left that fit nowhere."""
    tiles: tuple[float, ...]
    completed: tuple[float, ...]
    """Points of the cards that a single tile left would bring an example of."""
    completes: tuple[float, ...]
    """How many these are."""
    found: tuple[float, ...]
    """Points that the best of the other's tiles is likely to bring."""
    finds_two: tuple[float, ...]
    """The chance that it brings two and more; three; four, and five on top."""
    finds_three: tuple[float, ...]
    finds_four: tuple[float, ...]
    ones: tuple[float, ...]
    """Open places that bring one point, two, and more; those that no tile fits."""
    twos: tuple[float, ...]
    more: tuple[float, ...]
    dead: tuple[float, ...]
    fitting: tuple[float, ...]
    """Kinds of tiles that fit somewhere."""
    theirs: tuple[float, ...]
    """Points of the cards that the other is likely to hold."""
    their_ripe: tuple[float, ...]
    """How many of these have an example."""
    turn: tuple[float, ...]
    few: tuple[float, ...]
    """How many open places are missing to five."""


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file. Kinds have two prices: as they are, and times the part of the turns still to come."""

    numbers: Numbers
    cards: dict[str, tuple[float, float]]
    tiles: dict[str, tuple[float, float]]


class Priced(NamedTuple):
    """Prices for so many turns to come: of `Numbers`, of kinds of cards, of kinds of tiles."""

    numbers: Sequence[float]
    cards: Sequence[float]
    tiles: Sequence[float]


COMPLETED: Final = Numbers.__struct_fields__.index("completed")
OWN: Final = COMPLETED + 2
"""How many of the numbers go with the own turns."""


class Value:
    """Prices, worked out once for each number of turns to come."""

    def __init__(self, prices: Prices) -> None:
        self.prices = prices
        self._known: dict[tuple[int, int], Priced] = {}

    def priced(self, mine: int, theirs: int) -> Priced:
        """The prices with so many turns of the seat and of the other to come."""
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
    """By the data file."""
    return Value(data.load(DATA, Prices))


def parts(turns: int) -> tuple[float, float, float]:
    """How much the three prices of a number count with so many turns to come."""
    return (1.0, turns / LONG, 1 / turns) if turns else (0.0, 0.0, 0.0)


def _kind(price: tuple[float, float], turns: int) -> float:
    return price[0] + price[1] * turns / LONG if turns else 0.0
