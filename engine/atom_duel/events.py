"""The events and refusals of Atom Duel, with the types of their facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NewType

from engine.facts import Facts, Player

Card = NewType("Card", int)
"""A card by its atomic number, named in full."""
Short = NewType("Short", int)
"""A card by its atomic number, named in passing."""
Slot = NewType("Slot", int)
"""A place in a row, from 0."""
Doubled = NewType("Doubled", int)
"""Twice the number that it stands for, so that halves are whole."""
Power = NewType("Power", str)
"""The key of a power; empty where the card has none."""
Verb = NewType("Verb", str)
"""What a power asks for."""

EVENTS: Final[Mapping[str, Facts]] = {
    "dealt": Facts().silent(count=int).may(cards=list[Short]),
    "flip": Facts(slot=Slot, card=Short),
    "game_over": Facts().silent(
        ranks=list[int], reason=str, hands=list[int], last_round=list[int], best2=list[int]
    ),
    "germanium": Facts().silent(shuffled=bool, shown=bool, sealed=bool),
    "hand_won": Facts(hand=int, card=Card, value2=Doubled).silent(
        round=int, plays=list[tuple[int, int, str]], trace=list[dict[str, object]], points=list[int]
    ),
    "hydrogen": Facts(),
    "lanthanum": Facts().silent(rows=list[tuple[int, int, int]]),
    "lanthanum_over": Facts().silent(shuffled=bool, hidden=bool),
    "laser_wasted": Facts(target=Player, card=Card).silent(slot=Slot),
    "leftover": Facts(cards=list[Short]),
    "no_target": Facts(card=Short).silent(power=Power),
    "no_trade": Facts(),
    "pass_left": Facts().silent(counts=list[int]),
    "peek": Facts(target=Player, slots=list[Slot]).may(cards=list[Short]),
    "play": Facts(card=Card).silent(power=Power),
    "received": Facts().silent(count=int).may(cards=list[Short]),
    "redeal": Facts().silent(counts=list[int]),
    "reveal": Facts(target=Player, card=Card, slot=Slot),
    "round": Facts(round=int, rounds=int, leader=Player, deck=int).silent(simultaneous=bool),
    "round_over": Facts(round=int, points=list[int]).silent(won=list[int]),
    "rows_sealed": Facts(),
    "seal": Facts().may(card=Card, power=Power, position=int),
    "trade": Facts(target=Player, own=list[Slot], slots=list[Slot]).may(given=list[Short], taken=list[Short]),
    "vaporised": Facts(target=Player, card=Card).silent(slot=Slot, power=Power),
    "zinc": Facts(),
}

REFUSALS: Final[Mapping[str, Facts]] = {
    "already_named": Facts(slot=Slot),
    "already_sealed": Facts(card=Short),
    "announce_first": Facts(card=Short, powers=list[Power]),
    "card_not_in_hand": Facts(card=Short),
    "cards_hidden": Facts(),
    "cards_open": Facts(),
    "choose_first": Facts(card=Short, verb=Verb),
    "empty_slot": Facts(seat=Player, slot=Slot),
    "no_such_seat": Facts().silent(seat=int),
    "no_such_slot": Facts(slot=Slot),
    "not_asked": Facts().silent(verb=str),
    "not_enough_cards": Facts(seats=int, hand_size=int, rounds=int, needed=int, cards=int),
    "nothing_to_announce": Facts(card=Short),
    "other_player": Facts(seat=Player),
    "other_power": Facts(card=Short, powers=list[Power]),
    "own_row": Facts(),
    "seal_order": Facts(),
    "trade_two_cards": Facts().silent(seat=Player),
}
