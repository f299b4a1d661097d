"""How a game of Duel 52 ends (docs/rules/duel52.md, decisions 13 and 14)."""

from __future__ import annotations

from typing import Final

from engine.duel52 import menu
from engine.duel52.marks import FROZEN
from engine.duel52.position import Position
from engine.game import Seat

LANES: Final = 2
"""How many lanes, or triangles, win."""

REASONS: Final = (
    "two_lanes",
    "both_sides",
    "two_triangles",
    "last_one_in",
    "all_out",
    "no_moves",
    "thirty_turns",
)
"""What can decide a game."""


def decide(state: Position) -> bool:
    """Whether the game is decided now; the draw pile is empty. Ends the game if so."""
    if state.sides > 2:
        return _triangles(state)
    hands = state.hands
    won = [False, False]
    for side in (0, 1):
        # a side can be beaten once no hand of it holds a card
        if hands[side] or (state.seats > 2 and hands[side + 2]):
            continue
        start = side * state.lanes
        won[1 - side] = state.rows[start : start + state.lanes].count([]) >= LANES
    if not won[0] and not won[1]:
        return False
    if won[0] and won[1]:
        draw(state, "both_sides")
    else:
        winner = 0 if won[0] else 1
        _end(state, "two_lanes", tuple(1 if seat % 2 == winner else 2 for seat in range(state.seats)))
    return True


def controlled(state: Position, seat: Seat) -> int:
    """The triangles in which a seat has a card and nobody else has."""
    rows, lanes = state.rows, state.lanes
    return sum(
        bool(rows[seat * lanes + lane])
        and not any(rows[other * lanes + lane] for other in range(state.sides) if other != seat)
        for lane in range(lanes)
    )


def _triangles(state: Position) -> bool:
    seats = [(state.turn + step) % state.seats for step in range(state.seats)]
    inside = [seat for seat in seats if not state.is_out(seat)]
    for seat in inside:
        if controlled(state, seat) >= LANES:
            _end(state, "two_triangles", _ranked(state, (seat,)))
            return True
    lanes = state.lanes
    fallen = [
        seat
        for seat in inside
        if not state.hands[seat] and not any(state.rows[seat * lanes : (seat + 1) * lanes])
    ]
    if not fallen:
        return False
    left = [seat for seat in inside if seat not in fallen]
    if not left:
        _end(state, "all_out", _ranked(state, tuple(fallen)))
        return True
    state.outs.append(tuple(sorted(fallen)))
    for seat in sorted(fallen):
        state.tell("out", seat)
    if len(left) == 1:
        _end(state, "last_one_in", _ranked(state, tuple(left)))
        return True
    return False


def _ranked(state: Position, winners: tuple[Seat, ...]) -> tuple[int, ...]:
    """Winners, those still in, then who went out: the later the better."""
    inside = tuple(s for s in range(state.seats) if s not in winners and not state.is_out(s))
    ranks = [0] * state.seats
    rank = 1
    for group in (winners, inside, *reversed(state.outs)):
        for seat in group:
            ranks[seat] = rank
        rank += len(group)
    return tuple(ranks)


def draw(state: Position, reason: str) -> None:
    """Nobody wins: all who are still in share the first rank."""
    _end(state, reason, _ranked(state, tuple(s for s in range(state.seats) if not state.is_out(s))))


def is_dead(state: Position) -> bool:
    """Whether nothing can ever happen again: nothing is frozen and nobody has a legal action."""
    if any(state.flags[unit] & FROZEN for row in state.rows for unit in row):
        return False
    return not any(menu.of_turn(state, seat) for seat in range(state.seats) if not state.is_out(seat))


def _end(state: Position, reason: str, ranks: tuple[int, ...]) -> None:
    state.reason = reason
    state.ranks = ranks
    state.asks.clear()
    state.menu = None
    state.tell("over", -1, reason=reason, ranks=list(ranks))
