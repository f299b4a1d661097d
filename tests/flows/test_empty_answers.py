"""Answers that a proxy accepts for Discord without a word: they count as given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
import pytest

from bot.features.nights.service import Nights
from bot.features.tournaments.service import Tournaments
from bot.locales import words
from bot.store.prefs import Prefs
from tests.support.discord.lobbies import choose
from tests.support.discord.nights import in_hours
from tests.support.discord.people import challenge
from tests.support.discord.room_play import board_of, play_out, the_table
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import settle

say = words("en")
Answered = discord.InteractionCallbackResponse


@pytest.fixture(autouse=True, params=["", {}], ids=["no body", "no interaction"])
def without_body(request: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole: Callable[[Any, Any], None] = Answered._update
    monkeypatch.setattr(Answered, "_update", lambda self, _: whole(self, request.param))


@pytest.fixture(autouse=True)
def nothing_fails(room: Any) -> Any:
    yield
    assert room.bot.app.metrics.failures._value.get() == 0


def shown(room: Any) -> list[Any]:
    """The messages of the channel that everyone sees."""
    messages = room.env.backend.messages[room.channel.id].values()
    return [message for message in messages if not message.is_ephemeral]


async def test_a_game_is_opened_played_and_looked_at(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="probe")
    table, (lobby,) = the_table(room), shown(room)
    assert table.stored.message_id == lobby.id
    await room.ben.click(board_of(room), label="Join or leave")
    await choose(room.ann, board_of(room), rounds="1")
    await room.ann.click(board_of(room), label="Start")
    assert (table.phase, table.stored.options["rounds"]) == ("live", 1)
    hand = await room.ann.click(board_of(room), label="My hand")
    assert hand.ephemeral
    assert hand.followups == []
    await room.ann.click(hand.response, label="Bid 2")
    assert table.acts == 1
    assert "Waiting for" in said(hand.response)
    assert shown(room) == [lobby]
    await play_out(room)
    end = await room.ann.click(board_of(room), label=say("end.picture"))
    assert end.response.attachments
    await room.ann.click(end.response, label=say("end.post"))
    assert len([message for message in shown(room) if not message.content]) == 2


async def test_everything_else_is_answered_once(room: Any) -> None:
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="UTC"), 0)
    await room.ann.slash(room.channel, "night plan", when=in_hours(12), game="duel52")
    (night,) = shown(room)
    assert (await room.bot.app.service(Nights).get(1)).message_id == night.id
    await room.ann.slash(room.channel, "tournament create", name="Cup", game="probe")
    (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    assert [message.id for message in shown(room)[1:]] == [tournament.stored.message_id]
    await challenge(room, room.ann, room.ben)
    await settle(room.bot.tables)
    assert len(shown(room)) == 4, "a lobby and a call"
    await room.ann.slash(room.channel, "table repost")
    assert the_table(room).stored.message_id == shown(room)[-1].id
    card = await room.ann.slash(room.channel, "card", name="iron")
    before = len(shown(room))
    await room.ann.click(card.response, label=say("share.here"))
    assert len(shown(room)) == before + 1
    asked = await room.cleo.slash(room.channel, "card", name="no such card")
    assert asked.ephemeral
