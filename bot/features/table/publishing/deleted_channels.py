"""Tables whose channel or thread was deleted."""

from __future__ import annotations

import structlog
from typing_extensions import override

from bot import presenters
from bot.core.service import Service
from bot.features.table.publishing.publisher import TablePublisher
from bot.locales import Words
from bot.store.database import StoreError
from bot.table.registry import Tables
from bot.table.table import Table

log = structlog.get_logger(__name__)


class DeletedChannels(Service):
    """Tells the players of live games whose channel was deleted how to show them elsewhere.

    Tournament matches move automatically.
    """

    def __init__(self, tables: Tables, publisher: TablePublisher) -> None:
        self._tables = tables
        self._publisher = publisher

    @override
    def channel_deleted(self, channel_id: int, guild_id: int) -> None:
        """Send a message to the players of this channel's or thread's tables."""
        self._tables.tasks.spawn(self._tell_players(channel_id), f"deleted channel {channel_id}")

    async def _tell_players(self, channel_id: int) -> None:
        try:
            for table in await self._tables.in_channel(channel_id):
                if table.phase == "live" and not table.asleep and not table.stored.terms.tournament:
                    await _tell(self._publisher, table)
        except StoreError as error:
            log.warning("players of a deleted channel not told", channel=channel_id, kind=error.kind)


async def _tell(publisher: TablePublisher, table: Table) -> None:
    def text(say: Words) -> str:
        game = presenters.title(table.game.key, say.language)
        return say("table.channel_deleted", game=game, table=table.id)

    for sitter in table.sitters:
        user_id = sitter.user_id
        if user_id is not None and (await publisher.outbox.preferences.of(user_id)).pings != "none":
            await publisher.messenger.write_to(user_id, text, locale=table.stored.locale)
