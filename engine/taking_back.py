"""Whether what somebody did can be taken back without anybody having learned something by it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.game import Action, AnyGame, AnyState, Event, Refusal, Seat

WORLDS: Final = 48
"""How many worlds are tried. What is hidden differs in most of them, so a card that was drawn, flipped or
looked at shows in the first few; that a card attacked face down was no trap, only in every eighth or so."""


def shows_nothing(game: AnyGame, before: AnyState, acts: Sequence[tuple[Seat, Action]], seats: int) -> bool:
    """Whether nobody of so many seats saw a card drawn, flipped or looked at through these acts of one seat
    (or of all seats of one person).

    Each act is done again in worlds that a seat could not tell from the real one before it: where each of
    them looks the same to it afterwards, chance and hidden cards had no part in what it sees. A card that was
    played openly from the hand is no secret of the game: where another seat knows worlds in which it could
    not have been played, what it saw was that choice.

    Raises:
        Refusal: the acts do not follow the rules from here.
    """
    mine = {seat for seat, _ in acts}
    for act in acts:
        after, told = before.clone(), list[Event]()
        after.events = told
        after.apply(*act)
        if any(event.secret and set(event.knowers) - mine for event in told):
            return False
        if not all(_sees_the_same(game, before, act, after, viewer) for viewer in range(seats)):
            return False
        before = after
    return True


def _sees_the_same(
    game: AnyGame, before: AnyState, act: tuple[Seat, Action], after: AnyState, viewer: Seat
) -> bool:
    draw, seen = game.sampler(before.observe(viewer)), after.observe(viewer)
    same = True
    for number in range(WORLDS):
        world = draw(random.Random(f"taking back/{number}"))
        try:
            world.apply(*act)
        except Refusal:
            return True
        same = same and world.observe(viewer) == seen
    return same
