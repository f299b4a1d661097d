"""The events and refusals of Duel 52, with the types of their facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NewType

from engine.facts import Count, Facts, Player

Card = NewType("Card", int)
"""A card, or HIDDEN for a back."""
Lane = NewType("Lane", int)
"""A lane, or a triangle if the fact `triangles` is set."""
Unit = NewType("Unit", int)
"""The number of a card on the table."""
Side = NewType("Side", int)
Verb = NewType("Verb", str)

_HERE: Final = {"lane": Lane}

EVENTS: Final[Mapping[str, Facts]] = {
    "attack": Facts(attackers=list[list[int]], targets=list[list[int]], **_HERE)
    .silent(back=int, healed=list[Unit])
    .may(triangles=bool),
    "bet": Facts(side=Side),
    "bonus": Facts(actions=Count).silent(unit=Unit),
    "discard": Facts().may(card=Card),
    "draw": Facts().silent(pile=int).may(card=Card),
    "empower": Facts(**_HERE).silent(unit=Unit, units=list[Unit]).may(triangles=bool),
    "flip": Facts(card=Card, **_HERE).silent(unit=Unit, by=int).may(triangles=bool),
    "freeze": Facts(**_HERE).silent(unit=Unit, units=list[Unit]).may(triangles=bool),
    "heal": Facts().silent(unit=Unit, units=list[Unit]),
    "killed": Facts(owners=list[Player], **_HERE).silent(unit=Unit).may(card=Card, triangles=bool),
    "look": Facts(owners=list[Player], **_HERE).silent(by=int, unit=Unit).may(card=Card, triangles=bool),
    "move": Facts(to=Lane, **_HERE).silent(unit=Unit).may(card=Card, triangles=bool),
    "no_action": Facts(actions=Count),
    "open": Facts(),
    "order": Facts(card=Card).silent(unit=Unit),
    "out": Facts(),
    "over": Facts().silent(reason=str, ranks=list[int]),
    "pair": Facts(cards=list[Card], **_HERE).silent(units=list[Unit]).may(triangles=bool),
    "pile_empty": Facts().silent(bases=bool),
    "play": Facts(**_HERE).silent(unit=Unit).may(card=Card, triangles=bool),
    "sprung": Facts(card=Card, **_HERE).silent(unit=Unit).may(triangles=bool),
    "stay": Facts().silent(unit=Unit),
    "turn": Facts(number=int, actions=Count),
}

REFUSALS: Final[Mapping[str, Facts]] = {
    "already_up": Facts(card=Card),
    "back_cannot_attack": Facts(),
    "base_safe": Facts(pile=Count),
    "choose_first": Facts(verb=Verb).silent(card=Card),
    "frozen_attack": Facts(card=Card),
    "frozen_flip": Facts(lane=Lane).silent(triangles=bool),
    "has_attacked": Facts(card=Card),
    "locked_base": Facts(pile=Count),
    "mate_cannot": Facts(card=Card, mate=Card),
    "nine_alone": Facts(),
    "no_such_card": Facts().silent(unit=Unit),
    "no_such_lane": Facts(lanes=int),
    "not_asked": Facts(verb=Verb),
    "not_in_hand": Facts(card=Card),
    "not_listed": Facts(cards=list[Card]),
    "not_yours": Facts(lane=Lane).silent(triangles=bool),
    "one_target": Facts(card=Card),
    "only_backs": Facts(card=Card),
    "other_lane": Facts(lane=Lane).silent(triangles=bool, target_lane=Lane),
    "own_card": Facts(),
    "pair_face_down": Facts(),
    "pair_lane": Facts(),
    "pair_ranks": Facts(cards=list[Card]),
    "pair_three": Facts(cards=list[Card]),
    "same_lane": Facts(lane=Lane).silent(triangles=bool),
    "taunted": Facts(cards=list[Card], lane=Lane).silent(triangles=bool),
    "two_targets": Facts(card=Card),
}
