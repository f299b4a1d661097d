"""Powers that work when a card is turned up, and the answers to the choices they raise.

Source: docs/rules/duel52.md, decisions 5 to 12. A power either does its work at once or pushes a choice on
the stack `state.asks`; `run` processes the stack until a player must choose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.duel52 import turns
from engine.duel52.marks import DISCARDED, EXTRA, FACES, FROZEN, LOCKED, SPENT, UP
from engine.duel52.menu import changed, is_nimble, touch
from engine.duel52.moves import BETS, DISCARDS, LOOKS, MOVES, OPEN, ORDERS, STAY, Move
from engine.duel52.observation import Pending
from engine.duel52.position import Position
from engine.game import Seat
from engine.playing_cards import ACE, FIVE, FOUR, JACK, KING, NINE, QUEEN, SEVEN, SIX, TWO


def raise_up(state: Position, unit: int, by: int) -> None:
    """Turn a unit face-up. `by` is the 5 that did it, or -1 for an action. A 9 thaws."""
    card = state.card[unit]
    rank = card >> 2
    state.flags[unit] |= UP
    state.known[unit] = 0
    state.quiet = -1
    at = state.place[unit]
    changed(state, at)
    state.faces[at] += FACES[card]
    if rank == JACK:
        touch(state, at % state.lanes)
    elif rank == NINE:
        touch(state, at % state.lanes)
        state.flags[unit] &= ~FROZEN
        state.marked.discard(unit)
    if state.events is not None:
        state.tell("flip", state.turn, unit=unit, card=card, lane=state.lane(unit), by=by)


def activate(state: Position, unit: int) -> None:
    """Trigger a unit's power if it is one that works when turned up."""
    rank = state.card[unit] >> 2
    if rank in state.flippers:
        FLIPPED[rank](state, unit)


def run(state: Position) -> bool:
    """Process what needs no choice. Return whether a choice is left."""
    asks = state.asks
    while asks:
        ask = asks[-1]
        if ask.verb != "order" or len(ask.rest) > 1:
            return True
        asks.pop()
        for unit in ask.rest:
            activate(state, unit)
    return False


def _own(state: Position, unit: int) -> list[list[int]]:
    """Return the rows of a unit's side, lane by lane."""
    start = state.side(unit) * state.lanes
    return state.rows[start : start + state.lanes]


def _ask(state: Position, verb: str, unit: int, rest: tuple[int, ...] = ()) -> None:
    state.asks.append(Pending(verb, unit, rest))


def _view(state: Position, unit: int) -> None:
    """2: draw a card, then discard one; no effect if the draw pile is empty (decision 10)."""
    if not state.pile:
        return
    card = state.pile[0]
    turns.draw(state, state.turn)
    if not state.ranks:
        state.drawn = card
        _ask(state, "discard", unit)


def _foresight(state: Position, unit: int) -> None:
    """4: look at a back, if there is one."""
    if any(not state.flags[one] & UP for row in state.rows for one in row):
        _ask(state, "look", unit)


def _call(state: Position, unit: int) -> None:
    """5: turn up all own backs of the lane, then trigger their powers in the chosen order (decision 6)."""
    row = state.rows[state.place[unit]]
    backs = [one for one in row if not state.flags[one] & (UP | LOCKED)]
    for one in backs:
        raise_up(state, one, unit)
    rest = tuple(one for one in backs if state.card[one] >> 2 in state.flippers)
    if rest:
        _ask(state, "order", unit, rest)


def _freeze(state: Position, unit: int) -> None:
    """6: freeze all enemy cards in the lane except face-up 9s (decision 7)."""
    side, lane = divmod(state.place[unit], state.lanes)
    cold = []
    for other in range(state.sides):
        if other == side:
            continue
        for one in state.rows[other * state.lanes + lane]:
            if not is_nimble(state, one):
                state.flags[one] |= FROZEN
                state.marked.add(one)
                cold.append(one)
        changed(state, other * state.lanes + lane)
    touch(state, lane)
    if state.events is not None:
        state.tell("freeze", state.turn, unit=unit, lane=lane, units=cold)


def _heal(state: Position, unit: int) -> None:
    """7: heal all damage of the own side, in every lane."""
    healed = [one for row in _own(state, unit) for one in row if state.damage[one]]
    for one in healed:
        state.damage[one] = 0
    if state.events is not None:
        state.tell("heal", state.turn, unit=unit, units=healed)


def _movable(state: Position, unit: int) -> list[int]:
    """Return the cards a Queen may move: own cards in other lanes, except locked bases (decision 8)."""
    at = state.place[unit]
    start = state.side(unit) * state.lanes
    return [
        one
        for place in range(start, start + state.lanes)
        if place != at
        for one in state.rows[place]
        if not state.flags[one] & LOCKED
    ]


def _move(state: Position, unit: int) -> None:
    if _movable(state, unit):
        _ask(state, "move", unit)


def _empower(state: Position, unit: int) -> None:
    """King: trigger the own powers of the lane again, in the chosen order (decision 6)."""
    rest = tuple(
        one
        for one in state.rows[state.place[unit]]
        if state.flags[one] & UP and state.card[one] >> 2 in state.flippers and state.card[one] >> 2 != KING
    )
    if state.events is not None:
        state.tell("empower", state.turn, unit=unit, lane=state.lane(unit), units=list(rest))
    if rest:
        _ask(state, "order", unit, rest)


def _action(state: Position, unit: int) -> None:
    """Ace: gain one action, and two fresh attacks this turn (decision 9)."""
    state.actions += 1
    state.flags[unit] = state.flags[unit] & ~SPENT | EXTRA
    state.marked.add(unit)
    state.menus[state.place[unit]] = None
    if state.events is not None:
        state.tell("bonus", state.turn, unit=unit, actions=state.actions)


FLIPPED: Mapping[int, Callable[[Position, int], None]] = {
    TWO: _view,
    FOUR: _foresight,
    FIVE: _call,
    SIX: _freeze,
    SEVEN: _heal,
    QUEEN: _move,
    KING: _empower,
    ACE: _action,
}
"""Effects of turning up a card, by rank."""


def answers(state: Position) -> Sequence[Move]:
    """Return the moves that answer the choice on top of the stack."""
    ask = state.asks[-1]
    if ask.verb == "discard":
        return [DISCARDS[card] for card in state.hands[state.turn]]
    if ask.verb == "order":
        return [ORDERS[unit] for unit in ask.rest]
    if ask.verb == "move":
        return [*(MOVES[unit] for unit in _movable(state, ask.unit)), STAY]
    if ask.verb == "look":
        flags = state.flags
        return [LOOKS[unit] for row in state.rows for unit in row if not flags[unit] & UP]
    return [OPEN] if ask.verb == "open" else BETS


def _discard(state: Position, seat: Seat, move: Move) -> None:
    state.asks.pop()
    state.drawn = -1
    known = state.knowers(seat)
    state.hands[seat].remove(move.card)
    state.gone.append((move.card, DISCARDED, known))
    if state.events is not None:
        state.tell("discard", seat, state.secret(move.card, known))


def _look(state: Position, seat: Seat, move: Move) -> None:
    ask = state.asks.pop()
    unit = move.target
    state.known[unit] |= state.knowers(seat)
    state.glimpse = unit
    state.pointer = seat
    if state.events is not None:
        place = {"owners": state.owners(state.side(unit)), "lane": state.lane(unit)}
        # logs can be reread, but in teams the card is only in the hand's picture until the next action
        seen = state.secret(state.card[unit], state.knowers(seat))
        state.tell("look", seat, seen, by=ask.unit, unit=unit, **place)


def _moved(state: Position, seat: Seat, move: Move) -> None:
    queen, unit = state.asks.pop().unit, move.target
    before, after = state.place[unit], state.place[queen]
    mate = state.mate[unit]
    if mate >= 0:
        state.mate[mate] = state.mate[unit] = -1
    state.rows[before].remove(unit)
    state.rows[after].append(unit)
    state.place[unit] = after
    for at in (before, after):
        changed(state, at)
        touch(state, at % state.lanes)
    shown = state.flags[unit] & UP
    if shown:
        state.faces[before] -= FACES[state.card[unit]]
        state.faces[after] += FACES[state.card[unit]]
    if state.events is not None:
        lanes = {"lane": before % state.lanes, "to": after % state.lanes}
        if shown:
            state.tell("move", seat, unit=unit, card=state.card[unit], **lanes)
        else:
            state.tell("move", seat, state.secret(state.card[unit], state.known[unit]), unit=unit, **lanes)


def _stay(state: Position, seat: Seat, _move: Move) -> None:
    queen = state.asks.pop().unit
    state.tell("stay", seat, unit=queen)


def _order(state: Position, seat: Seat, move: Move) -> None:
    ask = state.asks.pop()
    _ask(state, "order", ask.unit, tuple(unit for unit in ask.rest if unit != move.unit))
    state.glimpse = move.unit
    state.pointer = seat
    state.tell("order", seat, unit=move.unit, card=state.card[move.unit])
    activate(state, move.unit)


def _open(state: Position, seat: Seat, _move: Move) -> None:
    state.asks.pop()
    state.tell("open", seat)


def _bet(state: Position, seat: Seat, move: Move) -> None:
    state.asks.pop()
    state.bet = move.target
    state.tell("bet", seat, side=move.target)


ANSWERS: Mapping[str, Callable[[Position, Seat, Move], None]] = {
    "discard": _discard,
    "look": _look,
    "move": _moved,
    "stay": _stay,
    "order": _order,
    "open": _open,
    "bet": _bet,
}
"""Effects of answers, by verb; each removes its choice from the stack."""
