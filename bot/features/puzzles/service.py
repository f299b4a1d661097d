"""Puzzles as people meet them: the table of one, which comes next, and what an answer does to a rating.

What a puzzle is says `engine.puzzles`. Which one it is stands in its number, so the table is made anew for
each press; nothing of it is stored but that it was answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import Any, Final

from msgspec.structs import replace
from openskill.models import PlackettLuce
from sqlalchemy import Connection

from bot.features.puzzles.rows import PuzzleStanding, keep_standing, puzzle_standing
from bot.store.backend.locks import one_at_a_time
from bot.store.database import Database
from bot.store.people import PERSON
from bot.table.storage.unstored import unstored_table
from bot.table.table import Table
from engine import catalog
from engine.game import Seat, as_json
from engine.puzzles import Puzzle, kept

_MODEL = PlackettLuce()
NEW = PuzzleStanding(_MODEL.mu, _MODEL.sigma)
"""Who has answered none."""
_SURE: Final = 2.0
"""How uncertain the rating of a puzzle is: more than that of who has solved many."""
_SLOPE, _EVER = 6.0, 0.05
"""How much harder a puzzle is that is missed more often; nothing is missed always or never."""
KNOWN: Final = 64
"""The ways of so many puzzles are kept in memory."""


def puzzled() -> list[str]:
    """The games that have puzzles."""
    return [key for key in catalog.listed() if puzzles_of(key)]


def puzzles_of(game: str) -> dict[int, Puzzle]:
    """The puzzles of a game by number, without those of rules that are no longer played.

    A puzzle is posed and answered by the rules of its own version.
    """
    versions = catalog.get(game).versions
    return {number: puzzle for number, puzzle in kept(game).items() if puzzle.version in versions}


@lru_cache(maxsize=KNOWN)
def _way(game: str, number: int) -> tuple[Seat, tuple[tuple[Seat, list[Any]], ...]]:
    """The seat that a puzzle asks, and the steps that lead there."""
    state, steps = kept(game)[number].replayed()
    return state.to_act()[0], tuple((seat, as_json(action)) for seat, action in steps)


def puzzle_table(
    database: Database, puzzle: Puzzle, *, user_id: int, names: Sequence[str], locale: str
) -> tuple[Table, Seat]:
    """The table of a puzzle, which is nowhere stored, and the seat that is asked; `names` are that of the
    person and those of enough others.

    Raises:
        Stale: the rules have moved on without the puzzle.
    """
    seat, steps = _way(puzzle.game, puzzle.number)
    own, *others = names
    seated = [*others[:seat], own, *others[seat : puzzle.seats - 1]]
    table = unstored_table(
        database,
        puzzle.game,
        puzzle.version,
        puzzle.setup().options,
        number=puzzle.number,
        steps=steps,
        person=(seat, user_id),
        names=seated,
        locale=locale,
    )
    return table, seat


def upcoming(puzzles: Iterable[Puzzle], standing: PuzzleStanding) -> Puzzle:
    """The puzzle that comes next: of those not answered yet the one that is as hard as the person is good;
    after all of them the one that was answered longest ago."""
    every = {puzzle.number: puzzle for puzzle in puzzles}
    fresh = [puzzle for number, puzzle in every.items() if number not in standing.answered]
    if fresh:
        return min(fresh, key=lambda puzzle: (abs(_mu(puzzle) - standing.mu), puzzle.number))
    return next(every[number] for number in standing.answered if number in every)


@dataclass(frozen=True, slots=True)
class Answered:
    """How a person stood before an answer and after it; `counted`: it was the first to this puzzle."""

    before: PuzzleStanding
    after: PuzzleStanding
    counted: bool


def keep_answer(connection: Connection, user_id: int, puzzle: Puzzle, *, right: bool) -> Answered:
    """Rate an answer and keep it; a puzzle counts once for a person."""
    one_at_a_time(connection, PERSON, user_id)
    before = puzzle_standing(connection, user_id, puzzle.game) or NEW
    counted = puzzle.number not in before.answered
    others = tuple(number for number in before.answered if number != puzzle.number)
    after = replace(before, answered=(*others, puzzle.number))
    if counted:
        person = _MODEL.rating(mu=before.mu, sigma=before.sigma)
        against = _MODEL.rating(mu=_mu(puzzle), sigma=_SURE)
        (rated,), _ = _MODEL.rate([[person], [against]], ranks=[1.0, 2.0] if right else [2.0, 1.0])
        after = replace(after, mu=rated.mu, sigma=rated.sigma, right=before.right + right)
    keep_standing(connection, user_id, puzzle.game, after)
    return Answered(before, after, counted)


def _mu(puzzle: Puzzle) -> float:
    """How hard a puzzle is, on the scale of ratings: who stands there solves it every other time."""
    missed = min(1 - _EVER, max(_EVER, puzzle.difficulty))
    return NEW.mu + _SLOPE * log(missed / (1 - missed))
