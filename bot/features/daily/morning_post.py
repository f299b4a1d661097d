"""Posting the morning message."""

from __future__ import annotations

import asyncio

import discord

from bot.features.daily.morning_messages import morning_message
from bot.features.daily.morning_rows import Morning, Summary
from bot.tables.ports import Hindered
from bot.ui import errors
from bot.ui.outbox import Outbox, Place, is_passing

MORNING_SECONDS = 30.0
"""So long is waited for Discord to take a morning: others wait behind it."""


class MorningPost:
    """Posts mornings in their channels."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    async def morning(self, channel_id: int, morning: Morning, summary: Summary) -> None:
        """Post how yesterday's deals went and what today brings; calls nobody.

        Raises:
            Hindered: it could not be posted.
        """
        place = Place(channel_id, morning.guild_id)
        await self._outbox.token()
        try:
            with self._outbox.call():
                async with asyncio.timeout(MORNING_SECONDS):
                    await self._outbox.channel(place).send(
                        view=morning_message(summary, morning.locale).view,
                        nonce=f"{summary.day[5:]} {channel_id:x}",
                        allowed_mentions=discord.AllowedMentions.none(),
                    )
        except errors.NOT_DONE as error:
            if is_passing(error) or not isinstance(error, discord.HTTPException):
                raise Hindered("discord", passing=True, why=errors.reason(error)) from error
            found = self._outbox.hindrance(place, error)
            raise Hindered(found.key, rights=found.rights, code=found.code) from error
