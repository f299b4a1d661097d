"""An opponent that plays out each of its cards a few times, phase 2 included, and keeps the best.

The unseen cards are dealt at random to the other hands and the kitty; then everyone plays at random and the
piles run off. All cards are tried in the same samples, so that luck cancels. The weaker half is dropped early
(sequential halving). The only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.ai.choosers import Best
from engine.chemistry.battle.rounds import HIDDEN, IN_ORDER, ORDERS, Move, Observation, run_off
from engine.chemistry.deck import BASIC

WORLDS: Final = 5
"""Minimum number of samples per card before the weaker half is dropped."""
TRIES: Final = 40
"""Number of trials shared by the remaining cards: the fewer remain, the more samples each gets."""
LAST: Final = 2
"""Number of finalists, which the last samples decide between."""
_BELOW: Final = 1e-9
"""Score margin by which a dropped card is kept below those that outlived it."""


def scores(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """Return each card's mean result: 1 for most cards at the end, plus up to 1 for its fraction of all
    cards.

    A card dropped early was tried in few samples; it never ranks above one that outlived it.
    """
    sums = [0.0] * len(actions)
    means = [0.0] * len(actions)
    alive = rng.sample(range(len(actions)), len(actions))  # chance breaks ties
    aside: list[list[int]] = []
    me = seen.viewer or 0
    tried = 0
    while True:
        worlds = max(WORLDS, TRIES // len(alive))
        tried += worlds
        for _ in range(worlds):
            hands, kitty = deal(seen, rng)
            for place in alive:
                _, end = play_out(seen, hands, kitty, actions[place].card)
                own = len(end[me])
                sums[place] += (own == max(map(len, end))) + own / len(BASIC)
        for place in alive:
            means[place] = sums[place] / tried
        if len(alive) <= LAST:
            break
        alive.sort(key=means.__getitem__, reverse=True)
        half = (len(alive) + 1) // 2
        aside.append(alive[half:])
        del alive[half:]
    least = min(means[place] for place in alive)
    for places in reversed(aside):
        for place in places:
            means[place] = min(means[place], least - _BELOW)
        least = min(means[place] for place in places)
    return means


heuristic: Final = Best(scores)
"""The opponent that plays the best-scored card."""


def deal(seen: Observation, rng: random.Random) -> tuple[list[list[int]], list[int]]:
    """Return all hands in the order in which they will be played (the viewer's at random), and the kitty."""
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


def play_out(
    seen: Observation, hands: Sequence[list[int]], kitty: list[int], card: int
) -> tuple[list[list[int]], list[list[int]]]:
    """Play out a sample after this card. Return the piles before and after phase 2."""
    me = seen.viewer or 0
    hidden = iter(kitty)
    piles = [[next(hidden) if c == HIDDEN else c for c in pile] for pile in seen.piles]
    order = ORDERS[len(hands)][seen.leader]
    rests = list(hands)
    rests[me] = [card, *(c for c in hands[me] if c != card)]
    plays = list(seen.plays)
    for hand in order[len(plays) :]:
        first, *rests[hand] = rests[hand]
        plays.append(first)
    leader = order[plays.index(max(plays))]
    piles[leader] += plays + kitty if seen.kitty else plays
    in_order = IN_ORDER[len(hands)]
    # the cards of each round are fixed now; the leader only affects the order in which they lie
    for cards in zip(*rests, strict=True):
        played = in_order[leader](cards)
        leader = cards.index(max(cards))
        piles[leader] += played
    end, _ = run_off(piles, leader, seen.round + 1 + len(rests[me]), seen.cap)
    return piles, end
