"""Reasons for refusing a move, always with what is missing so that the next try can be better.

Only the refused seat's own cards and face-up cards are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.chemistry import observation as positions
from engine.chemistry.deck import BASIC, NEEDS, SIZES, WILD
from engine.chemistry.moves import PILE, Move, exists
from engine.chemistry.position import Position
from engine.game import IllegalAction, Seat


def check(state: Position, seat: Seat, move: Move) -> None:
    """Return if the rules allow this move to a seat that must act.

    Raises:
        IllegalAction: with the rule that forbids it.
    """
    if not exists(move) or (not state.canasta and move.verb in ("run", "claim", "end")):
        raise IllegalAction("unknown_action")
    if move.verb == "draw":
        _check_draw(state, move)
    elif move.verb == "claim":
        _check_claim(state, seat, move)
    elif state.phase in (positions.FIRST, positions.SECOND):
        raise IllegalAction("draw_first")
    elif move.verb == "discard":
        _check_discard(state, seat, move)
    elif move.verb == "end":
        if state.phase != positions.AFTER:
            raise IllegalAction("nothing_to_end")
    elif state.phase == positions.CLOSE:
        raise IllegalAction("run_made")
    elif state.phase == positions.AFTER:
        raise IllegalAction("capture_made")
    elif move.verb == "capture":
        _check_capture(state, seat, move)
    else:
        _check_run(state, seat, move)


def _check_draw(state: Position, move: Move) -> None:
    if state.phase not in (positions.FIRST, positions.SECOND):
        if state.took and move.what == PILE and state.phase == positions.PLAY:
            raise IllegalAction("draw_source", problem="two_from_discard")
        raise IllegalAction("already_drawn", problem=_instead(state))
    if move.what != PILE:
        if not state.reach:
            raise IllegalAction("draw_source", problem="stock_empty")
    elif not state.discard:
        raise IllegalAction("draw_source", problem="discard_empty")
    elif state.phase == positions.FIRST and state.at == len(state.order) and state.reach == 1:
        raise IllegalAction("draw_source", problem="two_possible")


def _instead(state: Position) -> str:
    """Return the key of what the seat must do instead of drawing."""
    if state.phase == positions.PLAY:
        return "play_canasta" if state.canasta else "play"
    return "after_run" if state.phase == positions.CLOSE else "after_capture"


def _check_hand(state: Position, seat: Seat, card: int) -> None:
    if not state.hands[seat][card]:
        raise IllegalAction("card_not_in_hand", card=card)


def _check_discard(state: Position, seat: Seat, move: Move) -> None:
    if state.phase == positions.AFTER and state.sizes[seat] != 1:
        raise IllegalAction("capture_made")
    _check_hand(state, seat, move.what)


def _check_capture(state: Position, seat: Seat, move: Move) -> None:
    """Require the exact cards: the formula's atoms, any of them replaced by wilds, at least one an element.

    The refusal names wild cards alone as the problem only if there are enough of them; with fewer, it lists
    what is missing.
    """
    compound, cards = move.what, move.cards
    if compound not in state.row:
        raise IllegalAction("not_face_up", compound=compound)
    named, hand = Counter(cards), state.hands[seat]
    needs, size = dict(NEEDS[compound]), SIZES[compound]
    wilds = named.pop(WILD, 0)
    foreign = [z for z in named if z not in needs]
    missing = [[z, n - named[z]] for z, n in needs.items() if n > named[z]]
    facts: dict[str, object] = {"compound": compound}
    short = 0
    if foreign:
        facts |= {"problem": "not_in_formula", "card": foreign[0]}
    elif len(cards) > size:
        facts |= {"problem": "too_many_cards", "named": len(cards), "needed": size}
    elif surplus := {z: count - needs[z] for z, count in named.items() if count > needs[z]}:
        facts |= {"problem": "too_many_of_one", "surplus": [[z, n] for z, n in surplus.items()]}
        facts["missing"] = missing
        short = size - (len(cards) - sum(surplus.values()))
    elif wilds == size:
        facts |= {"problem": "wilds_alone"}
    elif wilds and not named:
        facts |= {"problem": "wilds_and_short", "missing": missing}
        short = size - wilds
    elif len(cards) < size:
        facts |= {"problem": "atom_missing", "missing": missing}
        short = size - len(cards)
    elif lacking := _lacking(hand, cards):
        facts |= {"problem": "not_held", "missing": lacking}
        short = sum(n for _, n in lacking)
    else:
        return
    if short:
        facts |= {"short": short, "wilds": _stand_ins(hand, cards, short)}
    raise IllegalAction("exact_cards", **facts)


def _lacking(hand: Sequence[int], cards: Sequence[int]) -> list[list[int]]:
    """Return the named cards of which the hand has too few, each with the shortfall; wilds last."""
    named = sorted(Counter(cards).items(), key=lambda one: (one[0] == WILD, one[0]))
    return [[card, count - hand[card]] for card, count in named if count > hand[card]]


def _stand_ins(hand: Sequence[int], cards: Sequence[int], short: int) -> int:
    """Return how many of the cards still needed the hand's remaining wild cards can replace.

    Wild cards alone are never enough, so the limit is one lower if no named card is an element from the hand.
    """
    real = any(card != WILD and hand[card] for card in cards)
    return min(max(hand[WILD] - list(cards).count(WILD), 0), short if real else short - 1)


def _check_run(state: Position, seat: Seat, move: Move) -> None:
    """Require three consecutive numbers from 1 to 54, at least one of them an element card."""
    start, cards = move.what, move.cards
    numbers = range(start, start + len(cards))
    if numbers[-1] > BASIC[-1]:
        raise IllegalAction("exact_run", problem="beyond_the_deck", last=BASIC[-1])
    if any(card not in (WILD, z) for card, z in zip(cards, numbers, strict=True)):
        raise IllegalAction("exact_run", problem="not_in_a_row", numbers=list(numbers))
    if not any(cards):
        raise IllegalAction("exact_run", problem="wilds_alone")
    hand = state.hands[seat]
    if lacking := _lacking(hand, cards):
        short = sum(n for _, n in lacking)
        wilds = _stand_ins(hand, cards, short)
        raise IllegalAction("exact_run", problem="not_held", missing=lacking, short=short, wilds=wilds)


def _check_claim(state: Position, seat: Seat, move: Move) -> None:
    if (move.what, move.seat, move.place) not in state.wilds:
        raise IllegalAction("no_such_wild", card=move.what)
    _check_hand(state, seat, move.what)
