"""Exact odds of a run: how close a hand is, and the probability that two unseen cards complete one.

A mask has one byte per kind of card, 1 or 0, with WILD in the lowest byte. A hand counts cards by kind in
bytes, so a few operations turn it into a mask, and a mask selects entries of a table directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import mul
from typing import Final

from engine.chemistry.deck import KINDS, WILD

STEP: Final = 8
"""Bits from one kind to the next in a mask."""
_ONES: Final = int.from_bytes(b"\x7f" * KINDS, "little")
_HIGH: Final = int.from_bytes(b"\x80" * KINDS, "little")
_WILD: Final = 1
_ELEMENTS: Final = int.from_bytes(b"\x00" + b"\x01" * (KINDS - 1), "little")
_PAIR: Final = 2


def held_of(hand: bytearray) -> int:
    """Return the mask of elements in a hand."""
    # adding 127 carries into the high bit exactly if at least one card of the kind is held
    return (int.from_bytes(hand, "little") + _ONES & _HIGH) >> STEP - 1 & ~_WILD


def near(held: int, wilds: int) -> tuple[bool, int]:
    """Return whether these elements and this many wild cards make a run.

    If they do not, also return the mask of kinds of which one more card would complete it.
    """
    beside, apart = held & held >> STEP, held & held >> 2 * STEP
    if wilds > 1:  # any element will do
        return (True, 0) if held else (False, _ELEMENTS)
    if wilds:  # one more card within two numbers of a held one, or another wild
        return (True, 0) if beside or apart else (False, _around(held) | (_WILD if held else 0))
    if beside & held >> 2 * STEP:
        return True, 0
    one = (beside << 2 * STEP | beside >> STEP | apart << STEP) & _ELEMENTS
    return False, one | (_WILD if beside or apart else 0)


def _around(held: int) -> int:
    """Return the elements at most two numbers away from one of these."""
    return (held << STEP | held >> STEP | held << 2 * STEP | held >> 2 * STEP) & _ELEMENTS


class RunOdds:
    """Odds of runs given the unseen cards, counted by kind."""

    def __init__(self, unseen: Sequence[int]) -> None:
        self.unseen, self.total = tuple(unseen), sum(unseen)
        self.beside = tuple(map(mul, self.unseen, self.unseen[1:]))
        """Number of unseen pairs of each kind with the next kind; in `apart`, with the next but one."""
        self.apart = tuple(map(mul, self.unseen, self.unseen[2:]))
        self._found: dict[tuple[int, int], float] = {}

    def chance(self, held: int, wilds: int) -> float:
        """Return the probability that these elements and wild cards form a run after two unseen cards."""
        key = (held, min(wilds, _PAIR))
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._chance(*key)
        return found

    def single(self, held: int, wilds: int) -> float:
        """Return the probability that they form a run after one unseen card."""
        now, kinds = near(held, wilds)
        return 1.0 if now else _sum(self.unseen, kinds) / max(1, self.total)

    def _chance(self, held: int, wilds: int) -> float:
        now, single = near(held, wilds)
        if now:
            return 1.0
        good, total = _sum(self.unseen, single), self.total
        if total < _PAIR:
            return float(bool(good))
        ways = good * (total - good) + good * (good - 1) // 2
        if wilds < _PAIR:  # with two, only an element can be missing
            ways += self._pairs(held, ~single) if not wilds else self._beside_wild(held, ~single)
        return ways / (total * (total - 1) // 2)

    def _pairs(self, held: int, other: int) -> int:
        """Count the pairs of `other` kinds that complete a run only together, without a wild in hand."""
        # the next two kinds or the previous two; then the previous and the next
        beside = (held << STEP | held >> 2 * STEP) & _ELEMENTS & other & other >> STEP
        apart = held >> STEP & _ELEMENTS & other & other >> 2 * STEP
        ways = _sum(self.beside, beside) + _sum(self.apart, apart)
        if held and other & _WILD:
            wilds = self.unseen[WILD]
            ways += wilds * (wilds - 1) // 2 + wilds * _sum(self.unseen, _around(held) & other)
        return ways

    def _beside_wild(self, held: int, other: int) -> int:
        """Count such pairs with one wild in hand: two close elements, or any and a wild if none is held."""
        left = _ELEMENTS & other
        ways = _sum(self.beside, left & other >> STEP) + _sum(self.apart, left & other >> 2 * STEP)
        return ways if held else ways + self.unseen[WILD] * (self.total - self.unseen[WILD])


def _sum(table: Sequence[int], mask: int) -> int:
    """Return the sum of the table entries selected by a mask."""
    return sum(compress(table, mask.to_bytes(KINDS, "little")))
