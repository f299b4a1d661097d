"""The Sharp opponent of Duel 52: plans turns like Steady while there are cards to draw, and searches once
there are none. With three sides it plays like Steady, because no evaluation predicts the winner of three
well."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.duel52.ai.heuristic import heuristic
from engine.duel52.ai.search import Planner
from engine.duel52.moves import Move
from engine.duel52.observation import Observation


@dataclass(frozen=True, slots=True)
class EndgameOpponent:
    """An opponent that searches only if little is hidden.

    That means two sides, an empty draw pile and no pending choice; otherwise it uses the heuristic.
    """

    planner: Planner
    brief: Planner
    """Planner for four players and for Vampiric games, where planning a turn takes twice as long."""

    def __call__(self, seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
        """Return the most promising move."""
        if seen.pile or seen.ask is not None or seen.setup.sides > 2:
            return heuristic(seen, actions, rng)
        planner = self.brief if seen.setup.seats > 2 or seen.vampiric else self.planner
        move: Move = planner.think(seen, actions, rng).action
        return move


sharp: Final = EndgameOpponent(
    Planner(budget=20, top=4, lean=0.01), brief=Planner(budget=6, top=2, lean=0.01)
)
"""The Sharp opponent, sized for 0.1 s per decision."""
