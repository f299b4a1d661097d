"""The events and refusals of Chemistry Battle, with the types of their facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NewType

from engine.chemistry.events import Card
from engine.facts import Facts

Highest = NewType("Highest", int)
"""A card of which only the number matters."""
Sizes = NewType("Sizes", list[int])
"""Number of cards in each pile."""

EVENTS: Final[Mapping[str, Facts]] = {
    "game_over": Facts(rounds=int, highest=Highest).silent(
        hand=int, cards=list[int], capped=bool, ranks=list[int], reason=str
    ),
    "piles": Facts(sizes=Sizes).silent(hand=int),
    "play": Facts(card=Card).silent(hand=int),
    "round_won": Facts().silent(hand=int, round=int, cards=list[int], kitty=int),
}

REFUSALS: Final[Mapping[str, Facts]] = {
    "card_not_in_hand": Facts(card=Card, highest=Highest),
    "cards_hidden": Facts(),
    "cards_open": Facts(),
}
