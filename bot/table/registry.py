"""Access to every table of the bot, both in memory and in the database."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from cachetools import LRUCache
from sqlalchemy import Connection

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.core.lease_holder import LeaseHolder
from bot.core.tasks import Tasks
from bot.store import finished, queries
from bot.store import games as store
from bot.store.database import Database
from bot.store.games import Stored
from bot.store.queries import TableLine
from bot.table.daily import is_sealed, opens_at
from bot.table.journal import replayed, standing
from bot.table.opener import TableOpener
from bot.table.people.contacts import Contacts
from bot.table.people.quotas import Quotas
from bot.table.ports import OtherShard, Thinker
from bot.table.publisher import Publisher
from bot.table.runtime import TableRuntime
from bot.table.storage.loader import Loader
from bot.table.storage.retention import Keeping
from bot.table.storage.table_cache import TableCache
from bot.table.table import Table
from bot.table.table_context import TableContext
from engine import record
from engine.game import Event

MOST_ACCOUNTS = 20_000
MOST_LISTED = 25
"""Maximum number of tables of a channel that are looked up."""
MOST_OF_PERSON = 100
"""Maximum number of tables of a person. Quotas are far lower, but do not count tables that sleep or that
others opened."""
MOST_IN_THREADS = 100
"""Maximum number of tables looked up in addition in the threads of a channel."""


class Tables:
    """Every table of the bot. Loads a table when someone uses it; all others are only rows.

    `opener` stores new tables, `runtime` runs those that exist.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        thinker: Thinker,
        publisher: Publisher,
        *,
        pace: float = 1.2,
        lobby_minutes: int = 60,
        quotas: Quotas | None = None,
        lease_holder: LeaseHolder | None = None,
        tasks: Tasks | None = None,
        rest_anyway: bool = False,
        offers: Callable[[str], bool] = lambda _game: True,
        keeping: Keeping | None = None,
    ) -> None:
        self.database = database
        self.clock = clock
        self.publisher = publisher
        self.thinker = thinker
        self.contacts = Contacts(database, clock)
        self.lease_holder = lease_holder or LeaseHolder(database, clock)
        self.tasks = tasks or Tasks()
        self.cache = TableCache(clock.monotonic)
        self.accounts: LRUCache[int, str] = LRUCache(MOST_ACCOUNTS)
        """Account names of people seen since the start. Only stored games keep them."""
        self._loader = Loader(
            database, self.cache, self.lease_holder, publisher, make=self._make, offers=offers
        )
        self.runtime = TableRuntime(
            database,
            clock,
            thinker,
            publisher,
            lease_holder=self.lease_holder,
            tasks=self.tasks,
            cache=self.cache,
            loader=self._loader,
            contacts=self.contacts,
            pace=pace,
            rest_anyway=rest_anyway,
            keeping=keeping,
        )
        self.opener = TableOpener(
            database,
            clock,
            self._loader,
            rescheduled=self.runtime.rescheduled,
            resume=self.runtime.resume,
            lease_holder=self.lease_holder,
            tasks=self.tasks,
            accounts=self.accounts,
            quotas=quotas or Quotas(),
            offers=offers,
            lobby_minutes=lobby_minutes,
        )
        self._context = TableContext(
            database,
            clock,
            now=self.lease_holder.now,
            wall=self.lease_holder.wall,
            find=self._loader.get,
            changed=self.runtime.changed,
            rescheduled=self.runtime.rescheduled,
            shown=self.runtime.note_shown,
            host_changed=self.runtime.host_changed,
            accounts=self.accounts,
        )

    def _make(self, rows: Stored) -> Table:
        return Table(self._context, rows)

    async def get(self, table_id: int) -> Table:
        """Return a table, open or closed, loading it if it is not in memory.

        Raises:
            Refused: `no_table`; `resting` if this version cannot replay it; `other_shard` if another process
                plays it.
            StoreError: it could not be read.
        """
        return await self._loader.get(table_id)

    async def of_user(self, user_id: int) -> list[Table]:
        """Return the open tables at which a person sits: first those that wait for them, last those that
        sleep."""
        table_ids = await self.database.read_at_once(lambda c: queries.seats_of(c, user_id, MOST_OF_PERSON))
        tables = await self._loader.those(table_ids)

        def order(table: Table) -> tuple[bool, bool, int]:
            return table.asleep, not set(table.waiting()) & set(table.seats_of(user_id)), -table.id

        return sorted(tables, key=order)

    async def in_other_processes(self, user_id: int) -> list[OtherShard]:
        """Return a person's open tables that belong to other processes, none if there is only one."""
        if self.lease_holder.shards.whole:
            return []

        def read(connection: Connection) -> list[OtherShard]:
            table_ids = queries.seats_of(connection, user_id, MOST_OF_PERSON)
            places = [place for each in table_ids if (place := store.place(connection, each))]
            theirs = [place for place in places if not self.lease_holder.owns(place.guild_id)]
            return [OtherShard(place.id, place.guild_id, place.channel_id) for place in theirs]

        return await self.database.read_at_once(read)

    async def in_channel(
        self, channel_id: int, threads: Collection[int] = (), *, practice: bool = True
    ) -> list[Table]:
        """Return the open tables of a channel and of these threads, newest first, with or without
        practice."""
        most = MOST_LISTED + (MOST_IN_THREADS if threads else 0)
        table_ids = await self.database.read_at_once(
            lambda c: queries.in_channel(c, channel_id, most, threads, practice=practice)
        )
        return await self._loader.those(table_ids)

    async def games_at(self, user_id: int, channel_id: int) -> list[str]:
        """Return the keys of the games that a person plays, then of those in a channel. No repeats, no
        practice."""
        return await self.database.read_at_once(
            lambda c: queries.keys_at(c, user_id, channel_id, MOST_LISTED)
        )

    async def finished(self, user_id: int, most: int, offset: int = 0) -> tuple[list[finished.Finished], int]:
        """Return one page of a person's finished games, newest first, and the total."""
        return await self.database.read_at_once(lambda c: finished.finished_of(c, user_id, most, offset))

    async def listed(
        self,
        guild_id: int | None,
        user_id: int,
        most: int,
        offset: int = 0,
        *,
        channels: Collection[int] | None = None,
        seeking: bool = False,
    ) -> tuple[list[TableLine], int]:
        """Return one page of the open tables of a server, and the total. Without a server, list those of a
        person.

        See `queries.listed`.
        """
        read = partial(queries.listed, guild_id=guild_id, user_id=user_id, channels=channels, seeking=seeking)
        return await self.database.read_at_once(lambda c: read(c, most, offset))

    async def events(self, table: Table) -> list[Event]:
        """Return everything that happened at a table, from its journal. It is not filtered for any viewer."""
        if table.phase == "lobby" or table.state is None:
            return []
        journal = await self.database.read_at_once(lambda c: store.journal(c, table.id))
        # in a thread, because presses elsewhere must be answered during the replay
        replay = await asyncio.to_thread(replayed, table.game, table.setup(), journal, sys.maxsize)
        return list(replay.recent)

    async def record(self, table: Table) -> record.Record:
        """Return the record of a finished game, with the seed.

        Raises:
            Refused: `record_early` if the game has no end yet or was never finished; `daily_sealed` while
                others may still play the deal of its day.
        """
        if table.outcome() is None:
            raise Refused("record_early")
        if is_sealed(table.stored.terms, self.clock.now()):
            raise Refused("daily_sealed", at=opens_at(table.stored.terms))
        return record.write(
            table.setup(),
            await self.acts(table),
            commitment=table.commitment,
            entropy=table.entropy,
            names=[sitter.name for sitter in table.sitters],
            house_rules=table.stored.terms.house_rules,
        )

    async def acts(self, table: Table) -> list[tuple[int, Any]]:
        """Return the acts of a table from its journal, as pairs of seat and action."""
        journal = await self.database.read_at_once(lambda c: store.journal(c, table.id))
        return [(entry.seat, table.game.action(entry.data)) for entry in standing(journal)]
