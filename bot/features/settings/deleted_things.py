"""Telling a server once that channels or roles in its settings were deleted."""

from __future__ import annotations

import discord
import structlog
from msgspec.structs import replace
from typing_extensions import override

from bot.features.settings.server_handlers import gone_words
from bot.locales import words
from bot.store.database import StoreError
from bot.store.servers import Server
from bot.tables.service import Service
from bot.ui.app import App
from bot.ui.effective_settings import deleted
from bot.ui.errors import NOT_DONE, reason
from bot.ui.notification import Notification
from bot.ui.outbox import Place

log = structlog.get_logger(__name__)


class DeletedThings(Service):
    """Compares the settings of a server with its channels and roles."""

    def __init__(self, app: App) -> None:
        self._app = app

    @override
    def removed(self, guild_id: int) -> None:
        self._app.tables.spawn(self._look(guild_id), f"deleted things of server {guild_id}")

    @override
    def allowed(self, guild_id: int) -> None:
        """Look for what was deleted while the bot was away."""
        self.removed(guild_id)

    async def _look(self, guild_id: int) -> None:
        servers, guild = self._app.preferences.servers, self._app.publisher.outbox.client.get_guild(guild_id)
        try:
            server = await servers.of(guild_id)
            gone = deleted(server, guild)
            now = {each for which in gone.values() for each in which}
            if guild is None or now <= set(server.deleted):
                return
            # noted before it is said: neither a restart nor a second look may tell it twice
            if await self._was_noted(guild_id, now):
                return
        except StoreError as found:
            log.info("settings of a server not compared", guild=guild_id, why=found.kind)
            return
        say = words(server.locale or guild.preferred_locale.value)
        await self._tell(guild, say("server.gone_told", what=gone_words(gone, say)))

    async def _was_noted(self, guild_id: int, gone: set[int]) -> bool:
        """Note that these are deleted. Return whether that was noted before."""
        before = [False]

        def note(kept: Server) -> Server:
            before[0] = gone <= set(kept.deleted)
            return kept if before[0] else replace(kept, deleted=tuple(sorted(gone)))

        await self._app.preferences.servers.change(guild_id, note)
        return before[0]

    async def _tell(self, guild: discord.Guild, text: str) -> None:
        """Say it in the server's channel for news of the system, or else to its owner."""
        channel, publisher = guild.system_channel, self._app.publisher
        if channel is not None and channel.permissions_for(guild.me).send_messages:
            try:
                await publisher.outbox.notify(Place(channel.id, guild.id), Notification(text))
            except NOT_DONE as error:
                log.info("not told in the server", guild=guild.id, why=reason(error))
            else:
                return
        if guild.owner_id is not None:
            await publisher.write_to(guild.owner_id, text)
