"""An opponent that looks one decision ahead.

Every legal decision is tried in worlds that fit what the seat knows, what its power asks for is answered
the same way, and the position is judged: cards and hit points lane by lane, what may still attack, what
is frozen, and above all who stands alone once the draw pile is short. Enemy backs that the seat does not
know count as average cards, whatever a world makes of them. The only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.duel52.marks import EXTRA, FROZEN, LOCKED, SPENT, UP
from engine.duel52.menu import targets
from engine.duel52.moves import Move
from engine.duel52.observation import Observation
from engine.duel52.sample import World, sample
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

WORLDS: Final = 2
"""In so many worlds each decision is tried."""
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
_HELD: Final = tuple(1.35 + back * 0.7 for back in _BACKS)
"""By rank: a card in the hand."""
_ANY: Final = sum(_HELD) / RANKS
_STRIKE: Final = 0.55
"""An attack that may still be made in this turn."""
_ACTION: Final = 0.7
"""An action left."""
_LATE: Final = 8
"""From so many cards in the draw pile on, lanes begin to count as such."""


def heuristic(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The decision with the best outlook; equal ones by chance."""
    if len(actions) == 1:
        return actions[0]
    seat = seen.to_act[0]
    worlds = [sample(seen, rng) for _ in range(WORLDS)]
    if seen.ask is not None and seen.ask.verb == "bet":
        scores = [judge(worlds[0], move.target) for move in actions]
    else:
        scores = [sum(_tried(world, seat, move) for world in worlds) for move in actions]
    return max(zip(scores, (rng.random() for _ in actions), actions, strict=True))[2]


def _tried(world: World, seat: int, move: Move) -> float:
    """How a position looks after a decision, and after good answers to what it asks for."""
    state = world.clone()
    state.push(seat, move)
    while state.asks and not state.ranks:
        # one answer at a time: looking at all orders of a King's list would take minutes
        best, chosen = -2 * WON, state
        for answer in state.legal_actions(seat)[:_ANSWERS]:
            after = state.clone()
            after.push(seat, answer)
            worth = judge(after, seat)
            if worth > best:
                best, chosen = worth, after
        state = chosen
    return judge(state, seat)


_ANSWERS: Final = 6
"""So many answers to a power are looked at within a try."""


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
    if state.turn == seat:
        total += _ACTION * state.actions + _strikes(state, side)
    return total


def _row(state: World, side: int, lane: int, known: int) -> float:
    """The cards of a side in a lane, as those who know `known` see them."""
    worth = 0.0
    flags, card, damage = state.flags, state.card, state.damage
    for unit in state.rows[side * state.lanes + lane]:
        flag = flags[unit]
        rank = card[unit] >> 2
        if flag & UP:
            points = (3 if rank == JACK else 2) - damage[unit]
            worth += _POINT * points + _FACES[rank] - (0.45 if flag & FROZEN else 0.0)
        else:
            back = _BACKS[rank] if state.known[unit] & known else _UNKNOWN
            worth += _POINT * (2 - damage[unit]) * 0.85 + back - (0.15 if flag & (FROZEN | LOCKED) else 0.0)
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
