"""What tries the decisions of Duel 52 in many worlds: each as the beginning of a whole turn.

A decision is followed by the best turn found that begins with it (`plan`), and that by the attacks that may
answer it. What the position where it ends promises is said by `forecast`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp
from typing import Any, Final

from engine.ai.likely import likely
from engine.ai.search import Measures, Sampler, race
from engine.duel52.alike import kinds
from engine.duel52.cards import LONE, POINTS
from engine.duel52.forecast import share
from engine.duel52.heuristic import scores
from engine.duel52.inference import likelihood
from engine.duel52.marks import UP
from engine.duel52.moves import Move
from engine.duel52.observation import Observation
from engine.duel52.outlook import judge
from engine.duel52.plan import Effort, Judge, turn
from engine.duel52.sample import World, sample
from engine.game import Seat
from engine.verdict import Candidate, Stop, Verdict

EFFORT: Final = Effort(first=1, width=2, replies=4, tries=60, all=100, gambles=False)
"""For one decision in one world, which must not promise what a later flip of an unseen base brings there."""
DRAWN: Final = 8
"""Out of so many worlds one is taken by what backs have shown: several of them lie on most tables."""
_TWINS: Final = 2
"""Of decisions that begin the same turn so many are tried: only their order tells them apart."""


def as_they_come(observation: Observation) -> Callable[[random.Random], World]:
    """Worlds of an observation, each as likely as any other."""
    return partial(sample, observation)


@dataclass(frozen=True, slots=True)
class Planner:
    """A search in whole turns: every decision is tried with the best turn that begins with it.

    `budget` is the number of tries, one candidate in one world, `top` how many candidates there are, and
    `lean` what the heuristic's own choice has in advance, in shares of the win.
    """

    budget: int
    top: int
    lean: float = 0.0
    measures: Measures | None = None
    """What the teacher compares decisions by; opponents measure nothing."""
    odds: Judge | None = None
    """The logarithm of the odds of a win in a position, for two sides; None: `forecast` judges."""
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
        """Try the most promising decisions of the seat that acts, and those of `also`; what came of each."""
        every = _candidates(observation, actions, rng, self.top, also)
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
    seen: Observation, actions: Sequence[Move], rng: random.Random, top: int, also: Sequence[Move]
) -> list[Candidate]:
    """What the heuristic finds best, one of each kind, and what was asked for."""
    found = scores(seen, actions, rng)
    world = sample(seen, rng)
    firsts = [places[0] for places in kinds(world, seen.to_act[0], actions).values()]
    met, chosen = Counter[float](), list[int]()
    for place in sorted(firsts, key=lambda place: -found[place]):
        same = round(found[place], 9)
        if met[same] < _TWINS and len(chosen) < top:
            chosen.append(place)
        met[same] += 1
    chosen += [place for place, move in enumerate(actions) if place not in chosen and move in also]
    return [Candidate(actions[place], place, found[place]) for place in chosen]


MEASURES = ("lanes", "enemies", "cards", "wounds", "points", "hand")
"""Lanes in which the own side has more hit points than any other; cards of the others on the table, and of
the own side there and in hand; hit points of the others' cards and of the own; the hand of the seat."""


def measures(state: Any, seat: Seat) -> Mapping[str, float]:
    """A position in the terms of this game, see `MEASURES`."""
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
    """The hit points that a card has left; a back has as many as every back."""
    return (POINTS[state.card[unit] >> 2] if state.flags[unit] & UP else LONE) - state.damage[unit]


study: Final = Planner(budget=64, top=6, measures=measures, worlds=likely(as_they_come, likelihood, DRAWN))
"""For the teacher."""
