"""The teacher at a table: who may ask it, and what it is asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from bot.table.table import Table
from bot.table.table_kinds import can_teach, plays_alone
from engine.game import Action, AnyGame, AnyState, Event, Seat, Setup, Viewer

MOST_MOVES: Final = 3
"""How many of the decisions that somebody made running are looked at."""


@dataclass(frozen=True, slots=True)
class OpponentMove:
    """One decision of a seat: the position before it, what could be done and what was, and what came of it.

    It holds all secrets: what is told of it is cut for who asks.
    """

    seat: Seat
    before: AnyState
    actions: tuple[Action, ...]
    action: Action
    events: tuple[Event, ...]

    @property
    def done(self) -> list[Event]:
        """What happened by it: the table's events count, those of the next turn do not."""
        return list(takewhile(lambda event: event.seat in (self.seat, -1), self.events))


def may_ask_why(table: Table, viewer: Viewer) -> bool:
    """Whether one may ask why an opponent did what it did: who plays alone while the game goes on, everybody
    once it is over."""
    if not can_teach(table) or table.state is None:
        return False
    if table.outcome() is not None:
        return True
    return table.phase == "live" and viewer is not None and table.stored.terms.hints and plays_alone(table)


def last_moves(
    game: AnyGame,
    setup: Setup,
    acts: Sequence[tuple[Seat, Any]],
    seats: Collection[Seat],
    chosen: Seat | None = None,
) -> list[OpponentMove]:
    """The decisions that one of these seats made running when it moved last, the newest first, at most
    `MOST_MOVES`; of the seat that moved last, unless one is chosen."""
    wanted = seats if chosen is None else {chosen}.intersection(seats)
    end = next((n for n in reversed(range(len(acts))) if acts[n][0] in wanted), None)
    if end is None:
        return []
    first = end
    while first > max(0, end - MOST_MOVES + 1) and acts[first - 1][0] == acts[end][0]:
        first -= 1
    state, found = game.deal(setup), list[OpponentMove]()
    for number, (seat, action) in enumerate(acts[: end + 1]):
        if number < first:
            state.push(seat, action)
            continue
        before, actions = state.clone(), tuple(state.legal_actions(seat))
        state.events = []
        state.push(seat, action)
        found.append(OpponentMove(seat, before, actions, action, tuple(state.events)))
    return found[::-1]
