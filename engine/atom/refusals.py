"""Why a move is refused. Looks at nothing that the refused seat may not know."""

from __future__ import annotations

from collections import Counter

from engine.atom.cards import PACKS, count
from engine.atom.moves import Move, is_move
from engine.atom.plays import BLADE_BOMB, BOMB, PLAIN_BLADES, SPECIAL, Rung, beats, rung, shape
from engine.atom.position import Position
from engine.game import IllegalAction, Seat
from engine.playing_cards import JOKER


def check(state: Position, seat: Seat, move: Move) -> None:
    """Return if the rules allow the move to a seat that is to act.

    Raises:
        IllegalAction: with the rule that forbids it.
    """
    if not is_move(move):
        raise IllegalAction("unknown_action")
    verb, cards = move
    if state.calling:
        if verb != "call":
            raise IllegalAction("call_first")
        _check_call(state, seat, cards[0])
    elif verb == "call":
        raise IllegalAction("nothing_to_call", called=state.called)
    elif verb == "pass":
        if state.best is None:
            raise IllegalAction("must_lead")
    else:
        _check_play(state, seat, cards)


def _held(state: Position, seat: Seat, card: int) -> int:
    return count(state.hands[seat][state.slots[card >> 2]], card)


def _check_call(state: Position, seat: Seat, card: int) -> None:
    if card >> 2 in (JOKER, state.blade):
        raise IllegalAction("not_callable", card=card, blade=state.blade)
    if held := _held(state, seat, card):
        raise IllegalAction("call_not_own", card=card, held=held)


def _check_play(state: Position, seat: Seat, cards: tuple[int, ...]) -> None:
    copies = Counter(cards)
    ranks = sorted({card >> 2 for card in copies if card >> 2 != JOKER})
    jokers = sum(many for card, many in copies.items() if card >> 2 == JOKER)
    if len(ranks) > 1 or (jokers and ranks == [state.blade]):
        raise IllegalAction("not_one_rank", ranks=ranks, jokers=jokers, blade=state.blade)
    for card, many in sorted(copies.items()):
        held = _held(state, seat, card)
        if held < many:
            raise IllegalAction("not_in_hand", card=card, held=held, wanted=many)
    play = shape(cards, PACKS[state.seats])
    if play is None or state.best is None:
        return
    new = rung(play, state.blade, state.low)
    if not beats(new, state.best):
        table = list(state.best_cards)
        raise IllegalAction(_reason(new, state.best), cards=sorted(cards), table=table, blade=state.blade)


def _reason(new: Rung, old: Rung) -> str:
    """The rule by which `new` does not beat `old`."""
    if old.kind == SPECIAL:
        return "higher_atom"
    if old.kind in (PLAIN_BLADES, BLADE_BOMB):
        return "only_atoms"
    if old.kind == BOMB:
        return "bigger_bomb" if new.size < old.size else "too_low"
    if new.size != old.size:
        return "other_count"
    return "too_low"
