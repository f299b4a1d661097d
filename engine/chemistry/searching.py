"""Opponents of Compound Capture and Chemistry Canasta that try plays in worlds, to the end of the round.

What a round's end is worth was fitted to games that the heuristic played against itself.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, sqrt
from typing import Any

from typing_extensions import override

from engine.ai.search import Search, Stop, Verdict
from engine.chemistry.heuristic import scores
from engine.chemistry.observation import SECOND
from engine.chemistry.rollout import Round, policy, sampler
from engine.chemistry.scoring import TARGET
from engine.game import AnyState, Seat


def judge(state: Any, seat: Seat) -> float:
    """The share of the match that a seat can hope for once the round is over: 0 to 1, 1 for all seats.

    Whoever leads by so many points wins the more often the fewer rounds are left; who begins the next
    round has a little in advance.
    """
    totals: list[int] = state.totals
    best = max(totals)
    seats: int = state.seats
    if seats == 1:
        # alone there is nobody to share with: more points are more
        return 1 / (1 + exp(-best / TARGET))
    if state.round == state.rounds or (best >= TARGET and totals.count(best) == 1):
        return 1 / totals.count(best) if totals[seat] == best else 0.0
    spread, steady, begin, usual = (
        (26.0, 1.5, 7.5, 430 / seats) if state.canasta else (20.0, 0.55, 9.0, 60 + 16 * seats)
    )
    left = min(state.rounds - state.round, max(0.0, (TARGET - best) / usual))
    scale = spread * sqrt(steady + left)
    # the deal goes to the left, and the seat after the dealer begins
    early = [0.5 - (one - state.dealer - 2) % seats / (seats - 1) for one in range(seats)]
    shares = [exp((total - best + begin * first) / scale) for total, first in zip(totals, early, strict=True)]
    return shares[seat] / sum(shares)


@dataclass(frozen=True, slots=True)
class Thinker(Search):
    """A search to the end of the round, in whole turns.

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
            world.play_on(rng)
        return self.judge(world, seat)


sharp = Thinker(sampler, scores, policy, judge, budget=400, top=6, lean=0.01)
master = replace(sharp, budget=4000)
