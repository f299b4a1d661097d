"""The sharp opponent of Duel 52: plans a turn as the steady one does while cards are drawn, and searches once
none are left. With three sides it is the steady one, since nothing judges well who of three will win."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.duel52.heuristic import heuristic
from engine.duel52.moves import Move
from engine.duel52.observation import Observation
from engine.duel52.searching import Planner


@dataclass(frozen=True, slots=True)
class Late:
    """An opponent that searches where little is hidden: the draw pile is empty, and no power asks; between
    two sides alone."""

    planner: Planner
    brief: Planner
    """For games of four and for Vampiric, in which a turn takes twice as long to plan."""

    def __call__(self, seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
        """The decision that promises most."""
        if seen.pile or seen.ask is not None or seen.setup.sides > 2:
            return heuristic(seen, actions, rng)
        planner = self.brief if seen.setup.seats > 2 or seen.vampiric else self.planner
        move: Move = planner.think(seen, actions, rng).action
        return move


_FULL: Final = Planner(budget=20, top=4, lean=0.01)
sharp: Final = Late(_FULL, Planner(budget=6, top=2, lean=0.01))
"""For a tenth of a second."""
unhurried: Final = Late(_FULL, _FULL)
"""The same for a quarter of a second."""
