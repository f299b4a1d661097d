"""A seat's view of a position of Compound Capture or Chemistry Canasta."""

from __future__ import annotations

from engine.chemistry.observation import (
    DRAW,
    HAND,
    HIDDEN,
    SHUFFLE,
    Observation,
    known_cards,
    parts,
)
from engine.chemistry.position import Position
from engine.chemistry.scoring import cards_of
from engine.game import Viewer


def observe(state: Position, viewer: Viewer) -> Observation:
    """Return the viewer's observation: the public table, its own cards and the history of the round."""
    log = tuple(state.log)
    hand: tuple[int, ...] = ()
    if viewer is not None:
        hand = cards_of(state.hands[viewer])
    return state.public_view(
        viewer=viewer,
        hand=hand,
        known=tuple(map(tuple, map(sorted, known_cards(log, state.seats)))),
        stock=len(state.order) - state.at,
        stack=state.total - state.up,
        turned=tuple(state.stack[: state.up]),
        orders=_seen_orders(state, viewer),
        over=not state.to_act(),
    )


def _seen_orders(state: Position, viewer: Viewer) -> tuple[tuple[int, ...], ...]:
    """Return each stock reduced to the cards the viewer drew and the card that opened the discard pile."""
    orders = [[HIDDEN] * len(order) for order in state.orders]
    opening = state.seats * HAND
    orders[0][opening] = state.orders[0][opening]
    if viewer is not None:
        own = slice(viewer * HAND, (viewer + 1) * HAND)
        orders[0][own] = state.orders[0][own]
    epoch, at = 0, opening + 1
    for one in state.log:
        op, seat, _ = parts(one)
        if op == DRAW:
            if seat == viewer:
                orders[epoch][at] = state.orders[epoch][at]
            at += 1
        elif op == SHUFFLE:
            epoch, at = epoch + 1, 0
    return tuple(map(tuple, orders))
