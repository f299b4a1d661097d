"""How near a hand is to a run, and the chance that two unseen cards bring one: exact, by masks of kinds.

A mask has one byte for each kind of card, 1 or 0, that of WILD lowest. So a hand, which counts cards by kind
in bytes, becomes one in a few steps, and a mask says at once which places of a table count.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import mul
from typing import Final

from engine.chemistry.deck import KINDS, WILD

STEP: Final = 8
"""Bits of a mask from one kind to the next."""
_ONES: Final = int.from_bytes(b"\x7f" * KINDS, "little")
_HIGH: Final = int.from_bytes(b"\x80" * KINDS, "little")
_WILD: Final = 1
_ELEMENTS: Final = int.from_bytes(b"\x00" + b"\x01" * (KINDS - 1), "little")
_PAIR: Final = 2


def held_of(hand: bytearray) -> int:
    """The elements that a hand holds."""
    # adding 127 carries into the high bit exactly where at least one card is held
    return (int.from_bytes(hand, "little") + _ONES & _HIGH) >> STEP - 1 & ~_WILD


def near(held: int, wilds: int) -> tuple[bool, int]:
    """Whether a run can be made of these elements and so many wild cards; else the kinds of which one more
    would do."""
    beside, apart = held & held >> STEP, held & held >> 2 * STEP
    if wilds > 1:  # any element will do
        return (True, 0) if held else (False, _ELEMENTS)
    if wilds:  # one more neighbour of a neighbour, or another wild
        return (True, 0) if beside or apart else (False, _around(held) | (_WILD if held else 0))
    if beside & held >> 2 * STEP:
        return True, 0
    one = (beside << 2 * STEP | beside >> STEP | apart << STEP) & _ELEMENTS
    return False, one | (_WILD if beside or apart else 0)


def _around(held: int) -> int:
    """The elements beside one of these, or one further."""
    return (held << STEP | held >> STEP | held << 2 * STEP | held >> 2 * STEP) & _ELEMENTS


class RunOdds:
    """The chances of runs while these cards are unseen, by kind."""

    def __init__(self, unseen: Sequence[int]) -> None:
        self.unseen, self.total = tuple(unseen), sum(unseen)
        self.beside = tuple(map(mul, self.unseen, self.unseen[1:]))
        """By kind, the pairs of a card of it and one of the next kind; of the next but one."""
        self.apart = tuple(map(mul, self.unseen, self.unseen[2:]))
        self._found: dict[tuple[int, int], float] = {}

    def chance(self, held: int, wilds: int) -> float:
        """The chance that these elements and so many wild cards can be a run after two unseen cards."""
        key = (held, min(wilds, _PAIR))
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._chance(*key)
        return found

    def single(self, held: int, wilds: int) -> float:
        """The same with one unseen card."""
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
        if wilds < _PAIR:  # with more only an element is missing
            ways += self._pairs(held, ~single) if not wilds else self._beside_wild(held, ~single)
        return ways / (total * (total - 1) // 2)

    def _pairs(self, held: int, other: int) -> int:
        """Without a wild card: the pairs of which one alone, all of these `other` kinds, would not do."""
        # the next two kinds, or the two before; the one before and the next
        beside = (held << STEP | held >> 2 * STEP) & _ELEMENTS & other & other >> STEP
        apart = held >> STEP & _ELEMENTS & other & other >> 2 * STEP
        ways = _sum(self.beside, beside) + _sum(self.apart, apart)
        if held and other & _WILD:
            wilds = self.unseen[WILD]
            ways += wilds * (wilds - 1) // 2 + wilds * _sum(self.unseen, _around(held) & other)
        return ways

    def _beside_wild(self, held: int, other: int) -> int:
        """The same with one wild card: two elements near each other; with nothing else, any and a wild."""
        left = _ELEMENTS & other
        ways = _sum(self.beside, left & other >> STEP) + _sum(self.apart, left & other >> 2 * STEP)
        return ways if held else ways + self.unseen[WILD] * (self.total - self.unseen[WILD])


def _sum(table: Sequence[int], mask: int) -> int:
    """What a table holds at the kinds of a mask."""
    return sum(compress(table, mask.to_bytes(KINDS, "little")))
