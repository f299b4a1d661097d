"""Advice about a decision: the best legal action, whether it is clearly best, and why.

The teacher only makes claims it can support: an action is *clearly* better than another if it led by more
than two standard errors in the samples in which both were tried.
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
from engine.reason import SHARE, Reason, pattern_between, pattern_for
from engine.verdict import Candidate, Stop, Study, gap

SURE: Final = 2.0
"""Standard errors that make a difference clear."""
LEAST: Final = 0.01
"""Smallest share of the win that counts as a difference. A person would not feel less, however certain it
is."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between two decisions in the game's own terms.

    It consists of a measure, its mean after the better decision, and its mean after the other.
    """

    measure: str
    better: float
    other: float


@dataclass(frozen=True, slots=True)
class Worse:
    """A decision that is clearly worse than the best one: by how much, and in which measures.

    `differences` are the arguments against it, largest first; their `better` values belong to the best
    decision.
    """

    action: Action
    lead: float
    differences: tuple[Difference, ...]
    reason: Reason | None = None
    """A visible argument for the best decision and against this one."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The result of studying one decision.

    `best` and `second` are the best decisions tried; `second` is None if there was only one. `chance` is the
    expected share of the win after the best, or None without tries. `lead` is how far the second is behind,
    and `error` the standard error of that lead.
    """

    best: Action
    second: Action | None
    chance: float | None
    lead: float
    error: float
    differences: tuple[Difference, ...]
    """Clear differences between the two in favour of the best, largest first."""
    worse: Worse | None = None
    """The first decision that is clearly worse than the best, if the second is not."""
    reason: Reason | None = None
    """A visible argument for the best decision and against the second: a pattern, or else a happening."""
    merit: Reason | None = None
    """A pattern of the best decision, which others may have too."""

    @property
    def clear(self) -> bool:
        """Whether the best is clearly better than the second."""
        return self.second is not None and clear(self.lead, self.error)


def clear(lead: float, error: float) -> bool:
    """Return whether a lead is beyond doubt and large enough to mention.

    >>> clear(.05, .02), clear(.05, .03), clear(.005, 0.)
    (True, False, False)
    """
    return lead > SURE * error and lead >= LEAST


def study_of(game: AnyGame) -> Study:
    """Return the study of a game.

    Raises:
        LookupError: the game has no study.
    """
    if game.study is None:
        raise LookupError(f"{game.key} has no study")
    return game.study


def luck_of(*asked: object) -> random.Random:
    """Return a random generator seeded only by the question, so that asking again gives the same answer.

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
    """Return advice for the observing seat, based only on what it may know.

    `tries` and `stop` are as in `Study.think`.

    Raises:
        LookupError: the game has no study.
    """
    verdict = study_of(game).think(observation, actions, rng, tries=tries, stop=stop)
    best, *others = verdict.candidates
    merit = pattern_for(game.patterns, observation, best.action)
    # another spelling of the best decision does not count as an alternative
    spelling = game.spelling(observation, best.action)
    others = [one for one in others if game.spelling(observation, one.action) != spelling]
    if not others:
        return Advice(best.action, None, best.mean if best.values else None, 0.0, 0.0, (), merit=merit)
    # decisions with the same result in every sample count as the same decision
    second = next((other for other in others if best.lead(other) != (0.0, 0.0)), others[0])
    lead, error = best.lead(second)
    found = reasons(game, verdict.candidates, best, second)
    worse = None if clear(lead, error) else _worse(game, observation, [best, *others])
    reason = visible_reason(game, observation, best, second)
    return Advice(best.action, second.action, best.mean, lead, error, found, worse, reason, merit)


def _worse(game: AnyGame, observation: Any, tried: Sequence[Candidate]) -> Worse | None:
    """Return the first decision in `tried` that is clearly worse than the best. `tried` starts with the
    best."""
    best, *others = tried
    for one in others:
        lead, error = best.lead(one)
        if clear(lead, error):
            reason = visible_reason(game, observation, best, one)
            return Worse(one.action, lead, reasons(game, tried, best, one), reason)
    return None


def visible_reason(game: AnyGame, observation: Any, better: Candidate, other: Candidate) -> Reason | None:
    """Return a visible argument for one decision and against another, or None.

    A pattern comes first, then the happening whose frequency differs most.
    """
    pattern = pattern_between(game.patterns, observation, better.action, other.action)
    return pattern or happens_more_often(better, other)


def happens_more_often(better: Candidate, other: Candidate) -> Reason | None:
    """Return the happening in favour of one decision whose frequency differs most from the other's.

    None if no difference is beyond doubt and at least `SHARE`.
    """
    met = min(len(better.happened), len(other.happened))
    mine, yours = better.happened[:met], other.happened[:met]
    found: Reason | None = None
    largest = 0.0
    for happening in sorted(frozenset().union(*mine, *yours)):
        sign = 1.0 if happening.good else -1.0
        apart, error = gap(
            [sign * (happening in each) for each in mine], [sign * (happening in each) for each in yours]
        )
        if apart >= SHARE and apart > SURE * error and apart > largest:
            found, largest = happening.reason(), apart
    return found


def differences(measures: Sequence[str], better: Candidate, other: Candidate) -> tuple[Difference, ...]:
    """Return the measures in which two decisions clearly differ, in the order of `measures`."""
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
    """Return the visible differences in favour of the better decision, largest first.

    Each difference is scaled by the spread of its measure over everything that was tried.
    """
    found = list[tuple[float, Difference]]()
    for each in differences(game.measures, better, other):
        if is_visible(each) and (each.better < each.other) == (each.measure in game.lower_is_better):
            spread = pstdev(amount for one in tried for amount in one.measured.get(each.measure, ()))
            found.append((abs(each.better - each.other) / spread, each))
    return tuple(each for _, each in sorted(found, key=lambda one: -one[0]))


def is_visible(difference: Difference) -> bool:
    """Return whether the two displayed numbers differ. Below ten they have one decimal, from ten on none.

    >>> is_visible(Difference("points", 3.04, 3.01)), is_visible(Difference("points", 3.04, 2.9))
    (False, True)
    """
    digits = 1 if min(abs(difference.better), abs(difference.other)) < 9.95 else 0
    return round(difference.better, digits) != round(difference.other, digits)
