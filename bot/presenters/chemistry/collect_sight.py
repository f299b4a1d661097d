"""What a hand can do now, and what it lacks: worked out from an observation."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chemistry.deck import BOOK, KINDS, WILD
from engine.chemistry.moves import lack, missing
from engine.chemistry.observation import Observation
from engine.elements import BY_SYMBOL


def counted(cards: Sequence[int]) -> bytearray:
    """A hand as the rules count it: how many cards of each kind."""
    hand = bytearray(KINDS)
    for card in cards:
        hand[card] += 1
    return hand


def shortages(seen: Observation) -> list[tuple[int, int, tuple[int, ...]]]:
    """For each face-up compound: (compound, cards lacking with wilds counted, which elements would help)."""
    hand = counted(seen.hand)
    return [(number, lack(number, hand), _missing(number, hand)) for number in seen.row]


def _missing(number: int, hand: bytearray) -> tuple[int, ...]:
    """The elements that are not held often enough, in the order of the formula."""
    short = missing(number, hand)
    return tuple(z for symbol in BOOK.compounds[number].elements if (z := BY_SYMBOL[symbol].z) in short)


def one_short(seen: Observation) -> list[tuple[int, tuple[int, ...]]]:
    """The face-up compounds that lack just one card, and the elements of which one would do."""
    return [(number, atoms) for number, short, atoms in shortages(seen) if short == 1]


def just_drawn(seen: Observation) -> int:
    """The card that the viewer took from the stock last."""
    order = seen.orders[-1]
    return order[len(order) - seen.stock - 1]


def open_claims(seen: Observation) -> list[tuple[int, int, int]]:
    """The wild cards in runs: (the number that each stands for, whose run, which one)."""
    return [
        (start + step, seat, place)
        for seat, runs in enumerate(seen.runs)
        for place, (start, cards) in enumerate(runs)
        for step, card in enumerate(cards)
        if card == WILD
    ]
