"""Telling a server once that channels or roles in its settings were deleted."""

from __future__ import annotations

import structlog
from msgspec.structs import replace
from typing_extensions import override

from bot.core.service import Service
from bot.features.settings.server_handlers import gone_words
from bot.features.table import TablePublisher
from bot.locales import Words
from bot.store.database import StoreError
from bot.store.servers import Server
from bot.ui.app import App
from bot.ui.effective_settings import deleted
from bot.ui.live.server_news import tell_server
from bot.ui.outbox import Outbox

log = structlog.get_logger(__name__)


class DeletedThings(Service):
    """Compares the settings of a server with its channels and roles."""

    def __init__(self, app: App) -> None:
        self._app = app

    @override
    def removed(self, guild_id: int) -> None:
        self._app.tasks.spawn(self._look(guild_id), f"deleted things of server {guild_id}")

    @override
    def allowed(self, guild_id: int) -> None:
        """Look for what was deleted while the bot was away."""
        self.removed(guild_id)

    async def _look(self, guild_id: int) -> None:
        servers = self._app.preferences.servers
        guild = self._app.service(Outbox).client.get_guild(guild_id)
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

        def text(say: Words) -> str:
            return say("server.gone_told", what=gone_words(gone, say))

        locale = server.locale or guild.preferred_locale.value
        publisher = self._app.service(TablePublisher)
        await tell_server(publisher.outbox, publisher.messenger, guild, text, locale)

    async def _was_noted(self, guild_id: int, gone: set[int]) -> bool:
        """Note that these are deleted. Return whether that was noted before."""
        before = [False]

        def note(kept: Server) -> Server:
            before[0] = gone <= set(kept.deleted)
            return kept if before[0] else replace(kept, deleted=tuple(sorted(gone)))

        await self._app.preferences.servers.change(guild_id, note)
        return before[0]
