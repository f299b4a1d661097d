"""What a card is worth: its chance to win a hand of unknown cards, by level and number of seats.

The numbers are data (`assets/cards/atom_duel_worth.json`): to find them takes a second a table, and nobody
should wait for that at the first decision. `tools/atom_duel_worth.py` writes them with `measured`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine import data
from engine.atom_duel.cards import CARDS, LEVELS, TABLES, CardTable
from engine.atom_duel.evaluate import Played
from engine.atom_duel.winning import winner

DATA: Final = "atom_duel_worth.json"
SEATS: Final = (2, 3, 4, 5)
TRIES: Final = 3000
"""Hands in which each card is tried, about."""

Way = tuple[int, str]
"""A card and its announcement, "" where it has none."""


def ways(level: int) -> list[Way]:
    """All cards with all their announcements, in the order in which the file has them."""
    choices = TABLES[level].choices
    return [(card, power) for card in CARDS for power in choices[card] or ("",)]


@lru_cache(maxsize=LEVELS * len(SEATS))
def worth(level: int, seats: int) -> Mapping[Way, float]:
    """By card and announcement: the chance to win a full hand of random cards, first of a round."""
    return dict(zip(ways(level), (each / 1000 for each in _file()[f"{level}/{seats}"]), strict=True))


@lru_cache(maxsize=1)
def _file() -> dict[str, list[int]]:
    return data.load(DATA, dict[str, list[int]])


def measured(level: int, seats: int) -> list[int]:
    """The numbers of one table in thousandths, always the same."""
    rng = random.Random(1)
    every, table = ways(level), TABLES[level]
    # one hand is a try for each of its cards; starting at 1 of 2 keeps the unlucky comparable
    tries = dict.fromkeys(every, 2)
    won = dict.fromkeys(every, 1)
    for _ in range(TRIES * len(every) // seats):
        hand = rng.sample(every, seats)
        if len({card for card, _ in hand}) < seats:
            continue
        for way in hand:
            tries[way] += 1
        won[hand[best([lay(table, seat, *way) for seat, way in enumerate(hand)], seats)]] += 1
    return [round(1000 * won[way] / tries[way]) for way in every]


@lru_cache(maxsize=1 << 14)
def lay(
    table: CardTable, seat: int, card: int, power: str, *, first_hand: bool = True, zinc: bool = False
) -> Played:
    """A card as it would lie in a hand."""
    number, bits, used = table.played(card, power, first_hand=first_hand, zinc=zinc)
    return (number, card, seat, bits, used)


def best(plays: Sequence[Played], seats: int) -> int:
    """Which of these plays wins the hand."""
    kinds = 0
    for play in plays:
        kinds |= play[3]
    return winner(plays, kinds, seats)[0]
