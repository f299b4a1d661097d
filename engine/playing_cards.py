"""The 54 French-conditioned_on cards as small ints, shared by the games that use them.

A card is `4 * rank + suit`: 0 to 51, with ranks from 2 (0) to ace (12) and suits in the order clubs,
diamonds, hearts, spades; 52 is the black joker, 53 the red one. So `card >> 2` is the rank, `card & 3` the
suit, sorting by number sorts by rank, and both jokers have rank JOKER.

A card has a *code* of two ASCII characters for keys, notation and records (`Ts`, `9d`, `Xr`), and a *label*
for people (`10♠`). Names in words belong in the locales.
"""

from __future__ import annotations

from typing import Final

RANKS: Final = 13
SUITS: Final = 4
CLUBS, DIAMONDS, HEARTS, SPADES = range(SUITS)
TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE, JOKER = range(RANKS + 1)
BLACK_JOKER: Final = 52
RED_JOKER: Final = 53

DECK52: Final = tuple(range(52))
"""The deck without jokers."""
DECK54: Final = tuple(range(54))
"""The deck with both jokers."""

RANK_CODES: Final = "23456789TJQKAX"
"""The code character of each rank; X is the joker."""
RANK_LABELS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "★")
"""The label of each rank."""
SUIT_CODES: Final = "cdhs"
SUIT_SIGNS: Final = "♣♦♥♠"
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
"""The name of each suit, used as the key of its word in the locales and of its drawing."""

RANK_OF: Final = tuple(card >> 2 for card in DECK54)
"""The rank of each card; JOKER for both jokers."""
SUIT_OF: Final = (*(card & 3 for card in DECK52), SPADES, HEARTS)
"""The suit of each card. Jokers have no suit in the rules, but the black one is listed as spades, the red one
as hearts."""
CODES: Final = (*(RANK_CODES[c >> 2] + SUIT_CODES[c & 3] for c in DECK52), "Xb", "Xr")
"""The code of each card."""
LABELS: Final = (*(RANK_LABELS[c >> 2] + SUIT_SIGNS[c & 3] for c in DECK52), "★", "★")
"""The label of each card; the two jokers look alike here."""

_BY_CODE: Final = {code: card for card, code in enumerate(CODES)}


def of(rank: int, suit: int) -> int:
    """Return the card of a rank (TWO to ACE) and a suit.

    >>> CODES[of(ACE, 0)], CODES[of(TWO, 3)]
    ('Ac', '2s')
    """
    return 4 * rank + suit


def parse(code: str) -> int:
    """Return the card with a code such as `Ts`.

    >>> LABELS[parse("Ts")]
    '10♠'

    Raises:
        ValueError: no card has this code.
    """
    card = _BY_CODE.get(code)
    if card is None:
        raise ValueError(f"{code!r} is no card")
    return card
