"""The Sharp opponent of Atom Duel: searches sampled rounds if that was shown to beat Steady.

That is so in the game of two with all the powers. In every other game it plays like Steady.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.atom_duel.ai import heuristic
from engine.atom_duel.ai.policy import policy
from engine.atom_duel.ai.search import Searcher, judge, sampler
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation

SEARCHED: Final = (2, 7, 5, 4)
"""Seats, level, cards of a hand and rounds of the games in which it searches."""

_search: Final = Searcher(sampler, heuristic.scores, policy, judge, budget=4_000, top=6, lean=0.01)
"""400 tries with two players of five cards."""


def sharp(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """Return the most promising move, within a tenth of a second."""
    setting = (seen.seats, seen.level, seen.hand_size, seen.rounds)
    choose = _search if setting == SEARCHED else heuristic.heuristic
    move: Move = choose(seen, actions, rng)
    return move
