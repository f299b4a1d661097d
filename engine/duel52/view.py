"""A viewer's observation of a position of Duel 52."""

from __future__ import annotations

from engine.duel52.marks import EXTRA, FROZEN, LOCKED, SHOWN, SPENT, UP, Blow, Hit
from engine.duel52.observation import (
    HIDDEN,
    BlowView,
    Discard,
    HitView,
    LaneUnit,
    Observation,
)
from engine.duel52.position import Position
from engine.game import Viewer


def observe(state: Position, viewer: Viewer) -> Observation:
    """Return everything `viewer` may know. None is a spectator."""
    mask = 0 if viewer is None else 1 << viewer
    solo, teams = state.variant.key == "solo", state.variant.key == "teams"
    # in solo one person holds both seats and sees both hands once they are opened
    both = solo and viewer is not None and not (state.asks and state.asks[-1].verb == "open")
    # in teams a 4 shows a back only once, to the player who looked
    once = state.glimpse if viewer is not None and state.pointer == viewer else -1
    return state.public_view(
        viewer=viewer,
        variant=state.variant.key,
        to_act=state.to_act(),
        pile=len(state.pile),
        aside=len(state.aside),
        laid=len(state.card),
        counts=tuple(len(hand) for hand in state.hands),
        hands=tuple(tuple(hand) if seat == viewer or both else () for seat, hand in enumerate(state.hands)),
        rows=tuple(
            tuple(_unit(state, unit, mask, once if teams else -2) for unit in row) for row in state.rows
        ),
        gone=tuple(
            Discard(card if way == SHOWN or known & mask else HIDDEN, way, known)
            for card, way, known in state.gone
        ),
        drawn=state.drawn if both or viewer == state.turn else HIDDEN,
        last=None if state.last is None else _blow(state.last),
    )


def _blow(last: Blow) -> BlowView:
    seat, lane, paired, attackers, targets = last
    return BlowView(seat, lane, paired, _hits(attackers), _hits(targets))


def _hits(hits: tuple[Hit, ...]) -> tuple[HitView, ...]:
    return tuple(HitView(*hit) for hit in hits)


def _unit(state: Position, unit: int, mask: int, once: int) -> LaneUnit:
    """Return a card as those in `mask` see it.

    Of the backs they know only `once` is shown, or all if it is -2.
    """
    flag, known = state.flags[unit], state.known[unit]
    up = bool(flag & UP)
    sees = up or bool(known & mask)
    return LaneUnit(
        unit=unit,
        card=state.card[unit] if sees else HIDDEN,
        up=up,
        shown=up or (sees and once in (-2, unit)),
        damage=state.damage[unit],
        frozen=bool(flag & FROZEN),
        locked=bool(flag & LOCKED),
        attacks=0 if flag & SPENT or not up else 2 if flag & EXTRA else 1,
        extra=bool(flag & EXTRA),
        mate=state.mate[unit],
        knowers=known,
    )
