"""Playing by typing: what /move answers, and which hand lies open then."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest

from bot import custom_ids as ids
from bot.features.table.hand.open_hands import OpenHands
from bot.table.table import Table
from tests.support.discord.forging import forge
from tests.support.discord.lobbies import choose
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, said, verbs
from tests.support.waiting import until

ROOM_FOR_A_LINE = 200


async def solo(room: Any) -> Table:
    """Duel 52 for one, who plays both sides."""
    await room.ann.slash(room.channel, "play", game="duel52")
    table, lobby = the_table(room), room.channel.last_message
    await choose(room.ann, lobby, variant="solo")
    await room.ann.click(lobby, label="Start")
    return table


async def first_choice(room: Any) -> str:
    choices = await room.ann.autocomplete(room.channel, "move", "choice", "")
    return str(choices[0]["value"])


async def side_to_act(room: Any, table: Table, *, opened: bool, until_seat: int = 1) -> Any:
    """Move until the other side is to act; the last answer. Unless `opened`, no hand lies open meanwhile."""
    for _ in range(60):
        if not opened:
            room.bot.app.service(OpenHands)._open.clear()
        result = await room.ann.slash(room.channel, "move", choice=await first_choice(room))
        if table.waiting() == (until_seat,):
            return result
    raise AssertionError("the turn never ends")


@pytest.mark.parametrize("opened", [True, False])
async def test_a_move_that_ends_a_turn_shows_the_side_that_is_to_act(room: Any, opened: bool) -> None:
    table = await solo(room)
    board = room.channel.last_message
    hand = (await room.ann.click(board, label="My hand")).response if opened else None
    result = await side_to_act(room, table, opened=opened)
    hand = hand or result.response
    assert "Waiting for" not in said(hand)
    assert verbs(hand) & {"go", "sel", "pick"}
    seats = {ids.parse(i).number(1) for i in custom_ids(hand.components) if i.startswith(("v:go:", "v:sel:"))}
    assert seats == {1}


async def test_refresh_shows_the_side_that_is_to_act(room: Any) -> None:
    """A hand of Side A that was left open while its turn ended elsewhere."""
    table = await solo(room)
    board = room.channel.last_message
    hand = (await room.ann.click(board, label="My hand")).response
    while table.waiting() == (0,):
        await table.act(0, None, table.legal[0][0])
    pressed = await forge(room.ann, hand, f"v:hand:{table.id}:0")
    assert "Waiting for" not in said(pressed.response)


async def test_moves_turn_over_the_hand_that_lies_open(room: Any) -> None:
    """A whole game by typing leaves one hand and short lines, not a hand for every move."""
    table = await solo(room)
    board = room.channel.last_message
    hand = (await room.ann.click(board, label="My hand")).response
    before = said(hand)
    result = await room.ann.slash(room.channel, "move", choice=await first_choice(room))
    assert table.acts == 1
    assert result.ephemeral
    line = said(result.response)
    assert line.startswith("✓ ")
    assert len(line) <= ROOM_FOR_A_LINE
    assert verbs(result.response) == set()
    assert result.response.attachments == []
    await room.env.settle()
    assert said(hand) != before, "the open hand was not turned over"


async def test_a_move_opens_a_hand_where_none_lies_open(room: Any) -> None:
    table = await solo(room)
    result = await room.ann.slash(room.channel, "move", choice=await first_choice(room))
    assert table.acts == 1
    assert verbs(result.response) & {"go", "sel", "pick"}
    assert "✓ Done" in said(result.response)


async def test_a_hand_open_in_another_channel_does_not_count(room: Any) -> None:
    await solo(room)
    board = room.channel.last_message
    await room.ann.click(board, label="My hand")
    elsewhere = room.guild.create_text_channel("elsewhere")
    choices = await room.ann.autocomplete(elsewhere, "move", "choice", "")
    result = await room.ann.slash(elsewhere, "move", choice=choices[0]["value"])
    assert verbs(result.response) & {"go", "sel", "pick"}


@pytest.mark.parametrize("broken", ["token", "connection"])
async def test_a_hand_that_cannot_be_turned_over_is_opened_anew(
    room: Any, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    table = await solo(room)
    board = room.channel.last_message
    await room.ann.click(board, label="My hand")

    async def fail(*_: Any, **__: Any) -> None:
        if broken == "connection":
            raise aiohttp.ServerDisconnectedError
        response: Any = type("Response", (), {"status": 401, "reason": "gone"})()
        raise discord.HTTPException(response, {"code": 50027, "message": "Invalid Webhook Token"})

    move = await first_choice(room)
    with monkeypatch.context() as patch:
        patch.setattr(discord.Interaction, "edit_original_response", fail)
        result = await room.ann.slash(room.channel, "move", choice=move)
    assert table.acts == 1
    (hand,) = result.followups
    assert verbs(hand) & {"go", "sel", "pick"}
    # the game continues in the new hand, and not in the line above it
    before = said(hand)
    for _ in range(3):
        seat = table.waiting()[0]
        await table.act(seat, None, table.legal[seat][0])
    await until(lambda: said(hand) != before)
    assert said(result.response).startswith("✓ ")


async def test_two_people_and_a_move(room: Any) -> None:
    """The open hand of the one who moved turns to waiting, the other's to acting, each once."""
    board = await dealt(room)
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    await room.ann.slash(room.channel, "move", choice="Bid 2")
    await room.env.settle()
    assert table.acts == 1
    assert "Waiting for **ben**" in said(hand)
