"""The small words of a position: the marks of a unit, the ways into the discard pile, an attack."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.playing_cards import DECK52, JACK, RANKS

UP: Final = 1
FROZEN: Final = 2
SPENT: Final = 4
"""It has no attack left in this turn."""
EXTRA: Final = 8
"""It has one attack more than others in this turn (an Ace)."""
LOCKED: Final = 16
"""A base, while cards are in the draw pile."""
IDLE: Final = FROZEN | SPENT
"""Either keeps a face-up card from attacking."""
FADES: Final = FROZEN | SPENT | EXTRA
"""What ends with the turn of the card's side."""

FACES: Final = tuple(1 << 3 * (card >> 2) for card in DECK52)
"""By card: what it adds to the number of the face-up cards of its row, an octal digit for each rank."""
JACKS: Final = 7 << 3 * JACK
"""The digit of the Jacks in such a number."""
TWINS: Final = sum(6 << 3 * rank for rank in range(RANKS))
"""The bits that only a rank has of which two cards or more lie there, which a pair takes."""

SHOWN, KILLED, DISCARDED = range(3)
"""How a card came to the discard pile: face-up, killed face-down, or by a 2."""

STANDS, DIES, SPRINGS = range(3)
"""What became of a card that was hit."""

QUIET: Final = 30
"""How many turns in a row without a play, flip or kill are a draw (decision 13)."""

Gone: TypeAlias = tuple[int, int, int]
"""A card in the discard pile, how it came there, and the seats that know it, one bit each."""

Hit: TypeAlias = tuple[int, int, int, int, int]
"""A card in an attack, as all may know it: unit, card (-1 for a back), damage, healed, what became of it."""

Blow: TypeAlias = tuple[int, int, bool, tuple[Hit, ...], tuple[Hit, ...]]
"""The last attack, for whoever asks why: seat, lane, whether a pair struck, attackers and targets."""
