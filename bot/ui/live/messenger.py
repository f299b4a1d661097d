"""Messages to people, each delivered in the way and the language that its reader chose."""

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
"""The URL of a channel of a server, or of a message in it."""
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
    """Sends messages to people in a channel or privately.

    A message in a channel uses the language of the channel. A direct message uses the one that its reader
    chose in `/settings`, else that of their Discord, else that of the channel.
    """

    def __init__(self, outbox: Outbox, members: Members) -> None:
        self._outbox = outbox
        self._members = members

    async def words_for(self, user_id: int, locale: str) -> Words:
        """Return the strings for a private message to a person.

        `locale` is the language used if theirs is not known.
        """
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
        """Send a person a direct message. Return whether that was possible.

        Links to channels that they cannot see are left out, and the text says so.

        Args:
            locale: The language used if that of the person is not known.
            once: The occasion. Within a few minutes Discord treats a second message about it to them as the
                first.
            urgent: Whether devices may ring in the person's night.
        """
        say, silent = await self.words_for(user_id, locale), not urgent and await self._rests(user_id)
        buttons = list(controls(say))
        reachable = [button for button in buttons if not await self._leads_nowhere(button, user_id)]
        content = text(say) if reachable == buttons else f"{text(say)}\n-# {say('table.out_of_sight')}"
        await self._outbox.token()
        try:
            channel = await self._outbox.client.create_dm(discord.Object(user_id))
            parts = Notification(content, reachable, silent=silent).parts()
            await self._outbox.token()  # the first message to a person takes two calls
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
        """Send these people a text, each in the way they chose.

        People who want direct messages get one, or a mention if they accept none. People who cannot see the
        channel get a direct message, since a mention would not reach them. `aloud` is the text for the
        channel if no one is mentioned there, or None to post nothing. Return the message in the channel, if
        there is one.
        """
        mentioned = list[int]()
        blind = await self._members.blind(place.guild_id, place.channel_id, users)
        for user_id in dict.fromkeys(users):
            preference = (await self._outbox.preferences.of(user_id)).pings
            is_direct = preference == "direct" or (preference == "mention" and user_id in blind)
            if is_direct and await self.write_to(user_id, text, controls, locale=locale):
                continue
            if preference != "none" and user_id not in blind:
                mentioned.append(user_id)
        spoken = text if mentioned else aloud
        if spoken is None:
            return None
        say = words(locale)
        content = mentioning(mentioned, spoken(say))
        return await self.post(place, content, users=mentioned, controls=controls(say))

    async def post(
        self, place: Place, text: str, *, users: Sequence[int] = (), controls: Sequence[Control] = ()
    ) -> discord.Message | None:
        """Post a notification that mentions these people in a channel. Return None if it was not posted.

        No device rings if all of them are asleep or on holiday.
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
        channel = CHANNEL.match(getattr(control, "url", None) or "")
        if channel is None:
            return False
        return user_id in await self._members.blind(int(channel[1]), int(channel[2]), [user_id])

    async def _rests(self, user_id: int) -> bool:
        """Return whether a person is on holiday, or wants no reminders because it is night for them."""
        prefs, now = await self._outbox.preferences.of(user_id), self._outbox.clock.now()
        return prefs.holiday > now or night_ends(prefs, now) > 0
