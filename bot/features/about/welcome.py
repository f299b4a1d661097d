"""The first words in a server that the bot was added to."""

from __future__ import annotations

import structlog
from msgspec.structs import replace
from typing_extensions import override

from bot.core.service import Service
from bot.locales import Words, words
from bot.store.database import StoreError
from bot.store.servers import Server
from bot.ui import slots
from bot.ui.app import App
from bot.ui.discord_errors import NOT_DONE, reason
from bot.ui.live.server_news import first_channel
from bot.ui.notification import Notification
from bot.ui.outbox import Outbox, Place

log = structlog.get_logger(__name__)


def welcome(say: Words) -> Notification:
    """Return the introduction of the bot, with buttons to play and to learn. It pings no one."""
    return Notification(say("welcome.text"), slots.WELCOME.controls(say, None))


class Welcome(Service):
    """Introduces the bot in a new server, once.

    A server that removes the bot counts as new when its settings are gone, thirty days later.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    @override
    def joined(self, guild_id: int) -> None:
        self._app.tasks.spawn(self._welcome(guild_id), f"welcome in server {guild_id}")

    async def _welcome(self, guild_id: int) -> None:
        outbox = self._app.service(Outbox)
        guild = outbox.client.get_guild(guild_id)
        channel = first_channel(guild) if guild is not None else None
        if guild is None or channel is None:
            log.info("no welcome: no channel to write in", guild=guild_id)
            return
        try:
            # noted before it is said: neither a restart nor another process may say it twice
            before = await self._note(guild_id)
        except StoreError as found:
            log.info("no welcome: not noted", guild=guild_id, why=found.kind)
            return
        if before.welcomed:
            return
        text = welcome(words(before.locale or guild.preferred_locale.value))
        try:
            # the occasion holds back a second bot with this token and a database of its own
            await outbox.notify(Place(channel.id, guild_id), text, once=("welcome", guild_id))
        except NOT_DONE as error:
            log.warning("welcome not sent", guild=guild_id, why=reason(error))

    async def _note(self, guild_id: int) -> Server:
        """Note that the bot has introduced itself. Return the settings as they were before."""
        before = Server()

        def note(kept: Server) -> Server:
            nonlocal before
            before = kept
            return replace(kept, welcomed=True)

        await self._app.preferences.servers.change(guild_id, note)
        return before
