"""The small words of a position: the marks of a unit, the ways into the discard pile, an attack."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

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


class Blow(NamedTuple):
    """The last attack, for whoever asks why. `paired` attackers struck together."""

    seat: int
    lane: int
    paired: bool
    attackers: tuple[Hit, ...]
    targets: tuple[Hit, ...]
