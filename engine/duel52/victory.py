"""The end of a game of Duel 52 (docs/rules/duel52.md, decisions 13 and 14)."""

from __future__ import annotations

from typing import Final

from engine.duel52 import menu
from engine.duel52.marks import BOTH, FROZEN
from engine.duel52.position import Position
from engine.game import Seat

LANES: Final = 2
"""Number of lanes or triangles that win."""

REASONS: Final = (
    "two_lanes",
    "both_sides",
    "two_triangles",
    "last_one_in",
    "all_out",
    "no_moves",
    "thirty_turns",
)
"""Possible reasons for the end of a game."""


def decide(state: Position) -> bool:
    """End the game if it is decided, and return whether it was. The draw pile must be empty."""
    if state.sides > 2:
        return _triangles(state)
    hands, held = state.hands, state.held
    if held:
        hold(state)
    won = [False, False]
    for side in (0, 1):
        # a side can be beaten only if all its hands are empty
        if hands[side] or (state.seats > 2 and hands[side + 2]):
            continue
        start, other = side * state.lanes, 1 - side
        rows = state.rows[start : start + state.lanes]
        lost = rows.count([])
        if held and lost >= LANES:
            lost = sum(not row and holder in (other, BOTH) for row, holder in zip(rows, held, strict=True))
        won[other] = lost >= LANES
    if not won[0] and not won[1]:
        return False
    if won[0] and won[1]:
        draw(state, "both_sides")
    else:
        winner = 0 if won[0] else 1
        _end(state, "two_lanes", tuple(1 if seat % 2 == winner else 2 for seat in range(state.seats)))
    return True


def hold(state: Position) -> None:
    """Record which side has each lane to itself; it keeps a lane that becomes empty."""
    rows, lanes, held = state.rows, state.lanes, state.held
    for lane in range(lanes):
        if not rows[lane]:
            if rows[lanes + lane]:
                held[lane] = 1
        elif not rows[lanes + lane]:
            held[lane] = 0


def alone(state: Position) -> list[int]:
    """Return for each lane the side that is alone in it in a two-sided game, or `BOTH` for none."""
    rows, lanes = state.rows, state.lanes
    return [
        BOTH if bool(rows[lane]) == bool(rows[lanes + lane]) else 0 if rows[lane] else 1
        for lane in range(lanes)
    ]


def controlled(state: Position, seat: Seat) -> int:
    """Return the number of triangles in which only this seat has cards."""
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
    """Return the ranks: winners, those still in, then those who went out, latest first."""
    inside = tuple(s for s in range(state.seats) if s not in winners and not state.is_out(s))
    ranks = [0] * state.seats
    rank = 1
    for group in (winners, inside, *reversed(state.outs)):
        for seat in group:
            ranks[seat] = rank
        rank += len(group)
    return tuple(ranks)


def draw(state: Position, reason: str) -> None:
    """End the game without a winner: all who are still in share the first rank."""
    _end(state, reason, _ranked(state, tuple(s for s in range(state.seats) if not state.is_out(s))))


def is_dead(state: Position) -> bool:
    """Return whether nothing can ever happen again: no card is frozen and no seat has a legal action."""
    if any(state.flags[unit] & FROZEN for row in state.rows for unit in row):
        return False
    return not any(menu.of_turn(state, seat) for seat in range(state.seats) if not state.is_out(seat))


def _end(state: Position, reason: str, ranks: tuple[int, ...]) -> None:
    state.reason = reason
    state.ranks = ranks
    state.asks.clear()
    state.menu = None
    state.tell("over", -1, reason=reason, ranks=list(ranks))
