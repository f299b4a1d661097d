"""Loading of tables from their rows, each only once. Tables that do not replay rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import structlog

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.core.lease_holder import LeaseHolder
from bot.core.single_flight import SingleFlight
from bot.store import games as store
from bot.store import queries
from bot.store.database import Database, StoreError
from bot.store.games import Stored
from bot.table.ports import OtherShard
from bot.table.publisher import Publisher
from bot.table.storage import resting
from bot.table.storage.rebuild import follow, load_table
from bot.table.storage.resting import NotOffered, TooManyRest
from bot.table.storage.table_cache import TableCache
from bot.table.table import Table

log = structlog.get_logger(__name__)


class Loader:
    """A loader of tables from their rows into the cache.

    `make` builds a table from its rows. `offers` tells if a game has texts and pictures here.
    """

    def __init__(
        self,
        database: Database,
        cache: TableCache,
        lease_holder: LeaseHolder,
        publisher: Publisher,
        *,
        make: Callable[[Stored], Table],
        offers: Callable[[str], bool],
    ) -> None:
        self._database = database
        self._cache = cache
        self._lease_holder = lease_holder
        self._publisher = publisher
        self._make = make
        self._offers = offers
        self._loading = SingleFlight[Table]("load")
        self._resting: set[int] = set()
        """Tables that this process could not replay."""

    async def get(self, table_id: int) -> Table:
        """Return a table, open or closed, loading it if it is not in memory.

        Raises:
            Refused: `no_table`; `resting` if this version cannot replay it; `other_shard` if another process
                plays it.
            StoreError: it could not be read.
        """
        table = self._cache.get(table_id)
        if table is not None:
            self._cache.hits += 1
            if not self._lease_holder.shards.whole and table.stored.guild_id is None:
                await follow(self._database, table)
            return self._cache.touch(table)
        self._cache.missed += 1
        # two concurrent presses must not create two objects for one table
        return await self._loading.do(table_id, lambda: self._load(table_id))

    async def those(self, table_ids: Sequence[int]) -> list[Table]:
        """Return these tables, without those that rest or belong to another process.

        Raises:
            StoreError: one could not be read.
        """
        tables = []
        for table_id in table_ids:
            try:
                tables.append(await self.get(table_id))
            except Refused:
                continue
        return tables

    def keep(self, rows: Stored) -> Table:
        """Return the table of new rows, unless another task has loaded it already."""
        return self._cache.touch(self._cache.get(rows.game.id) or self._make(rows))

    async def try_some(self, clock: Clock) -> None:
        """Replay the tables that were changed last, before the bot connects.

        Raises:
            StoreError: one could not be read.
            TooManyRest: this version cannot replay too many of them.
        """
        began, failed = clock.monotonic(), list[str]()
        shards = self._lease_holder.shards
        table_ids = await self._database.read_at_once(
            lambda c: queries.latest_open(c, resting.TRIAL_TABLES, shards)
        )
        before = set(await self._database.read_at_once(lambda c: queries.resting(c, shards)))
        tried = 0
        for table_id in table_ids:
            if table_id in before:
                continue
            if tried > resting.TRIAL_TABLES // 3 and clock.monotonic() - began > resting.TRIAL_SECONDS:
                break
            tried += 1
            try:
                await self._read(table_id)
            except StoreError:
                raise
            except NotOffered:
                tried -= 1
            except Exception as error:  # noqa: BLE001 - any defect of a table counts
                failed.append(resting.reason_of(error))
        if resting.too_many(len(failed), tried):
            raise TooManyRest(len(failed), tried, failed)

    async def end(self) -> None:
        """Cancel the loads in progress, and wait until they have ended."""
        await self._loading.end()

    async def _load(self, table_id: int) -> Table:
        if table_id in self._resting:
            row = await self._database.read_at_once(lambda c: store.place(c, table_id))
            if row is not None and row.resting:
                raise Refused("resting", table=table_id)
            self._resting.discard(table_id)  # an operator has woken it
        try:
            table = await self._read(table_id)
        except (StoreError, Refused):
            raise
        except Exception as error:
            await self._let_rest(table_id, error)
            raise Refused("resting", table=table_id) from error
        if table.stored.resting:
            await self._database.write_at_once(lambda c: store.mark_resting(c, table_id, ""))
            table.stored.resting = ""
            log.info("table goes on", table=table_id)
        return self._cache.touch(table)

    async def _read(self, table_id: int) -> Table:
        return await load_table(self._database, table_id, self._checked)

    def _checked(self, rows: Stored) -> Table:
        game = rows.game
        if not self._offers(game.game):
            raise NotOffered(game.game)
        if game.phase in store.OPEN_PHASES and not self._lease_holder.owns(game.guild_id):
            raise OtherShard(game.id, game.guild_id, game.channel_id)
        return self._make(rows)

    async def _let_rest(self, table_id: int, error: Exception) -> None:
        """Store that a table does not replay, and tell its channel once."""
        why = resting.reason_of(error)
        self._resting.add(table_id)
        place = await self._database.read_at_once(lambda c: store.place(c, table_id))
        already_resting = place is not None and place.resting
        # log only the place in the code, because values in the traceback could name cards
        (log.info if already_resting else log.error)(
            "table rests", table=table_id, why=why, at=resting.place_of(error)
        )
        if place is None or already_resting or place.phase not in store.OPEN_PHASES:
            return
        await self._database.write_at_once(lambda c: store.mark_resting(c, table_id, why))
        self._publisher.resting(place)
