"""The sharp opponent of Atom Duel, in the games of two where it was shown to be stronger than the steady one.

In the usual game it plays by more worlds and by what a network has learned of whole rounds; with the powers
of level 7 it tries its moves in whole worlds, as the study does. In all else it is the steady one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.ai.choosers import Best
from engine.atom_duel.ai import heuristic
from engine.atom_duel.ai.forecast import forecasts
from engine.atom_duel.ai.policy import policy
from engine.atom_duel.ai.search import Searcher, judge, sampler
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation

USUAL: Final = (2, 4, 5, 4)
"""Seats, level, cards of a hand and rounds of the games in which it asks the network."""
HIGHEST: Final = (2, 7, 5, 4)
"""The same of those in which it tries its moves in whole worlds."""
TIMES: Final = 2
"""How many times the worlds of the steady opponent."""
LEARNED: Final = 0.5
"""How much of a score is the network's: worlds are few, and the network knows little of single cards."""


def scores(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """By move: how good it looks, with what the network has learned."""
    if actions[0].verb != "play":
        return heuristic.scores(seen, actions, rng)
    played, learned = heuristic.plays(seen, actions, rng, times=TIMES), forecasts(seen)
    return [
        (1 - LEARNED) * value + LEARNED * (learned[move.card] + heuristic.aside(seen, move))
        for value, move in zip(played, actions, strict=True)
    ]


_learned: Final = Best(scores)
_tried: Final = Searcher(sampler, heuristic.scores, policy, judge, budget=4_000, top=6, lean=0.01)
"""400 tries with two players of five cards."""


def sharp(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The move that promises most; for a tenth of a second."""
    setting = (seen.seats, seen.level, seen.hand_size, seen.rounds)
    choose = _learned if setting == USUAL else _tried if setting == HIGHEST else heuristic.heuristic
    move: Move = choose(seen, actions, rng)
    return move
