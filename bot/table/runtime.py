"""The running of the tables: start and stop, deadlines, opponents, heartbeats and hourly work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import structlog

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.core.errors import Refused, Stale
from bot.core.lease_holder import LeaseHolder
from bot.core.scheduler import Scheduler
from bot.core.service import Service
from bot.core.tasks import Tasks
from bot.store import games as store
from bot.store import queries
from bot.store.database import Database, StoreError
from bot.store.games import Deadline
from bot.store.prefs import Prefs, prefs_of
from bot.table import results
from bot.table.game_runner import DueAtTable, GameRunner
from bot.table.game_statistics import GameStatistics
from bot.table.people.contacts import Contacts
from bot.table.ports import Thinker
from bot.table.publisher import Publisher
from bot.table.results import AtEnd
from bot.table.storage.loader import Loader
from bot.table.storage.resting import TooManyRest
from bot.table.storage.retention import Keeping, Retention
from bot.table.storage.table_cache import TableCache
from bot.table.table import Table
from bot.table.timers import Timers
from bot.table.turns import OWED, POST_GAME
from bot.table.upkeep import UPKEEP, Upkeep
from engine.game import Event

log = structlog.get_logger(__name__)

AHEAD_SECONDS = 10.0
"""Seconds that deadlines are looked up in advance. Longer than the time between two looks."""
MOST_DUE = 200
"""Maximum number of deadlines taken up at a time. The rest follows a few seconds later."""
MOST_STUCK = 20_000
"""Maximum number of deadlines read in addition because they have rung already."""
MOST_UNSHOWN = 500
"""Number of tables with an outdated message that are looked up at a time."""
LONGEST_UPKEEP = 3 * 3600.0
"""Seconds that a round of upkeep may take: old games are folded by the thousand."""


class TableRuntime:
    """Runs the tables of one process while it holds the lease.

    It answers deadlines, lets opponents play, shows changes, and renews the lease. Features are called back
    through `at_end`, `ended` and `attach`.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        thinker: Thinker,
        publisher: Publisher,
        *,
        lease_holder: LeaseHolder,
        tasks: Tasks,
        cache: TableCache,
        loader: Loader,
        contacts: Contacts,
        pace: float,
        rest_anyway: bool,
        keeping: Keeping | None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._thinker = thinker
        self._publisher = publisher
        self._lease_holder = lease_holder
        self._tasks = tasks
        self._cache = cache
        self._loader = loader
        self._contacts = contacts
        self._rest_anyway = rest_anyway
        self.scheduler = Scheduler(clock, tasks.spawn)
        retention = Retention(database, clock, thinker, keeping)
        self.upkeep = Upkeep(
            database, clock, loader.get, retention, self.scheduler, shards=lease_holder.shards
        )
        self._statistics = GameStatistics(database, thinker, self.scheduler)
        self._timers = Timers(clock, lease_holder.now, self._rang)
        self.at_end: list[AtEnd] = []
        """Callbacks of features in the transaction that stores the results of a game."""
        self.ended: list[Callable[[Table], None]] = [self._statistics.note]
        """Callbacks for each table that is over or closed, called once."""
        self._game_runner = GameRunner(
            clock,
            thinker,
            publisher,
            self.scheduler,
            pace=pace,
            prefs=self._prefs,
            at_end=self.at_end,
        )
        due = {**self._game_runner.due, POST_GAME: self._statistics.compute}
        for kind, handler in due.items():
            self.scheduler.handle(kind, partial(self._answer, handler))
        self._shown: dict[int, Table] = {}
        """Tables whose message was updated since the last heartbeat."""

    # -- start and stop ---------------------------------------------------------------------

    async def open(self) -> None:
        """Wait for the lease, then take up the work that is due. Tables stay in the database until someone
        uses them.

        Raises:
            StoreError: the database cannot be used.
            TooManyRest: this version cannot replay what people play.
        """
        await self._lease_holder.take()
        self._tasks.open()
        if not self._rest_anyway:
            try:
                await self._loader.try_some(self._clock)
            except TooManyRest:
                await self._lease_holder.give_back()
                raise
        for deadline in await self._look_ahead():
            if deadline.kind in OWED:
                self.scheduler.trigger(deadline.kind, deadline)  # the process that worked on it is gone
        interval = self._lease_holder.renew_every
        self.scheduler.keep("catch up", self._catch_up)
        self.scheduler.keep("heartbeat", self._beat, first=interval, retry=Backoff(interval, factor=1.0))
        self.scheduler.keep(UPKEEP, self.upkeep.round, first=interval, longest=LONGEST_UPKEEP)

    async def _catch_up(self) -> None:
        """Count what an earlier release left uncounted, show unshown changes, and retry the tables that rest.

        Nothing is left to do after the first round that succeeds.
        """
        if self._lease_holder.shards.first:
            await self._database.write_at_once(results.catch_up)
        for table_id in await self._database.read_at_once(
            lambda c: queries.resting(c, self._lease_holder.shards)
        ):
            await self.resume(table_id)
        before: int | None = None
        while unshown := await self._database.read_at_once(
            partial(queries.unshown, most=MOST_UNSHOWN, shards=self._lease_holder.shards, before=before)
        ):
            for table_id in unshown:
                await self.resume(table_id)
            before = unshown[-1]

    def attach(self, service: Service) -> None:
        """Connect a service to the scheduler and to hourly work."""
        for kind, handler in service.due.items():
            self.scheduler.handle(kind, handler)
        self.upkeep.hourly.append(service.hourly)

    def begin(self, table: Table) -> None:
        """Start the work for a table that was opened in mid-game, and show it."""
        self._game_runner.go_on(table)
        self._publisher.came_back(table)

    async def resume(self, table_id: int) -> None:
        """Load a table, continue its work and show it, unless it rests.

        Raises:
            StoreError: it could not be read.
        """
        try:
            self.begin(await self._loader.get(table_id))
        except Refused:
            return  # the table rests
        except StoreError:
            raise
        except Exception as error:
            log.error("table does not come back", table=table_id, exc_info=error)

    def halt(self) -> None:
        """Start no more turns, deadlines or heartbeats. Work in progress continues."""
        self._tasks.halt()
        self._timers.close()

    async def drain(self) -> None:
        """Wait for the changes of tables that are in progress."""
        for table in self._cache.values():
            await table.drain()

    async def end_tasks(self) -> None:
        """End the background tasks. Changes in progress are still completed."""
        await self._tasks.end()
        await self._loader.end()

    async def close(self) -> None:
        """Stop timers, opponents and tasks, and give back the lease. Another process can then continue the
        games."""
        self.halt()
        await self.end_tasks()
        if not self._lease_holder.lost:
            await self._store_shown()
        self._cache.clear()
        await self._lease_holder.give_back()
        await self._thinker.close()

    # -- changes of a table -----------------------------------------------------------------

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Show a change of a table, and continue its work."""
        self._cache.touch(table)
        self._publisher.changed(table, events)
        self._game_runner.go_on(table)
        if table.phase in ("over", "cancelled"):
            for ended in self.ended:
                ended(table)

    def host_changed(self, table: Table) -> None:
        """Ask the new host of a lobby about everyone whom the previous host has not answered."""
        if table.phase == "lobby" and table.stored.terms.knocks:
            self._tasks.spawn(self._ask_again(table), f"knocks at {table.id}")

    async def _ask_again(self, table: Table) -> None:
        knocks = table.stored.terms.knocks
        unavailable = await self._contacts.apart(table.stored.host_id, [knock.user for knock in knocks])
        for knock in knocks:
            if knock.user not in unavailable:
                self._publisher.knocked(table, knock)

    def note_shown(self, table: Table) -> None:
        """Remember that a table's message shows another edition. The next heartbeat stores it."""
        self._shown[table.id] = table

    def rescheduled(self, table: Table) -> None:
        """Replace the timers of a table by its deadlines."""
        self._timers.replace(table.id, table.deadlines)

    async def reload_tables_of(self, user_id: int) -> None:
        """Reload the cached tables of a person whom another process has deleted."""
        for table in self._cache.values():
            if table.seats_of(user_id):
                try:
                    await table.read_again()
                except (StoreError, Refused) as error:
                    log.warning("not read again yet", table=table.id, why=str(error))

    async def _prefs(self, user_id: int) -> Prefs:
        return await self._database.read_at_once(lambda c: prefs_of(c, user_id))

    # -- time -------------------------------------------------------------------------------

    def _rang(self, deadline: Deadline) -> None:
        self.scheduler.add(deadline.kind, deadline)

    async def _answer(self, handler: DueAtTable, deadline: Deadline) -> None:
        """Answer a deadline that is due, unless the table has replaced it."""
        try:
            table = await self._loader.get(deadline.game_id)
            if deadline in table.deadlines:
                await handler(table, deadline)
        except Stale:
            return

    async def _look_ahead(self) -> list[Deadline]:
        until = self._lease_holder.now() + int(1000 * max(AHEAD_SECONDS, 3 * self._lease_holder.renew_every))
        # read more than those that have rung without an answer, or they would block all others for ever
        most = MOST_DUE + min(self._timers.rung, MOST_STUCK)
        due = await self._database.read_at_once(
            lambda c: queries.due(c, until, most, self._lease_holder.shards)
        )
        # if there are more than were read, nothing is known about the time after the last of them
        self._timers.found(due, until if len(due) < most else due[-1].due_at)
        return due

    async def _beat(self) -> float | None:
        """Renew the lease and do the work that comes with it. Return None once another process has the
        lease."""
        if await self._lease_holder.renew():
            await self._store_shown()
            await self._clear_doubts()
            await self._look_ahead()
            self._cache.sweep()
            await self._database.tidy()
        return None if self._lease_holder.lost else self._lease_holder.renew_every

    async def _store_shown(self) -> None:
        shown, self._shown = self._shown, {}
        if not shown:
            return
        editions = {table_id: table.stored.shown for table_id, table in shown.items()}
        try:
            await self._database.write_at_once(lambda c: store.mark_shown(c, editions))
        except StoreError as error:
            self._shown = {**shown, **self._shown}
            log.warning("not stored what is shown", kind=error.kind)

    async def _clear_doubts(self) -> None:
        """Check the tables whose last change is in doubt: their deadlines in memory may be wrong."""
        for table in [table for table in self._cache.values() if table.in_doubt]:
            try:
                await table.clear_doubt()
            except (Refused, StoreError):
                log.info("still in doubt", table=table.id)
            except Exception as error:
                log.error("table stays in doubt", table=table.id, exc_info=error)
