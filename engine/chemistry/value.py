"""What the rest of a round between two is worth to a seat at the end of its turn: prices that were learned.

The numbers of such a position are named here, in the order in which `master` finds them. Each has prices that
are multiplied by `parts` and added up, and so has each element card that the seat keeps. The prices are data
(`assets/cards/compound_capture_value.json`); `python -m bench.chemistry_value` finds such.
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
    "more_ready",  # how many more
    "one_short",  # open compounds that lack one card, two cards
    "two_short",
    "chance",  # that two unseen cards make a capture possible
    "fresh",  # thrice the share of the covered compounds that the hand could capture; that lack one, two
    "fresh_one",
    "fresh_two",
    "kinds",  # elements held at least once
    "second",  # whether another one could be captured after the smallest
)
"""Of the hand that the seat keeps."""
THEIRS: Final = (
    "their_cards",
    "their_wilds",
    "their_ready",
    "their_ready_by_top",  # the same with the top of the discard pile in hand
    "their_more_by_top",
    "their_one_short",
    "their_two_short",
    "their_chance",
    "their_fresh",
    "their_fresh_one",
    "their_fresh_two",
    "their_kinds",
)
"""Of the other hand, in the mean of the worlds that were drawn."""
BOTH: Final = (
    "chances",  # both chances multiplied; their chance times cards, wilds, cards of theirs
    "their_chance_cards",
    "their_chance_wilds",
    "their_chance_theirs",
    "both_ready",  # compounds that the other is likely to be able to capture, the seat ready or one short
    "theirs_one_short",
)
TABLE: Final = (
    "turn",
    "wild_on_top",
    "pairs",  # open compounds of two cards
    "sizes",  # a sixth of the cards that all open compounds take
    "covered",  # compounds that nobody has seen, of 48
    "captured",  # whether the turn captured
)
NUMBERS: Final = (*OWN, *THEIRS, *BOTH, *TABLE)
COVERED: Final = 48

Pair = tuple[float, float]


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file: of each number, and of each element by its symbol, what it is worth, and how much more
    after a turn without a capture."""

    numbers: dict[str, Pair]
    elements: dict[str, Pair]


class Priced(NamedTuple):
    """Prices of `NUMBERS`, and by kind of card what one is worth to keep."""

    numbers: Sequence[float]
    cards: Sequence[float]


class Value:
    """Prices, worked out for a turn that captured and for one that did not."""

    def __init__(self, prices: Prices) -> None:
        if tuple(prices.numbers) != NUMBERS:
            raise data.BrokenData(f"{DATA}: the numbers are not {', '.join(NUMBERS)}")
        self.prices = prices
        self.after = (_priced(prices, 0.0), _priced(prices, 1.0))
        """By whether the turn passed without a capture."""


def _priced(prices: Prices, idle: float) -> Priced:
    cards = [0.0] * KINDS
    for symbol, (price, more) in prices.elements.items():
        cards[BY_SYMBOL[symbol].z] = price + idle * more
    return Priced([price + idle * more for price, more in prices.numbers.values()], cards)


@cache
def learned() -> Value:
    """By the data file."""
    return Value(data.load(DATA, Prices))
