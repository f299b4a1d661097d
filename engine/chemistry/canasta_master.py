"""Master in Canasta between two: the moves that Steady likes best, judged anew by a network that learned.

The network (`canasta_network`) learned from matches against itself, by what they brought: it adds to Steady's
score of a move what speaks for or against it, and knows nothing but the observation. It learned the usual
game of two with both decks, and plays as Sharp in others.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.chemistry.canasta_network import learned
from engine.chemistry.canasta_numbers import Known
from engine.chemistry.collecting import ROUNDS
from engine.chemistry.heuristic import Mind
from engine.chemistry.moves import DRAWS, STOCK, Move
from engine.chemistry.observation import FIRST, SECOND, Observation
from engine.chemistry.searching import sharp

SEATS: Final = 2
DECKS: Final = "both"
TRIED: Final = 8
"""So many moves are judged anew, those with the best scores of Steady."""
WAYS: Final = 3
"""No more ways than this to capture the same compound are among them."""
HEAT: Final = 1.5
"""What Steady's scores are divided by before the network adds to them."""
BEHIND: Final = 7.0
"""Further than this behind the best one no move stands before the network is asked."""


def is_learned(seen: Observation) -> bool:
    """Whether it is the game that the network learned."""
    return (seen.seats, seen.decks, seen.rounds) == (SEATS, DECKS, ROUNDS)


def tried(seen: Observation, mind: Mind, actions: Sequence[Move]) -> list[tuple[Move, float]]:
    """The moves that are judged anew with Steady's scores, the best first.

    Nobody claims before the second card is drawn: it can be done afterwards, too.
    """
    if seen.phase == SECOND:
        actions = [move for move in actions if move.verb == "draw"]
    scored = sorted(((move, mind.score(move)) for move in actions), key=lambda one: -one[1])
    found = list[tuple[Move, float]]()
    ways = dict[int, int]()
    for move, score in scored:
        if move.verb == "capture":
            ways[move.what] = ways.get(move.what, 0) + 1
            if ways[move.what] > WAYS:
                continue
        found.append((move, score))
        if len(found) == TRIED:
            break
    return found


def worths(seen: Observation, mind: Mind, best: Sequence[tuple[Move, float]]) -> list[float]:
    """How good each of these moves is, the best of Steady first."""
    known, most = Known(seen, mind), best[0][1]
    plays = [known.described(move, score, most) for move, score in best]
    leanings = learned().leanings(known.situation(), plays)
    return [
        max(-BEHIND, (score - most) / HEAT) + leaning
        for (_, score), leaning in zip(best, leanings, strict=True)
    ]


def master(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The move that promises most."""
    if len(actions) == 1:
        return actions[0]
    if not is_learned(seen):
        move: Move = sharp(seen, actions, rng)
        return move
    if seen.phase == FIRST:
        # a card seen helps to choose the second
        return DRAWS[STOCK]
    mind = Mind(seen)
    best = tried(seen, mind, actions)
    if len(best) == 1:
        return best[0][0]
    found = worths(seen, mind, best)
    return best[found.index(max(found))][0]
