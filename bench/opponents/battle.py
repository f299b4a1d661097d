"""An opponent that plays each of its cards out a few times, phase 2 included, and keeps the best.

The unseen cards are dealt at random to the other hands and the kitty; then everybody plays at random and
the piles run off. All cards are tried against the same worlds, so that luck cancels. The only input is an
observation.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.chemistry.battle.rounds import HIDDEN, ORDERS, Move, Observation, run_off
from engine.chemistry.deck import BASIC

WORLDS = 24
"""Random worlds in which each card is tried."""


def heuristic(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The card that wins most of the worlds, by its share of the cards among equals."""
    if len(actions) == 1:
        return actions[0]
    scores = dict.fromkeys(actions, 0.0)
    for _ in range(WORLDS):
        hands, kitty = _deal(seen, rng)
        for move in actions:
            scores[move] += _play_out(seen, [list(hand) for hand in hands], kitty, move.card)
    return max(zip(scores.values(), (rng.random() for _ in actions), scores, strict=True))[2]


def _deal(seen: Observation, rng: random.Random) -> tuple[list[list[int]], list[int]]:
    """The other hands, in the order in which they will be played, the own one shuffled; and the kitty."""
    known = {*seen.hand, *seen.plays, *(card for pile in seen.piles for card in pile)}
    unseen = [card for card in BASIC if card not in known]
    rng.shuffle(unseen)
    own = list(seen.hand)
    rng.shuffle(own)
    hands = []
    for hand, size in enumerate(seen.sizes):
        if hand == seen.viewer:
            hands.append(own)
        else:
            hands.append(unseen[:size])
            del unseen[:size]
    return hands, unseen


def _play_out(seen: Observation, hands: list[list[int]], kitty: list[int], card: int) -> float:
    """How a world ends after this card: a point for the win, and up to one for the share of the cards."""
    me = seen.viewer or 0
    count = len(hands)
    hidden = iter(kitty)
    piles = [[next(hidden) if c == HIDDEN else c for c in pile] for pile in seen.piles]
    hands[me].remove(card)
    hands[me].append(card)  # cards are played from the end
    plays, leader = list(seen.plays), seen.leader
    left = list(kitty) if seen.kitty else []
    while True:
        order = ORDERS[count][leader]
        plays += [hands[hand].pop() for hand in order[len(plays) :]]
        leader = order[plays.index(max(plays))]
        piles[leader] += plays + left
        plays, left = [], []
        if not hands[leader]:
            break
    end, _ = run_off(piles, leader, seen.round + 1)
    own = len(end[me])
    best = max(map(len, end))
    return (own == best) + own / len(BASIC)
