"""How a position of Duel 52 looks to a seat.

Cards and hit points lane by lane, what may still attack, what is frozen, and above all who stands alone
once the draw pile is short. Enemy backs that the seat does not know count as average cards, whatever a
world makes of them.
"""

from __future__ import annotations

from typing import Final

from engine.duel52.cards import POINTS
from engine.duel52.marks import EXTRA, FROZEN, LOCKED, SPENT, UP
from engine.duel52.menu import targets
from engine.duel52.sample import World
from engine.playing_cards import (
    ACE,
    EIGHT,
    FIVE,
    FOUR,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANKS,
    SEVEN,
    SIX,
    TEN,
    THREE,
)

WON: Final = 1000.0

_POINT: Final = 1.0
"""A hit point on the table."""
_FACE: Final = {EIGHT: 1.1, NINE: 0.7, TEN: 1.4, JACK: 1.3}
_FACES: Final = tuple(_FACE.get(rank, 0.3) for rank in range(RANKS))
"""By rank: what a card adds to its hit points while it lies face-up."""
_BACK: Final = {THREE: 1.0, FOUR: 0.2, FIVE: 0.6, SIX: 0.9, SEVEN: 0.6, QUEEN: 0.5, KING: 0.6, ACE: 1.2}
_BACKS: Final = tuple(_BACK.get(rank, _FACES[rank] * 0.6) for rank in range(RANKS))
"""By rank: what a back adds for those who know it: what its flip will bring."""
_UNKNOWN: Final = sum(_BACKS) / RANKS
_SHOWN: Final = tuple(
    tuple(_POINT * (POINTS[rank] - hurt) + _FACES[rank] for hurt in range(POINTS[rank] + 1))
    for rank in range(RANKS)
)
"""By rank, then damage: a card that lies face-up."""
_SCRATCH: Final = 0.85
"""A hit point of a back."""
_LAID: Final = tuple(2 * _SCRATCH + back for back in _BACKS)
_HIDDEN: Final = 2 * _SCRATCH + _UNKNOWN
"""A whole back: by rank for those who know it, and for others."""
_COLD: Final = 0.45
_HELD_BACK: Final = 0.15
"""What frost takes from a card, and what frost or a lock takes from a back."""
_HELD: Final = tuple(1.35 + back * 0.7 for back in _BACKS)
"""By rank: a card in the hand."""
_ANY: Final = sum(_HELD) / RANKS
_STRIKE: Final = 0.55
"""An attack that may still be made in this turn."""
_ACTION: Final = 0.7
"""An action left."""
_LATE: Final = 8
"""From so many cards in the draw pile on, lanes begin to count as such."""


def judge(state: World, seat: int) -> float:
    """What a position is worth to a seat: its side's cards less those of the enemies."""
    if state.ranks:
        ranks = state.ranks
        if ranks[seat] > 1:
            return -WON
        return WON if ranks.count(1) * state.sides <= state.seats else 0.0
    side = seat % state.sides
    hands = [0.0] * state.sides
    for other, hand in enumerate(state.hands):
        if other == seat:
            hands[side] += sum(_HELD[card >> 2] for card in hand)
        else:
            hands[other % state.sides] += _ANY * len(hand)
    known = sum(1 << one for one in range(side, state.seats, state.sides))
    lanes = [[_row(state, other, lane, known) for lane in range(state.lanes)] for other in range(state.sides)]
    total = 0.0
    for other in range(state.sides):
        worth = hands[other] + sum(lanes[other])
        total += worth if other == side else -worth / (state.sides - 1)
    total += _control(state, side, lanes)
    return total + chances(state, seat)


def chances(state: World, seat: int) -> float:
    """What the actions are worth that a seat has left in its turn."""
    return (
        0.0
        if state.turn != seat or state.ranks
        else _ACTION * state.actions + _strikes(state, seat % state.sides)
    )


def _row(state: World, side: int, lane: int, known: int) -> float:
    """The cards of a side in a lane, as those who know `known` see them."""
    worth = 0.0
    flags, card, damage, knowers = state.flags, state.card, state.damage, state.known
    for unit in state.rows[side * state.lanes + lane]:
        flag = flags[unit]
        if flag & UP:
            worth += _SHOWN[card[unit] >> 2][damage[unit]]
            if flag & FROZEN:
                worth -= _COLD
            continue
        worth += (_LAID[card[unit] >> 2] if knowers[unit] & known else _HIDDEN) - _SCRATCH * damage[unit]
        if flag & (FROZEN | LOCKED):
            worth -= _HELD_BACK
    return worth


def _control(state: World, side: int, lanes: list[list[float]]) -> float:
    """Who stands stronger in which lane: the shorter the pile, the more it counts; two lanes are enough."""
    late = max(0.0, 1.0 - len(state.pile) / _LATE)
    leads = []
    for lane in range(state.lanes):
        others = max(lanes[other][lane] for other in range(state.sides) if other != side)
        own = lanes[side][lane]
        lead = max(-3.0, min(3.0, own - others))
        if late and not others and own:
            lead = 5.0
        elif late and others and not own:
            lead = -5.0
        leads.append(lead)
    leads.sort(reverse=True)
    # the second best lane decides
    return (0.2 + 0.8 * late) * (leads[1] * 1.2 + leads[0] * 0.4 + sum(leads[2:]) * 0.2)


def _strikes(state: World, side: int) -> float:
    """Attacks that are left in this turn, no more than there are actions."""
    count = 0
    start = side * state.lanes
    for lane in range(state.lanes):
        ready = [unit for unit in state.rows[start + lane] if state.flags[unit] & (UP | FROZEN | SPENT) == UP]
        if ready and targets(state, start + lane):
            count += sum(2 if state.flags[unit] & EXTRA else 1 for unit in ready)
    return _STRIKE * min(count, state.actions)


def interest(state: World, seat: int, unit: int) -> float:
    """What a look at a back promises, by what everybody can see of it.

    Most where the own cards could attack it; nothing at a card that is known, little at a base.
    """
    known = state.knowers(seat)
    if state.known[unit] & known:
        return 0.0
    side = seat % state.sides
    at = state.place[unit]
    if state.flags[unit] & LOCKED:
        return 0.1
    if at // state.lanes == side:
        return 0.15
    ready = any(state.flags[one] & UP for one in state.rows[side * state.lanes + at % state.lanes])
    return 0.3 + 0.1 * ready - 0.1 * state.damage[unit]
