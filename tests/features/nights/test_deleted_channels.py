"""Deleted channels and messages of nights."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.nights.service import MINUTE_MS, Nights
from bot.locales import words
from bot.store.prefs import Prefs
from tests.support.discord.forging import refusal
from tests.support.discord.keys import part
from tests.support.discord.nights import at, comes, due, in_hours, now, planned, said_all, the_night
from tests.support.discord.sent_messages import said, written

say = words("en")
pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about


async def planned_in(room: Any, channel: Any) -> None:
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="UTC"), 0)
    await room.ann.slash(channel, "night plan", when=in_hours(100), game="atom")
    await said_all(room)


async def off(room: Any) -> None:
    """The night is off, its planner knows, and nothing of it is left."""
    night = await the_night(room)
    assert night.phase == "hindered"
    assert await due(room, night) == []
    (letter,) = written(room)
    assert letter[0] == room.ann.id
    assert part("night.regret") in letter[1]
    listed = said((await room.ben.slash(room.channel, "night list")).response)
    assert f"<#{night.channel_id}>" not in listed
    with pytest.raises(discord.NotFound):
        await room.bot.get_guild(room.guild.id).fetch_scheduled_event(night.event_id)


async def test_a_night_whose_channel_is_deleted_is_off_and_its_planner_knows(room: Any) -> None:
    den = room.guild.create_text_channel("den")
    await planned_in(room, den)
    room.env.backend.delete_channel(den.id)
    await room.env.settle()
    await said_all(room)
    await off(room)


async def test_a_night_in_a_deleted_thread_is_off(room: Any) -> None:
    room.env.backend.create_thread(room.channel.id, "den", room.ben.id)
    await room.env.settle()
    (thread,) = room.channel.threads
    await planned_in(room, thread)
    assert (await the_night(room)).channel_id == thread.id
    room.env.backend.delete_channel(thread.id)
    await room.env.settle()
    await said_all(room)
    await off(room)


async def test_a_channel_that_was_deleted_while_the_bot_was_away(room: Any) -> None:
    den = room.guild.create_text_channel("den")
    await planned_in(room, den)

    async def nothing(*_: Any) -> None: ...

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(room.bot), "on_guild_channel_delete", nothing)
        room.env.backend.delete_channel(den.id)
        await room.env.settle()
    assert (await the_night(room)).phase == "planned"
    room.bot.app.service(Nights).allowed(room.guild.id)
    await said_all(room)
    await off(room)


async def test_a_deleted_channel_ends_no_night_elsewhere(room: Any) -> None:
    den = room.guild.create_text_channel("den")
    await planned_in(room, room.channel)
    room.env.backend.delete_channel(den.id)
    await room.env.settle()
    room.bot.app.service(Nights).allowed(room.guild.id)
    await said_all(room)
    assert (await the_night(room)).phase == "planned"


async def test_a_proxy_that_finds_nothing_deletes_no_channel(room: Any) -> None:
    den = room.guild.create_text_channel("den")
    await planned_in(room, den)

    async def lost(*_: Any) -> None:
        raise refusal(404, 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord.Client, "fetch_channel", lost)
        room.env.backend.delete_channel(den.id)
        await room.env.settle()
        await said_all(room)
    assert (await the_night(room)).phase == "planned"


async def deleted(room: Any, message: Any) -> None:
    room.env.backend.delete_message(room.channel.id, message.id)
    await room.env.settle()


async def test_a_reminder_leads_to_a_new_message_if_the_old_one_was_deleted(room: Any) -> None:
    message = await planned(room, hours=30)
    await comes(room, room.ben, message)
    await deleted(room, message)
    await at(room, (await the_night(room)).starts_at - 30 * MINUTE_MS)
    night = await the_night(room)
    shown, reminder = room.channel.history()[-2:]
    assert shown.id == night.message_id != message.id
    assert "ben" in said(shown)
    assert f"/{night.message_id}" in str(reminder.components)
    event = await room.bot.get_guild(room.guild.id).fetch_scheduled_event(night.event_id)
    assert str(night.message_id) in event.description
    await comes(room, room.cleo, shown)
    assert "cleo" in now(room, shown)


async def test_a_night_that_is_moved_is_announced_again_if_its_message_was_deleted(room: Any) -> None:
    message = await planned(room, hours=30)
    await deleted(room, message)
    night = await the_night(room)
    await room.bot.app.service(Nights).move(night.id, night.starts_at + 60 * MINUTE_MS, room.ann.id)
    await said_all(room)
    night = await the_night(room)
    assert night.message_id != message.id
    listed = said((await room.ben.slash(room.channel, "night list")).response)
    assert f"/{night.message_id})" in listed
    assert [call.kind for call in await due(room, night)] == ["day", "soon", "start"]


async def test_a_deleted_message_of_a_night_that_is_off_stays_deleted(room: Any) -> None:
    message = await planned(room, hours=30)
    await deleted(room, message)
    before = len(room.channel.history())
    await room.bot.app.service(Nights).cancel(1, by=room.ann.id)
    await said_all(room)
    assert len(room.channel.history()) == before
