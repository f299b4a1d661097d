"""Flat Monte Carlo with sequential halving: try a few decisions in many worlds, keep the better half, go on.

The heuristic says which decisions are worth a try, and plays on from them; the game is left after a few
decisions and judged. Every decision that is still in the race meets the same worlds, so that the luck of
a world cancels. The budget is counted in tries, so the same seed gives the same answer on any machine;
a deadline may cut it short.

The way is that of Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, log2, sqrt
from typing import Any, Final, TypeAlias

from engine.game import AnyState, Seat

Scores: TypeAlias = Callable[[Any, Sequence[Any], random.Random], Sequence[float]]
"""What a heuristic thinks of each legal action: `(observation, actions, rng) -> scores`, the best highest."""

Sampler: TypeAlias = Callable[[Any], Callable[[random.Random], AnyState]]
"""`Game.sampler`: an observation is read once, then gives as many worlds as one asks for."""

Policy: TypeAlias = Callable[[AnyState, Seat, random.Random], Any]
"""How a seat plays on in a world that was sampled."""

Judge: TypeAlias = Callable[[AnyState, Seat], float]
"""What a position of a sampled world is worth to a seat: its share of the win, from 0 to 1."""

Stop: TypeAlias = Callable[[], bool]
"""Whether the time is up."""

FEWEST: Final = 2
"""How many worlds each candidate meets in the first round, whatever the budget."""


@dataclass(slots=True)
class Candidate:
    """A decision that was tried: its place among the legal ones, its prior score, its value by world."""

    action: Any
    place: int
    prior: float
    values: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean share of the win, 0.5 where nothing was tried."""
        return sum(self.values) / len(self.values) if self.values else 0.5

    def lead(self, other: Candidate) -> tuple[float, float]:
        """By how much this one is better than another in the worlds that both met, and the standard error.

        >>> a, b = Candidate("a", 0, 0.0, [1.0, 0.5, 1.0]), Candidate("b", 1, 0.0, [0.5, 0.5])
        >>> a.lead(b)
        (0.25, 0.25)
        """
        gaps = [mine - yours for mine, yours in zip(self.values, other.values, strict=False)]
        if len(gaps) < 2:
            return 0.0, 1.0
        mean = sum(gaps) / len(gaps)
        return mean, sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search found: all candidates, the chosen one first, and how many tries it took."""

    candidates: tuple[Candidate, ...]
    tries: int

    @property
    def action(self) -> Any:
        """The chosen decision."""
        return self.candidates[0].action


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

    def __call__(self, observation: Any, actions: Sequence[Any], rng: random.Random) -> Any:
        """The decision that does best."""
        return self.think(observation, actions, rng).action

    def think(
        self, observation: Any, actions: Sequence[Any], rng: random.Random, *, stop: Stop | None = None
    ) -> Verdict:
        """Try the most promising decisions of the seat that acts; what came of each."""
        priors = self.scores(observation, actions, rng)
        order = sorted(range(len(actions)), key=lambda place: -priors[place])[: self.top]
        every = [Candidate(actions[place], place, priors[place]) for place in order]
        if len(every) == 1:
            return Verdict(tuple(every), 0)
        seat = observation.viewer
        make = self.sampler(observation)
        favourite, racing, tries = every[0], every, 0

        def worth(candidate: Candidate) -> float:
            return candidate.mean + (self.lean if candidate is favourite else 0.0)

        def ranked() -> tuple[Candidate, ...]:
            # who left the race early was tried less: a lucky start does not bring it back
            return tuple(sorted(every, key=lambda one: (-len(one.values), -worth(one))))

        rounds = ceil(log2(len(every)))
        for _ in range(rounds):
            for _ in range(max(FEWEST, self.budget // (rounds * len(racing)))):
                if tries and stop is not None and stop():
                    return Verdict(
                        tuple(sorted(every, key=lambda one: (one not in racing, -worth(one)))), tries
                    )
                world = make(rng)
                for candidate in racing:
                    candidate.values.append(self._try(world.clone(), seat, candidate.action, rng))
                tries += len(racing)
            racing = sorted(racing, key=worth, reverse=True)[: ceil(len(racing) / 2)]
        return Verdict(ranked(), tries)

    def _try(self, world: AnyState, seat: Seat, action: Any, rng: random.Random) -> float:
        """Carry a decision out in a world, play on, and judge where that leads."""
        world.push(seat, action)
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
        return self.judge(world, seat)
