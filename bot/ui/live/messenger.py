"""Messages to people, each in the way and the language that its reader chose."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import discord
import structlog

from bot.locales import Words, words
from bot.store.time_zones import night_ends
from bot.ui import discord_errors
from bot.ui.components import Control
from bot.ui.live.members import Members
from bot.ui.notification import Notification, Occasion, nonce_of
from bot.ui.outbox import Outbox, Place

log = structlog.get_logger(__name__)

CHANNEL: Final = re.compile(r"https://discord\.com/channels/(\d+)/(\d+)")
"""The address of a channel of a server, or of a message in it."""
Text: TypeAlias = Callable[[Words], str]
"""A text in any language."""
Controls: TypeAlias = Callable[[Words], Sequence[Control]]
"""Buttons in any language."""


def no_controls(_say: Words) -> Sequence[Control]:
    """Return no buttons."""
    return ()


def mentioning(users: Sequence[int], text: str) -> str:
    """Return a text that begins with mentions of these people."""
    return " ".join([*(f"<@{user}>" for user in users), text])


class Messenger:
    """Writes to people in a channel or alone.

    A message in a channel speaks the language of the channel. A direct message speaks the one that its
    reader chose in `/settings`, else that of their Discord, else that of the channel.
    """

    def __init__(self, outbox: Outbox, members: Members) -> None:
        self._outbox = outbox
        self._members = members

    async def words_for(self, user_id: int, locale: str) -> Words:
        """Return the strings in which to write to a person alone. `locale` is the language used if theirs is
        not known."""
        prefs = await self._outbox.preferences.of(user_id)
        return words(prefs.locale or prefs.discord_locale or locale)

    async def write_to(
        self,
        user_id: int,
        text: Text,
        controls: Controls = no_controls,
        *,
        locale: str,
        once: Occasion | None = None,
        urgent: bool = False,
    ) -> bool:
        """Write to a person alone. Return whether that was possible.

        Links to channels that they can't see are left out, and the text says so.

        Args:
            locale: The language used if that of the person is not known.
            once: The occasion; within a few minutes Discord takes a second message to them for the first.
            urgent: Whether devices may ring in the person's night.
        """
        say, silent = await self.words_for(user_id, locale), not urgent and await self._rests(user_id)
        ways = list(controls(say))
        left = [way for way in ways if not await self._leads_nowhere(way, user_id)]
        written = text(say) if left == ways else f"{text(say)}\n-# {say('table.out_of_sight')}"
        await self._outbox.token()
        try:
            channel = await self._outbox.client.create_dm(discord.Object(user_id))
            parts = Notification(written, left, silent=silent).parts()
            await self._outbox.token()  # a first letter takes two calls
            if once is None:
                await channel.send(**parts)
            else:
                await channel.send(**parts, nonce=nonce_of((*once, "to", user_id)))
        except discord_errors.NOT_DONE as error:
            log.info("not written", why=discord_errors.reason(error))
            return False
        return True

    async def tell(
        self,
        place: Place,
        locale: str,
        users: Sequence[int],
        text: Text,
        controls: Controls = no_controls,
        *,
        aloud: Text | None = None,
    ) -> discord.Message | None:
        """Tell these people something, each in the way that they chose.

        People who want direct messages get one, or a mention if they accept none. People who can't see the
        channel get a direct message, since a mention would not reach them. `aloud` is what the channel
        reads if no one is to be mentioned there; None for nothing. Return the message in the channel, if
        there is one.
        """
        mentioned = list[int]()
        blind = await self._members.blind(place.guild_id, place.channel_id, users)
        for user_id in dict.fromkeys(users):
            way = (await self._outbox.preferences.of(user_id)).pings
            alone = way == "direct" or (way == "mention" and user_id in blind)
            if alone and await self.write_to(user_id, text, controls, locale=locale):
                continue
            if way != "none" and user_id not in blind:
                mentioned.append(user_id)
        spoken = text if mentioned else aloud
        if spoken is None:
            return None
        say = words(locale)
        told = mentioning(mentioned, spoken(say))
        return await self.post(place, told, users=mentioned, controls=controls(say))

    async def post(
        self, place: Place, text: str, *, users: Sequence[int] = (), controls: Sequence[Control] = ()
    ) -> discord.Message | None:
        """Post a notification in a channel that mentions these people. Return None if it was not posted.

        No device rings if it is night, or holidays, for all of them.
        """
        if not place.channel_id:
            return None
        silent = bool(users) and all([await self._rests(user) for user in users])
        try:
            return await self._outbox.notify(place, Notification(text, controls, users=users, silent=silent))
        except discord_errors.NOT_DONE as error:
            log.info("not posted", channel=place.channel_id, why=discord_errors.reason(error))
            return None

    async def _leads_nowhere(self, control: Control, user_id: int) -> bool:
        """Return whether a button links to a channel of a server that this person can't see."""
        found = CHANNEL.match(getattr(control, "url", None) or "")
        if found is None:
            return False
        return user_id in await self._members.blind(int(found[1]), int(found[2]), [user_id])

    async def _rests(self, user_id: int) -> bool:
        """Return whether a person is on holiday, or wants no reminders because it is night for them."""
        prefs, now = await self._outbox.preferences.of(user_id), self._outbox.clock.now()
        return prefs.holiday > now or night_ends(prefs, now) > 0
