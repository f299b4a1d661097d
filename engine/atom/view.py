"""From a position to what a viewer may know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.atom.cards import count, flat
from engine.atom.observation import Observation
from engine.atom.sides import PAIR, UNKNOWN, known, spreads
from engine.game import Viewer

if TYPE_CHECKING:
    from engine.atom.state import AtomState

_PHASES = ("call", "play", "over")


def observe(state: AtomState, viewer: Viewer) -> Observation:
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
    return Observation(
        viewer=viewer,
        seats=state.seats,
        jokers_as_three=state.low_as_three,
        game=state.game,
        phase=_PHASES[state.phase],
        to_act=state.to_act(),
        blade=state.blade,
        turned=state.turned,
        receiver=state.receiver,
        leader=state.leader,
        hand=flat([hand[slot] for slot in slots]) if viewer is not None else (),
        left=tuple(state.left),
        captured=tuple(state.captured),
        played=tuple(tuple([laid[slot] for slot in slots]) for laid in state.laid),
        trick=tuple(state.trick),
        best_seat=state.best_seat,
        best=state.best_cards,
        passes=state.passes,
        pot=state.pot,
        tricks=state.ended,
        last_trick=state.last,
        out=tuple(state.out),
        caller=caller,
        called=state.called,
        revealed=revealed,
        sides=sides,
        beaten=tuple(state.beaten) if five else (),
        let=tuple(state.let) if five else (),
        results=tuple(state.results),
    )
