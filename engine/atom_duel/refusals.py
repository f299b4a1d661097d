"""Why a move is refused. Looks at nothing that the refused seat may not know.

Own cards are looked up only where their owner sees them; of other rows only which slots are taken.
"""

from __future__ import annotations

from engine.atom_duel.moves import EVERY, Move
from engine.atom_duel.position import Pending, Position
from engine.game import IllegalAction, Seat


def check(state: Position, seat: Seat, move: Move) -> None:
    """Return if the rules allow the move to a seat that is to act.

    Raises:
        IllegalAction: with the rule that forbids it.
    """
    if not isinstance(move, tuple) or move not in EVERY:
        raise IllegalAction("unknown_action")
    if state.sealing:
        _check_seal(state, seat, move)
    elif state.pending is not None:
        _check_answer(state, seat, move, state.pending)
    elif move.verb == "play":
        if state.hidden:
            raise IllegalAction("cards_hidden")
        _check_card(state, seat, move)
    elif move.verb == "flip":
        if not state.hidden:
            raise IllegalAction("cards_open")
        _check_slot(state, seat, move.slot)
    else:
        raise IllegalAction("not_asked", verb=move.verb)


def _check_card(state: Position, seat: Seat, move: Move) -> None:
    """An own card that its owner sees, with the announcement that it needs."""
    card, power = move.card, move.power
    if card not in state.rows[seat]:
        raise IllegalAction("card_not_in_hand", card=card)
    choices = state.table.choices[card]
    if power and power not in choices:
        raise IllegalAction("nothing_to_announce", card=card)
    if choices and not power:
        raise IllegalAction("announce_first", card=card, powers=list(choices))


def _check_seal(state: Position, seat: Seat, move: Move) -> None:
    if move.verb != "seal":
        raise IllegalAction("seal_order")
    if any(card == move.card for card, _ in state.sealed[seat]):
        raise IllegalAction("already_sealed", card=move.card)
    _check_card(state, seat, move)


def _check_slot(state: Position, seat: Seat, slot: int) -> None:
    if slot >= state.hand_size:
        raise IllegalAction("no_such_slot", slot=slot)
    if not state.rows[seat][slot]:
        raise IllegalAction("empty_slot", seat=seat, slot=slot)


def _check_answer(state: Position, seat: Seat, move: Move, pending: Pending) -> None:
    verb = move.verb
    if verb != pending.verb and not (verb == "keep" and pending.verb == "trade"):
        raise IllegalAction("choose_first", verb=pending.verb, card=pending.card)
    if verb == "announce":
        powers = state.table.choices[pending.card]
        if move.power not in powers:
            raise IllegalAction("other_power", card=pending.card, powers=list(powers))
    elif verb == "give":
        _check_gift(state, seat, move, pending)
    elif verb == "take":
        _check_slot(state, pending.target, move.slot)
        if move.slot in pending.slots:
            raise IllegalAction("already_named", slot=move.slot)
    elif verb != "keep":
        _check_target(state, seat, move, pending)


def _check_target(state: Position, seat: Seat, move: Move, pending: Pending) -> None:
    """A player, and for all but a trade one of their cards."""
    target = move.seat
    if target >= state.seats:
        raise IllegalAction("no_such_seat", seat=target)
    if target == seat:
        raise IllegalAction("own_row")
    if move.verb == "trade":
        if min(state.counts[seat], state.counts[target]) < 2:
            raise IllegalAction("trade_two_cards", seat=target)
        return
    if pending.target not in (-1, target):
        raise IllegalAction("other_player", seat=pending.target)
    _check_slot(state, target, move.slot)
    if move.slot in pending.slots:
        raise IllegalAction("already_named", slot=move.slot)


def _check_gift(state: Position, seat: Seat, move: Move, pending: Pending) -> None:
    slot = move.slot
    if state.hidden:
        if slot < 0:
            raise IllegalAction("cards_hidden")
        _check_slot(state, seat, slot)
    else:
        if slot >= 0:
            raise IllegalAction("cards_open")
        if move.card not in state.rows[seat]:
            raise IllegalAction("card_not_in_hand", card=move.card)
        slot = state.rows[seat].index(move.card)
    if slot in pending.own:
        raise IllegalAction("already_named", slot=slot)
