"""Small constants and types of a position: marks of a unit, ways into the discard pile, attacks."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.playing_cards import DECK52, JACK, RANKS

UP: Final = 1
FROZEN: Final = 2
SPENT: Final = 4
"""No attack left this turn."""
EXTRA: Final = 8
"""One extra attack this turn (an Ace)."""
LOCKED: Final = 16
"""A base, while the draw pile has cards."""
IDLE: Final = FROZEN | SPENT
"""Marks that keep a face-up card from attacking."""
FADES: Final = FROZEN | SPENT | EXTRA
"""Marks that end with the turn of the card's side."""

FACES: Final = tuple(1 << 3 * (card >> 2) for card in DECK52)
"""Increment of a row's face-up count for each card: an octal digit per rank."""
JACKS: Final = 7 << 3 * JACK
"""The digit of the Jacks in such a count."""
TWINS: Final = sum(6 << 3 * rank for rank in range(RANKS))
"""Bits set only in digits of at least two cards, as a pair needs."""

NEITHER, BOTH = -1, 2
"""Holders of a lane that neither side has had to itself. If empty, it counts for both, by rules 2 for
neither."""

SHOWN, KILLED, DISCARDED = range(3)
"""Ways into the discard pile: face-up, killed face-down, or by a 2."""

STANDS, DIES, SPRINGS = range(3)
"""Fates of a card that was hit."""

QUIET: Final = 30
"""Turns in a row without a play, flip or kill that make a draw (decision 13)."""

Gone: TypeAlias = tuple[int, int, int]
"""A card in the discard pile, its way there, and the seats that know it as a bit mask."""

Hit: TypeAlias = tuple[int, int, int, int, int]
"""A card in an attack, as publicly known: unit, card (-1 for a back), damage, healing, fate."""

Blow: TypeAlias = tuple[int, int, bool, tuple[Hit, ...], tuple[Hit, ...]]
"""The last attack, kept to explain it: seat, lane, whether a pair attacked, attackers and targets."""
