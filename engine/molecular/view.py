"""The observation a viewer gets of a position."""

from __future__ import annotations

from engine.game import Viewer
from engine.molecular.hidden_pieces import HiddenPieces, epoch_of, kind_of, knowers_of
from engine.molecular.observation import HIDDEN, HeldView, Observation
from engine.molecular.position import Position


def observe(state: Position, viewer: Viewer) -> Observation:
    """Return everything `viewer` may know. A `viewer` of None is a spectator."""
    gifts = state.gifts
    return state.public_view(
        viewer=viewer,
        rounds=state.rules.rounds,
        per_edge=state.rules.per_edge,
        to_act=state.to_act(),
        board=tuple(sorted(shape | cell << 8 for cell, shape in state.board.tiles.items())),
        tiles=_held(state.tiles, viewer),
        cards=_held(state.cards, viewer),
        effectors=len(state.effectors),
        conference=bool(gifts),
        gift=gifts[viewer] if gifts and viewer is not None else -1,
    )


def _held(hidden: HiddenPieces, viewer: Viewer) -> HeldView:
    bit = 0 if viewer is None else 1 << viewer
    held = tuple(
        tuple(kind_of(piece) if seat == viewer or knowers_of(piece) & bit else HIDDEN for piece in pieces)
        for seat, pieces in enumerate(hidden.held)
    )
    return HeldView(
        pile=len(hidden.pile),
        held=held,
        epochs=tuple(tuple(epoch_of(piece) for piece in pieces) for pieces in hidden.held),
        knowers=tuple(tuple(knowers_of(piece) for piece in pieces) for pieces in hidden.held),
        marks=hidden.marks_of(viewer),
        mixes=tuple(hidden.mixes),
    )
