"""Opponents built from a heuristic's scores: one that plays the best action, and weaker ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Final, TypeAlias, TypeVar

from engine import levels
from engine.ai.search import Scores
from engine.game import AnyState, Chooser, Seat

A = TypeVar("A")

WORLDS: Final = 4
"""Samples in which an action must win to count as a certain win."""

Sample: TypeAlias = Callable[[Any, random.Random], AnyState]
"""`Game.sample`: draws one position consistent with an observation."""


def by_scores(
    scores: Scores, sample: Sample, *, newcomer: float, casual: float, **stronger: Chooser
) -> Mapping[str, Chooser]:
    """Return the opponents of a game, weakest first.

    The steady opponent plays the action that the heuristic scores best. The weaker ones choose by softmax of
    the scores at these temperatures.
    """
    return {
        levels.RANDOM: at_random,
        levels.NEWCOMER: Relaxed(scores, sample, newcomer),
        levels.CASUAL: Relaxed(scores, sample, casual),
        levels.STEADY: Best(scores),
        **stronger,
    }


def at_random(_observation: object, actions: Sequence[A], rng: random.Random) -> A:
    """Return one of the legal actions, each equally likely."""
    return actions[int(rng.random() * len(actions))]


@dataclass(frozen=True, slots=True)
class Best:
    """An opponent that plays the action with the best score, breaking ties at random."""

    scores: Scores

    def __call__(self, observation: object, actions: Sequence[A], rng: random.Random) -> A:
        """Return the chosen action."""
        if len(actions) == 1:
            return actions[0]
        found = self.scores(observation, actions, rng)
        return max(zip(found, (rng.random() for _ in actions), actions, strict=True))[2]


@dataclass(frozen=True, slots=True)
class Relaxed:
    """An opponent that often plays a nearly best action, and never misses a certain win.

    It chooses an action with probability proportional to exp(score / temperature); the temperature has the
    unit of the scores.
    """

    scores: Scores
    sample: Sample
    temperature: float

    def __call__(self, observation: Any, actions: Sequence[A], rng: random.Random) -> A:
        """Return the chosen action."""
        if len(actions) == 1:
            return actions[0]
        candidates = self._wins(observation, actions, rng) or actions
        scores = self.scores(observation, candidates, rng)
        best = max(scores)
        weights = [exp((score - best) / self.temperature) for score in scores]
        return rng.choices(candidates, weights)[0]

    def _wins(self, observation: Any, actions: Sequence[A], rng: random.Random) -> Sequence[A]:
        """Return the actions that end the game with a win for the deciding seat in every sample."""
        left = actions
        for _ in range(WORLDS):
            world = self.sample(observation, rng)
            left = [action for action in left if _ends_well(world.clone(), observation.viewer, action)]
            if not left:
                break
        return left


def _ends_well(world: AnyState, seat: Seat, action: object) -> bool:
    world.push(seat, action)
    outcome = world.outcome()
    return outcome is not None and seat in outcome.winners()
