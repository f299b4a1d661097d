"""Hands that lie open: turned over when something changes, one writing at a time, the newest state last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from structlog.testing import capture_logs

from bot.features.table.hand import open_hands
from bot.features.table.hand.messages import hand_message
from bot.features.table.hand.open_hands import HandState, OpenHands
from bot.features.table.hand.seat_view import SeatView
from bot.locales import words
from bot.render.pool import LATER
from bot.table import lobby
from bot.table.people import leaving
from bot.table.table import Table
from bot.ui import discord_errors
from bot.ui.components import page
from bot.ui.live import picture_delivery
from tests.support.discord.forging import refusal
from tests.support.discord.message import words_of
from tests.support.discord.screens import Easel, Screen
from tests.support.tables.tables import close_tables, first_act, new_table, opened_tables
from tests.support.waiting import LIMIT_SECONDS, turns, until

ANN, BEN = 1, 2


async def paint(*_: Any, **__: Any) -> bytes:
    return b"picture"


STUDIO: Any = SimpleNamespace(paint=paint)


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[ANN, BEN])
    await lobby.start(table, ANN)
    yield table
    await close_tables(tables)


def opened(hands: OpenHands, table: Table, user_id: int, message_id: int = 9) -> Screen:
    """A press has shown this person their hand."""
    screen, seat = Screen(user_id), table.seats_of(user_id)[0]
    message = hand_message(SeatView(table, seat, "en"))
    laid = HandState(seat, table.seq)
    hands.shown(screen, table, message, laid, message_id=message_id)  # type: ignore[arg-type]
    return screen


def pressed(number: int, *files: int) -> Any:
    """A message with files of these numbers, as the press of one of its buttons shows it."""
    return SimpleNamespace(id=number, attachments=[SimpleNamespace(id=file) for file in files])


async def everybody_acts(table: Table) -> None:
    """Let both act once, which all hands show."""
    for _ in range(2):
        await first_act(table, (ANN, BEN)[table.waiting()[0]])


async def test_a_hand_is_written_again_only_when_it_shows_something_else(table: Table) -> None:
    hands = OpenHands(STUDIO)
    screen = opened(hands, table, BEN)
    await hands.refresh(table, BEN)
    assert screen.shown == []
    before = words_of(hand_message(SeatView(table, 1, "en")))
    await first_act(table, ANN)
    await first_act(table, BEN)
    await hands.refresh(table, BEN)
    assert screen.shown == [words_of(hand_message(SeatView(table, 1, "en")))] != [before]


async def test_a_greeting_stays_whatever_others_do(table: Table) -> None:
    """What is said once must not be gone before it is read, because an opponent moved."""
    hands, screen = OpenHands(STUDIO), Screen(BEN)
    message = hand_message(SeatView(table, 1, "en"), notice="Welcome.\nDone.")
    laid = HandState(1, table.seq, notice="Welcome.\nDone.", greeting="Welcome.")
    hands.shown(screen, table, message, laid, message_id=9)  # type: ignore[arg-type]
    await first_act(table, ANN)
    await hands.refresh(table, BEN)
    await first_act(table, BEN)
    await hands.refresh(table, BEN)
    assert screen.shown
    assert screen.shown[-1] == words_of(hand_message(SeatView(table, 1, "en"), notice="Welcome."))


async def test_what_changes_during_a_writing_is_written_after_it(table: Table) -> None:
    hands = OpenHands(STUDIO)
    screen = opened(hands, table, BEN)
    screen.door.clear()
    await first_act(table, BEN)
    first = asyncio.create_task(hands.refresh(table, BEN))
    await turns()
    assert hands.in_doubt(table, BEN) is False
    assert hands.is_current(table, BEN, pressed(9)) is False
    await everybody_acts(table)
    await hands.refresh(table, BEN)  # returns at once: the one that writes looks again
    waiting = asyncio.create_task(hands.refresh_now(table, BEN))
    await turns()
    assert not waiting.done()
    screen.door.set()
    await first
    assert await waiting is True
    assert screen.shown[-1] == words_of(hand_message(SeatView(table, 1, "en")))
    assert len(screen.shown) == 2


async def test_a_press_has_seen_the_picture_with_the_number_that_discord_gave_it(table: Table) -> None:
    """A press that was on its way while the hand was turned over names the picture of before."""
    hands, screen = OpenHands(STUDIO), Screen(BEN)
    message = hand_message(SeatView(table, 1, "en"))
    hands.shown(screen, table, message, HandState(1, table.seq), message_id=9, files=frozenset({5}))  # type: ignore[arg-type]
    assert hands.is_current(table, BEN, pressed(9, 5))
    assert not hands.is_current(table, BEN, pressed(9, 4))
    screen.files = [6]
    await first_act(table, BEN)
    await hands.refresh(table, BEN)
    assert hands.is_current(table, BEN, pressed(9, 6)), "at once, however short a while ago that was"
    assert not hands.is_current(table, BEN, pressed(9, 5))


async def test_where_discord_told_no_number_a_press_may_have_crossed_what_was_written(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = OpenHands(STUDIO)
    opened(hands, table, BEN)
    assert hands.is_current(table, BEN, pressed(9, 5)), "nothing was written since"
    await first_act(table, BEN)
    await hands.refresh(table, BEN)
    assert not hands.is_current(table, BEN, pressed(9, 5))
    monkeypatch.setattr(open_hands, "CROSSING_SECONDS", 0.0)
    assert hands.is_current(table, BEN, pressed(9, 5)), "Discord waits no longer for an answer"


async def test_who_has_left_the_seat_sees_no_more_of_it(table: Table) -> None:
    hands = OpenHands(STUDIO)
    screen = opened(hands, table, BEN)
    await leaving.leave_game(table, BEN, "random", "Ada")
    await hands.refresh(table, BEN)
    assert screen.shown == ["You don't sit at table 1 any more."]
    assert await hands.refresh_now(table, BEN) is False
    assert hands.of_table(table) == []
    assert len(screen.shown) == 1


async def test_a_hand_opened_while_another_shows_something_else_goes_on_to_follow(table: Table) -> None:
    """Why? is on its way into the open hand when My hand opens a second one: nobody writes that one."""
    hands = OpenHands(STUDIO)
    first = opened(hands, table, BEN)
    first.door.clear()
    why = asyncio.create_task(hands.show_instead(table, BEN, page("Because.")))
    await turns()
    second = opened(hands, table, BEN, message_id=10)
    await first_act(table, BEN)
    await hands.refresh(table, BEN)  # returns at once: two writings might cross
    first.door.set()
    assert await why is True
    assert first.shown == ["Because."]
    assert second.shown == [words_of(hand_message(SeatView(table, 1, "en")))]
    await asyncio.wait_for(hands.refresh_now(table, BEN), LIMIT_SECONDS)
    assert hands.in_doubt(table, BEN) is False


async def test_what_stands_in_the_place_of_a_hand_is_not_painted_over(table: Table) -> None:
    """The hand has been decided, and before the picture of that is ready Ben presses More: it stays."""
    easel: Any = Easel()
    hands = OpenHands(easel)
    screen = opened(hands, table, BEN)
    await everybody_acts(table)
    turning = asyncio.create_task(hands.refresh(table, BEN))
    await turns()
    await asyncio.wait_for(hands.close_hand(table, BEN, 9), LIMIT_SECONDS)
    easel.door.set()
    await turning
    assert screen.shown == []
    # and the way back lays a hand that follows again
    back = opened(hands, table, BEN)
    await everybody_acts(table)
    await hands.refresh(table, BEN)
    assert back.shown == [words_of(hand_message(SeatView(table, 1, "en")))]


async def test_what_is_on_its_way_to_a_hand_arrives_before_what_replaces_it(table: Table) -> None:
    hands = OpenHands(STUDIO)
    screen = opened(hands, table, BEN)
    screen.door.clear()
    await everybody_acts(table)
    turning = asyncio.create_task(hands.refresh(table, BEN))
    await turns()
    more = asyncio.create_task(hands.close_hand(table, BEN, 9))
    await turns()
    assert not more.done()
    screen.door.set()
    await asyncio.wait_for(more, LIMIT_SECONDS)
    assert len(screen.shown) == 1
    await turning


async def test_more_does_not_wait_for_a_picture_that_nobody_will_see(table: Table) -> None:
    """Pressed at the table: it opens in the hand, while what others did is still painted for it."""
    easel: Any = Easel()
    hands = OpenHands(easel)
    screen = opened(hands, table, BEN)
    await everybody_acts(table)
    turning = asyncio.create_task(hands.refresh(table, BEN))
    await turns()
    assert await asyncio.wait_for(hands.show_instead(table, BEN, page("More.")), LIMIT_SECONDS) is True
    easel.door.set()
    await turning
    assert screen.shown == ["More."]


async def test_a_hand_whose_picture_takes_long_is_shown_in_words_first(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Painters are stuck: what lies open must not go on to offer choices of a moment that is past."""
    monkeypatch.setattr(picture_delivery, "PICTURE_SECONDS", 0.01)
    easel: Any = Easel()
    hands = OpenHands(easel)
    screen = opened(hands, table, BEN)
    await everybody_acts(table)
    turning = asyncio.create_task(hands.refresh(table, BEN))
    await until(lambda: screen.shown)
    first, coming = SeatView(table, 1, "en"), words("en")("picture.coming")
    assert screen.shown[0] != words_of(hand_message(first))
    assert coming in screen.shown[0]
    assert first.scene.alt in screen.shown[0]
    assert hands.in_doubt(table, BEN)  # a press would bring the picture
    await everybody_acts(table)
    await until(lambda: len(screen.shown) == 2)
    assert SeatView(table, 1, "en").scene.alt in screen.shown[1]
    easel.door.set()
    await turning
    assert screen.shown[2:] == [words_of(hand_message(SeatView(table, 1, "en")))]
    assert not hands.in_doubt(table, BEN)
    assert set(easel.asked) == {LATER}, "nobody has pressed: those who have go first"


async def test_a_hand_laid_again_while_something_else_is_on_its_way_is_what_stays(table: Table) -> None:
    hands = OpenHands(STUDIO)
    screen = opened(hands, table, BEN)
    screen.door.clear()
    more = asyncio.create_task(hands.show_instead(table, BEN, page("More.")))
    await turns()
    again = opened(hands, table, BEN)
    screen.door.set()
    assert await more is False
    assert again.shown == [words_of(hand_message(SeatView(table, 1, "en")))]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (refusal(404, discord_errors.UNKNOWN_MESSAGE), False),
        (refusal(401, discord_errors.DEAD_TOKEN), False),
        (refusal(500, 0), True),
        (aiohttp.ServerDisconnectedError(), True),
    ],
)
async def test_a_hand_that_cannot_be_written_is_forgotten(table: Table, error: Exception, told: bool) -> None:
    """Dismissed and too old are no news; anything else is logged. Nobody is kept waiting by it."""
    hands = OpenHands(STUDIO)
    screen = opened(hands, table, BEN)
    screen.error = error
    await first_act(table, BEN)
    with capture_logs() as lines:
        assert await hands.refresh_now(table, BEN) is False
    told_of = [line["event"] for line in lines if line["event"] != "files refused, sent in words"]
    assert told_of == ["open hand not refreshed"] * told
    assert not hands.is_open(table, BEN, 7)


async def test_a_stop_is_told_to_those_who_pressed_lately(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = OpenHands(STUDIO)
    recent, old = opened(hands, table, ANN), opened(hands, table, BEN)
    hands._open[table.id, BEN].pressed_at -= open_hands.RECENT_SECONDS + 1
    await hands.tell_all({table.id: table}.get, "trouble.stopping", 5)
    (said,) = recent.shown
    assert words("en")("trouble.stopping") in said
    assert old.shown == []
    # a table that is not in memory has nobody to tell
    await hands.tell_all({}.get, "trouble.stopping", 5)
    assert len(recent.shown) == 1


async def test_a_stop_waits_for_no_hand_that_hangs(table: Table) -> None:
    hands = OpenHands(STUDIO)
    slow, broken = opened(hands, table, ANN), opened(hands, table, BEN)
    slow.door.clear()
    broken.error = refusal(500, 0)
    await asyncio.wait_for(hands.tell_all({table.id: table}.get, "trouble.stopping", 0.01), LIMIT_SECONDS)
    slow.door.set()
    await turns()
    assert slow.shown == broken.shown == []


async def test_a_second_press_of_the_same_decision_is_a_double_click(table: Table) -> None:
    hands = OpenHands(STUDIO)
    hands.decided(table, ANN, 0, 3)
    assert hands.just_made(table, ANN, 0, 3)
    assert not hands.just_made(table, ANN, 0, 4)
    assert not hands.just_made(table, BEN, 0, 3)
