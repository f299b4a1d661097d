"""Threads of tables: under a lobby, for a table dealt at once, or private for a private table."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any

import discord
import structlog

from bot.features.table.names import title_of
from bot.locales import words
from bot.table.table import Table
from bot.ui import discord_errors
from bot.ui.context import Pressed
from bot.ui.outbox import ARCHIVE_MINUTES, Outbox

log = structlog.get_logger(__name__)

LONGEST = 100
"""Discord's limit for the name of a thread, in characters."""


def thread_name(table: Table) -> str:
    """Return the name of a table's thread, in the table's language."""
    say = words(table.stored.locale)
    return say("place.thread_name", game=title_of(table), table=table.id)[:LONGEST]


async def hidden(channel: discord.TextChannel, name: str) -> discord.Thread:
    """Open a private thread whose members cannot invite others."""
    return await channel.create_thread(
        name=name,
        type=discord.ChannelType.private_thread,
        invitable=False,
        auto_archive_duration=ARCHIVE_MINUTES,
    )


async def bring_in(pressed: Pressed, thread: discord.Thread, users: Sequence[int]) -> None:
    """Add these people to a private thread."""
    for user in users:
        await pressed.service(Outbox).token(pressed=True)
        try:
            await thread.add_user(discord.Object(user))
        except discord_errors.NOT_DONE as error:
            log.info("not brought into a private thread", why=discord_errors.reason(error))


def dealt_in(table: Table, thread: discord.Thread) -> str:
    """Return the text of a lobby whose game is played in a thread."""
    say = words(table.stored.locale)
    game = title_of(table)
    return say("lobby.dealt_in_thread", game=game, table=table.id, thread=thread.mention)


async def thread_under(
    pressed: Pressed, table: Table, below: discord.PartialMessage
) -> discord.Thread | None:
    """Open a thread for a table under the message of its lobby, or a private thread if the table is private.

    Return None if Discord refuses.
    """
    channel = pressed.service(Outbox).client.get_channel(table.stored.channel_id)
    name = thread_name(table)
    if table.stored.terms.access == "private" and isinstance(channel, discord.TextChannel):
        return await _opened(pressed, table, hidden(channel, name))
    return await _opened(
        pressed, table, below.create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES)
    )


async def thread_beside(pressed: Pressed, table: Table) -> discord.Thread | None:
    """Open a thread for a table without a message, and show the table there from now on.

    Return None if Discord refuses; the table then stays in its channel.
    """
    channel, name = pressed.interaction.channel, thread_name(table)
    if not isinstance(channel, discord.TextChannel):
        return None
    if table.stored.terms.access == "private":
        return await _opened(pressed, table, hidden(channel, name))
    open_type = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    opening = channel.create_thread(name=name, type=open_type, auto_archive_duration=ARCHIVE_MINUTES)
    return await _opened(pressed, table, opening)


async def _opened(
    pressed: Pressed, table: Table, opening: Coroutine[Any, Any, discord.Thread]
) -> discord.Thread | None:
    """Open a thread, move the table there and add its people if the thread is private."""
    try:
        await pressed.service(Outbox).token(pressed=True)
        thread = await opening
    except discord_errors.NOT_DONE as error:
        log.info("no thread for a table", table=table.id, why=discord_errors.reason(error))
        return None
    finally:
        opening.close()  # in case it was never awaited
    await table.set_place(thread.id, None, guild_id=table.stored.guild_id)
    if table.stored.terms.access == "private":
        pressed.app.tasks.spawn(bring_in(pressed, thread, table.people()), f"thread of table {table.id}")
    return thread
