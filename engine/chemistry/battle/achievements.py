"""Achievements of Chemistry Battle."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final

from engine.achievements import Played
from engine.game import Achievement

_ROW: Final = 6
_HAIRS: Final = 3
_HIGH: Final = 45
_SMALL: Final = 12
_LEAD: Final = 12


def _winners(played: Played) -> list[tuple[int, list[Any]]]:
    return [(each["hand"], each["cards"]) for each in played.told("round_won")]


def _in_a_row(played: Played) -> int:
    """Six rounds won in a row."""
    runs = groupby(hand for hand, _ in _winners(played))
    return sum(hand == played.seat and len(list(run)) >= _ROW for hand, run in runs)


def _hairs_breadth(played: Played) -> int:
    """Three rounds of a game won by a margin of one."""
    won = [sorted(cards) for hand, cards in _winners(played) if hand == played.seat and len(cards) > 1]
    return int(sum(cards[-1] - cards[-2] == 1 for cards in won) >= _HAIRS)


def _small_card(played: Played) -> int:
    """A round won with a number of twelve or less."""
    return sum(hand == played.seat and max(cards) <= _SMALL for hand, cards in _winners(played))


def _none_wasted(played: Played) -> int:
    """At least three cards of 45 or more played, each of which won its round."""
    high = {each["card"] for each in played.did("play") if each["card"] >= _HIGH}
    kept = {card for hand, cards in _winners(played) if hand == played.seat for card in cards}
    return int(len(high) >= _HAIRS and high <= kept)


def _comeback(played: Played) -> int:
    """Behind when the piles were counted, and the game won."""
    piles = [each["sizes"] for each in played.told("piles")]
    return int(played.won and any(sizes[played.seat] < max(sizes) for sizes in piles))


def _clear_lead(played: Played) -> int:
    """Twelve cards ahead of everyone when the piles were counted, and the game won."""
    sizes: list[int] = next((list(each["sizes"]) for each in played.told("piles")), [])
    others = [size for hand, size in enumerate(sizes) if hand != played.seat]
    return int(played.won and bool(others) and sizes[played.seat] >= max(others) + _LEAD)


ACHIEVEMENTS: Final = (
    Achievement("in_a_row", _in_a_row, fair=True),
    Achievement("hairs_breadth", _hairs_breadth),
    Achievement("small_card", _small_card),
    Achievement("comeback", _comeback, fair=True),
    Achievement("clear_lead", _clear_lead, fair=True),
    Achievement("none_wasted", _none_wasted, fair=True),
)
