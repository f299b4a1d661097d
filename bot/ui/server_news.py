"""Telling a server what its settings need."""

from __future__ import annotations

import discord
import structlog

from bot.ui.errors import NOT_DONE, reason
from bot.ui.live.publisher import TablePublisher
from bot.ui.notification import Notification
from bot.ui.outbox import Place

log = structlog.get_logger(__name__)


async def tell_server(publisher: TablePublisher, guild: discord.Guild, text: str) -> None:
    """Say something in a server's channel for system messages, or else to its owner."""
    channel = guild.system_channel
    if channel is not None and channel.permissions_for(guild.me).send_messages:
        try:
            await publisher.outbox.notify(Place(channel.id, guild.id), Notification(text))
        except NOT_DONE as error:
            log.info("not told in the server", guild=guild.id, why=reason(error))
        else:
            return
    if guild.owner_id is not None:
        await publisher.write_to(guild.owner_id, text)
