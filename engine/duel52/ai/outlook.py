"""Heuristic evaluation of a position of Duel 52 for a seat.

It counts cards and hit points lane by lane, possible attacks, frozen cards, and above all control of lanes
once the draw pile is short. Enemy backs unknown to the seat count as average cards, even if a sample gives
them an identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.duel52.cards import LONE, POINTS
from engine.duel52.marks import BOTH, EXTRA, FROZEN, IDLE, LOCKED, UP
from engine.duel52.menu import targets
from engine.duel52.moves import Move
from engine.duel52.sample import World
from engine.playing_cards import (
    ACE,
    EIGHT,
    FIVE,
    FOUR,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANKS,
    SEVEN,
    SIX,
    TEN,
    THREE,
)

WON: Final = 1000.0

_FACE: Final = {EIGHT: 1.1, NINE: 0.7, TEN: 1.4, JACK: 1.3}
_FACES: Final = tuple(_FACE.get(rank, 0.3) for rank in range(RANKS))
"""Value of a face-up card beyond its hit points, by rank."""
_BACK: Final = {THREE: 1.0, FOUR: 0.2, FIVE: 0.6, SIX: 0.9, SEVEN: 0.6, QUEEN: 0.5, KING: 0.6, ACE: 1.2}
_BACKS: Final = tuple(_BACK.get(rank, _FACES[rank] * 0.6) for rank in range(RANKS))
"""Value of a back to those who know it, by rank: the effect of its flip."""
_UNKNOWN: Final = sum(_BACKS) / RANKS
_EARLY: Final = 1.0
_LAST: Final = 1.0
"""Value of a hit point of a face-up card: each one before the last, and the last."""
_SHOWN: Final = tuple(
    tuple(_LAST + _EARLY * (points - hurt - 1) + _FACES[rank] for hurt in range(points))
    for rank, points in enumerate(POINTS)
)
"""Value of a face-up card, by rank and damage."""
_SCRATCH: Final = 0.85
"""Value of a hit point of a back."""
_LAID: Final = tuple(tuple(_SCRATCH * (LONE - hurt) + back for hurt in range(LONE)) for back in _BACKS)
_HIDDEN: Final = tuple(_SCRATCH * (LONE - hurt) + _UNKNOWN for hurt in range(LONE))
"""Values of backs: `_LAID` by rank and damage for those who know them, `_HIDDEN` by damage for others."""
_COLD: Final = 0.45
_HELD_BACK: Final = 0.15
"""Value that frost takes from a face-up card, and that frost or a lock takes from a back."""
_HELD: Final = tuple(1.35 + back * 0.7 for back in _BACKS)
"""Value of a card in hand, by rank."""
_ANY: Final = sum(_HELD) / RANKS
_STRIKE: Final = 0.55
"""Value of an attack that is still possible this turn."""
_ACTION: Final = 0.7
"""Value of an action left."""
_FAR: Final = frozenset((FIVE, SEVEN, QUEEN, KING))
"""Ranks whose powers reach beyond their lane or trigger other cards."""
_LATE: Final = 8
"""Size of the draw pile below which lane control starts to count."""


def judge(state: World, seat: int) -> float:
    """Return the value of a position to a seat: own side minus enemies, plus remaining actions."""
    return standing(state, seat, worths(state, seat)) + chances(state, seat)


def standing(state: World, seat: int, rows: Sequence[float]) -> float:
    """Return the value of a position to a seat from its row values, ignoring remaining actions."""
    if state.ranks:
        ranks = state.ranks
        if ranks[seat] > 1:
            return -WON
        return WON if ranks.count(1) * state.sides <= state.seats else 0.0
    sides, lanes = state.sides, state.lanes
    side = seat % sides
    start = side * lanes
    own = sum(rows[start : start + lanes])
    others = sum(rows) - own
    for other, hand in enumerate(state.hands):
        if other == seat:
            for card in hand:
                own += _HELD[card >> 2]
        elif other % sides == side:
            own += _ANY * len(hand)
        else:
            others += _ANY * len(hand)
    return own - others / (sides - 1) + _control(state, start, rows)


def worths(state: World, seat: int) -> list[float]:
    """Return the value of the cards in each row, as the side of a seat knows them."""
    known = side_seats(state, seat)
    return [_row(state, at, known) for at in range(len(state.rows))]


def revised(rows: list[float], before: World, after: World, seat: int, move: Move) -> list[float]:
    """Return the row values after a move, given those before it."""
    verb = move[0]
    if after.asks or before.asks or after.turns > before.turns + 1 or (before.pile and not after.pile):
        return worths(after, seat)
    lanes = before.lanes
    touched: Sequence[int]
    if verb == "play":
        touched = (before.starts[before.turn] + move.lane,)
    elif verb == "attack":
        touched = before.columns[before.place[move.unit] % lanes]
    elif verb == "flip":
        rank = before.card[move.unit] >> 2
        at = before.place[move.unit]
        if rank == SIX:
            touched = before.columns[at % lanes]
        elif rank in _FAR:
            return worths(after, seat)
        else:
            touched = (at,)
    elif verb == "pair":
        touched = ()
    else:
        return worths(after, seat)
    known = side_seats(before, seat)
    rows = rows.copy()
    for at in touched:
        rows[at] = _row(after, at, known)
    if after.turns > before.turns:
        # frozen cards thaw at the end of their side's turn
        flags = before.flags
        start = before.starts[before.turn]
        for at in range(start, start + lanes):
            if any(flags[unit] & FROZEN for unit in before.rows[at]):
                rows[at] = _row(after, at, known)
    return rows


def chances(state: World, seat: int) -> float:
    """Return the value of the actions a seat has left in its turn."""
    return (
        0.0
        if state.turn != seat or state.ranks
        else _ACTION * state.actions + _strikes(state, seat % state.sides)
    )


def side_seats(state: World, seat: int) -> int:
    """Return the seats of a side as a bit mask."""
    return sum([1 << one for one in range(seat % state.sides, state.seats, state.sides)])


def _row(state: World, at: int, known: int) -> float:
    """Return the value of the cards of a row to those seats (bit mask)."""
    worth = 0.0
    flags, card, damage = state.flags, state.card, state.damage
    for unit in state.rows[at]:
        flag = flags[unit]
        if flag & UP:
            worth += _SHOWN[card[unit] >> 2][damage[unit]]
            if flag & FROZEN:
                worth -= _COLD
            continue
        worth += (_LAID[card[unit] >> 2] if state.known[unit] & known else _HIDDEN)[damage[unit]]
        if flag & (FROZEN | LOCKED):
            worth -= _HELD_BACK
    return worth


def _control(state: World, start: int, rows: Sequence[float]) -> float:
    """Return the value of lane control: it grows as the pile shrinks, and two lanes are enough."""
    late = max(0.0, 1.0 - len(state.pile) / _LATE)
    lanes, held = state.lanes, state.held
    leads = []
    for at in range(start, start + lanes):
        own = rows[at]
        if state.sides == 2:
            others = rows[at - lanes if start else at + lanes]
        else:
            others = max([rows[other] for other in state.columns[at - start] if other != at])
        lead = own - others
        if held and not own and not others and 0 <= held[at - start] < BOTH:
            # an empty lane belongs to the side that had it last
            lead = 5.0 if held[at - start] * lanes == start else -5.0
        elif late and not others and own:
            lead = 5.0
        elif late and others and not own:
            lead = -5.0
        elif lead > 3.0:
            lead = 3.0
        elif lead < -3.0:
            lead = -3.0
        leads.append(lead)
    leads.sort(reverse=True)
    # the second-best lane decides the game
    return (0.2 + 0.8 * late) * (leads[1] * 1.2 + leads[0] * 0.4 + sum(leads[2:]) * 0.2)


def _strikes(state: World, side: int) -> float:
    """Return the value of the attacks possible this turn, limited by the number of actions."""
    count = 0
    start = side * state.lanes
    flags = state.flags
    for at in range(start, start + state.lanes):
        ready = 0
        for unit in state.rows[at]:
            if flags[unit] & (UP | IDLE) == UP:
                ready += 2 if flags[unit] & EXTRA else 1
        if ready and targets(state, at):
            count += ready
    return _STRIKE * min(count, state.actions)


def interest(state: World, seat: int, unit: int) -> float:
    """Return the value of looking at a back, judged by public facts.

    It is highest if own cards could attack it, zero for a known card and low for a base.
    """
    known = state.knowers(seat)
    if state.known[unit] & known:
        return 0.0
    side = seat % state.sides
    at = state.place[unit]
    if state.flags[unit] & LOCKED:
        return 0.1
    if at // state.lanes == side:
        return 0.15
    ready = any(state.flags[one] & UP for one in state.rows[side * state.lanes + at % state.lanes])
    return 0.3 + 0.1 * ready - 0.1 * state.damage[unit]
