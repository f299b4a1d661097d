"""From a position to what a viewer may know of it."""

from __future__ import annotations

from engine.atom.cards import count, flat
from engine.atom.observation import Observation
from engine.atom.position import Position
from engine.atom.sides import PAIR, UNKNOWN, known, spreads
from engine.game import Viewer

_PHASES = ("call", "play", "over")


def observe(state: Position, viewer: Viewer) -> Observation:
    """All that `viewer` may know; None is a spectator."""
    five = state.seats == 5
    slots = state.slots
    caller = state.receiver if five else -1
    revealed: tuple[int, ...] = ()
    sides = state.teams
    if five:
        sides = (UNKNOWN,) * 5
        if state.called >= 0:
            played = state.copies_laid(state.called)
            revealed = tuple(seat for seat, many in enumerate(played) if many >= PAIR)
            held = None
            if viewer is not None:
                held = (viewer, count(state.hands[viewer][slots[state.called >> 2]], state.called))
            sides = known(caller, spreads(caller, tuple(played), held, tuple(state.left), state.over))
    hand = state.hands[viewer or 0]
    return state.public_view(
        viewer=viewer,
        phase=_PHASES[state.phase],
        to_act=state.to_act(),
        hand=flat([hand[slot] for slot in slots]) if viewer is not None else (),
        played=tuple(tuple([laid[slot] for slot in slots]) for laid in state.laid),
        best=state.best_cards,
        tricks=state.ended,
        caller=caller,
        revealed=revealed,
        sides=sides,
    )
