"""A game's introduction to newcomers, and the setup of their first game."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.game import Value


class Difficulty(StrEnum):
    """The difficulty of a game for a first-time player."""

    EASY = "easy"
    MEDIUM = "medium"
    DEEP = "deep"


@dataclass(frozen=True, slots=True)
class Emblem:
    """A sprite that represents a game or a card: its painter and args, and its width divided by its height.

    `ground` is the background colour, if the sprite has none of its own.
    """

    painter: str
    args: tuple[Hashable, ...]
    shape: float = 5 / 7
    ground: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Poster:
    """A game's entry on the poster of all games, and its setup for a first game.

    `minutes` is the approximate length of a default game for one person, at eight seconds per decision.
    `options` are the gentlest settings for a first game; options left out keep their default. `seats` is the
    number of players in that game, 0 for the fewest allowed.
    """

    emblem: Emblem | None = None
    minutes: int = 10
    difficulty: Difficulty = Difficulty.MEDIUM
    seats: int = 0
    options: Mapping[str, Value] = field(default_factory=dict)
