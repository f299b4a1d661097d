"""Lessons: taking one up, going through it, leaving it."""

from __future__ import annotations

from bot import custom_ids as ids
from bot.features.lessons import rows as store
from bot.features.lessons.messages import (
    LessonView,
    lesson_message,
    lessons_message,
    next_lesson,
    skipped_message,
)
from bot.features.lessons.rows import Progress
from bot.features.lessons.service import Lesson, lesson_table, lessons, lessons_of
from bot.features.table import TOP_CHOICE, ChoiceCursor
from bot.features.table.slots import FirstHand
from bot.locales import Words, words
from bot.presenters.base import WHY
from bot.store.database import StoreError
from bot.ui import choices as walk
from bot.ui.components import Message, shown_alt
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import plain

handlers = Handlers[Pressed]()


async def _progress(answer: Answer, found: list[Lesson]) -> dict[str, Progress]:
    user_id = answer.user_id
    return await answer.app.database.read_at_once(
        lambda connection: {each.key: store.progress(connection, user_id, each.key) for each in found}
    )


async def _keep(answer: Answer, lesson: Lesson, at: int, *, done: bool = False) -> None:
    user_id = answer.user_id
    await answer.app.database.write_at_once(
        lambda connection: store.keep_progress(connection, user_id, lesson.key, at, done=done)
    )


def _view(answer: Answer, lesson: Lesson, move: int) -> LessonView:
    """The lesson at this move, for whoever pressed."""
    own = plain(answer.interaction.user.display_name)
    free = [name for name in words(answer.locale).list("opponent.names") if name != own]
    names = [own, *free[: lesson.seats - 1]]
    table = lesson_table(
        answer.app.database, lesson, move, user_id=answer.user_id, names=names, locale=answer.locale
    )
    return LessonView(lesson, move, table, answer.locale)


async def learn(answer: Answer, game: str) -> None:
    """Answer with the next lesson of a game, where it was left."""
    found = lessons_of(game)
    progress = await _progress(answer, found)
    lesson = next_lesson(found, progress)
    await answer.private(lesson_message(_view(answer, lesson, _resumed(lesson, progress[lesson.key]))))


async def list_lessons(answer: Answer) -> None:
    """Answer with all lessons."""
    await answer.private(await _list(answer))


async def _list(answer: Answer) -> Message:
    progress = await _progress(answer, list(lessons().values()))
    return lessons_message(progress, answer.locale)


async def offer_lesson(_say: Words, first_hand: FirstHand) -> str:
    """Return a line about the lesson of a game that someone plays for the first time, or an empty string."""
    answer, table = first_hand
    game, user_id = table.game.key, answer.user_id
    if not (found := lessons_of(game)):
        return ""
    try:
        first = await answer.app.database.write_at_once(
            lambda connection: store.first_time(connection, user_id, game, table.id)
        )
    except StoreError:
        return ""  # the hand is what was asked for
    return answer.say("learn.offer", n=len(found[0].moves())) if first else ""


def _resumed(lesson: Lesson, progress: Progress) -> int:
    return progress.at if progress.at < len(lesson.moves()) else 0


def _lesson(key: str) -> Lesson:
    """Return the lesson of this key.

    Raises:
        InvalidCustomId: there is none.
    """
    if key not in lessons():
        raise ids.InvalidCustomId(key)
    return lessons()[key]


@handlers.on("learn")
async def _learn(pressed: Pressed) -> None:
    """Take up a lesson, named by the button or chosen in a select."""
    lesson = _lesson(pressed.ref.word(0) or pressed.value)
    progress = (await _progress(pressed, [lesson]))[lesson.key]
    await pressed.turn(lesson_message(_view(pressed, lesson, _resumed(lesson, progress))))


@handlers.on("lessons")
async def _lessons(pressed: Pressed) -> None:
    await pressed.turn(await _list(pressed))


@handlers.on("learn-skip")
async def _skip(pressed: Pressed) -> None:
    await pressed.turn(skipped_message(_lesson(pressed.ref.word(0)), pressed.locale))


@handlers.on("step")
async def _step(pressed: Pressed) -> None:
    """A press in the hand of a lesson: the id names the lesson, the move, and what an ordinary hand does."""
    lesson, move = _lesson(pressed.ref.word(0)), pressed.ref.number(1)
    if move >= len(lesson.moves()):
        raise ids.InvalidCustomId(f"no move {move}")
    here, verb, path = _view(pressed, lesson, move), pressed.ref.word(2), ids.path_of(pressed.ref.word(3))
    if verb == "page":
        await _show(pressed, here, ChoiceCursor(path, pressed.ref.number(4)))
        return
    wanted = path
    if verb == "sel":
        wanted = (*path, *pressed.values[:1])
    elif verb == "pick":
        wanted = (*path, walk.pick_segment(pressed.values), "ok")
    place = here.view.at(wanted)
    if isinstance(place, walk.Decision) and place.action == lesson.expected(move):
        last = move + 1 == len(lesson.moves())
        await _keep(pressed, lesson, 0 if last else move + 1, done=last)
        await pressed.turn(lesson_message(_view(pressed, lesson, move + 1)))
    elif isinstance(place, walk.Question) and _opens(here, place):
        await _show(pressed, here, ChoiceCursor(place.path))
    elif isinstance(place, walk.Decision) and place.refused:
        await _show(pressed, here, ChoiceCursor(wanted[:-1]), notice=f"⚠️ {here.why_not(place.action)}")
    else:
        question = path if verb != "go" else path[:-1]
        spot = ChoiceCursor(question) if here.leads_on(question) else TOP_CHOICE
        await _show(pressed, here, spot, notice=pressed.say("learn.not_now"))


def _opens(here: LessonView, asked: walk.Question) -> bool:
    """Whether a lesson asks this question: one on the way, or why something cannot be done."""
    return not asked.picked and (here.leads_on(asked.path) or WHY in asked.path)


async def _show(pressed: Pressed, here: LessonView, spot: ChoiceCursor, *, notice: str = "") -> None:
    """The same move at another choice; the picture stays unless the game draws the way."""
    shown = pressed.interaction.message
    keeps = pressed.from_private and pressed.has_picture and not here.view.presenter.draws_steps
    kept = shown_alt(shown.components) if keeps and shown is not None else None
    message = lesson_message(here, spot, notice=notice, kept=kept)
    await pressed.turn(message, keep_files=kept is not None)
