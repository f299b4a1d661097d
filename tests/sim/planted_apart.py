"""Faults at tables that are not open to everybody, in settings, for watchers, in lessons and puzzles, and in
what the teacher is asked.

Each is told by what is wrong in a world that has it, and by a seed whose world shows it.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bot.features.lessons import rows as lessons
from bot.features.puzzles import service as puzzles
from bot.features.settings import messages as settings
from bot.features.table.lobby import handlers as lobby_module
from bot.features.teacher import handlers as teacher
from bot.features.teacher import review_handlers as review
from bot.features.watching import handlers as watch_module
from bot.features.watching import messages as watching
from bot.features.watching import service as watched
from bot.store import models
from bot.store.terms import Terms
from bot.table import game_runner
from bot.table.journal import standing
from bot.table.people import guests
from bot.table.table import Table
from bot.ui import rights
from bot.ui.preferences import CachedRows
from tests.sim.registry import planted

# -- knocks and challenges ------------------------------------------------------------------------


@planted("door", kind="door")
def who_is_turned_away_is_seated(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(guests, "turn_away", guests.let_in)


@planted("door", kind="door", often=True)
def nobody_has_to_knock(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lobby_module.guests, "must_knock", lambda *_: False)
    patch.setattr(Terms, "admits", lambda *_: True)


@planted("door", kind="door")
def who_knocks_last_is_heard_alone(patch: pytest.MonkeyPatch) -> None:
    """Whoever waits already is forgotten."""
    keep = Table.keep

    async def forgetful(table: Table, change: Any, *args: Any, **how: Any) -> None:
        terms = change.columns.get("terms")
        if terms is not None and len(terms.knocks) > 1:
            change.columns["terms"] = replace(terms, knocks=terms.knocks[-1:])
        await keep(table, change, *args, **how)

    patch.setattr(Table, "keep", forgetful)


@planted("timer", kind="door", often=True)
def a_challenge_never_lapses(patch: pytest.MonkeyPatch) -> None:
    async def patient(_table: Table) -> None:
        return

    patch.setattr(game_runner, "_close_or_deal", patient)


@planted("left behind", kind="door", often=True)
def a_lobby_that_closes_keeps_its_deadline(patch: pytest.MonkeyPatch) -> None:
    keep = Table.keep

    async def thrifty(table: Table, change: Any, *args: Any, **how: Any) -> None:
        if change.columns.get("phase") == "cancelled":
            change.deadlines = table.deadlines
        await keep(table, change, *args, **how)

    patch.setattr(Table, "keep", thrifty)


# -- settings -------------------------------------------------------------------------------------


@planted("settings", kind="setting", often=True)
def settings_are_kept_in_memory_alone(patch: pytest.MonkeyPatch) -> None:
    async def change(kept: CachedRows[Any], whose: int, what: Any, _write: Any = None) -> None:
        kept._known[whose] = what(await kept.of(whose))

    patch.setattr(CachedRows, "change", change)


@planted("settings", kind="setting", often=True)
def settings_hold_from_the_next_start_on(patch: pytest.MonkeyPatch) -> None:
    """What was read once stays."""
    read = CachedRows.of

    async def once(kept: Any, whose: int) -> Any:
        found = await read(kept, whose)
        first = kept.__dict__.setdefault("_first", {})
        return first.setdefault(whose, found)

    patch.setattr(CachedRows, "of", once)


@planted("settings", kind="setting")
def anybody_may_change_the_settings(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rights, "manages_server", lambda _interaction: True)
    patch.setattr(settings, "manages_server", lambda _interaction: True)
    patch.setattr(rights, "manages_channel", lambda _interaction: True)


# -- watchers -------------------------------------------------------------------------------------


@planted("leak", kind="watch", often=True)
def a_watcher_sees_the_hand_of_the_first_seat(patch: pytest.MonkeyPatch) -> None:
    shown = watching.watch_message

    def curious(table: Table, *args: Any) -> Any:
        kind: Any = type(table.state)
        observe = kind.observe
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(
                kind, "observe", lambda self, viewer: observe(self, 0 if viewer is None else viewer)
            )
            return shown(table, *args)

    patch.setattr(watch_module, "watch_message", curious)


@planted("leak", kind="watch")
def watchers_see_hands_as_they_are(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(watched, "old_enough", lambda journal, _now: standing(journal))
    patch.setattr(watched, "round_before", lambda _game, _setup, acts: acts)


@planted("watch", kind="watch", often=True)
def a_guess_that_is_changed_counts_twice(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(watched.guesses, "guess_of", lambda *_: None)


# -- lessons and puzzles --------------------------------------------------------------------------


@planted("lesson", kind="learn")
def a_lesson_is_taken_up_a_move_too_late(patch: pytest.MonkeyPatch) -> None:
    keep = lessons.keep_progress

    def ahead(connection: Any, user: int, lesson: str, at: int, *, done: bool) -> None:
        keep(connection, user, lesson, at + (at > 0), done=done)

    patch.setattr(lessons, "keep_progress", ahead)


@planted("lesson", kind="learn")
def a_lesson_counts_in_ratings(patch: pytest.MonkeyPatch) -> None:
    keep = lessons.keep_progress

    def rated(connection: Any, user: int, lesson: str, at: int, *, done: bool) -> None:
        keep(connection, user, lesson, at, done=done)
        if done:
            rows = models.table_of(models.BoardRatingRow)
            row = {column.name: 0 for column in rows.columns}
            game = lesson.rpartition("_")[0]
            connection.execute(rows.insert(), {**row, "user_id": user, "game": game, "variant": ""})

    patch.setattr(lessons, "keep_progress", rated)


@planted("puzzle", kind="learn")
def a_puzzle_counts_each_time(patch: pytest.MonkeyPatch) -> None:
    keep = puzzles.keep_standing

    def again(connection: Any, user: int, game: str, after: Any) -> None:
        before = puzzles.puzzle_standing(connection, user, game)
        answered = (*(before.answered if before is not None else ()), after.answered[-1])
        keep(connection, user, game, replace(after, answered=answered))

    patch.setattr(puzzles, "keep_standing", again)


# -- the teacher ----------------------------------------------------------------------------------


@planted("leak", kind="teach", often=True)
def the_teacher_tells_what_an_opponent_knows(patch: pytest.MonkeyPatch) -> None:
    motive = teacher._motive

    async def telling(pressed: Any, table: Table, moves: Any, _viewer: Any, name: str) -> Any:
        return await motive(pressed, table, moves, moves[0].seat, name)

    patch.setattr(teacher, "_motive", telling)


@planted("leak", "review", kind="teach")
def a_review_is_of_another_seat(patch: pytest.MonkeyPatch) -> None:
    mine = review.reviewed_seat

    def next_to_it(table: Table, user_id: int) -> int | None:
        seat = mine(table, user_id)
        return None if seat is None else (seat + 1) % len(table.sitters)

    patch.setattr(review, "reviewed_seat", next_to_it)
