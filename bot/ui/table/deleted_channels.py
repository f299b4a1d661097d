"""Tables whose channel or thread was deleted."""

from __future__ import annotations

import structlog

from bot import presenters
from bot.locales import words
from bot.store.database import StoreError
from bot.tables.table import Table
from bot.tables.tables import Tables
from bot.ui.live.publisher import TablePublisher

log = structlog.get_logger(__name__)


async def tell_players(tables: Tables, publisher: TablePublisher, channel_id: int) -> None:
    """Write to the people whose games go on without a channel how to show them elsewhere.

    Matches move by themselves.
    """
    try:
        found = await tables.in_channel(channel_id)
        for table in found:
            if table.phase == "live" and not table.asleep and not table.stored.terms.tournament:
                await _tell(publisher, table)
    except StoreError as error:
        log.warning("players of a deleted channel not told", channel=channel_id, kind=error.kind)


async def _tell(publisher: TablePublisher, table: Table) -> None:
    locale = table.stored.locale
    game = presenters.get(table.game.key).title(locale)
    text = words(locale)("table.channel_deleted", game=game, table=table.id)
    for sitter in table.sitters:
        user_id = sitter.user_id
        if user_id is not None and (await publisher.outbox.preferences.of(user_id)).pings != "none":
            await publisher.write_to(user_id, text)
