"""Who clears two lanes first, if both sides go on to attack: what a position without a draw pile comes to.

No search: each side takes the attack that is nearest to emptying a lane, and turns up a card where none can
attack. Powers are left out, and cards count as their hit points: what matters is who needs how many actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.duel52.cards import LONE, POINTS
from engine.duel52.marks import FROZEN, SPENT, UP
from engine.duel52.sample import World
from engine.duel52.victory import LANES

_ACTIONS: Final = 3
_READY, _TIRED, _BACK, _COLD = range(4)
"""A card that can attack, one that has, a back that can be turned up, and one that is frozen."""


class _Table(NamedTuple):
    """What is left of a position: by row the hit points of its cards, and what each can do."""

    points: Sequence[list[int]]
    stands: Sequence[list[int]]
    lanes: int


def race(state: World, turns: int) -> tuple[int, int] | None:
    """The side that wins within so many turns, the running one counted, and in the how manieth from 0; None
    where neither does. For two sides and an empty draw pile.
    """
    points = [[_points(state, unit) for unit in row] for row in state.rows]
    stands = [[_stand(state.flags[unit]) for unit in row] for row in state.rows]
    held = [sum(len(hand) for hand in state.hands[side :: state.sides]) for side in range(state.sides)]
    table = _Table(points, stands, state.lanes)
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
            elif found and not held[1 - side] and points[others : others + lanes].count([]) >= LANES:
                return side, turn
        for at in range(own, own + lanes):
            stands[at] = [_BACK if one == _BACK else _READY for one in stands[at]]
        side, actions = 1 - side, _ACTIONS
    return None


def _attack(table: _Table, own: int, others: int, left: int) -> bool | None:
    """Make the attack that is nearest to emptying a lane, or turn up a card for it where another action is
    left; whether a card died of it, None where nothing can be done."""
    points, stands, lanes = table
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
    """The hit points that a card has left."""
    return (POINTS[state.card[unit] >> 2] if state.flags[unit] & UP else LONE) - state.damage[unit]


def _stand(flags: int) -> int:
    """What a card can do in the running turn."""
    if flags & FROZEN:
        return _COLD
    return (_TIRED if flags & SPENT else _READY) if flags & UP else _BACK
