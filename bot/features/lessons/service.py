"""Lessons: a fixed deal and every move of it, one person against opponents who play by the book.

A lesson is data, `assets/lessons/<key>.json`; its sentences are strings, `lesson.<key>`. Where somebody
stands in one is a number, so the table is made anew for each press: nothing of it is stored, and it never
counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from bot.store.database import Database
from bot.table.storage.unstored import unstored_table
from bot.table.table import Table
from engine import catalog
from engine.data import folder
from engine.game import Action, Seat, Value

PERSON: Seat = 0
"""The seat of whoever learns."""


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """One lesson. `steps` are all actions of all seats in order, as JSON; `seed` numbers the deal."""

    key: str
    game: str
    version: int
    seats: int
    options: dict[str, Value]
    seed: int
    steps: tuple[tuple[Seat, list[Any]], ...]

    def moves(self) -> list[int]:
        """Where among the steps the moves of the person are."""
        return [at for at, (seat, _) in enumerate(self.steps) if seat == PERSON]

    def done(self, moves: int) -> int:
        """How many steps are made before the person makes this move (from 0); all of them after the last."""
        mine = self.moves()
        return mine[moves] if moves < len(mine) else len(self.steps)

    def expected(self, move: int) -> Action:
        """The action of the person's move of this number (from 0)."""
        found: Action = catalog.get(self.game).at(self.version).action(self.steps[self.moves()[move]][1])
        return found


@cache
def lessons() -> dict[str, Lesson]:
    """All lessons by key, those of one game in the order in which they are taken."""
    found = {}
    for path in sorted((folder() / "lessons").glob("*.json")):
        lesson = msgspec.json.decode(path.read_bytes(), type=Lesson)
        found[lesson.key] = lesson
    return found


def lessons_of(game: str) -> list[Lesson]:
    """The lessons of a game in their order."""
    return [lesson for lesson in lessons().values() if lesson.game == game]


def lesson_table(
    database: Database, lesson: Lesson, moves: int, *, user_id: int, names: Sequence[str], locale: str
) -> Table:
    """The table of a lesson after so many moves of the person. It is nowhere stored.

    Raises:
        UnknownRules: the rules have moved on without the lesson.
        Refusal, ValueError: so has a step.
    """
    return unstored_table(
        database,
        lesson.game,
        lesson.version,
        lesson.options,
        number=lesson.seed,
        steps=lesson.steps[: lesson.done(moves)],
        person=(PERSON, user_id),
        names=names,
        locale=locale,
    )
