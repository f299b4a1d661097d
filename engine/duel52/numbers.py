"""A position of Duel 52 as numbers, as a seat sees it: what the network of `value` reads.

For two sides. Hidden cards are no part of it: backs that the seat's side does not know count as backs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.duel52.cards import LONE, POINTS
from engine.duel52.marks import FROZEN, IDLE, LOCKED, UP
from engine.duel52.outlook import side_seats
from engine.duel52.race import race
from engine.duel52.sample import World
from engine.game import Seat
from engine.playing_cards import JACK, RANKS

_NEAR, _REACH = 4, 2
"""Turns that a race is looked ahead, see `forecast`."""

SIDE: Final = ("points", "cards", "up", "ready", "weak", "backs", "locked", "jacks", "empty")
"""By lane and side: hit points left, cards, face-up ones, those that can attack, those with one hit point
left, backs, locked bases, face-up Jacks, and that nothing lies there."""
WHOLE: Final = (
    "late",
    "last",
    "none",
    "own_turn",
    "own_actions",
    "other_actions",
    "own_hand",
    "other_hand",
    "near",
    "reach",
)
"""Of the whole position: fewer than 20 cards to draw, than 6, and none; whose turn it is, and the actions
left; cards in hand; who wins a race, within four turns and within two."""
LANES: Final = 3
DENSE: Final = LANES * 2 * len(SIDE) + len(WHOLE)
COUNTS: Final = 5 * RANKS
"""By rank: cards face-up on the own side and on the other, own backs that the seat knows, backs of the other
side that it knows, cards in the own hand."""


class Numbers(NamedTuple):
    """`dense` are `SIDE` of both sides, lane by lane from the one in which the seat stands worst, and
    `WHOLE`, all brought to the size of 1; `counts` see `COUNTS`; `pile` are the cards to draw."""

    dense: list[float]
    counts: list[float]
    pile: int


def numbers(state: World, seat: Seat) -> Numbers:
    """A position of two sides and three lanes as numbers."""
    side, lanes, turn = seat % 2, state.lanes, state.turn % 2
    known = side_seats(state, seat)
    counts = [0.0] * COUNTS
    for card in state.hands[seat]:
        counts[4 * RANKS + (card >> 2)] += 1.0
    own, others = (
        [_row(state, at, counts, way) for at in range(of * lanes, (of + 1) * lanes)]
        for of, way in (
            (side, _Way(known, 0, 2 * RANKS, IDLE if turn == side else FROZEN)),
            (1 - side, _Way(known, RANKS, 3 * RANKS, FROZEN if turn == side else IDLE)),
        )
    )
    dense: list[float] = []
    for at in sorted(range(lanes), key=lambda at: (own[at][0] - others[at][0], own[at][1], own[at][3])):
        dense += own[at]
        dense += others[at]
    held = [sum([len(hand) for hand in state.hands[of::2]]) for of in (side, 1 - side)]
    pile = len(state.pile)
    won = None if pile else race(state, _NEAR)
    sign = 0.0 if won is None else 1.0 if won[0] == side else -1.0
    mine = turn == side
    dense += (
        max(0.0, 1 - pile / 20),
        max(0.0, 1 - pile / 6),
        0.0 if pile else 1.0,
        float(mine),
        state.actions / 2 if mine else 0.0,
        0.0 if mine else state.actions / 2,
        held[0] / 3,
        held[1] / 3,
        sign,
        sign if won is not None and won[1] < _REACH else 0.0,
    )
    return Numbers(dense, counts, pile)


class _Way(NamedTuple):
    """How the rows of a side are read: the seats that know what the viewer knows, where its face-up cards and
    its known backs are counted, and the marks with which a card cannot attack."""

    known: int
    shown: int
    laid: int
    bar: int


def _row(state: World, at: int, counts: list[float], way: _Way) -> tuple[float, ...]:
    """A row as `SIDE` says; its cards are counted."""
    known, shown, laid, bar = way
    flags, card, damage = state.flags, state.card, state.damage
    points = up = ready = weak = locked = jacks = 0
    row = state.rows[at]
    for unit in row:
        flag = flags[unit]
        if flag & UP:
            rank = card[unit] >> 2
            counts[shown + rank] += 1.0
            up += 1
            left = POINTS[rank] - damage[unit]
            if not flag & bar:
                ready += 1
            if rank == JACK:
                jacks += 1
        else:
            left = LONE - damage[unit]
            if state.known[unit] & known:
                counts[laid + (card[unit] >> 2)] += 1.0
            if flag & LOCKED:
                locked += 1
        points += left
        if left == 1:
            weak += 1
    size = len(row)
    backs = (size - up) / 2
    empty = 0.0 if row else 1.0
    return points / 4, size / 2, up / 2, ready / 2, weak / 2, backs, float(locked), float(jacks), empty
