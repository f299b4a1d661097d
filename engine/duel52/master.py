"""The master opponent of Duel 52: searches in whole turns from the first decision on, and judges where they
end by what a network learned."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.duel52.heuristic import heuristic
from engine.duel52.moves import Move
from engine.duel52.observation import Observation
from engine.duel52.searching import Planner
from engine.duel52.sharp import unhurried
from engine.duel52.value import odds

LEARNED: Final = "standard"
"""The variant whose games the network has seen."""


@dataclass(frozen=True, slots=True)
class Always:
    """An opponent that searches whatever is to be drawn; in other variants than the network has learned it
    searches as the sharp one does, with more time."""

    planner: Planner

    def __call__(self, seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
        """The decision that promises most."""
        if seen.variant != LEARNED or seen.vampiric:
            return unhurried(seen, actions, rng)
        if seen.ask is not None:
            return heuristic(seen, actions, rng)
        move: Move = self.planner.think(seen, actions, rng).action
        return move


master: Final = Always(Planner(budget=48, top=6, lean=0.01, odds=odds))
"""For some tenths of a second."""
