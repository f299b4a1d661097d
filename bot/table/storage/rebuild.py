"""Loading of a stored table.

A press needs it as fast as possible. An operator or a backup checks that it replays in full.
"""

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
    """Load a table, built by `make`, from its last snapshot, or from its deal if no snapshot is usable.

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
    """Reload a table in memory if another process has changed it.

    Raises:
        StoreError: the database did not answer.
    """
    place = await database.read_at_once(lambda c: store.place(c, table.id))
    if place is not None and place.revision > table.stored.revision and not table.busy:
        await table.read_again()


async def read_table(database: Database, table_id: int) -> Table:
    """Load a table outside of the bot, replayed from its deal, for an operator, a backup or a restore.

    It changes nothing.

    Raises:
        Refused: `no_table`.
        StoreError: the database did not answer.
        Refusal, ValueError, LookupError: it does not replay under this version.
    """
    return Table(TableContext.alone(database), await _rows(database, table_id, None))


async def _rows(database: Database, table_id: int, after_snapshot: int | None) -> Stored:
    rows = await database.read_at_once(
        lambda connection: store.whole(connection, table_id, after_snapshot=after_snapshot)
    )
    if rows is None:
        raise Refused("no_table", table=table_id)
    return rows
