"""How a person stands in the puzzles of a game: the rating, and which ones count no more."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection

from bot.store.people import PERSON, get_setting, put_setting


class PuzzleStanding(msgspec.Struct, frozen=True):
    """A person's openskill rating in the puzzles of a game, how many were right at the first try, and the
    numbers of those answered, the one answered last at the end."""

    mu: float
    sigma: float
    right: int = 0
    answered: tuple[int, ...] = ()


def puzzle_standing(connection: Connection, user_id: int, game: str) -> PuzzleStanding | None:
    """How a person stands; None who has answered none."""
    found: Any = get_setting(connection, PERSON, user_id, f"puzzles.{game}")
    return None if found is None else msgspec.convert(found, PuzzleStanding)


def keep_standing(connection: Connection, user_id: int, game: str, standing: PuzzleStanding) -> None:
    """Keep how a person stands."""
    put_setting(connection, PERSON, user_id, f"puzzles.{game}", msgspec.to_builtins(standing))
