"""What came of trying decisions in sampled worlds, and what can try them: a study.

A study is what the teacher asks: not an opponent that answers with one decision, but a search that says of
each decision that it tried what came of it, world by world.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Protocol, TypeAlias

Stop: TypeAlias = Callable[[], bool]
"""Whether the time is up."""


def gap(mine: Sequence[float], yours: Sequence[float]) -> tuple[float, float]:
    """By how much the first are greater in the worlds that both met, and the standard error of that.

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
    """A decision that was tried: its place among the legal ones, its prior score, its value by world.

    `measured` is what the positions that it led to are in the game's own terms, by measure and world, in the
    order of `values`; empty where nothing measures.
    """

    action: Any
    place: int
    prior: float
    values: list[float] = field(default_factory=list)
    measured: dict[str, list[float]] = field(default_factory=dict)

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
        return gap(self.values, other.values)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search found: all candidates, the chosen one first, and how many tries it took."""

    candidates: tuple[Candidate, ...]
    tries: int

    @property
    def action(self) -> Any:
        """The chosen decision."""
        return self.candidates[0].action


class Study(Protocol):
    """Tries the decisions of a seat; values are shares of the win, from 0 to 1."""

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
        """Try the most promising of the legal actions, those of `also` among them, about `tries` times in
        all (one decision in one world); None: as often as a hint takes, some two tenths of a second.

        The same seed gives the same verdict, unless `stop` cut it short.
        """
