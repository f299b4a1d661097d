"""Search of Duel 52: every candidate is tried in many samples as the beginning of a whole turn.

A candidate is followed by the best turn found that begins with it (`plan`), and then by the attacks that may
answer it. `forecast` estimates the chance of winning from the final position.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp
from typing import Any, Final

from engine.ai.likely import likely
from engine.ai.search import Measures, Sampler, race
from engine.duel52.ai.alike import kinds
from engine.duel52.ai.forecast import share
from engine.duel52.ai.heuristic import scores
from engine.duel52.ai.inference import likelihood
from engine.duel52.ai.outlook import judge
from engine.duel52.ai.plan import Effort, Judge, turn
from engine.duel52.cards import LONE, POINTS
from engine.duel52.marks import UP
from engine.duel52.moves import Move
from engine.duel52.observation import Observation
from engine.duel52.sample import World, sample
from engine.game import Seat
from engine.verdict import Candidate, Stop, Verdict

EFFORT: Final = Effort(first=1, width=2, replies=4, tries=60, all=100, gambles=False)
"""Effort for one candidate in one sample. It must not credit a later flip of an unseen base with what the
sample happens to put there."""
DRAWN: Final = 8
"""Number of samples from which one is picked by the evidence of the backs; most tables have several backs."""


def as_they_come(observation: Observation) -> Callable[[random.Random], World]:
    """Return a function that samples positions of an observation, all equally likely."""
    return partial(sample, observation)


@dataclass(frozen=True, slots=True)
class Planner:
    """A search in whole turns: every candidate is tried with the best turn that begins with it.

    `budget` is the number of trials (one candidate in one sample), `top` the number of candidates, and `lean`
    the bonus of the heuristic's own choice, in win probability.
    """

    budget: int
    top: int
    lean: float = 0.0
    measures: Measures | None = None
    """Measurements for the teacher's comparisons; opponents use none."""
    rankings: int = 1
    """Number of samples in which the heuristic ranks the moves. One may hide a 3 under the back to attack."""
    odds: Judge | None = None
    """Log odds of a win in a position with two sides. If None, `forecast` evaluates positions."""
    worlds: Sampler = as_they_come

    def think(
        self,
        observation: Observation,
        actions: Sequence[Move],
        rng: random.Random,
        *,
        tries: int | None = None,
        stop: Stop | None = None,
        also: Sequence[Move] = (),
    ) -> Verdict:
        """Try the most promising moves of the acting seat, and those in `also`. Return their results."""
        every = _candidates(observation, actions, rng, self.top, also, rankings=self.rankings)
        seat, effort = observation.to_act[0], EFFORT._replace(judge=self.odds)

        def attempt(world: Any, candidate: Candidate) -> None:
            move: Move = candidate.action
            if move.verb == "bet":
                side, value, end = move.target, judge(world, move.target), world
            else:
                side, (value, end) = seat, turn(world, seat, move, effort)
            if self.odds is None or end.ranks:
                candidate.values.append(share(end, side, value))
            else:
                candidate.values.append(1 / (1 + exp(-self.odds(end, side))))
            found = self.measures(end, side) if self.measures is not None else {}
            for key, amount in found.items():
                candidate.measured.setdefault(key, []).append(amount)

        budget = self.budget if tries is None else tries
        make = self.worlds(observation)
        return race(every, lambda: make(rng), attempt, budget=budget, lean=self.lean, stop=stop)


def _candidates(
    seen: Observation,
    actions: Sequence[Move],
    rng: random.Random,
    top: int,
    also: Sequence[Move],
    *,
    rankings: int,
) -> list[Candidate]:
    """Return the heuristic's best moves, one of each kind, plus those in `also`.

    Of moves with the same score, only one with each target, or in each lane, is a candidate. Other targets
    remain: to the heuristic every hit point is the same, but a later attack may kill only one of them.
    """
    ranked = [scores(seen, actions, rng) for _ in range(rankings)]
    found = [sum(each) / rankings for each in zip(*ranked, strict=True)]
    world = sample(seen, rng)
    firsts = [places[0] for places in kinds(world, seen.to_act[0], actions).values()]
    best: dict[Hashable, int] = {}
    for place in sorted(firsts, key=lambda place: -found[place]):
        verb, _, lane, _, target, second = actions[place]
        best.setdefault((round(found[place], 9), verb, lane, target, second), place)
    chosen = list(best.values())[:top]
    chosen += [place for place, move in enumerate(actions) if place not in chosen and move in also]
    return [Candidate(actions[place], place, found[place]) for place in chosen]


MEASURES = ("lanes", "enemies", "cards", "wounds", "points", "hand")
"""Lanes in which the own side has more hit points than any other; enemy cards on the table; own side's cards
on the table and in hand; hit points of the enemies and of the own side; cards in the seat's hand."""


def measures(state: Any, seat: Seat) -> Mapping[str, float]:
    """Return the `MEASURES` of a position."""
    points = [sum([_left(state, unit) for unit in row]) for row in state.rows]
    own = range(state.starts[seat], state.starts[seat] + state.lanes)
    laid, mine = sum(len(state.rows[at]) for at in own), sum(points[at] for at in own)
    held = sum(len(state.hands[one]) for one in state.owners(seat % state.sides))
    others = [max(points[one] for one in state.columns[at % state.lanes] if one != at) for at in own]
    return {
        "lanes": float(sum(points[at] > other for at, other in zip(own, others, strict=True))),
        "enemies": float(sum(map(len, state.rows)) - laid),
        "cards": float(laid + held),
        "wounds": float(sum(points) - mine),
        "points": float(mine),
        "hand": float(len(state.hands[seat])),
    }


def _left(state: World, unit: int) -> int:
    """Return a card's remaining hit points; all backs have the same maximum."""
    return (POINTS[state.card[unit] >> 2] if state.flags[unit] & UP else LONE) - state.damage[unit]


study: Final = Planner(budget=64, top=6, measures=measures, worlds=likely(as_they_come, likelihood, DRAWN))
"""The teacher's search."""
