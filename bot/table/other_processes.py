"""Tables of other processes, if the servers are divided among several (`bot.store.shards`)."""

from __future__ import annotations

import structlog
from sqlalchemy import Connection

from bot.core.errors import Refused
from bot.store import games as store
from bot.store import queries
from bot.store.database import StoreError
from bot.table.ports import OtherShard
from bot.table.registry import MOST_OF_PERSON, Tables

log = structlog.get_logger(__name__)


async def tables_in_other_processes(tables: Tables, user_id: int) -> list[OtherShard]:
    """Return a person's open tables that belong to other processes. Empty if there is only one process."""
    if tables.lease_holder.shards.whole:
        return []

    def read(connection: Connection) -> list[OtherShard]:
        ids = queries.seats_of(connection, user_id, MOST_OF_PERSON)
        places = [place for each in ids if (place := store.place(connection, each))]
        theirs = [place for place in places if not tables.lease_holder.owns(place.guild_id)]
        return [OtherShard(place.id, place.guild_id, place.channel_id) for place in theirs]

    return await tables.database.read_at_once(read)


async def reload_tables_of(tables: Tables, user_id: int) -> None:
    """Reload the cached tables of a person whom another process has deleted."""
    for table in tables.cache.values():
        if table.seats_of(user_id):
            try:
                await table.read_again()
            except (StoreError, Refused) as error:
                log.warning("not read again yet", table=table.id, why=str(error))
