"""A race to clear two lanes: how a position without a draw pile ends if both sides keep attacking.

Nothing is searched: each side makes the attack closest to emptying a lane, or turns up a card if none can
attack. Powers are ignored, and cards count as their hit points: only the number of actions matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.duel52.cards import LONE, POINTS
from engine.duel52.marks import BOTH, FROZEN, SPENT, UP
from engine.duel52.sample import World
from engine.duel52.victory import LANES

_ACTIONS: Final = 3
_READY, _TIRED, _BACK, _COLD = range(4)
"""States of a card: able to attack, already used, face-down but able to be flipped, and frozen."""


class _Table(NamedTuple):
    """The reduced position: hit points and states of the cards, by row."""

    points: Sequence[list[int]]
    stands: Sequence[list[int]]
    lanes: int
    held: Sequence[int]
    """The side that each lane counts for if it is empty, see `marks`; no entries under rules 1."""


def race(state: World, turns: int) -> tuple[int, int] | None:
    """Return the side that wins within this many turns and the number of that turn, or None if neither does.

    The running turn counts and has number 0. For two sides and an empty draw pile.
    """
    points = [[_points(state, unit) for unit in row] for row in state.rows]
    stands = [[_stand(state.flags[unit]) for unit in row] for row in state.rows]
    held = [sum(len(hand) for hand in state.hands[side :: state.sides]) for side in range(state.sides)]
    table = _Table(points, stands, state.lanes, state.held)
    lanes, side, actions = state.lanes, state.turn % state.sides, state.actions
    for turn in range(turns):
        own, others = side * lanes, (1 - side) * lanes
        for left in range(actions, 0, -1):
            if (found := _attack(table, own, others, left)) is None:
                if not held[side]:
                    break
                held[side] -= 1
                at = min(range(own, own + lanes), key=lambda row: sum(points[row]))
                points[at].append(LONE)
                stands[at].append(_BACK)
            elif found and not held[1 - side] and _won(table, own, others, side) >= LANES:
                return side, turn
        for at in range(own, own + lanes):
            stands[at] = [_BACK if one == _BACK else _READY for one in stands[at]]
        side, actions = 1 - side, _ACTIONS
    return None


def _won(table: _Table, own: int, others: int, side: int) -> int:
    """Return how many lanes a side has won if the opponents' hands are empty."""
    points, _, lanes, held = table
    return sum(
        not points[others + lane] and (not held or bool(points[own + lane]) or held[lane] in (side, BOTH))
        for lane in range(lanes)
    )


def _attack(table: _Table, own: int, others: int, left: int) -> bool | None:
    """Make the attack closest to emptying a lane, or flip a card for it if another action is left.

    Return whether a target died, or None if nothing can be done.
    """
    points, stands, lanes, _ = table
    full = [lane for lane in range(lanes) if points[others + lane]]
    full.sort(key=lambda lane: sum(points[others + lane]))
    wanted = max(1, LANES - lanes + len(full))
    best: tuple[int, int, int] | None = None
    for place, lane in enumerate(full):
        row = stands[own + lane]
        verb = _READY if _READY in row else _BACK if left > 1 and _BACK in row else None
        if verb is not None:
            key = (2 * (place >= wanted) + (verb == _BACK), min(points[others + lane]), place)
            best = key if best is None or key < best else best
    if best is None:
        return None
    _, least, place = best
    lane = full[place]
    row, targets = stands[own + lane], points[others + lane]
    if _READY not in row:
        row[row.index(_BACK)] = _READY
        return False
    row[row.index(_READY)] = _TIRED
    hit = targets.index(least)
    targets[hit] -= 1
    if targets[hit]:
        return False
    del targets[hit], stands[others + lane][hit]
    return True


def _points(state: World, unit: int) -> int:
    """Return a card's remaining hit points."""
    return (POINTS[state.card[unit] >> 2] if state.flags[unit] & UP else LONE) - state.damage[unit]


def _stand(flags: int) -> int:
    """Return the state of a card in the running turn."""
    if flags & FROZEN:
        return _COLD
    return (_TIRED if flags & SPENT else _READY) if flags & UP else _BACK
