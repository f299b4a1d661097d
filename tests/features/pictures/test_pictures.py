"""**Try the picture again** paints the pictures of an answer that had to go out in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.locales import words
from bot.render.encode import encode
from bot.render.scene import Scene
from tests.support.discord.forging import forge, refusal
from tests.support.discord.keys import part
from tests.support.discord.refused_files import refuse_files
from tests.support.discord.room_play import board_of, dealt, play_out
from tests.support.discord.sent_messages import custom_ids, said

say = words("en")
FAILED, REFUSED, RETRY = part("picture.failed"), part("picture.refused"), say("picture.retry")


@pytest.fixture
def broken(room: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """A switch: whether every picture fails from now on."""
    studio = room.bot.app.studio

    def fail(_: Scene) -> bytes:
        raise RuntimeError("no brush")

    def switch(on: bool) -> None:
        studio._cache.clear()
        monkeypatch.setattr(studio, "_painter", fail if on else encode)

    return switch


async def test_the_picture_of_the_end_comes_when_it_is_tried_again(
    room: Any, broken: Callable[[bool], None]
) -> None:
    await dealt(room, rounds="1")
    await play_out(room)
    broken(True)
    end = (await room.ann.click(board_of(room), label=say("end.picture"))).response
    assert FAILED in said(end)
    assert not end.attachments
    broken(False)
    again = (await room.ann.click(end, label=RETRY)).response
    assert again.id == end.id
    assert FAILED not in said(again)
    assert RETRY not in str(again.components)
    assert [each.filename for each in again.attachments] == ["end.png"]
    assert say("end.post") in str(again.components), "everything else is still there"


async def test_a_picture_that_fails_again_can_be_tried_once_more(
    room: Any, broken: Callable[[bool], None]
) -> None:
    broken(True)
    card = (await room.ann.slash(room.channel, "card", name="iron")).response
    card = (await room.ann.click(card, label=RETRY)).response
    assert FAILED in said(card)
    broken(False)
    card = (await room.ann.click(card, label=RETRY)).response
    assert len(card.attachments) == 1
    assert FAILED not in said(card)


async def test_everyone_can_try_a_public_picture_again(room: Any, broken: Callable[[bool], None]) -> None:
    card = (await room.ann.slash(room.channel, "card", name="iron")).response
    broken(True)
    await room.ann.click(card, label=say("share.here"))
    posted = room.channel.last_message
    assert FAILED in said(posted)
    broken(False)
    await room.ben.click(posted, label=RETRY)
    shown = room.channel.last_message
    assert (shown.id, len(shown.attachments)) == (posted.id, 1)
    assert FAILED not in said(shown)


async def test_a_hand_is_opened_again(room: Any, broken: Callable[[bool], None]) -> None:
    """A player who waits has **Refresh** there already; a player who must act gets the button."""
    board = await dealt(room)
    await room.env.settle()
    broken(True)
    for person in (room.ann, room.ben):
        hand = (await person.click(board, label="My hand")).response
        assert FAILED in said(hand)
        (again,) = [each for each in custom_ids(hand.components) if each.startswith("v:hand:")]
        broken(False)
        hand = (await person.click(hand, custom_id=again)).response
        assert len(hand.attachments) == 1
        assert RETRY not in str(hand.components)
        broken(True)


@pytest.mark.parametrize("status", [413, 500])
async def test_what_discord_refused_can_be_tried_again(
    room: Any, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    with monkeypatch.context() as patch:
        refuse_files(patch, lambda: refusal(status, 40005 if status == 413 else 0))
        card = (await room.ann.slash(room.channel, "card", name="iron")).response
        assert REFUSED in said(card)
    card = (await room.ann.click(card, label=RETRY)).response
    assert REFUSED not in said(card)
    assert len(card.attachments) == 1


async def test_after_a_restart_it_says_what_to_do(room: Any, broken: Callable[[bool], None]) -> None:
    broken(True)
    card = (await room.ann.slash(room.channel, "card", name="iron")).response
    broken(False)
    room.bot.app.unpainted.clear()
    refused = (await room.ann.click(card, label=RETRY)).response
    assert say("refused.picture_gone") in said(refused)


async def test_a_forged_press_gets_nobodys_picture(room: Any, broken: Callable[[bool], None]) -> None:
    """Ben knows the custom id of Ann's private answer, and presses it in a message that lacks it."""
    board = await dealt(room)
    broken(True)
    card = (await room.ann.slash(room.channel, "card", name="iron")).response
    (retry,) = [each for each in custom_ids(card.components) if each.startswith("v:repaint:")]
    broken(False)
    answer = (await forge(room.ben, board, retry)).response
    assert say("refused.picture_gone") in said(answer)
    assert not answer.attachments


async def test_deleting_ones_data_forgets_it(room: Any, broken: Callable[[bool], None]) -> None:
    broken(True)
    await room.ann.slash(room.channel, "card", name="iron")
    assert room.bot.app.unpainted
    room.bot.app.forget(room.ann.id)
    assert not room.bot.app.unpainted
