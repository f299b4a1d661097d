"""The events and refusals of Atom, with the types of their facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NewType

from engine.facts import Count, Facts, Player

Card = NewType("Card", int)
Rank = NewType("Rank", int)
Ladder = NewType("Ladder", int)
"""The rank that is the Blade, where a sentence tells the order of all ranks by it."""
Set = NewType("Set", list[int])
"""Cards that are played together."""

_NO_MATCH: Final = Facts(cards=Set, table=Set).silent(blade=Rank)

EVENTS: Final[Mapping[str, Facts]] = {
    "call": Facts(card=Card),
    "dealt": Facts(game=int, turned=Card, leader=Player).silent(left=list[int]),
    "laid_open": Facts(cards=list[Card], points=int),
    "match_over": Facts(winners=list[Player]).silent(
        reason=str, side=int, score=int, totals=list[int], games=list[list[int]], upstream=int
    ),
    "out": Facts(place=int),
    "pass": Facts(),
    "play": Facts(cards=list[Card]).silent(sort=str, left=int, leads=bool),
    "revealed": Facts(card=Card),
    "settled": Facts(game=int).silent(
        blade=Rank,
        order=list[int],
        downstream=list[int],
        captured=list[int],
        left=list[int],
        teams=list[int],
        totals=list[int],
        sweep=int,
    ),
    "trick": Facts(points=Count, captured=int).may(leader=Player),
    "void": Facts(turned=Card),
}

REFUSALS: Final[Mapping[str, Facts]] = {
    "bigger_bomb": _NO_MATCH,
    "call_first": Facts(),
    "call_not_own": Facts(card=Card, held=Count),
    "higher_atom": _NO_MATCH,
    "must_lead": Facts(),
    "not_callable": Facts(card=Card, blade=Rank),
    "not_in_hand": Facts(card=Card, wanted=int, held=Count),
    "not_one_rank": Facts(ranks=list[Rank]).silent(jokers=int, blade=Rank),
    "nothing_to_call": Facts().silent(called=int),
    "only_atoms": _NO_MATCH,
    "other_count": _NO_MATCH,
    "too_low": Facts(cards=Set, table=Set, blade=Ladder),
}
