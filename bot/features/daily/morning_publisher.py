"""Posting the morning message."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import discord

from bot.features.daily.morning_messages import morning_message
from bot.features.daily.morning_rows import Morning, Summary
from bot.features.table import TablePublisher
from bot.locales import Words
from bot.table.ports import DiscordFailure
from bot.ui import discord_errors
from bot.ui.errors import permission_names
from bot.ui.live.server_news import tell_server
from bot.ui.notification import nonce_of
from bot.ui.outbox import Place, is_passing

MORNING_SECONDS = 30.0
"""So long is waited for Discord to take a morning: others wait behind it."""


class MorningPublisher:
    """Posts mornings in their channels."""

    def __init__(self, publisher: TablePublisher) -> None:
        self._publisher = publisher
        self._outbox = publisher.outbox

    async def morning(self, channel_id: int, morning: Morning, summary: Summary) -> None:
        """Post the results of yesterday's deals and the deals of today. It mentions nobody.

        Raises:
            DiscordFailure: it could not be posted.
        """
        place = Place(channel_id, morning.guild_id)
        await self._outbox.token()
        try:
            with self._outbox.call():
                async with asyncio.timeout(MORNING_SECONDS):
                    await self._outbox.channel(place).send(
                        view=morning_message(summary, morning.locale).view,
                        nonce=nonce_of(("morning", summary.day, channel_id)),
                        allowed_mentions=discord.AllowedMentions.none(),
                    )
        except discord_errors.NOT_DONE as error:
            if (
                is_passing(error)
                or not isinstance(error, discord.HTTPException)
                or discord_errors.is_page(error)
            ):
                raise DiscordFailure("discord", passing=True, why=discord_errors.reason(error)) from error
            if error.code == discord_errors.UNKNOWN_CHANNEL:
                raise DiscordFailure("gone", gone=True) from error
            found = self._outbox.hindrance(place, error)
            key = found.key if found.key == "rights" else "refused"
            raise DiscordFailure(key, rights=found.rights, code=error.code) from error

    async def departed(self, guild_id: int, users: Sequence[int]) -> set[int]:
        """Return the people of these who are no longer members of a server, as far as that is known."""
        return await self._publisher.members.departed(guild_id, users)

    async def tell_hindered(self, channel_id: int, morning: Morning, hindered: DiscordFailure) -> None:
        """Tell the server why the summary could not be posted."""
        guild = self._outbox.client.get_guild(morning.guild_id)
        if guild is None:  # the bot has left it
            return

        def text(say: Words) -> str:
            return say(
                f"morning.told_{hindered.key}",
                channel=f"<#{channel_id}>",
                permissions=permission_names(list(hindered.facts.get("rights", ())), say.language),
                code=hindered.facts.get("code", 0),
            )

        await tell_server(self._publisher.outbox, self._publisher.messenger, guild, text, morning.locale)
