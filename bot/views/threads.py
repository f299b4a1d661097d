"""Threads of tables: under a lobby, beside a table that is dealt at once, hidden where it is private."""

from __future__ import annotations

from collections.abc import Sequence

import discord
import structlog

from bot.locales import words
from bot.tables.table import Table
from bot.views import errors
from bot.views.context import Pressed

log = structlog.get_logger(__name__)

LONGEST = 100
"""The most signs that Discord takes for the name of a thread."""


def thread_name(pressed: Pressed, table: Table) -> str:
    """What the thread of a table is called, in the table's language."""
    say = words(table.stored.locale)
    return say("place.thread_name", game=pressed.app.title(table), table=table.id)[:LONGEST]


async def hidden(channel: discord.TextChannel, name: str) -> discord.Thread:
    """A thread that only its members see, and to which they bring nobody."""
    return await channel.create_thread(name=name, type=discord.ChannelType.private_thread, invitable=False)


async def bring_in(pressed: Pressed, thread: discord.Thread, users: Sequence[int]) -> None:
    """Make these people members of a private thread."""
    for user in users:
        await pressed.app.publisher.outbox.token(pressed=True)
        try:
            await thread.add_user(discord.Object(user))
        except errors.NOT_DONE as error:
            log.info("not brought into a private thread", why=errors.reason(error))


async def thread_beside(pressed: Pressed, table: Table) -> discord.Thread | None:
    """A thread for a table that no message stands for yet, in which it is shown from now on; None where
    Discord opens none: then the table stays in its channel."""
    channel = pressed.interaction.channel
    if not isinstance(channel, discord.TextChannel):
        return None
    private, name = table.stored.terms.access == "private", thread_name(pressed, table)
    open_type = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    await pressed.app.publisher.outbox.token(pressed=True)
    try:
        thread = await (
            hidden(channel, name) if private else channel.create_thread(name=name, type=open_type)
        )
    except errors.NOT_DONE as error:
        log.info("no thread for a table", table=table.id, why=errors.reason(error))
        return None
    await table.placed(thread.id, None, guild_id=table.stored.guild_id)
    if private:
        pressed.tables.spawn(bring_in(pressed, thread, table.people()), f"thread of table {table.id}")
    return thread
