"""The guided first games, through the real bot."""

from __future__ import annotations

from typing import Any, cast

import pytest
from sqlalchemy import func, select

from bot import custom_ids as ids
from bot.features.lessons.messages import LessonView
from bot.features.lessons.service import Lesson, lesson_table, lessons
from bot.locales import languages, words
from bot.presenters.paths import Route
from bot.store.database import Database
from bot.store.models import EntryRow, GameRow, RatingRow, ResultRow
from engine import catalog
from tests.support.discord.forging import forge
from tests.support.discord.room_play import play_now
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.discord.walking import next_press

MOST_PRESSES = 12


def way_of(room: Any, lesson: Lesson, move: int) -> Route:
    """The shortest way through the choices to what the lesson asks for."""
    names = ["ann", *words("en").list("opponent.names")[: lesson.seats - 1]]
    table = lesson_table(room.bot.tables.database, lesson, move, user_id=1, names=names, locale="en")
    return min(LessonView(lesson, move, table, "en").routes(), key=lambda way: len(way.path))


async def press_through(room: Any, lesson: Lesson, shown: Any, move: int) -> tuple[Any, int]:
    """Make one move of a lesson; the hand after it, and the presses it took."""
    way, presses = way_of(room, lesson, move), 0
    following = f"v:step:{lesson.key}:{move}:"
    while any(each.startswith(following) for each in custom_ids(shown.components)):
        press = next_press(custom_ids(shown.components), following, way)
        assert press, f"{lesson.key} move {move}: {way.path} is not shown"
        presses += 1
        assert presses <= 5
        shown = (await forge(room.ann, shown, *press)).response
    return shown, presses


async def begun(room: Any, key: str) -> Any:
    shown = (await room.ann.slash(room.channel, "learn")).response
    return (await forge(room.ann, shown, "v:learn", (key,))).response


async def rows(room: Any) -> list[int]:
    def count(connection: Any) -> list[int]:
        kinds = (GameRow, EntryRow, ResultRow, RatingRow)
        return [connection.execute(select(func.count()).select_from(kind)).scalar_one() for kind in kinds]

    return await room.bot.tables.database.read_at_once(count)


@pytest.mark.long
@pytest.mark.parametrize("key", lessons())
async def test_a_lesson_to_its_end(room: Any, key: str) -> None:
    lesson = lessons()[key]
    shown, presses = await begun(room, key), 0
    for move, sentence in enumerate(words("en").list(f"lesson.{key}.moves")):
        assert sentence in said(shown)
        shown, more = await press_through(room, lesson, shown, move)
        presses += more
    assert words("en")(f"lesson.{key}.end") in said(shown)
    assert f"v:now:{lesson.game}" in custom_ids(shown.components)
    others = (await forge(room.ann, shown, "v:lessons")).response
    assert others.id == shown.id, "all lessons open where this one ended"
    assert presses <= MOST_PRESSES
    # nothing of it is a game: no table, no journal, no result, no rating, and nobody else saw anything
    assert await rows(room) == [0, 0, 0, 0]
    assert room.channel.last_message is None
    listed = (await room.ann.slash(room.channel, "learn")).response
    assert "done" in said(listed)


@pytest.mark.parametrize("key", lessons())
def test_a_lesson_follows_the_rules_of_today(key: str) -> None:
    lesson = lessons()[key]
    assert lesson.version == catalog.get(lesson.game).version
    assert len(words("en").list(f"lesson.{key}.moves")) == len(lesson.moves())


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("key", ["compound_capture_1", "canasta_1"])
def test_a_lesson_names_the_button_that_draws_one_card(key: str, locale: str) -> None:
    """Drawing "from the stock" is what another button says, which draws two."""
    lesson, button, found = lessons()[key], words(locale)("chemistry.tree.one"), 0
    for move, sentence in enumerate(words(locale).list(f"lesson.{key}.moves")):
        table = lesson_table(cast("Database", None), lesson, move, user_id=1, names=["a", "b"], locale=locale)
        way = min(LessonView(lesson, move, table, locale).routes(), key=lambda way: len(way.path))
        assert (button in way.labels) == (f"**{button}**" in sentence), f"move {move + 1}: {sentence}"
        found += button in way.labels
    assert found


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("key", lessons())
def test_a_lesson_does_not_promise_more_rounds_than_its_picture_shows(key: str, locale: str) -> None:
    end = words(locale)(f"lesson.{key}.end")
    rounds = lessons()[key].options.get("rounds")
    for number, promises in ((4, ("four rounds", "四轮")), (2, ("two rounds", "两轮"))):
        assert rounds in (None, number) or not any(promise in end for promise in promises)


async def test_another_move_is_answered_gently(room: Any) -> None:
    shown = await begun(room, "atom_duel_1")
    way = way_of(room, lessons()["atom_duel_1"], 0)
    others = [
        each
        for each in custom_ids(shown.components)
        if each.startswith("v:step:atom_duel_1:0:go:") and not each.endswith(f":{ids.path_text(way.path)}")
    ]
    again = (await forge(room.ann, shown, others[0])).response
    assert words("en")("learn.not_now") in said(again)
    assert words("en").list("lesson.atom_duel_1.moves")[0] in said(again)


async def test_why_not_is_answered_in_a_lesson_too(room: Any) -> None:
    shown = await begun(room, "molecular_1")
    asked = (await forge(room.ann, shown, "v:step:molecular_1:0:go:why")).response
    assert words("en")("learn.not_now") not in said(asked)
    held_back = [each for each in custom_ids(asked.components) if ":go:why." in each]
    assert held_back, "what the rules refuse now"
    told = (await forge(room.ann, asked, held_back[0])).response
    assert "⚠️" in said(told)
    assert words("en")("learn.not_now") not in said(told)
    assert words("en").list("lesson.molecular_1.moves")[0] in said(told)


async def test_a_lesson_is_left_and_taken_up_where_it_stood(room: Any) -> None:
    lesson = lessons()["atom_duel_1"]
    shown = await begun(room, lesson.key)
    shown, _ = await press_through(room, lesson, shown, 0)
    # not "Skip": beside what the game offers that would pass for a move
    assert "'Go on later'" in str(shown.components)
    left = (await forge(room.ann, shown, f"v:learn-skip:{lesson.key}")).response
    assert f"v:now:{lesson.game}" in custom_ids(left.components)
    again = (await room.ann.slash(room.channel, "learn", game="atom_duel")).response
    assert words("en").list("lesson.atom_duel_1.moves")[1] in said(again)
    shown, _ = await press_through(room, lesson, again, 1)
    assert words("en").list("lesson.atom_duel_1.moves")[2] in said(shown)


async def test_who_plays_for_the_first_time_is_asked_once(room: Any) -> None:
    text = words("en")("learn.offer", n=4)
    first = await play_now(room, "atom_duel")
    assert text in said(first.response)
    second = await play_now(room, "atom_duel")
    assert text not in said(second.response)
