"""Loading a stored table: for a press, as fast as may be; for who wants to know that it replays, in whole."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bot.core.errors import Refused
from bot.store import games as store
from bot.store.database import Database
from bot.store.games import Stored
from bot.store.snapshots import Unusable
from bot.table.table import RECENT_EVENTS, Table
from bot.table.table_context import TableContext

log = structlog.stdlib.get_logger(__name__)


async def load_table(database: Database, table_id: int, make: Callable[[Stored], Table]) -> Table:
    """A table from its rows, as `make` makes it: from its last snapshot, or from its deal where there is none
    that can be used.

    Raises:
        Refused: `no_table`.
        StoreError: the database did not answer.
        Refusal, ValueError, LookupError: it does not replay under this version.
    """
    try:
        return make(await _rows(database, table_id, RECENT_EVENTS))
    except Unusable:
        log.warning("snapshot not used", table=table_id)
        return make(await _rows(database, table_id, None))


async def follow(database: Database, table: Table) -> None:
    """Bring a table in memory up to its rows, where another process may have changed it.

    Raises:
        StoreError: the database did not answer.
    """
    place = await database.read_at_once(lambda c: store.place(c, table.id))
    if place is not None and place.revision > table.stored.revision and not table.busy:
        await table.read_again()


async def read_table(database: Database, table_id: int) -> Table:
    """A table outside of the bot, replayed from its deal: for an operator, a backup, a restore. Nothing is
    changed.

    Raises:
        Refused: `no_table`.
        StoreError: the database did not answer.
        Refusal, ValueError, LookupError: it does not replay under this version.
    """
    return Table(TableContext.alone(database), await _rows(database, table_id, None))


async def _rows(database: Database, table_id: int, after_snapshot: int | None) -> Stored:
    found = await database.read_at_once(
        lambda connection: store.whole(connection, table_id, after_snapshot=after_snapshot)
    )
    if found is None:
        raise Refused("no_table", table=table_id)
    return found
