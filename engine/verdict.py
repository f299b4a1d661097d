"""Results of trying decisions in sampled positions, and the interface of a study, which tries them.

The teacher consults a study. Unlike an opponent, which answers with one decision, a study is a search that
reports the result of each decision it tried, sample by sample.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Protocol, TypeAlias

from engine.reason import Happening

Stop: TypeAlias = Callable[[], bool]
"""A function that returns whether the time is up."""


def gap(mine: Sequence[float], yours: Sequence[float]) -> tuple[float, float]:
    """Return the mean lead of `mine` over `yours` in the samples both met, and its standard error.

    >>> gap([1.0, 0.5, 1.0], [0.5, 0.5])
    (0.25, 0.25)
    """
    gaps = [a - b for a, b in zip(mine, yours, strict=False)]
    if len(gaps) < 2:
        return 0.0, 1.0
    mean = sum(gaps) / len(gaps)
    return mean, sqrt(sum((each - mean) ** 2 for each in gaps) / (len(gaps) - 1) / len(gaps))


@dataclass(slots=True)
class Candidate:
    """A decision that was tried: its index among the legal ones, its prior score, its value in each sample.

    `measured` describes the resulting positions in the game's own terms: by measure, one number per sample in
    the order of `values`. Empty if nothing was measured. `happened` has what happened in each sample, in the
    same order, or is empty.
    """

    action: Any
    place: int
    prior: float
    values: list[float] = field(default_factory=list)
    measured: dict[str, list[float]] = field(default_factory=dict)
    happened: list[frozenset[Happening]] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean win rate, or 0.5 if nothing was tried."""
        return sum(self.values) / len(self.values) if self.values else 0.5

    def lead(self, other: Candidate) -> tuple[float, float]:
        """Return this candidate's mean lead over another in the samples both met, and its standard error.

        >>> a, b = Candidate("a", 0, 0.0, [1.0, 0.5, 1.0]), Candidate("b", 1, 0.0, [0.5, 0.5])
        >>> a.lead(b)
        (0.25, 0.25)
        """
        return gap(self.values, other.values)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A search result: all candidates, the chosen one first, and the number of tries."""

    candidates: tuple[Candidate, ...]
    tries: int

    @property
    def action(self) -> Any:
        """The chosen decision."""
        return self.candidates[0].action


class Study(Protocol):
    """Tries the decisions of a seat. Values are win rates from 0 to 1."""

    def think(
        self,
        observation: Any,
        actions: Sequence[Any],
        rng: random.Random,
        /,
        *,
        tries: int | None = None,
        stop: Stop | None = None,
        also: Sequence[Any] = (),
    ) -> Verdict:
        """Try the most promising legal actions, and those of `also`, about `tries` times in all.

        One try is one decision in one sample. None means as many as for a hint, about .3 seconds.
        The same seed gives the same verdict, unless `stop` cut it short.
        """
