"""Names people type when they look up a card of a standard deck."""

from __future__ import annotations

from bot.locales import words
from engine.playing_cards import RANK_CODES, RANK_LABELS, SUIT_NAMES, SUIT_SIGNS


def names_of(rank: int, locale: str) -> tuple[str, ...]:
    """Return the names of the four cards of a rank: J♠, J of spades, jack of spades."""
    house = words(locale)
    ranks = (RANK_LABELS[rank], *house.list(f"playing_card.rank.{RANK_CODES[rank]}"))
    suits = [house(f"playing_card.suit.{suit}") for suit in SUIT_NAMES]
    spelt = (house("playing_card.of", rank=label, suit=suit) for suit in suits for label in ranks)
    return (*(RANK_LABELS[rank] + sign for sign in SUIT_SIGNS), *spelt)
