"""Replaying a stored table outside the bot: for an operator, a backup, a restore. Nothing is changed."""

from __future__ import annotations

from bot.store import games as store
from bot.store.database import Database
from bot.tables.ports import Refused
from bot.tables.table import Table, TableContext


async def read_table(database: Database, table_id: int) -> Table:
    """A table from its rows, replayed.

    Raises:
        Refused: `no_table`.
        StoreTrouble: the database did not answer.
        Refusal, ValueError, LookupError: it does not replay under this version.
    """
    found = await database.read_at_once(lambda connection: store.whole(connection, table_id))
    if found is None:
        raise Refused("no_table", table=table_id)
    return Table(TableContext.alone(database), found)
