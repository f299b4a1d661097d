"""The Master opponent of Duel 52: searches whole turns from its first decision on and judges the final
positions with a trained network."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.duel52.ai.heuristic import heuristic
from engine.duel52.ai.search import Planner
from engine.duel52.ai.sharp import sharp
from engine.duel52.ai.value import odds
from engine.duel52.moves import Move
from engine.duel52.observation import Observation

LEARNED: Final = "standard"
"""The variant the network was trained on."""


@dataclass(frozen=True, slots=True)
class SearchingOpponent:
    """An opponent that searches with any number of cards left to draw.

    It plays like Sharp in variants that the network was not trained on.
    """

    planner: Planner

    def __call__(self, seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
        """Return the most promising move."""
        if seen.variant != LEARNED or seen.vampiric:
            return sharp(seen, actions, rng)
        if seen.ask is not None:
            return heuristic(seen, actions, rng)
        move: Move = self.planner.think(seen, actions, rng).action
        return move


master: Final = SearchingOpponent(Planner(budget=64, top=8, lean=0.01, rankings=3, odds=odds))
"""Search for some tenths of a second per decision."""
