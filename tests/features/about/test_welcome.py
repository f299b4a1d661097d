"""The first words in a server that the bot was added to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import aiohttp
import discord
import pytest
from simcord.backend import serializers

from bot.features.about.welcome import Welcome
from bot.locales import languages, words
from bot.store.database import StoreError
from bot.store.personal_data import left_servers
from bot.store.servers import Server
from bot.ui.notification import Occasion
from bot.ui.outbox import Outbox
from bot.ui.preferences import Preferences
from tests.support.discord.keys import part
from tests.support.discord.people import called
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.tables import settle

pytestmark = pytest.mark.simcord(check_errors=False)

WELCOME = words("en")("welcome.text")
SILENT = discord.PermissionOverwrite(send_messages=False)


async def quiet(room: Any) -> None:
    for _ in range(3):
        await settle(room.bot.tables)
        await room.env.settle()


async def join(room: Any, *, system: Any = None, locale: str = "en-US") -> None:
    """Add the bot to the server of the room, whose system channel is this one."""
    guild = room.env.backend.guilds[room.guild.id]
    guild.system_channel_id, guild.preferred_locale = system and system.id, locale
    payload: Any = dict(serializers.guild_create_payload(room.env.backend, guild))
    del payload["unavailable"]  # Discord names it at the start and after an outage
    room.env.backend.emit("GUILD_CREATE", payload)
    await quiet(room)


async def leave(room: Any) -> None:
    room.env.backend.emit("GUILD_DELETE", {"id": str(room.guild.id)})
    await quiet(room)


def welcomes(room: Any, text: str = WELCOME) -> list[int]:
    """Return the channels with this welcome, once for each message."""
    return [
        channel.id
        for channel in room.guild.channels.values()
        if channel.name != "elsewhere"
        for message in channel.history()
        if message.content == text.strip()
    ]


async def test_it_is_said_in_the_system_channel(room: Any) -> None:
    hall = room.guild.create_text_channel("hall")
    await join(room, system=hall)
    assert welcomes(room) == [hall.id]
    message = hall.last_message
    assert list(custom_ids(_rows(message))) == ["v:poster", "v:lessons"]
    assert not message.flags.components_v2
    assert called(room) == set()


def _rows(message: Any) -> list[Any]:
    return [row.to_dict() for row in message.components]


@pytest.mark.parametrize(
    ("label", "told"), [("Play a game", part("poster.heading")), ("Learn one", "Atom Duel")]
)
async def test_each_button_leads_somewhere(room: Any, label: str, told: str) -> None:
    await join(room)
    led = await room.ann.click(room.channel.last_message, label=label)
    assert led.response.ephemeral
    assert told in said(led.response)


async def test_without_a_system_channel_it_is_the_first_in_which_the_bot_may_write(room: Any) -> None:
    muted = {room.bot.user: SILENT}
    hall = room.guild.create_text_channel("hall", overwrites=muted)
    room.guild.create_news_channel("news")
    room.env.backend.set_overwrite(room.channel.id, _denied(room))
    await quiet(room)
    den = room.guild.create_text_channel("den")
    await join(room, system=hall)
    assert welcomes(room) == [den.id]


def _denied(room: Any) -> Any:
    made = room.guild.create_text_channel("elsewhere", overwrites={room.bot.user: SILENT})
    (overwrite,) = room.env.backend.get_channel(made.id).overwrites
    return overwrite


async def test_where_the_bot_may_write_nowhere_it_says_nothing_yet(room: Any) -> None:
    room.env.backend.set_overwrite(room.channel.id, _denied(room))
    await quiet(room)
    before = len(room.env.http_requests)
    await join(room, system=room.channel)
    assert len(room.env.http_requests) == before
    room.env.backend.delete_overwrite(room.channel.id, room.bot.user.id)
    await leave(room)
    await join(room)
    assert welcomes(room) == [room.channel.id]


async def test_it_is_said_once_also_with_a_restart_between(room: Any) -> None:
    await join(room)
    await leave(room)
    await join(room)
    app = room.bot.app
    app.preferences.invalidate_all()  # whatever was in memory is gone
    app.parts[Welcome] = Welcome(app)
    await leave(room)
    await join(room)
    assert welcomes(room) == [room.channel.id]


async def test_a_start_or_an_outage_is_no_joining(room: Any) -> None:
    guild = room.env.backend.guilds[room.guild.id]
    room.env.backend.emit("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
    room.env.backend.emit("GUILD_CREATE", serializers.guild_create_payload(room.env.backend, guild))
    await quiet(room)
    assert welcomes(room) == []


async def test_two_processes_say_it_once(room: Any) -> None:
    app = room.bot.app
    other = replace(app, preferences=Preferences(app.database))
    for each in (app, other):
        Welcome(each).joined(room.guild.id)
    await quiet(room)
    assert welcomes(room) == [room.channel.id]


async def test_a_bot_that_was_away_for_long_says_it_again(room: Any) -> None:
    """Its settings of the server are gone by then."""
    await join(room)
    database = room.bot.app.database
    await database.write_at_once(lambda c: left_servers.note(c, room.guild.id, 0))
    await database.write_at_once(lambda c: left_servers.remove(c, before=1, most=5))
    await leave(room)
    await join(room)
    assert welcomes(room) == [room.channel.id] * 2


@pytest.mark.parametrize("arrives", [True, False])
async def test_a_lost_answer_harms_nothing(
    room: Any, monkeypatch: pytest.MonkeyPatch, *, arrives: bool
) -> None:
    whole, occasions = Outbox.notify, set[Occasion]()

    async def lost(self: Outbox, *what: Any, once: Occasion) -> None:
        occasions.add(once)
        if arrives:
            await whole(self, *what, once=once)
        raise aiohttp.ServerDisconnectedError

    with monkeypatch.context() as patch:
        patch.setattr(Outbox, "notify", lost)
        await join(room)
    await leave(room)
    await join(room)
    assert welcomes(room) == [room.channel.id] * arrives
    assert len(occasions) == 1


async def test_a_refusal_harms_nothing(room: Any) -> None:
    room.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    await join(room)
    assert welcomes(room) == []
    assert not room.env.errors
    assert (await room.ann.slash(room.channel, "help")).response


async def test_while_the_database_is_silent_nothing_is_said(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silence(_work: Any) -> Any:
        raise StoreError("slow", "silent for a moment")

    with monkeypatch.context() as silent:
        silent.setattr(room.bot.app.database, "write_at_once", silence)
        await join(room)
    assert welcomes(room) == []
    assert not room.env.errors


async def test_it_speaks_the_language_of_the_server(room: Any) -> None:
    await join(room, locale="zh-TW")
    assert welcomes(room, words("zh-CN")("welcome.text")) == [room.channel.id]


async def test_what_the_server_has_set_stays_and_goes_first(room: Any) -> None:
    await room.bot.app.preferences.servers.put(room.guild.id, Server(locale="zh-CN", clock=120))
    await join(room)
    assert welcomes(room, words("zh-CN")("welcome.text")) == [room.channel.id]
    kept = await Preferences(room.bot.app.database).servers.of(room.guild.id)
    assert kept == Server(locale="zh-CN", clock=120, welcomed=True)


@pytest.mark.parametrize("language", languages())
def test_it_names_the_ways_on(language: str) -> None:
    text = words(language)("welcome.text")
    assert [way for way in ("/play", "/settings") if f"`{way}`" not in text] == []
    assert len(text) < 400
