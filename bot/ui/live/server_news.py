"""Messages to a whole server."""

from __future__ import annotations

import discord
import structlog

from bot.locales import words
from bot.ui.discord_errors import NOT_DONE, reason
from bot.ui.live.messenger import Messenger, Text
from bot.ui.notification import Notification
from bot.ui.outbox import Outbox, Place

log = structlog.get_logger(__name__)


def first_channel(guild: discord.Guild) -> discord.TextChannel | None:
    """Return the system channel, or else the first text channel where the bot may write.

    Announcement channels do not count, since other servers follow them.
    """
    channels = (guild.system_channel, *(channel for channel in guild.text_channels if not channel.is_news()))
    return next((channel for channel in channels if channel is not None and _may_write(channel)), None)


def _may_write(channel: discord.TextChannel) -> bool:
    return channel.permissions_for(channel.guild.me).send_messages


async def tell_server(
    outbox: Outbox, messenger: Messenger, guild: discord.Guild, text: Text, locale: str
) -> None:
    """Post a text in a server's system channel, in its language, or else send it to the owner."""
    channel = guild.system_channel
    if channel is not None and _may_write(channel):
        notice = text(words(locale))
        try:
            await outbox.notify(Place(channel.id, guild.id), Notification(notice))
        except NOT_DONE as error:
            log.info("not told in the server", guild=guild.id, why=reason(error))
        else:
            return
    if guild.owner_id is not None:
        await messenger.write_to(guild.owner_id, text, locale=locale)
