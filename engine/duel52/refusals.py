"""Reasons for refusing a move, based only on what the refused seat may know.

Whether a card may attack, flip or be hit never depends on the identity of a back, so the answers reveal none.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.duel52.marks import FROZEN, LOCKED, SPENT, UP
from engine.duel52.menu import is_nimble, targets
from engine.duel52.moves import Move, exists
from engine.duel52.position import Position
from engine.game import IllegalAction, Seat
from engine.playing_cards import JACK, TEN


def check(state: Position, seat: Seat, move: Move) -> None:
    """Return if the rules allow this move to the seat that must act.

    Raises:
        IllegalAction: with the rule that forbids it.
    """
    if not exists(move):
        raise IllegalAction("unknown_action")
    legal = state.legal_actions(seat)
    if any(same in legal for same in _equivalents(state, move)):
        return
    if state.asks:
        _answer(state, seat, move)
    elif move.verb in ("look", "move", "stay", "order", "discard", "open", "bet"):
        raise IllegalAction("not_asked", verb=move.verb)
    else:
        {"play": _play, "flip": _flip, "attack": _attack, "pair": _pair}[move.verb](state, seat, move)
    raise IllegalAction("unknown_action")  # a rule above should have raised


def _equivalents(state: Position, move: Move) -> Iterator[Move]:
    """Yield the move and its equivalents: either card of a pair, targets in the other order."""
    yield move
    if not _lies(state, move.unit):
        return
    if move.verb == "pair":
        yield move._replace(unit=move.target, target=move.unit)
    elif move.verb == "attack":
        mate = state.mate[move.unit]
        if mate >= 0:
            yield move._replace(unit=mate)
        elif move.second >= 0:
            yield move._replace(target=move.second, second=move.target)


def _place(state: Position, lane: int) -> dict[str, object]:
    """Return the facts that name a lane or triangle."""
    return {"lane": lane, "triangles": state.sides > 2}


def _lies(state: Position, unit: int) -> bool:
    return 0 <= unit < len(state.place) and state.place[unit] >= 0


def _here(state: Position, unit: int) -> None:
    if not _lies(state, unit):
        raise IllegalAction("no_such_card", unit=unit)


def _mine(state: Position, seat: Seat, unit: int) -> None:
    _here(state, unit)
    if state.side(unit) != seat % state.sides:
        raise IllegalAction("not_yours", **_place(state, state.lane(unit)))


def _base(state: Position, unit: int, rule: str) -> None:
    if state.flags[unit] & LOCKED:
        raise IllegalAction(rule, pile=len(state.pile))


def _play(state: Position, seat: Seat, move: Move) -> None:
    if move.card not in state.hands[seat]:
        raise IllegalAction("not_in_hand", card=move.card)
    raise IllegalAction("no_such_lane", lanes=state.lanes)


def _flip(state: Position, seat: Seat, move: Move) -> None:
    unit = move.unit
    _mine(state, seat, unit)
    flag, lane = state.flags[unit], state.lane(unit)
    if flag & UP:
        raise IllegalAction("already_up", card=state.card[unit])
    _base(state, unit, "locked_base")
    if flag & FROZEN:
        raise IllegalAction("frozen_flip", **_place(state, lane))


def _attack(state: Position, seat: Seat, move: Move) -> None:
    unit = move.unit
    _mine(state, seat, unit)
    _base(state, unit, "locked_base")
    if not state.flags[unit] & UP:
        raise IllegalAction("back_cannot_attack")
    card, mate = state.card[unit], state.mate[unit]
    if state.flags[unit] & FROZEN:
        raise IllegalAction("frozen_attack", card=card)
    if state.flags[unit] & SPENT:
        raise IllegalAction("has_attacked", card=card)
    if mate >= 0 and state.flags[mate] & (FROZEN | SPENT):
        raise IllegalAction("mate_cannot", card=card, mate=state.card[mate])
    if move.second >= 0 and card >> 2 != TEN:
        raise IllegalAction("one_target", card=card)
    named = [target for target in (move.target, move.second) if target >= 0]
    if len(named) > 1 and any(_lies(state, target) and is_nimble(state, target) for target in named):
        raise IllegalAction("nine_alone")
    for target in named:
        _target(state, seat, unit, target)
    raise IllegalAction("two_targets", card=card)


def _target(state: Position, seat: Seat, unit: int, target: int) -> None:
    """Raise if `unit` may not hit `target`."""
    _here(state, target)
    if state.side(target) == seat % state.sides:
        raise IllegalAction("own_card")
    lane = state.lane(unit)
    if state.lane(target) != lane:
        raise IllegalAction("other_lane", target_lane=state.lane(target), **_place(state, lane))
    _base(state, target, "base_safe")
    open_to = targets(state, state.place[unit])
    if target not in open_to:
        jacks = [state.card[one] for one in open_to if state.card[one] >> 2 == JACK]
        raise IllegalAction("taunted", cards=jacks, **_place(state, lane))


def _pair(state: Position, seat: Seat, move: Move) -> None:
    units = (move.unit, move.target)
    for unit in units:
        _mine(state, seat, unit)
    if state.lane(units[0]) != state.lane(units[1]):
        raise IllegalAction("pair_lane")
    if not all(state.flags[unit] & UP for unit in units):
        raise IllegalAction("pair_face_down")
    cards = [state.card[unit] for unit in units]
    if cards[0] >> 2 != cards[1] >> 2:
        raise IllegalAction("pair_ranks", cards=cards)
    raise IllegalAction("pair_three", cards=cards)


def _answer(state: Position, seat: Seat, move: Move) -> None:
    ask = state.asks[-1]
    if move.verb != ask.verb:
        card = state.card[ask.unit] if ask.unit >= 0 else -1
        raise IllegalAction("choose_first", verb=ask.verb, card=card)
    if ask.verb == "discard":
        raise IllegalAction("not_in_hand", card=move.card)
    if ask.verb == "order":
        raise IllegalAction("not_listed", cards=[state.card[unit] for unit in ask.rest])
    if ask.verb == "look":
        _here(state, move.target)
        raise IllegalAction("only_backs", card=state.card[move.target])
    _mine(state, seat, move.target)
    if state.lane(move.target) == state.lane(ask.unit):
        raise IllegalAction("same_lane", **_place(state, state.lane(ask.unit)))
    _base(state, move.target, "locked_base")
