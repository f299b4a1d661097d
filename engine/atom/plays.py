"""What can be played, and what beats what.

Source: docs/rules/atom.md, section 3. A *play* is a set of cards; its *rung* is where it stands once the
Blade is known. `beats` compares two rungs; tests/engine/atom/slow.py holds the slow second opinion.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from engine.atom.cards import (
    BLADES,
    POINTS,
    SLOT_OF,
    SLOTS,
    SUIT_STRENGTH,
    counts,
    total,
)
from engine.atom.moves import MOST
from engine.playing_cards import JOKER, THREE

PLAIN, PLAIN_BLADES, BOMB, BLADE_BOMB, SPECIAL = range(5)
"""Kinds of rungs: 1 to 3 cards; the same of Blades; 4 cards or more; the same of Blades; atoms and nukes."""

ATOM_TIERS: Final = {3: 1, 4: 2, 5: 4}
"""By size: the tier of an atom."""
NUKE_TIERS: Final = {2: 3, 3: 5, 4: 6, 5: 7}
"""By cards of each suit: the tier of a nuke."""
LEAST_BOMB: Final = 4


class Play(NamedTuple):
    """A set of cards that may be played.

    `rank` is that of its natural cards, JOKER where there are none; `suits` and `jokers` are packed.
    `tier` is 0, or that of an atom or a nuke, and `suit` ranks equal atoms (0 for nukes; for jokers
    black 0, red 1).
    """

    rank: int
    suits: int
    jokers: int
    size: int
    points: int
    tier: int
    suit: int

    @property
    def is_nuke(self) -> bool:
        """Whether it is a nuke."""
        return self.tier in (3, 5, 6, 7)

    @property
    def kind(self) -> str:
        """`single`, `pair`, `triple`, `bomb`, `atom` or `nuke`."""
        if self.tier:
            return "nuke" if self.is_nuke else "atom"
        return ("single", "pair", "triple", "bomb")[min(self.size, LEAST_BOMB) - 1]


class Rung(NamedTuple):
    """Where a play stands: its kind, its number of cards, and its strength among its kind."""

    kind: int
    size: int
    strength: int


def special(by_suit: tuple[int, ...], packs: int) -> tuple[int, int]:
    """Tier and suit of an atom or nuke; (0, 0) where it is neither. Two suits are those of the jokers."""
    held = [suit for suit, many in enumerate(by_suit) if many]
    if len(held) == 1:
        tier = ATOM_TIERS.get(by_suit[held[0]], 0)
        return (tier, SUIT_STRENGTH[held[0]] if len(by_suit) == 4 else held[0]) if tier else (0, 0)
    each = by_suit[0]
    if len(held) == 4 and all(many == each for many in by_suit) and each in nukes(packs):
        return NUKE_TIERS[each], 0
    return 0, 0


def nukes(packs: int) -> range:
    """How many cards of each suit a nuke may have: two, and with five packs up to five."""
    return range(2, 3 if packs == 3 else packs + 1)


def make(rank: int, suits: int, jokers: int, packs: int) -> Play:
    """The play of these packed cards; `rank` is JOKER where `suits` is 0."""
    natural = total(suits)
    tier = suit = 0
    if not jokers:
        tier, suit = special(counts(suits), packs)
    elif not natural:
        tier, suit = special(counts(jokers)[:2], packs)
    return Play(rank, suits, jokers, natural + total(jokers), POINTS[rank] * natural, tier, suit)


@lru_cache(maxsize=8192)
def shape(cards: tuple[int, ...], packs: int) -> Play | None:
    """The play that these cards make, in any order; None where they do not share a rank.

    Whether jokers may go with them (never with Blades) is for the caller to say.
    """
    rank, suits, jokers = JOKER, 0, 0
    for card in cards:
        if card >> 2 == JOKER:
            jokers += 1 << 4 * (card & 3)
            continue
        if rank not in (JOKER, card >> 2):
            return None
        rank = card >> 2
        suits += 1 << 4 * (card & 3)
    return make(rank, suits, jokers, packs)


def joker_strength(blade: int, *, as_three: bool) -> int:
    """How high jokers without a natural card stand: below all, or with the 3s where that is agreed."""
    return SLOT_OF[blade][THREE] if as_three and blade != THREE else 0


# Joker atoms stand between those of the Blades and all others.
_ORDER: Final[tuple[int, ...]] = (12 + 1, *range(1, 13), 12 + 2)


def _stand(size: int, slot: int) -> Rung:
    if slot == BLADES:
        return Rung(PLAIN_BLADES if size < LEAST_BOMB else BLADE_BOMB, size, slot)
    return Rung(PLAIN if size < LEAST_BOMB else BOMB, size, slot)


_STANDS: Final = tuple(tuple(_stand(size, slot) for slot in range(SLOTS)) for size in range(MOST + 1))
"""By number of cards, then slot: where a set stands that is neither atom nor nuke."""


def rung(play: Play, blade: int, low: int = 0) -> Rung:
    """Where a play stands under this Blade; `low` is `joker_strength`."""
    slot = SLOT_OF[blade][play[0]]
    tier = play[5]
    if tier:
        return Rung(SPECIAL, play[3], special_strength(slot, tier, play[6]))
    return _STANDS[play[3]][slot or low]


def special_strength(slot: int, tier: int, suit: int) -> int:
    """The strength of an atom or a nuke among its kind."""
    return tier << 6 | _ORDER[slot] << 2 | suit


def beats(new: Rung, old: Rung) -> bool:
    """Whether `new` may be laid on `old`."""
    kind, size, strength = new
    on, old_size, old_strength = old
    if kind == SPECIAL:
        return on != SPECIAL or strength > old_strength
    if kind == PLAIN:
        return on == PLAIN and size == old_size and strength > old_strength
    if kind == PLAIN_BLADES:
        return on == PLAIN and size == old_size
    if kind == BOMB:
        return on == PLAIN or (on == BOMB and (size, strength) > (old_size, old_strength))
    return on in (PLAIN, BOMB)
