"""Opponents of Compound Capture and Chemistry Canasta that search sampled positions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from typing_extensions import override

from engine.ai.search import Search
from engine.chemistry.ai.heuristic import scores
from engine.chemistry.ai.judge import judge
from engine.chemistry.ai.patterns import happenings
from engine.chemistry.ai.rollout import Round, lacks, policy, sampler
from engine.chemistry.deck import WILD
from engine.chemistry.moves import RUN
from engine.chemistry.observation import OVER, SECOND
from engine.chemistry.scoring import COMPOUND, RUN_CARD
from engine.game import AnyState, Seat

MANY: Final = 4
LONG: Final = 160
"""Limits on seats and history length in Compound Capture beyond which the search is skipped."""


@dataclass(frozen=True, slots=True)
class Searcher(Search):
    """A search in whole turns: after the candidate each seat plays `depth` more turns within the round.

    Without `draws` it leaves draws to the heuristic, because searching them finds nothing better.
    """

    draws: bool = False

    @override
    def _top(self, observation: Any, actions: Sequence[Any]) -> int:
        if self.draws:
            return self.top
        # such a long history often needs repaired samples, which take more than a tenth of a second
        late = observation.seats >= MANY and len(observation.log) > LONG and not observation.canasta
        return self.top if observation.phase > SECOND and not late else 1

    @override
    def _play_on(self, world: AnyState, rng: random.Random) -> None:
        if isinstance(world, Round):
            world.play_on(rng, None if self.depth is None else self.depth * world.seats)


sharp = Searcher(sampler, scores, policy, judge, budget=160, depth=1, top=5, lean=0.01)
"""Search for 0.1 s per decision; it uses about a tenth of that."""

MEASURES = ("points", "theirs", "ready", "wild")
"""Points of the seat and of the best opponent (with this round's captures and runs), compounds the hand can
capture at once, and wild cards held."""


def measures(world: Any, seat: Seat) -> Mapping[str, float]:
    """Return the `MEASURES` of a position."""
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


study = replace(sharp, budget=500, top=6, lean=0.0, draws=True, measures=measures, happenings=happenings)
"""Search for the teacher: covers every decision and does not lean towards the heuristic's choice."""
