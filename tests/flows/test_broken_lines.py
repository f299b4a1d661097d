"""A connection that breaks in the middle: what could not be shown is shown a little later."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest
import structlog

from bot.core.backoff import Backoff
from bot.features.table.hand.open_hands import OpenHands
from bot.table import lobby
from bot.ui.live import live_message
from tests.support.discord.keys import part
from tests.support.tables.tables import at_hand
from tests.support.waiting import until


async def joined(room: Any) -> Any:
    await room.ann.slash(room.channel, "play", game="probe")
    return room.channel.last_message


async def test_a_table_is_shown_again_after_a_dropped_connection(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await joined(room)
    edit = discord.PartialMessage.edit
    dropped = 0

    async def drop_once(message: discord.PartialMessage, **words: Any) -> Any:
        nonlocal dropped
        if not dropped:
            dropped += 1
            raise aiohttp.ServerDisconnectedError
        return await edit(message, **words)

    monkeypatch.setattr(discord.PartialMessage, "edit", drop_once)
    monkeypatch.setattr(live_message, "RETRY", Backoff(first=0.05, longest=600.0))
    table = next(iter(at_hand(room.bot.tables).values()))
    # nobody's press answers with the table, so it is edited
    await lobby.join(table, room.ben.user.id, "ben", 7)
    await until(lambda: dropped == 1)
    await until(lambda: "ben" in str(room.channel.last_message.components))
    assert message.id == room.channel.last_message.id


async def test_an_open_hand_lives_on_after_a_dropped_connection(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await joined(room)
    await room.ben.click(message, label="Join or leave")
    await room.ann.click(message, label="Start")
    await room.ann.click(message, label="My hand")
    table = next(iter(at_hand(room.bot.tables).values()))
    hands = room.bot.app.service(OpenHands)
    with monkeypatch.context() as patch:

        async def drop(*_: Any, **__: Any) -> None:
            raise aiohttp.ServerDisconnectedError

        patch.setattr(discord.Interaction, "edit_original_response", drop)
        await table.act(0, None, table.legal[0][0])
        await room.env.settle()
    # the hand is forgotten, not blocked: the next one is turned over as usual
    assert hands.of_table(table) == []
    await room.ann.click(message, label="My hand")
    seat = table.waiting()[0]
    written: list[int] = []

    async def write(interaction: Any, **_: Any) -> None:
        written.append(interaction.user.id)

    monkeypatch.setattr(discord.Interaction, "edit_original_response", write)
    await table.act(seat, None, table.legal[seat][0])
    await room.env.settle()
    assert written


@pytest.mark.parametrize(
    "failure",
    [aiohttp.ServerDisconnectedError(), ConnectionResetError(104, "reset"), TimeoutError()],
    ids=str,
)
async def test_a_line_that_breaks_while_answering_is_no_defect(
    room: Any, monkeypatch: pytest.MonkeyPatch, failure: Any
) -> None:
    """The press is stored all the same; the log has a line, not a traceback, and the person a sentence."""
    message = await joined(room)
    await room.ben.click(message, label="Join or leave")
    await room.ann.click(message, label="Start")
    hand = (await room.ann.click(message, label="My hand")).response
    table = next(iter(at_hand(room.bot.tables).values()))
    edit, dropped = discord.InteractionResponse.edit_message, 0

    async def drop_once(self: Any, **words: Any) -> Any:
        nonlocal dropped
        dropped += 1
        if dropped == 1:
            raise failure
        return await edit(self, **words)

    monkeypatch.setattr(discord.InteractionResponse, "edit_message", drop_once)
    with structlog.testing.capture_logs() as lines:
        result = await room.ann.click(hand, label="Bid 2")
        await room.env.settle()
    assert dropped == 1
    assert table.acts == 1
    assert [line for line in lines if line["event"] == "unforeseen" or "exc_info" in line] == []
    assert [line["log_level"] for line in lines if line["event"] == "answer not delivered"] == ["warning"]
    assert part("trouble.broken_line") in str(result.response.components)
    assert "My hand" in str(result.response.components)
