"""The picture of the end of a game: shown privately, and posted once by someone who played."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.locales import words
from tests.support.discord.forging import at_once, forge
from tests.support.discord.room_play import board_of, dealt, play_out
from tests.support.discord.sent_messages import said

say = words("en")


async def test_the_picture_of_the_end_is_private_until_somebody_posts_it(room: Any) -> None:
    await dealt(room, rounds="1")
    table = await play_out(room)
    board, before = board_of(room), room.channel.last_message
    mine = (await room.ann.click(board, label=say("end.picture"))).response
    assert mine.flags.ephemeral
    assert mine.attachments[0].filename == "end.png"
    assert room.channel.last_message.id == before.id
    await room.ann.click(mine, label=say("end.post"))
    posted = room.channel.last_message
    assert posted.id != board.id
    assert posted.attachments[0].description == mine.attachments[0].description
    again = (await room.ben.click(board, label=say("end.picture"))).response
    refused = (await room.ben.click(again, label=say("end.post"))).response
    assert str(posted.id) in said(refused)
    for message in (posted, board):
        shown = str([component.to_dict() for component in message.components])
        assert table.commitment.seed.hex() not in shown


async def test_two_who_post_the_end_at_the_same_time_post_it_once(room: Any) -> None:
    await dealt(room, rounds="1")
    table = await play_out(room)
    board = room.channel.last_message
    before = len(room.channel.history())
    answers = await at_once((room.ann, room.ben), board, f"v:end-post:{table.id}")
    assert len(room.channel.history()) == before + 1
    (refused,) = [said(each.response) for each in answers if each.response.flags.ephemeral]
    assert f"<#{room.channel.id}>" in refused


@pytest.mark.simcord(check_errors=False)
async def test_an_end_that_could_not_be_posted_may_be_posted_again(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await dealt(room, rounds="1")
    table = await play_out(room)
    board = room.channel.last_message

    async def fail(*_: Any) -> Any:
        raise RuntimeError("no worker")

    with monkeypatch.context() as patch:
        patch.setattr("bot.features.ending.handlers._picture", fail)
        failed = await forge(room.ann, board, f"v:end-post:{table.id}")
    assert room.channel.last_message.id == board.id
    (told,) = failed.followups
    assert told.flags.ephemeral
    await forge(room.ben, board, f"v:end-post:{table.id}")
    assert room.channel.last_message.id != board.id
    assert room.channel.last_message.attachments
    room.env.errors  # noqa: B018 - read, and with that forgiven


async def test_who_may_not_write_here_posts_nothing(room: Any) -> None:
    await dealt(room, rounds="1")
    await play_out(room)
    board, before = board_of(room), room.channel.last_message
    mine = (await room.ann.click(board, label=say("end.picture"))).response
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord.Interaction, "permissions", discord.Permissions(view_channel=True))
        refused = (await room.ann.click(mine, label=say("end.post"))).response
    assert say("refused.write_rights") in said(refused)
    assert room.channel.last_message.id == before.id


async def test_who_did_not_play_may_look_and_not_post(room: Any) -> None:
    await dealt(room, rounds="1")
    table = await play_out(room)
    board = board_of(room)
    seen = (await room.cleo.click(board, label=say("end.picture"))).response
    assert say("end.post") not in str(seen.components)
    refused = await forge(room.cleo, seen, f"v:end-post:{table.id}")
    assert said(refused.response).endswith(say("refused.not_seated"))
