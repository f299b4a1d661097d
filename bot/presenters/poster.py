"""How a game introduces itself to who has never played it, and what it deals them first."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.game import Value


class Difficulty(StrEnum):
    """How much a game asks of who plays it for the first time."""

    EASY = "easy"
    MEDIUM = "medium"
    DEEP = "deep"


@dataclass(frozen=True, slots=True)
class Emblem:
    """A sprite that stands for a game or a card: its painter and args, and its width over its height.

    `ground` is the colour that it lies on, if it has none of its own.
    """

    painter: str
    args: tuple[Hashable, ...]
    shape: float = 5 / 7
    ground: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Poster:
    """One game on the poster of all, and its first deal.

    `minutes` is about how long a person plays it as it usually is (eight seconds for a decision).
    `options` are the gentlest ones, for a first game: those that are not named are as usual. `seats` is at
    how many it is played then, 0 for as few as may be.
    """

    emblem: Emblem | None = None
    minutes: int = 10
    difficulty: Difficulty = Difficulty.MEDIUM
    seats: int = 0
    options: Mapping[str, Value] = field(default_factory=dict)
