"""Opponents of Compound Capture and Chemistry Canasta that try their plays in worlds."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from typing_extensions import override

from engine.ai.search import Search
from engine.chemistry.deck import WILD
from engine.chemistry.heuristic import scores
from engine.chemistry.judge import judge
from engine.chemistry.moves import RUN
from engine.chemistry.observation import OVER, SECOND
from engine.chemistry.rollout import Round, lacks, policy, sampler
from engine.chemistry.scoring import COMPOUND, RUN_CARD
from engine.game import AnyState, Seat

MANY: Final = 4
LONG: Final = 160
"""With so many seats in Compound Capture and a longer history of the round an opponent tries nothing."""


@dataclass(frozen=True, slots=True)
class Thinker(Search):
    """A search in whole turns: `depth` says how many each seat has after the candidate, within the round.

    Without `draws` it leaves those to the heuristic, where trying finds nothing better.
    """

    draws: bool = False

    @override
    def _top(self, observation: Any, actions: Sequence[Any]) -> int:
        if self.draws:
            return self.top
        # worlds that fit so much have to be repaired, which takes longer than a tenth of a second
        late = observation.seats >= MANY and len(observation.log) > LONG and not observation.canasta
        return self.top if observation.phase > SECOND and not late else 1

    @override
    def _play_on(self, world: AnyState, rng: random.Random) -> None:
        if isinstance(world, Round):
            world.play_on(rng, None if self.depth is None else self.depth * world.seats)


sharp = Thinker(sampler, scores, policy, judge, budget=160, depth=1, top=5, lean=0.01)
"""For a tenth of a second; it takes a tenth of that."""

MEASURES = ("points", "theirs", "ready", "wild")
"""Points of the seat and of the best other one, what the running round has made counted, compounds that the
hand can make at once, wild cards held."""


def measures(world: Any, seat: Seat) -> Mapping[str, float]:
    """A position in the terms of these games, see `MEASURES`."""
    points = [float(total) for total in world.totals]
    if world.phase != OVER:
        made = zip(points, world.captured, world.runs, strict=True)
        points = [total + COMPOUND * len(held) + RUN * RUN_CARD * len(laid) for total, held, laid in made]
    others = [total for one, total in enumerate(points) if one != seat]
    hand = world.hands[seat]
    row = world.row
    return {
        "points": points[seat],
        "theirs": max(others, default=0.0),
        "ready": float(lacks(row, hand).count(0)),
        "wild": float(hand[WILD]),
    }


study = replace(sharp, budget=500, top=6, lean=0.0, draws=True, measures=measures)
"""For the teacher: every decision, and without a lean to the heuristic's choice."""
