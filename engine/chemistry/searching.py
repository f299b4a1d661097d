"""Opponents of Compound Capture and Chemistry Canasta that try their plays in worlds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from typing_extensions import override

from engine.ai.search import Search, Stop, Verdict
from engine.chemistry.heuristic import scores
from engine.chemistry.judge import judge
from engine.chemistry.observation import SECOND
from engine.chemistry.rollout import Round, policy, sampler
from engine.game import AnyState, Seat


@dataclass(frozen=True, slots=True)
class Thinker(Search):
    """A search in whole turns: `depth` says how many each seat has after the candidate, within the round.

    It leaves the draws to the heuristic, where trying finds nothing better.
    """

    @override
    def think(
        self, observation: Any, actions: Sequence[Any], rng: random.Random, *, stop: Stop | None = None
    ) -> Verdict:
        if observation.phase <= SECOND and self.top > 1:
            return replace(self, top=1).think(observation, actions, rng)
        return Search.think(self, observation, actions, rng, stop=stop)

    @override
    def _try(self, world: AnyState, seat: Seat, action: Any, rng: random.Random) -> float:
        world.push(seat, action)
        if isinstance(world, Round):
            world.play_on(rng, None if self.depth is None else self.depth * world.seats)
        return self.judge(world, seat)


sharp = Thinker(sampler, scores, policy, judge, budget=160, depth=1, top=5, lean=0.01)
"""For a tenth of a second; it takes a tenth of that."""

master = replace(sharp, budget=2000, depth=2, top=8, lean=0.005)
"""For a second; it takes a third of that."""
