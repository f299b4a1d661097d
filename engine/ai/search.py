"""Flat Monte Carlo with sequential halving: try a few decisions in many worlds, keep the better half, go on.

The heuristic says which decisions are worth a try, and plays on from them; the game is left after a few
decisions and judged. Every decision that is still in the race meets the same worlds, so that the luck of
a world cancels. The budget is counted in tries, so the same seed gives the same answer on any machine;
a deadline may cut it short.

The way is that of Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, Final, TypeAlias

from engine.game import AnyState, Seat
from engine.verdict import Candidate, Stop, Verdict

Scores: TypeAlias = Callable[[Any, Sequence[Any], random.Random], Sequence[float]]
"""What a heuristic thinks of each legal action: `(observation, actions, rng) -> scores`, the best highest."""

Sampler: TypeAlias = Callable[[Any], Callable[[random.Random], AnyState]]
"""`Game.sampler`: an observation is read once, then gives as many worlds as one asks for."""

Policy: TypeAlias = Callable[[AnyState, Seat, random.Random], Any]
"""How a seat plays on in a world that was sampled."""

Judge: TypeAlias = Callable[[AnyState, Seat], float]
"""What a position of a sampled world is worth to a seat: its share of the win, from 0 to 1."""

Measures: TypeAlias = Callable[[AnyState, Seat], Mapping[str, float]]
"""What a position of a sampled world is to a seat in the game's own terms, by the keys of `Game.measures`."""

FEWEST: Final = 2
"""How many worlds each candidate meets in the first round, whatever the budget."""


@dataclass(frozen=True, slots=True)
class Search:
    """An opponent that searches; as a `Chooser` it needs nothing but an observation.

    `budget` is the number of tries, one candidate in one world; `depth` the decisions after the candidate
    until the position is judged (forced ones do not count; None: to the end); `top` how many candidates;
    `lean` what the heuristic's own choice has in advance, in shares of the win, since few tries are noise.
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
    """What the teacher compares decisions by; opponents measure nothing."""

    def __call__(self, observation: Any, actions: Sequence[Any], rng: random.Random) -> Any:
        """The decision that does best."""
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
        """Try the most promising decisions of the seat that acts, and those of `also`; what came of each."""
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
        """The places of the decisions that are worth telling apart: all, unless a game knows that some come
        to the same. Those of `_also` are among them."""
        return range(len(actions))

    def _top(self, _observation: Any, _actions: Sequence[Any]) -> int:
        """How many candidates this decision is worth; with one nothing is tried."""
        return self.top

    def _budget(self, _observation: Any) -> int:
        """How many tries this decision is worth where nobody says so."""
        return self.budget

    def _try(self, world: AnyState, seat: Seat, candidate: Candidate, rng: random.Random) -> None:
        """Carry a decision out in a world, play on, and judge where that leads."""
        world.push(seat, candidate.action)
        self._play_on(world, rng)
        candidate.values.append(self.judge(world, seat))
        if self.measures is not None:
            for key, value in self.measures(world, seat).items():
                candidate.measured.setdefault(key, []).append(value)

    def _play_on(self, world: AnyState, rng: random.Random) -> None:
        """Play on from the candidate to the position that is judged."""
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
    """Sequential halving: `attempt` tries a candidate in a world that `make` gives, and leaves it as it was.

    The first candidate is the favourite, which has `lean` in advance.
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
    # who left the race early was tried less: a lucky start does not bring it back
    return Verdict(tuple(sorted(every, key=lambda one: (-len(one.values), -worth(one)))), tried)
