"""What is on its way to Discord when the bot stops arrives, and is written down."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import Any

import discord
import pytest

from bot import client
from bot.features.table.publishing.publisher import TablePublisher
from bot.table import lobby
from bot.ui import channel_budget as slots
from bot.ui.outbox import Outbox
from tests.support.tables.tables import at_hand
from tests.support.waiting import LIMIT_SECONDS, turns, until


def ask(room: Any, sql: str) -> Any:
    with closing(sqlite3.connect(room.bot.app.database.place.file)) as connection:
        return connection.execute(sql).fetchone()[0]


async def test_a_table_that_is_just_being_posted_is_not_posted_again(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were the call cut off, nobody would know that the message stands there, and it would come twice."""
    await room.ann.slash(room.channel, "play", game="probe")
    (table,) = at_hand(room.bot.tables).values()
    asked, door, send = asyncio.Event(), asyncio.Event(), discord.PartialMessageable.send

    async def slowly(*args: Any, **words: Any) -> Any:
        sent = await send(*args, **words)
        asked.set()
        await door.wait()
        return sent

    monkeypatch.setattr(discord.PartialMessageable, "send", slowly)
    monkeypatch.setattr(slots, "GATHER_MS", 0)
    await table.set_place(room.channel.id, None, guild_id=room.guild.id)
    room.bot.app.service(TablePublisher).show_again(table)
    await asyncio.wait_for(asked.wait(), LIMIT_SECONDS)
    closing_down = asyncio.create_task(room.bot.close())
    await until(lambda: room.bot.app.service(Outbox)._halted)  # from here on nothing is waited for but this
    await turns()
    assert not closing_down.done()
    door.set()
    await closing_down
    assert ask(room, "SELECT message_id FROM games") == room.channel.last_message.id


async def test_a_stop_does_not_wait_for_what_has_not_begun(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.ann.slash(room.channel, "play", game="probe")
    (table,) = at_hand(room.bot.tables).values()
    monkeypatch.setattr(room.bot.tables.clock, "sleep", asyncio.sleep)
    monkeypatch.setattr(slots, "SLOT_MS", 600_000)
    monkeypatch.setattr(client, "DRAIN_SECONDS", 600)
    stands = table.stored.message_id
    await lobby.join(table, 77, "Dora", 7)
    await until(lambda: room.bot.app.service(Outbox)._busy)
    async with asyncio.timeout(LIMIT_SECONDS):
        await room.bot.close()
    assert (table.stored.message_id, room.channel.last_message.id) == (stands, stands)
    assert ask(room, "SELECT edition > shown FROM games") == 1  # the next start shows it
