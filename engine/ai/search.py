"""Flat Monte Carlo search with sequential halving.

The search tries a few actions in many samples, keeps the better half, and repeats. The heuristic selects the
actions worth trying and serves as the rollout policy. A rollout stops after a few decisions, and the position
is evaluated. Every action still in the race is tried in the same samples, so that their luck cancels out. The
budget is a number of tries, so the same seed gives the same answer on any machine; a deadline may cut the
search short.

The method is from Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, Final, TypeAlias

from engine.game import AnyState, Seat
from engine.reason import Happenings
from engine.verdict import Candidate, Stop, Verdict

Scores: TypeAlias = Callable[[Any, Sequence[Any], random.Random], Sequence[float]]
"""A heuristic's scores for the legal actions, higher is better: `(observation, actions, rng) -> scores`."""

Sampler: TypeAlias = Callable[[Any], Callable[[random.Random], AnyState]]
"""`Game.sampler`: processes an observation once, then draws samples from it."""

Policy: TypeAlias = Callable[[AnyState, Seat, random.Random], Any]
"""Chooses the actions of a seat during a rollout."""

Judge: TypeAlias = Callable[[AnyState, Seat], float]
"""Evaluates a sampled position for a seat: the expected share of the win, from 0 to 1."""

Measures: TypeAlias = Callable[[AnyState, Seat], Mapping[str, float]]
"""Measures a sampled position for a seat in the game's own terms, by the keys of `Game.measures`."""

FEWEST: Final = 2
"""Samples in which each candidate is tried in the first round, even on a small budget."""


@dataclass(frozen=True, slots=True)
class Search:
    """An opponent that searches. As a `Chooser` it needs only an observation.

    `budget` is the number of tries, each of one candidate in one sample. `depth` is the number of decisions
    in a rollout before the position is evaluated (forced ones do not count; None plays to the end). `top` is
    the number of candidates. `lean` is a bonus for the heuristic's own choice, in shares of the win, because
    few tries are noisy.
    """

    sampler: Sampler
    scores: Scores
    policy: Policy
    judge: Judge
    budget: int
    depth: int | None = None
    top: int = 5
    lean: float = 0.02
    measures: Measures | None = None
    """Measures by which the teacher compares decisions, or None for opponents."""
    happenings: Happenings | None = None
    """The happenings in a sample that the teacher may mention, or None for opponents."""

    def __call__(self, observation: Any, actions: Sequence[Any], rng: random.Random) -> Any:
        """Return the best decision found."""
        return self.think(observation, actions, rng).action

    def think(
        self,
        observation: Any,
        actions: Sequence[Any],
        rng: random.Random,
        *,
        tries: int | None = None,
        stop: Stop | None = None,
        also: Sequence[Any] = (),
    ) -> Verdict:
        """Try the most promising actions of the acting seat, and those of `also`. Return the results of
        each."""
        apart = self._apart(observation, actions, also)
        scores = self.scores(observation, [actions[place] for place in apart], rng)
        priors = dict(zip(apart, scores, strict=True))
        order, top = sorted(apart, key=lambda place: -priors[place]), self._top(observation, actions)
        asked = [place for place in order[top:] if actions[place] in also]
        every = [Candidate(actions[place], place, priors[place]) for place in order[:top] + asked]
        seat, make = observation.viewer, self.sampler(observation)

        def attempt(world: AnyState, candidate: Candidate) -> None:
            self._try(world.clone(), seat, candidate, rng)

        budget = self._budget(observation) if tries is None else tries
        return race(every, lambda: make(rng), attempt, budget=budget, lean=self.lean, stop=stop)

    def _apart(self, _observation: Any, actions: Sequence[Any], _also: Sequence[Any]) -> Sequence[int]:
        """Return the indices of the actions worth distinguishing, including those in `_also`.

        All of them are, unless a game knows that some lead to the same result.
        """
        return range(len(actions))

    def _top(self, _observation: Any, _actions: Sequence[Any]) -> int:
        """Return how many candidates this decision is worth. If it is one, nothing is tried."""
        return self.top

    def _budget(self, _observation: Any) -> int:
        """Return how many tries this decision is worth by default."""
        return self.budget

    def _try(self, world: AnyState, seat: Seat, candidate: Candidate, rng: random.Random) -> None:
        """Carry out an action in a sample, roll it out, and evaluate the result."""
        if self.happenings is not None:
            world.events = []
        world.push(seat, candidate.action)
        self._play_on(world, rng)
        candidate.values.append(self.judge(world, seat))
        if self.measures is not None:
            for key, value in self.measures(world, seat).items():
                candidate.measured.setdefault(key, []).append(value)
        if self.happenings is not None:
            candidate.happened.append(frozenset(self.happenings(world.events or (), seat)))

    def _play_on(self, world: AnyState, rng: random.Random) -> None:
        """Roll out from the candidate to the position to be evaluated."""
        left = self.depth
        while waiting := world.to_act():
            acting = waiting[0]
            actions = world.legal_actions(acting)
            if len(actions) > 1:
                if left == 0:
                    break
                if left is not None:
                    left -= 1
                world.push(acting, self.policy(world, acting, rng))
            else:
                world.push(acting, actions[0])


def race(
    every: Sequence[Candidate],
    make: Callable[[], AnyState],
    attempt: Callable[[AnyState, Candidate], None],
    *,
    budget: int,
    lean: float,
    stop: Stop | None,
) -> Verdict:
    """Run sequential halving. `attempt` tries a candidate in a sample from `make` without changing the
    sample.

    The first candidate is the favourite and gets `lean` as a bonus.
    """
    if len(every) == 1:
        return Verdict(tuple(every), 0)
    favourite, racing, tried = every[0], every, 0

    def worth(candidate: Candidate) -> float:
        return candidate.mean + (lean if candidate is favourite else 0.0)

    rounds = ceil(log2(len(every)))
    for _ in range(rounds):
        for _ in range(max(FEWEST, budget // (rounds * len(racing)))):
            if tried and stop is not None and stop():
                return Verdict(tuple(sorted(every, key=lambda one: (one not in racing, -worth(one)))), tried)
            world = make()
            for candidate in racing:
                attempt(world, candidate)
            tried += len(racing)
        racing = sorted(racing, key=worth, reverse=True)[: ceil(len(racing) / 2)]
    # candidates eliminated early were tried less often: a lucky start must not bring them back
    return Verdict(tuple(sorted(every, key=lambda one: (-len(one.values), -worth(one)))), tried)
