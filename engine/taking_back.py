"""Checks whether a move can be taken back without anyone having learned something from it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.game import Action, AnyGame, AnyState, Event, Refusal, Seat, Setup, Viewer

WORLDS: Final = 48
"""Positions sampled for each seat. Hidden cards differ in most of them, so a card that was drawn, flipped or
looked at shows up in the first few. That an attacked face-down card was not a trap shows up only in about one
in eight."""
PARTNER: Final = "partner"
"""The role that a game assigns to partners discovered during play."""


def shows_nothing(game: AnyGame, setup: Setup, before: AnyState, acts: Sequence[tuple[Seat, Action]]) -> bool:
    """Return whether these acts revealed no card to anyone by a draw, a flip or a look.

    `acts` are those of one seat, or of all seats of one person, from the position `before`. A card played
    openly from the hand does not count, since only the opponents gain by having seen it. Partners do count,
    so if the table has partners such a card has been shown to one of them.

    Raises:
        Refusal: the acts do not follow the rules from here.
    """
    mine = {seat for seat, _ in acts}
    partners = bool(game.partners(setup.seats, setup.options)) or PARTNER in game.roles
    for act in acts:
        after, told = before.clone(), list[Event]()
        after.events = told
        after.apply(*act)
        if any(event.secret and set(event.knowers) - mine for event in told):
            return False
        if partners and any(_lays_openly(game, event) for event in told):
            return False
        if any(
            _learns(game, before, act, after, viewer, own=viewer in mine) for viewer in range(setup.seats)
        ):
            return False
        before = after
    return True


def _lays_openly(game: AnyGame, event: Event) -> bool:
    seen = event.seen_by(None)
    return seen is not None and bool(game.played(seen.kind, seen.facts))


def _learns(
    game: AnyGame,
    before: AnyState,
    act: tuple[Seat, Action],
    after: AnyState,
    viewer: Viewer,
    *,
    own: bool,
) -> bool:
    """Return whether a seat has seen more than the choice that was made.

    The act is repeated in samples the seat could not tell from the real position. If it sees a difference
    between them afterwards, chance or hidden cards affected what it sees. A sample may refuse an act of
    another seat: that act named a card from that seat's hand, and the choice consists of which card it was
    and where it was. Anything else such an act may have shown is also seen by the acting seat, or is a card
    that entered the viewer's hand.
    """
    known, seen = before.observe(viewer), after.observe(viewer)
    if not own and sorted(game.in_hand(known)) != sorted(game.in_hand(seen)):
        return True
    draw, differs, refused = game.sampler(known), False, False
    for number in range(WORLDS):
        world = draw(random.Random(f"taking back/{number}"))
        try:
            world.apply(*act)
        except Refusal:
            refused = True
        else:
            differs = differs or world.observe(viewer) != seen
    return differs and (own or not refused)
