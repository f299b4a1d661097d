"""Numeric inputs of a Duel 52 position from a seat's view, for the network of `value`.

For two sides. Hidden cards are left out: backs unknown to the seat's side count only as backs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.duel52.ai.outlook import side_seats
from engine.duel52.ai.race import race
from engine.duel52.cards import LONE, POINTS
from engine.duel52.marks import FROZEN, IDLE, LOCKED, UP
from engine.duel52.sample import World
from engine.game import Seat
from engine.playing_cards import JACK, RANKS

_NEAR, _REACH = 4, 2
"""Numbers of turns a race is looked ahead, as in `forecast`."""

SIDE: Final = ("points", "cards", "up", "ready", "weak", "backs", "locked", "jacks", "empty")
"""Inputs per lane and side: hit points left, cards, face-up cards, possible attackers, cards with one hit
point left, backs, locked bases, face-up Jacks, and whether the row is empty."""
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
"""Inputs of the whole position: fewer than 20 cards in the draw pile, fewer than 6, and none; own turn,
actions left on either side, cards in either hand; the winner of a race within four turns and within two."""
LANES: Final = 3
DENSE: Final = LANES * 2 * len(SIDE) + len(WHOLE)
COUNTS: Final = 5 * RANKS
"""Number of card counts. By rank they count face-up cards of either side, own backs the seat knows, enemy
backs it knows, and cards in its hand."""


class PositionFeatures(NamedTuple):
    """Inputs of the network.

    `dense` holds `SIDE` of both sides, lane by lane from the seat's worst to its best, then `WHOLE`, all
    scaled to about 1. `counts` is described at `COUNTS`; `pile` is the size of the draw pile.
    """

    dense: list[float]
    counts: list[float]
    pile: int


def position_features(state: World, seat: Seat) -> PositionFeatures:
    """Return the inputs of a position with two sides and three lanes."""
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
    return PositionFeatures(dense, counts, pile)


class _Way(NamedTuple):
    """How to read the rows of a side.

    Attributes:
        known: the seats whose knowledge counts, as a bit mask.
        shown: the offset in `counts` of face-up cards.
        laid: the offset in `counts` of known backs.
        bar: the marks that keep a card from attacking.
    """

    known: int
    shown: int
    laid: int
    bar: int


def _row(state: World, at: int, counts: list[float], way: _Way) -> tuple[float, ...]:
    """Return the inputs of a row in the order of `SIDE`, and add its cards to `counts`."""
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
