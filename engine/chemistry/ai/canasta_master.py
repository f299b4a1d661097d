"""Master in two-player Canasta: Steady's best moves, re-ranked by a trained network.

The network (`canasta_network`) learned from the results of matches against itself. It adds a correction to
Steady's score of each move and sees only the observation. It was trained on the usual two-player game with
both decks; in other games Master plays like Sharp.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.chemistry.ai.canasta_features import Known
from engine.chemistry.ai.canasta_network import learned
from engine.chemistry.ai.heuristic import MoveScorer
from engine.chemistry.ai.search import sharp
from engine.chemistry.collect import ROUNDS
from engine.chemistry.moves import DRAWS, STOCK, Move
from engine.chemistry.observation import FIRST, SECOND, Observation

SEATS: Final = 2
DECKS: Final = "both"
TRIED: Final = 8
"""Number of moves the network re-ranks: those with Steady's best scores."""
WAYS: Final = 3
"""Most ways to capture the same compound among them."""
HEAT: Final = 1.5
"""Divisor of Steady's scores before the network adds to them."""
BEHIND: Final = 7.0
"""Largest deficit behind the best move, in divided scores, before the network adds to it."""


def is_learned(seen: Observation) -> bool:
    """Return whether the network was trained on this game."""
    return (seen.seats, seen.decks, seen.rounds) == (SEATS, DECKS, ROUNDS)


def tried(seen: Observation, scorer: MoveScorer, actions: Sequence[Move]) -> list[tuple[Move, float]]:
    """Return the moves to re-rank with Steady's scores, best first.

    Claims are left out until the second card is drawn, because they remain possible afterwards.
    """
    if seen.phase == SECOND:
        actions = [move for move in actions if move.verb == "draw"]
    scored = sorted(((move, scorer.score(move)) for move in actions), key=lambda one: -one[1])
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


def worths(seen: Observation, scorer: MoveScorer, best: Sequence[tuple[Move, float]]) -> list[float]:
    """Return the worth of each of these moves; Steady's best must come first."""
    known, most = Known(seen, scorer), best[0][1]
    plays = [known.described(move, score, most) for move, score in best]
    logits = learned().logits(known.situation(), plays)
    return [
        max(-BEHIND, (score - most) / HEAT) + logit for (_, score), logit in zip(best, logits, strict=True)
    ]


def master(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """Return the most promising move."""
    if len(actions) == 1:
        return actions[0]
    if not is_learned(seen):
        move: Move = sharp(seen, actions, rng)
        return move
    if seen.phase == FIRST:
        # seeing the first card helps to choose the second
        return DRAWS[STOCK]
    scorer = MoveScorer(seen)
    best = tried(seen, scorer, actions)
    if len(best) == 1:
        return best[0][0]
    found = worths(seen, scorer, best)
    return best[found.index(max(found))][0]
