"""Patterns of moves that end a round of Compound Capture or Chemistry Canasta, for the teacher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from engine.chemistry.deck import WILD
from engine.chemistry.moves import RUN, Move
from engine.chemistry.observation import AFTER, SOLO_DRY, Observation
from engine.chemistry.scoring import COMPOUND, ELEMENT_LEFT, RUN_CARD, TARGET, WILD_LEFT
from engine.game import Seat

Found: TypeAlias = Mapping[str, Any] | None


def cards_of(move: Move) -> tuple[int, ...]:
    """Return the cards that a move takes out of the hand."""
    return (move.what,) if move.verb in ("discard", "claim") else move.cards


def _points(seen: Observation, seat: Seat) -> int:
    """Return the points of a seat, those of the running round included and cards in hand not deducted."""
    return seen.totals[seat] + COMPOUND * len(seen.captured[seat]) + RUN * RUN_CARD * len(seen.runs[seat])


def _gain(move: Move) -> int:
    return COMPOUND if move.verb == "capture" else RUN * RUN_CARD if move.verb == "run" else 0


def ends_round(seen: Observation, move: Move) -> bool:
    """Return whether the round ends with this move, or with the rest of the turn."""
    if move.verb in ("draw", "claim"):
        return False
    if move.verb == "capture" and len(seen.row) == 1 and not seen.stack:
        return True
    if seen.canasta:
        return not seen.stock or len(seen.hand) == len(cards_of(move))
    return move.verb == "discard" and seen.dry + 1 >= (seen.seats if seen.seats > 1 else SOLO_DRY)


def _cost(cards: Sequence[int]) -> int:
    """Return the points that cards left in hand cost."""
    return -sum(WILD_LEFT if card == WILD else ELEMENT_LEFT for card in cards)


def _final(seen: Observation, move: Move) -> int | None:
    """Return the viewer's points at the end of a round that this move ends, or None if it does not end it.

    None also if another card may be discarded after the move.
    """
    left = list(seen.hand)
    for card in cards_of(move):
        left.remove(card)
    pauses = seen.canasta and move.verb == "capture" and len(left) == 1
    goes_on = pauses or (move.verb == "run" and bool(left))
    if seen.viewer is None or goes_on or not ends_round(seen, move):
        return None
    return _points(seen, seen.viewer) + _gain(move) - _cost(left)


def _others(seen: Observation) -> list[Seat]:
    return [seat for seat in range(seen.seats) if seat != seen.viewer]


def _most(seen: Observation, seat: Seat) -> int:
    """Return the most points a seat can have if the round ends now. Of its hand only some cards are known."""
    known = seen.known[seat]
    return _points(seen, seat) - _cost(known) + ELEMENT_LEFT * (seen.sizes[seat] - len(known))


def _least(seen: Observation, seat: Seat) -> int:
    """Return the fewest points a seat can have if the round ends now."""
    known = seen.known[seat]
    return _points(seen, seat) - _cost(known) + WILD_LEFT * (seen.sizes[seat] - len(known))


def _ahead(seen: Observation, move: Move) -> tuple[int, int] | None:
    """Return the points at the end of a round that the viewer certainly wins, and the most of the others."""
    own = _final(seen, move)
    if own is None or seen.seats == 1:
        return None
    other = max(_most(seen, seat) for seat in _others(seen))
    return (own, other) if own > other else None


def wins(seen: Observation, move: Move) -> Found:
    """Find a move that certainly wins the game against all hands of the others."""
    ahead = _ahead(seen, move)
    if ahead is None or (ahead[0] < TARGET and seen.round < seen.rounds):
        return None
    return {"own": ahead[0], "other": ahead[1]}


def ends_ahead(seen: Observation, move: Move) -> Found:
    """Find a move that ends the round with more points than anyone else can have."""
    ahead = _ahead(seen, move)
    return None if ahead is None else {"own": ahead[0], "other": ahead[1]}


def ends_behind(seen: Observation, move: Move) -> Found:
    """Find a move that ends the round with fewer points than another player certainly has."""
    own = _final(seen, move)
    if own is None or seen.seats == 1:
        return None
    other, seat = max((_least(seen, seat), seat) for seat in _others(seen))
    return {"own": own, "player": seat, "other": other} if other > own else None


def sheds_wild(seen: Observation, move: Move) -> Found:
    """Find the discard of a wild card that would cost points, as the round ends."""
    if move.verb != "discard" or move.what != WILD or not ends_round(seen, move):
        return None
    return {"wild": -WILD_LEFT} if len(seen.hand) > 1 else None


def claims_late(seen: Observation, move: Move) -> Found:
    """Find a claim whose wild card is only left in hand, because the round is about to end."""
    late = seen.phase == AFTER and not seen.stock and len(seen.hand) > 1
    return {"wild": -WILD_LEFT} if move.verb == "claim" and late else None
