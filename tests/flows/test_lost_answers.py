"""Answers that Discord drops, refuses or takes too late: what they were to show is shown all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import pytest

from bot.core.backoff import Backoff
from bot.core.errors import Refused
from bot.features.tournaments.service import Tournaments
from bot.table.table import Table
from bot.ui import channel_budget as slots
from bot.ui.live import live_message
from tests.support.discord.lobbies import arrange
from tests.support.tables.tables import at_hand
from tests.support.waiting import until

Answer = discord.InteractionResponse


@pytest.fixture(autouse=True)
def unhurried(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers go before what the bot writes by itself, as they do where calls take their time."""
    monkeypatch.setattr(room.bot.tables.clock, "sleep", asyncio.sleep)
    monkeypatch.setattr(slots, "SLOT_MS", 60)
    monkeypatch.setattr(slots, "SPAN_MS", 300)


def http_error(status: int, code: int) -> discord.HTTPException:
    reply: Any = type("Reply", (), {"status": status, "reason": "", "headers": {}})()
    kind = discord.NotFound if status == 404 else discord.DiscordServerError
    return kind(reply, {"code": code, "message": "lost"})


LOSSES: dict[str, tuple[bool, Callable[[], Exception]]] = {
    "dropped before": (False, aiohttp.ServerDisconnectedError),
    "dropped after": (True, aiohttp.ServerDisconnectedError),
    "refused": (False, lambda: http_error(500, 0)),
    "too late": (False, lambda: http_error(404, 10062)),
}


def lose(monkeypatch: pytest.MonkeyPatch, how: str, *calls: str) -> None:
    """Let these ways to answer fail from now on, before or after they have done their work."""
    arrives, error = LOSSES[how]
    for name in calls:
        whole = getattr(Answer, name)

        async def lost(self: Any, *args: Any, whole: Any = whole, **words: Any) -> Any:
            if arrives:
                await whole(self, *args, **words)
            raise error()

        monkeypatch.setattr(Answer, name, lost)


def labels(message: Any) -> str:
    return str(message.components)


async def seated(room: Any) -> tuple[Any, Any]:
    """A lobby with two people, and its table."""
    await room.ann.slash(room.channel, "play", game="probe")
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    return lobby, next(iter(at_hand(room.bot.tables).values()))


@pytest.mark.parametrize("how", LOSSES)
async def test_a_lost_answer_to_start_still_shows_the_table(
    room: Any, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    lobby, table = await seated(room)
    with monkeypatch.context() as patch:
        lose(patch, how, "edit_message")
        await room.ann.click(lobby, label="Start")
        await room.env.settle()
    assert table.phase == "live"
    assert "My hand" in labels(room.channel.last_message)
    assert room.channel.last_message.id == lobby.id


@pytest.mark.parametrize("how", LOSSES)
async def test_a_lost_answer_to_joining_or_an_option_still_shows_the_lobby(
    room: Any, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    lobby, table = await seated(room)
    with monkeypatch.context() as patch:
        lose(patch, how, "edit_message")
        await room.cleo.click(lobby, label="Join or leave")
        await room.env.settle()
        assert "cleo" in labels(room.channel.last_message)
        await arrange(room.ann, lobby, clock="120")
        await room.ann.click((await room.ann.click(lobby, label="Join or leave")).response, label="Leave")
        await room.env.settle()
    assert "1. ann" not in labels(room.channel.last_message)
    assert "1. ben" in labels(room.channel.last_message)
    assert table.stored.terms.clock == 120


@pytest.mark.parametrize("how", LOSSES)
async def test_a_lobby_whose_answer_is_lost_is_posted(
    room: Any, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    with monkeypatch.context() as patch:
        lose(patch, how, "send_message")
        await room.ann.slash(room.channel, "play", game="probe")
        await room.env.settle()
    (table,) = at_hand(room.bot.tables).values()
    here = room.channel.last_message
    assert table.stored.message_id == here.id
    await room.ben.click(here, label="Join or leave")
    assert "ben" in labels(room.channel.last_message)


async def test_a_lobby_whose_place_is_slowly_written_down_is_not_posted_twice(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed, slow = Table.set_place, [3]

    async def slowly(table: Table, *args: Any, **words: Any) -> None:
        if slow[0]:
            slow[0] -= 1
            raise Refused("slow")
        await placed(table, *args, **words)

    monkeypatch.setattr(Table, "set_place", slowly)
    monkeypatch.setattr(live_message, "RETRY", Backoff(first=0.02, longest=600.0))
    await room.ann.slash(room.channel, "play", game="probe")
    (table,) = at_hand(room.bot.tables).values()
    await until(lambda: table.stored.message_id is not None)
    await room.env.settle()
    channel = room.bot.get_partial_messageable(room.channel.id)
    assert [message.id async for message in channel.history()] == [table.stored.message_id]


async def test_a_second_message_of_a_lobby_leads_to_the_first(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer had arrived, only nobody heard of it: then two lobbies stand there."""
    with monkeypatch.context() as patch:
        lose(patch, "dropped after", "send_message")
        await room.ann.slash(room.channel, "play", game="probe")
        await room.env.settle()
    (table,) = at_hand(room.bot.tables).values()
    channel = room.bot.get_partial_messageable(room.channel.id)
    shown = [message async for message in channel.history()]
    other = next(
        message
        for message in shown
        if message.id != table.stored.message_id and "Join or leave" in labels(message)
    )
    await room.ben.click(other, label="Join or leave")
    await room.env.settle()
    assert [sitter.name for sitter in table.sitters] == ["ann", "ben"]
    other = await channel.fetch_message(other.id)
    assert "moved on" in labels(other)
    assert "Join or leave" not in labels(other)
    assert "ben" in labels(await channel.fetch_message(table.stored.message_id))


async def test_a_lobby_that_cannot_be_posted_either_is_closed(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(monkeypatch, "refused", "send_message")

    async def forbidden(*_: Any, **__: Any) -> None:
        reply: Any = type("Reply", (), {"status": 403, "reason": "", "headers": {}})()
        raise discord.Forbidden(reply, {"code": 50001, "message": "Missing Access"})

    monkeypatch.setattr(discord.PartialMessageable, "send", forbidden)
    await room.ann.slash(room.channel, "play", game="probe")
    await room.env.settle()
    assert at_hand(room.bot.tables) == {}


@pytest.mark.parametrize("how", LOSSES)
async def test_a_start_in_a_thread_goes_on_there_without_its_answer(
    room: Any, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    lobby, table = await seated(room)
    await arrange(room.ann, lobby, place="thread")
    with monkeypatch.context() as patch:
        lose(patch, how, "defer", "edit_message")
        await room.ann.click(lobby, label="Start")
        await room.env.settle()
    assert table.stored.channel_id != room.channel.id
    channel = room.bot.get_partial_messageable(table.stored.channel_id)
    assert "My hand" in labels(await channel.fetch_message(table.stored.message_id))
    left = await room.bot.get_partial_messageable(room.channel.id).fetch_message(lobby.id)
    assert "dealt in" in labels(left)
    assert "Start" not in labels(left)


@pytest.mark.parametrize("how", LOSSES)
async def test_a_tournament_is_shown_though_its_answers_are_lost(
    room: Any, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(live_message, "TOO_OLD_MS", 10**15)
    with monkeypatch.context() as patch:
        lose(patch, how, "send_message", "edit_message")
        await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="probe")
        await room.env.settle()
        (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
        here = room.channel.last_message
        assert tournament.stored.message_id == here.id
        await room.ben.click(here, label="Take part")
        await room.env.settle()
    assert "ben" in labels(room.channel.last_message)
    assert room.channel.last_message.id == here.id


async def test_a_tournament_that_cannot_be_posted_either_is_called_off(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(monkeypatch, "refused", "send_message")

    async def forbidden(*_: Any, **__: Any) -> None:
        reply: Any = type("Reply", (), {"status": 403, "reason": "", "headers": {}})()
        raise discord.Forbidden(reply, {"code": 50013, "message": "Missing Permissions"})

    monkeypatch.setattr(discord.PartialMessageable, "send", forbidden)
    await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="probe")
    await room.env.settle()
    assert room.bot.app.service(Tournaments).of_guild(room.guild.id) == []
