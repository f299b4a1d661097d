"""The cards of Atom as counts: packed by rank and suit, with tables for each Blade.

Source: docs/rules/atom.md, sections 1 to 3. A card is the number of `engine.playing_cards`; which of the
three or five equal copies it is never matters. How many copies of each card of one rank somebody holds is
*packed* into one int, four bits for each suit (for the jokers: black, then red).

A *slot* is the place of a rank in the order of this game: 0 for the jokers, 1 to 12 for the ranks from
3 up to 2 without the Blade, 13 for the Blade.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.playing_cards import ACE, CLUBS, DIAMONDS, FIVE, HEARTS, JOKER, KING, SPADES, TEN, THREE, TWO

CARDS: Final = 54
PACKS: Final = {4: 3, 5: 5}
"""By number of seats: how many packs of 54 cards are in play."""

SLOTS: Final = 14
JOKERS: Final = 0
"""The slot of the jokers."""
BLADES: Final = 13
"""The slot of the Blades."""

ORDER: Final = (*range(THREE, ACE + 1), TWO)
"""The ranks from low to high, the Blade still in its place."""
SUIT_STRENGTH: Final = (1, 0, 2, 3)
"""By suit: its place among equal atoms; spades over hearts over clubs over diamonds."""
SUITS_UP: Final = (DIAMONDS, CLUBS, HEARTS, SPADES)
"""The suits from low to high."""

POINTS: Final = tuple({FIVE: 5, TEN: 10, KING: 10}.get(rank, 0) for rank in range(JOKER + 1))
"""By rank: the points of one card."""


def _slots(blade: int) -> tuple[int, ...]:
    slots = [0] * SLOTS
    for slot, rank in enumerate((rank for rank in ORDER if rank != blade), 1):
        slots[rank] = slot
    slots[blade] = BLADES
    slots[JOKER] = JOKERS
    return tuple(slots)


SLOT_OF: Final = tuple(_slots(blade) for blade in range(JOKER))
"""By Blade, then rank: the slot."""
RANK_AT: Final = tuple(tuple(slots.index(slot) for slot in range(SLOTS)) for slots in SLOT_OF)
"""By Blade, then slot: the rank."""


def unit(card: int) -> int:
    """One copy of this card, packed."""
    return 1 << 4 * (card & 3)


def counts(packed: int) -> tuple[int, int, int, int]:
    """By suit: how many."""
    return packed & 15, packed >> 4 & 15, packed >> 8 & 15, packed >> 12 & 15


def pack(by_suit: Sequence[int]) -> int:
    """The inverse of `counts`."""
    return sum(count << 4 * suit for suit, count in enumerate(by_suit))


def total(packed: int) -> int:
    """How many cards in all."""
    return (packed & 15) + (packed >> 4 & 15) + (packed >> 8 & 15) + (packed >> 12 & 15)


def count(packed: int, card: int) -> int:
    """How many copies of this card, of the packed counts of its rank."""
    return packed >> 4 * (card & 3) & 15


def unpacked(rank: int, packed: int) -> Iterator[int]:
    """The cards of a rank, ascending, each as often as it is there."""
    for suit, many in enumerate(counts(packed)):
        yield from (4 * rank + suit,) * many


def flat(by_rank: Sequence[int]) -> tuple[int, ...]:
    """By card: how many, from the packed counts of all ranks."""
    return tuple(by_rank[card >> 2] >> 4 * (card & 3) & 15 for card in range(CARDS))


def by_rank(cards: Iterable[int]) -> list[int]:
    """The packed counts of all ranks, jokers last."""
    packed = [0] * SLOTS
    for card in cards:
        packed[card >> 2] += 1 << 4 * (card & 3)
    return packed


def points(by_ranks: Sequence[int]) -> int:
    """The points in the packed counts of all ranks."""
    return sum(POINTS[rank] * total(by_ranks[rank]) for rank in (FIVE, TEN, KING))
