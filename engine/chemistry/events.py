"""The events and refusals of Compound Capture and Chemistry Canasta, with the types of their facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NewType

from engine.facts import Count, Facts, Player

Card = NewType("Card", int)
"""An atomic number, or WILD."""
Top = NewType("Top", int)
"""The card on top of the discard pile."""
Compound = NewType("Compound", int)
"""Index of a compound in the deck."""
Laid = NewType("Laid", list[int])
"""The cards of a run; its lowest number is the fact `start`."""
Number = NewType("Number", int)
Points = NewType("Points", int)
Totals = NewType("Totals", list[int])
"""The points of all seats."""
Counted = NewType("Counted", list[list[int]])
"""Cards, each with its count."""

_PROBLEM: Final = Facts().silent(problem=str).may(missing=list[list[int]], short=int, wilds=int)
"""The part of a rule that was broken and, if cards are missing, how many and how many wilds in the hand could
replace them."""

EVENTS: Final[Mapping[str, Facts]] = {
    "capture": Facts(compound=Compound, cards=list[Card]),
    "claim": Facts(number=Card, owner=Player).silent(start=int),
    "dealt": Facts().silent(count=int).may(cards=list[Card]),
    "discard": Facts(card=Card),
    "draw": Facts().silent(left=int).may(card=Card),
    "game_over": Facts().silent(ranks=list[int], reason=str, totals=list[int]),
    "made": Facts(points=Points).silent(compounds=list[int], runs=int, round=int),
    "nothing": Facts(),
    "round": Facts(round=int, row=list[Compound], top=Top),
    "round_over": Facts(round=int, totals=Totals).silent(reason=str, points=list[int]),
    "run": Facts(cards=Laid).silent(start=int),
    "shuffled": Facts(cards=Count),
    "take": Facts(card=Card),
    "turned": Facts(compound=Compound).silent(left=int),
}

CAPTURE_REFUSALS: Final[Mapping[str, Facts]] = {
    "already_drawn": Facts().silent(problem=str),
    "card_not_in_hand": Facts(card=Card),
    "draw_first": Facts(),
    "draw_source": Facts().silent(problem=str),
    "exact_cards": _PROBLEM.silent(problem=str, compound=Compound).may(
        card=Card, named=int, needed=int, surplus=Counted
    ),
    "not_face_up": Facts(compound=Compound),
}

CANASTA_REFUSALS: Final[Mapping[str, Facts]] = {
    **CAPTURE_REFUSALS,
    "capture_made": Facts(),
    "exact_run": _PROBLEM.may(last=int, numbers=list[Number]),
    "no_such_wild": Facts(card=Card),
    "nothing_to_end": Facts(),
    "run_made": Facts(),
}
