"""The events and refusals of Molecular, with the types of their facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NewType

from engine.facts import Count, Facts, Player

Kind = NewType("Kind", int)
"""A kind of tile."""
Shape = NewType("Shape", int)
"""A kind of tile in one of its rotations."""
Group = NewType("Group", int)
"""A functional group."""
Card = NewType("Card", int)
"""An effector."""
Edge = NewType("Edge", int)
"""An edge of a cell, clockwise from north-east."""
Order = NewType("Order", int)
"""The order of the bond on an edge; 0 for a blank edge."""
Points = NewType("Points", int)
Counters = NewType("Counters", int)
"""Handicap counters on a group."""
Verb = NewType("Verb", str)
"""The verb an effector asks for."""
Play = NewType("Play", str)
"""A kind of action: tile, reveal or group."""
Reason = NewType("Reason", str)
"""The reason the game ended."""

_PLACE: Final = {"q": int, "r": int}
_PASSED: Final = Facts(other=Player).may(group=Group)
_SCORED: Final = {"score": list[int], "total": int}

EVENTS: Final[Mapping[str, Facts]] = {
    "active": Facts(card=Card).silent(gone=list[Card]),
    "alarm": Facts().silent(lost=int),
    "clear": Facts(group=Group, counters=Counters),
    "contamination": Facts().silent(tiles=int),
    "drew": Facts().silent(what=str, count=int).may(kinds=list[int]),
    "effectors_shuffled": Facts(count=Count),
    "explosion": Facts().silent(cells=list[list[int]]),
    "forfeit": Facts().silent(total=int),
    "game_over": Facts(reason=Reason).silent(scores=list[int]),
    "gave": _PASSED,
    "gave_back": _PASSED,
    "grant": Facts(points=Points),
    "group": Facts(group=Group, points=Points).silent(**_SCORED),
    "groups_shuffled": Facts(count=Count),
    "no_free_tile": Facts(),
    "nothing": Facts(card=Card),
    "pass": Facts().silent(left=int),
    "poach": _PASSED,
    "reveal": Facts(card=Card),
    "rival": Facts(group=Group, counters=Counters),
    "round": Facts(round=int, rounds=int),
    "skip": Facts(card=Card),
    "spill": Facts(kind=Kind).silent(**_PLACE),
    "tile": Facts(kind=Kind, points=Points).silent(turn=int, free=bool, **_PLACE, **_SCORED),
}

REFUSALS: Final[Mapping[str, Facts]] = {
    "audit": Facts(kind=Play),
    "cell_taken": Facts().silent(**_PLACE),
    "choose_first": Facts(verb=Verb, card=Card),
    "edges_differ": Facts(edge=Edge, own=Order, other=Order, shape=Shape),
    "first_seat": Facts(first=int, seats=int),
    "forfeit_late": Facts(),
    "forfeit_points": Facts(),
    "no_actions": Facts().silent(free=bool),
    "no_bond": Facts().silent(**_PLACE),
    "no_counters": Facts(group=Group),
    "no_tile_there": Facts().silent(**_PLACE),
    "not_an_end": Facts(bonds=int).silent(start=bool, **_PLACE),
    "not_asked": Facts().silent(verb=str),
    "not_beside": Facts().silent(**_PLACE),
    "not_in_hand": Facts(group=Group),
    "not_in_pool": Facts(kind=Kind),
    "poach_empty": Facts().silent(seat=Player),
    "poach_self": Facts(),
    "same_group": Facts(group=Group),
}
