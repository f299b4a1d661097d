"""Advice: which of the legal decisions is best, whether that is beyond doubt, and in what it differs.

A teacher says something only where it knows: a decision is *clearly* better than another where it led by more
than two standard errors in the worlds that both were tried in.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from statistics import pstdev
from typing import Any, Final

import msgspec

from engine.game import Action, AnyGame
from engine.verdict import Candidate, Stop, Study, gap

SURE: Final = 2.0
"""So many standard errors make a difference clear."""
LEAST: Final = 0.01
"""A smaller share of the win is no difference that a person would feel, however sure it is."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What one decision brings and the other does not, in the game's own terms: a measure, its mean after
    the better decision, and its mean after the other."""

    measure: str
    better: float
    other: float


@dataclass(frozen=True, slots=True)
class Worse:
    """A decision that is clearly worse than the best one, by how much, and in what it differs: what speaks
    against it, the greatest first, each `better` being what the best one brings."""

    action: Action
    lead: float
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """What a study found of one decision.

    `best` and `second` are the best decisions that were tried, `second` None where only one was; `chance` is
    the share of the win that the best can expect, None where nothing was tried; `lead` is how far the second
    is behind and `error` the standard error of that.
    """

    best: Action
    second: Action | None
    chance: float | None
    lead: float
    error: float
    differences: tuple[Difference, ...]
    """In what the two differ beyond doubt in favour of the best, the greatest first."""
    worse: Worse | None = None
    """Where the best is not clearly better than the second: the first decision than which it is."""

    @property
    def clear(self) -> bool:
        """Whether the best is better than the second beyond doubt."""
        return self.second is not None and clear(self.lead, self.error)


def clear(lead: float, error: float) -> bool:
    """Whether such a lead is beyond doubt, and large enough to speak of.

    >>> clear(.05, .02), clear(.05, .03), clear(.005, 0.)
    (True, False, False)
    """
    return lead > SURE * error and lead >= LEAST


def study_of(game: AnyGame) -> Study:
    """What tries the decisions of a game.

    Raises:
        LookupError: nothing does.
    """
    if game.study is None:
        raise LookupError(f"{game.key} has no study")
    return game.study


def luck_of(*asked: object) -> random.Random:
    """Luck that hangs on the question alone, observations and the like: whoever asks again is told the same.

    >>> luck_of((1, 2)).random() == luck_of((1, 2)).random() != luck_of((1, 3)).random()
    True
    """
    return random.Random(sha256(msgspec.msgpack.encode(asked, order="deterministic")).digest())


def advise(
    game: AnyGame,
    observation: Any,
    actions: Sequence[Any],
    rng: random.Random,
    *,
    tries: int | None = None,
    stop: Stop | None = None,
) -> Advice:
    """Advice for the seat that observes, from what it may know and nothing else.

    `tries` and `stop` are as for `Study.think`.

    Raises:
        LookupError: the game has no study.
    """
    verdict = study_of(game).think(observation, actions, rng, tries=tries, stop=stop)
    best, *others = verdict.candidates
    if not others:
        return Advice(best.action, None, best.mean if best.values else None, 0.0, 0.0, ())
    # what came to the same in every world is the same decision
    second = next((other for other in others if best.lead(other) != (0.0, 0.0)), others[0])
    lead, error = best.lead(second)
    found = reasons(game, verdict.candidates, best, second)
    worse = None if clear(lead, error) else _worse(game, verdict.candidates)
    return Advice(best.action, second.action, best.mean, lead, error, found, worse)


def _worse(game: AnyGame, tried: Sequence[Candidate]) -> Worse | None:
    """Of what was tried, the best first, the first decision that is clearly worse than the best."""
    best, *others = tried
    for one in others:
        lead, error = best.lead(one)
        if clear(lead, error):
            return Worse(one.action, lead, reasons(game, tried, best, one))
    return None


def differences(measures: Sequence[str], better: Candidate, other: Candidate) -> tuple[Difference, ...]:
    """In what a decision differs from another beyond doubt, in the order of the measures."""
    found = []
    for key in measures:
        mine, yours = better.measured.get(key, ()), other.measured.get(key, ())
        apart, error = gap(mine, yours)
        met = min(len(mine), len(yours))
        if met >= 2 and abs(apart) > SURE * error:
            found.append(Difference(key, sum(mine[:met]) / met, sum(yours[:met]) / met))
    return tuple(found)


def reasons(
    game: AnyGame, tried: Sequence[Candidate], better: Candidate, other: Candidate
) -> tuple[Difference, ...]:
    """Of the differences those that speak for the better decision and that a reader sees, the greatest first:
    each is counted in its spread over all that was tried."""
    found = list[tuple[float, Difference]]()
    for each in differences(game.measures, better, other):
        if seen(each) and (each.better < each.other) == (each.measure in game.fewer):
            spread = pstdev(amount for one in tried for amount in one.measured.get(each.measure, ()))
            found.append((abs(each.better - each.other) / spread, each))
    return tuple(each for _, each in sorted(found, key=lambda one: -one[0]))


def seen(difference: Difference) -> bool:
    """Whether a reader sees it: below ten a digit behind the point is told, above none.

    >>> seen(Difference("points", 3.04, 3.01)), seen(Difference("points", 3.04, 2.9))
    (False, True)
    """
    digits = 1 if min(abs(difference.better), abs(difference.other)) < 9.95 else 0
    return round(difference.better, digits) != round(difference.other, digits)
