"""What a lesson shows: the ordinary hand with a sentence above it, and the list of all lessons."""

from __future__ import annotations

from collections.abc import Mapping

import discord
from discord import ButtonStyle, ui

from bot import custom_ids as ids
from bot import presenters
from bot.features.lessons.rows import Progress
from bot.features.lessons.service import PERSON, Lesson, lessons_of
from bot.features.table import HAND_PICTURE, TOP_CHOICE, ChoiceCursor, SeatView, borrowed_hand, hand_message
from bot.features.table.slots import RulesOfGame
from bot.locales import Words, words
from bot.presenters.paths import Route, routes
from bot.table.table import Table
from bot.ui import choices as walk
from bot.ui import slots
from bot.ui.components import Control, MenuLine, Message, TextWithButton, button, page, select
from bot.ui.errors import refusal_words
from engine.game import Refusal

POINTER = "👉"
_CHOICES = frozenset(("go", "sel", "pick", "page"))
"""The verbs of a hand that a lesson carries out; what else a hand offers needs a table that stands."""


class LessonView:
    """A lesson at one move of the person, or at its end."""

    def __init__(self, lesson: Lesson, move: int, table: Table, locale: str) -> None:
        self.lesson, self.move, self.locale = lesson, move, locale
        self.view = SeatView(table, PERSON, locale)
        self.say = words(locale)
        self.over = move >= len(lesson.moves())

    def routes(self) -> list[Route]:
        """The ways through the choices to what the lesson asks for."""
        wanted = self.lesson.expected(self.move)
        return [way for way in routes(self.view.tree, self.view.legal) if way.action == wanted]

    def leads_on(self, path: walk.Path) -> bool:
        """Whether this path is a piece of the way, or all of it."""
        return any(way.path[: len(path)] == path for way in self.routes())

    def why_not(self, action: object) -> str:
        """The rule that refuses this action, in words; empty where none does."""
        table = self.view.table
        if table.state is None:
            return ""
        try:
            table.state.verify(PERSON, action)
        except Refusal as refusal:
            return refusal_words(refusal, self.lesson.game, self.view.look)
        return ""

    def sentence(self) -> str:
        """What the lesson says to this move."""
        return self.say.list(f"lesson.{self.lesson.key}.moves")[self.move]


def title_of(lesson: Lesson, locale: str) -> str:
    """What a lesson is called."""
    return words(locale)(f"lesson.{lesson.key}.title")


def lesson_message(
    lesson: LessonView, spot: ChoiceCursor = TOP_CHOICE, *, notice: str = "", kept: str | None = None
) -> Message:
    """The hand of a lesson, and what it says; `kept` as for `hand_message`."""
    say, view = lesson.say, lesson.view
    heading = say(
        "learn.heading",
        title=title_of(lesson.lesson, lesson.locale),
        n=min(lesson.move + 1, len(lesson.lesson.moves())),
        moves=len(lesson.lesson.moves()),
    )
    if lesson.over:
        last = say(f"lesson.{lesson.lesson.key}.end")
        return page(heading, last, view.letters, view.scene, _after(lesson), picture_name=HAND_PICTURE)
    told = "\n".join(filter(None, (notice, say("learn.sentence", sentence=lesson.sentence()))))
    message = hand_message(view, spot, notice=told, kept=kept)
    status = view.presenter.status(view.observation, view.look)
    message.view = _of_lesson(lesson, message.view, f"{heading}\n{status}", spot)
    return message


def skipped_message(lesson: Lesson, locale: str) -> Message:
    """The answer to **Skip**."""
    say = words(locale)
    controls = slots.AFTER_LESSON.controls(say, lesson.game)
    controls.append(button(say("learn.resume"), "learn", lesson.key))
    return page(say("learn.skipped", title=title_of(lesson, locale)), controls)


def lessons_message(progress: Mapping[str, Progress], locale: str) -> Message:
    """Every game that has lessons, with how far one is; `progress` by lesson."""
    say = words(locale)
    blocks: list[TextWithButton | list[Control]] = []
    for game in presenters.offered():
        all_of = lessons_of(game)
        if not all_of:
            continue
        done = sum(progress[each.key].done for each in all_of)
        upcoming = next_lesson(all_of, progress)
        key = "learn.entry_many" if len(all_of) > 1 else "learn.entry"
        if len(all_of) > 1 and progress[upcoming.key].at:
            key = "learn.entry_many_under_way"
        title = presenters.get(game).title(locale)
        state = say(f"learn.{_state(progress[upcoming.key])}", at=progress[upcoming.key].at + 1)
        text = say(key, game=title, state=state, done=done, n=len(all_of), moves=len(upcoming.moves()))
        blocks.append(TextWithButton(text, button(say("learn.start"), "learn", upcoming.key)))
        if len(all_of) > 1:
            lines = [
                MenuLine(each.key, title_of(each, locale), emoji="✅" if progress[each.key].done else "")
                for each in all_of
            ]
            blocks.append([select(say("learn.choose"), lines, "learn")])
    return page(say("learn.list"), *blocks, slots.LESSONS.controls(say, None))


def next_lesson(all_of: list[Lesson], progress: Mapping[str, Progress]) -> Lesson:
    """The first lesson of a game that one has not come to the end of; the first of all after the last."""
    return next((each for each in all_of if not progress[each.key].done), all_of[0])


def _state(progress: Progress) -> str:
    if progress.at:
        return "under_way"
    return "done" if progress.done else "new"


def _after(lesson: LessonView) -> list[Control]:
    """What follows a lesson: a game, and the next lesson where there is one."""
    all_of = lessons_of(lesson.lesson.game)
    at = all_of.index(lesson.lesson)
    controls = slots.AFTER_LESSON.controls(lesson.say, lesson.lesson.game)
    if at + 1 < len(all_of):
        controls.append(button(lesson.say("learn.next"), "learn", all_of[at + 1].key))
    return [*controls, button(lesson.say("learn.others"), "lessons")]


def _of_lesson(lesson: LessonView, shown: ui.LayoutView, heading: str, spot: ChoiceCursor) -> ui.LayoutView:
    """The same hand under the heading of the lesson, its controls led to the lesson and the way marked."""

    def lead(control: ui.Button[ui.LayoutView] | ui.Select[ui.LayoutView], ref: ids.Ref) -> Control | None:
        return _control(lesson, control, ref, spot)

    skip = button(lesson.say("learn.skip"), "learn-skip", lesson.lesson.key)
    return borrowed_hand(shown, heading, lead, [skip])


def _control(
    lesson: LessonView,
    control: ui.Button[ui.LayoutView] | ui.Select[ui.LayoutView],
    ref: ids.Ref,
    spot: ChoiceCursor,
) -> Control | None:
    if ref.verb not in _CHOICES:
        return None
    path, way = ids.path_of(ref.word(3)), lesson.routes()
    control.custom_id = ids.make("step", lesson.lesson.key, lesson.move, ref.verb, *ref.args[3:])
    if isinstance(control, ui.Button):
        right = ref.verb == "go" and len(path) > len(spot.path) and lesson.leads_on(path)
        control.style = ButtonStyle.success if right else ButtonStyle.secondary
        return control
    for option in control.options:
        if ref.verb == "sel":
            right = lesson.leads_on((*path, option.value))
        else:
            right = any(
                w.path[: len(path)] == path and option.value in w.path[len(path)].split("+") for w in way
            )
        if right:
            option.emoji = discord.PartialEmoji(name=POINTER)
    return control


def lessons_button(say: Words, _thing: None) -> Control:
    """Return the button that lists the lessons."""
    return button(say("help.learn"), "lessons")


def rules_lesson_button(say: Words, rules: RulesOfGame) -> Control | None:
    """Return the button that begins a lesson below the rules of a game: the one most like the table."""
    found, table = lessons_of(rules.game), rules.table
    options = table.stored.options if table is not None else {}

    def alike(lesson: Lesson) -> int:
        return sum(options.get(key) == value for key, value in lesson.options.items())

    return button(say("rules.learn"), "learn", max(found, key=alike).key) if found else None
