"""Beginning and end of a turn: the draw, the remaining actions, and the next seat.

Source: docs/rules/duel52.md, section 3, decisions 12, 13 and 18.
"""

from __future__ import annotations

from bisect import insort

from engine.duel52 import menu, victory
from engine.duel52.cards import TURN
from engine.duel52.marks import FADES, FROZEN, LOCKED, QUIET
from engine.duel52.position import Position
from engine.game import Seat


def draw(state: Position, seat: Seat) -> None:
    """Take the top card of the draw pile; emptying the pile unlocks the bases at once (decision 12)."""
    card = state.pile[0]
    state.pile = state.pile[1:]
    insort(state.hands[seat], card)
    if state.events is not None:
        state.tell("draw", seat, (card, state.knowers(seat)), pile=len(state.pile))
    if not state.pile:
        flags = state.flags
        for unit, flag in enumerate(flags):
            if flag & LOCKED:
                flags[unit] = flag & ~LOCKED
        state.bases = 0
        state.able = [None] * len(state.rows)
        state.menus = [None] * len(state.rows)
        state.tell("pile_empty", -1, bases=state.variant.bases)
        if state.sides > 2:
            victory.decide(state)
        elif state.held:
            victory.hold(state)


def begin(state: Position) -> bool:
    """Begin the turn of `state.turn`. Return False if nothing is legal and the turn is lost."""
    seat = state.turn
    opening = state.variant.actions
    state.actions = opening[state.turns] if state.turns < len(opening) else TURN
    state.turns += 1
    if state.events is not None:
        state.tell("turn", seat, number=state.turns, actions=state.actions)
    if state.pile:
        draw(state, seat)
        return True
    if state.hands[seat]:
        return True
    state.menu = menu.of_turn(state, seat)
    if state.menu:
        return True
    state.tell("no_action", seat, actions=state.actions)
    if victory.is_dead(state):
        victory.draw(state, "no_moves")
        return True
    return False


def _fade(state: Position) -> None:
    """Remove the marks that end with the side's turn from its cards."""
    flags, place, menus = state.flags, state.place, state.menus
    start = state.starts[state.turn]
    end = start + state.lanes
    left = set()
    for unit in state.marked:
        at = place[unit]
        if start <= at < end:
            flag = flags[unit]
            flags[unit] = flag & ~FADES
            if flag & FROZEN:
                menu.changed(state, at)
            else:
                menus[at] = None
        else:
            left.add(unit)
    state.marked = left


def settle(state: Position) -> None:
    """Finish an action and its powers: end the game if it is decided, else find the next seat to act."""
    # no one can win or go out while every row has cards
    if state.ranks or (not state.pile and not all(state.rows) and victory.decide(state)):
        return
    if not state.actions:
        _next(state)
    elif not state.hands[state.turn]:
        state.menu = menu.of_turn(state, state.turn)
        if not state.menu:
            state.tell("no_action", state.turn, actions=state.actions)
            _next(state)


def _next(state: Position) -> None:
    """End this turn and start the next one in which a seat can act."""
    while True:
        if state.marked:
            _fade(state)
        state.actions = 0
        state.quiet += 1
        if state.quiet >= QUIET:
            victory.draw(state, "thirty_turns")
            return
        state.turn = (state.turn + 1) % state.seats
        while state.outs and state.is_out(state.turn):
            state.turn = (state.turn + 1) % state.seats
        if begin(state):
            return
