"""Access to every table of the bot, both in memory and in the database."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

import structlog
from cachetools import LRUCache
from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.core.errors import Refused, Stale, Titles
from bot.core.lease_holder import LeaseHolder
from bot.core.scheduler import Scheduler
from bot.core.service import Service
from bot.core.tasks import Tasks
from bot.core.unit import find_out, make
from bot.store import finished, people, queries
from bot.store import games as store
from bot.store.database import Database, StoreError
from bot.store.games import Deadline, Entry, Sitter, Stored, StoredGame
from bot.store.prefs import Prefs, prefs_of
from bot.store.queries import TableLine
from bot.store.terms import Terms
from bot.table import results
from bot.table.daily import is_sealed, opens_at
from bot.table.game_runner import DueAtTable, GameRunner
from bot.table.game_statistics import GameStatistics
from bot.table.journal import replayed, standing
from bot.table.people.contacts import Contacts
from bot.table.people.friendly_games import newcomers_among
from bot.table.people.quotas import Quotas, check_opening
from bot.table.ports import Thinker
from bot.table.publisher import Publisher
from bot.table.results import AtEnd
from bot.table.storage.loader import Loader
from bot.table.storage.resting import TooManyRest
from bot.table.storage.retention import Keeping, Retention
from bot.table.storage.table_cache import TableCache
from bot.table.table import Table
from bot.table.table_context import TableContext
from bot.table.timers import Timers
from bot.table.turns import OWED, POST_GAME
from bot.table.upkeep import UPKEEP, Upkeep
from engine import catalog, record
from engine.fair import Commitment
from engine.game import AnyGame, Event, Value

log = structlog.get_logger(__name__)

MOST_ACCOUNTS = 20_000
AHEAD_SECONDS = 10.0
"""Seconds that deadlines are looked up in advance. Longer than the time between two looks."""
MOST_DUE = 200
"""Maximum number of deadlines taken up at a time. The rest follows a few seconds later."""
MOST_STUCK = 20_000
"""Maximum number of deadlines read in addition because they have rung already."""
MOST_LISTED = 25
"""Maximum number of tables of a channel that are looked up."""
MOST_OF_PERSON = 100
"""Maximum number of tables of a person. Quotas are far lower, but do not count tables that sleep or that
others opened."""
MOST_IN_THREADS = 100
"""Maximum number of tables looked up in addition in the threads of a channel."""
MOST_UNSHOWN = 500
"""Number of tables with an outdated message that are looked up at a time."""
LONGEST_UPKEEP = 3 * 3600.0
"""Seconds that a round of upkeep may take: old games are folded by the thousand."""


class Tables:
    """Every table of the bot. Loads a table when someone uses it; all others are only rows."""

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
        shards = self.lease_holder.shards
        self.tasks = tasks or Tasks()
        self.scheduler = Scheduler(clock, self.spawn)
        self.cache = TableCache(clock.monotonic)
        self.lobby_ms = lobby_minutes * 60_000
        self._quotas = quotas or Quotas()
        self._rest_anyway = rest_anyway
        self._offers = offers
        retention = Retention(database, clock, thinker, keeping)
        self.upkeep = Upkeep(database, clock, self.get, retention, self.scheduler, shards=shards)
        self._statistics = GameStatistics(database, thinker, self.scheduler)
        self._timers = Timers(clock, self.lease_holder.now, self._rang)
        self.at_end: list[AtEnd] = []
        """Callbacks of features in the transaction that stores the results of a game."""
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
        self.accounts: LRUCache[int, str] = LRUCache(MOST_ACCOUNTS)
        """Account names of people seen since the start. Only stored games keep them."""
        self._context = TableContext(
            database,
            clock,
            now=self.lease_holder.now,
            wall=self.lease_holder.wall,
            find=self.get,
            changed=self._changed,
            rescheduled=self._rescheduled,
            shown=self._note_shown,
            host_changed=self._ask_new_host,
            accounts=self.accounts,
        )
        self._loader = Loader(
            database, self.cache, self.lease_holder, publisher, make=self._make, offers=offers
        )
        self._opening = asyncio.Lock()
        self._shown: dict[int, Table] = {}
        """Tables whose message was updated since the last heartbeat."""
        self.ended: list[Callable[[Table], None]] = [self._statistics.note]
        """Callbacks for each table that is over or closed, called once."""

    # -- opening and closing ----------------------------------------------------------------

    async def open(self) -> None:
        """Wait for the lease, then take up the work that is due. Tables stay in the database until someone
        uses them.

        Raises:
            StoreError: the database cannot be used.
            TooManyRest: this version cannot replay what people play.
        """
        await self.lease_holder.take()
        self.tasks.open()
        if not self._rest_anyway:
            try:
                await self._loader.try_some(self.clock)
            except TooManyRest:
                await self.lease_holder.give_back()
                raise
        for deadline in await self._look_ahead():
            if deadline.kind in OWED:
                self.scheduler.trigger(deadline.kind, deadline)  # the process that worked on it is gone
        interval = self.lease_holder.renew_every
        self.scheduler.keep("catch up", self._catch_up)
        self.scheduler.keep("heartbeat", self._beat, first=interval, retry=Backoff(interval, factor=1.0))
        self.scheduler.keep(UPKEEP, self.upkeep.round, first=interval, longest=LONGEST_UPKEEP)

    async def _catch_up(self) -> None:
        """Count what an earlier release left uncounted, show unshown changes, and retry the tables that rest.

        Nothing is left to do after the first round that succeeds.
        """
        if self.lease_holder.shards.first:
            await self.database.write_at_once(results.catch_up)
        for table_id in await self.database.read_at_once(
            lambda c: queries.resting(c, self.lease_holder.shards)
        ):
            await self._come_back(table_id)
        before: int | None = None
        while unshown := await self.database.read_at_once(
            partial(queries.unshown, most=MOST_UNSHOWN, shards=self.lease_holder.shards, before=before)
        ):
            for table_id in unshown:
                await self._come_back(table_id)
            before = unshown[-1]

    def attach(self, service: Service) -> None:
        """Connect a service to the scheduler and to hourly work."""
        for kind, handler in service.due.items():
            self.scheduler.handle(kind, handler)
        self.upkeep.hourly.append(service.hourly)

    def begin(self, table: Table) -> None:
        """Start the work for a table that was opened in mid-game, and show it."""
        self._game_runner.go_on(table)
        self.publisher.came_back(table)

    async def _come_back(self, table_id: int) -> None:
        try:
            self.begin(await self.get(table_id))
        except Refused:
            return  # the table rests
        except StoreError:
            raise
        except Exception as error:
            log.error("table does not come back", table=table_id, exc_info=error)

    def halt(self) -> None:
        """Start no more turns, deadlines or heartbeats. Work in progress continues."""
        self.tasks.halt()
        self._timers.close()

    async def drain(self) -> None:
        """Wait for the changes of tables that are in progress."""
        for table in self.cache.values():
            await table.drain()

    async def end_tasks(self) -> None:
        """End the background tasks. Changes in progress are still completed."""
        await self.tasks.end()
        await self._loader.end()

    async def close(self) -> None:
        """Stop timers, opponents and tasks, and give back the lease. Another process can then continue the
        games."""
        self.halt()
        await self.end_tasks()
        if not self.lease_holder.lost:
            await self._store_shown()
        self.cache.clear()
        await self.lease_holder.give_back()
        await self.thinker.close()

    # -- tables -----------------------------------------------------------------------------

    async def new(
        self,
        game_key: str,
        *,
        host_id: int,
        host_name: str,
        entropy: int,
        channel_id: int,
        guild_id: int | None,
        locale: str,
        options: Mapping[str, Value],
        terms: Terms,
        opponents: Sequence[Sitter] = (),
        host_at: int = 0,
    ) -> Table:
        """Open a lobby where the host and these opponents have sat down. `host_at` is the seat of the host.

        Raises:
            Refused: the person, the channel or the server has as many open as it may, or the game is not
                offered.
            IllegalSetup: the options do not go together.
            StoreError: it could not be stored.
        """
        game = catalog.get(game_key)
        chosen = {**game.defaults(), **options}
        seats = game.seats(chosen)
        game.setup(seats[0] if seats else 0, b"", **chosen)  # refuses what cannot be played
        stored = self.fresh(
            game,
            chosen,
            terms,
            host_id=host_id,
            channel_id=channel_id,
            guild_id=guild_id,
            locale=locale,
        )
        sitters = list(opponents)
        sitters.insert(host_at, Sitter(host_name, user_id=host_id, entropy=entropy))
        closes_at = self.lease_holder.now() + self.lobby_ms
        return await self.open_table(
            stored, sitters, due=lambda table_id: (Deadline(table_id, "lobby", -1, closes_at),)
        )

    async def new_match(
        self,
        game_key: str,
        *,
        host_id: int,
        channel_id: int,
        guild_id: int,
        locale: str,
        options: Mapping[str, Value],
        terms: Terms,
    ) -> Table:
        """Open a table for the people whom its terms invite; see `bot.table.lobby.await_players`.

        Raises:
            Refused: the game is not offered.
            StoreError: it could not be stored.
        """
        game = catalog.get(game_key)
        stored = self.fresh(
            game,
            options,
            terms,
            host_id=host_id,
            channel_id=channel_id,
            guild_id=guild_id,
            locale=locale,
        )
        return await self.open_table(stored, [], unbounded=True)

    def fresh(
        self,
        game: AnyGame,
        options: Mapping[str, Value],
        terms: Terms,
        *,
        host_id: int,
        channel_id: int,
        guild_id: int | None,
        locale: str,
    ) -> StoredGame:
        """Return a new game that is not stored yet.

        Raises:
            Refused: the game is not offered.
        """
        if not self._offers(game.key):
            raise Refused("not_offered", game=Titles((game.key,)))
        fair, now = Commitment.fresh(), self.clock.now()
        return StoredGame(
            game=game.key,
            version=game.version,
            options=dict(options),
            terms=terms,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=host_id,
            locale=locale,
            seed=fair.seed,
            nonce=fair.nonce,
            created_at=now,
            touched_at=now,
            edition=1,  # no message shows it yet
        )

    async def open_table(
        self,
        stored: StoredGame,
        sitters: list[Sitter],
        journal: Sequence[Entry] = (),
        *,
        due: Callable[[int], tuple[Deadline, ...]] = lambda _table_id: (),
        also: Callable[[Connection, int], None] = lambda _connection, _table_id: None,
        unbounded: bool = False,
    ) -> Table:
        """Store a new table, with the entries that its journal already has.

        `due` returns the deadlines of the table with this number. `also` is called in the same transaction.

        Raises:
            Refused: a quota is full, unless `unbounded`.
            StoreError: it could not be stored.
        """

        def write(connection: Connection) -> Stored:
            if not unbounded:
                check_opening(connection, stored, self._quotas)
            if stored.phase == "lobby" and not stored.terms.tournament:
                user_ids = {*(who.user_id or 0 for who in sitters), *stored.terms.order} - {0}
                stored.terms = replace(stored.terms, newcomers=newcomers_among(connection, user_ids))
            stored.id = store.create(connection, stored, sitters, journal)
            deadlines = due(stored.id)
            store.set_deadlines(connection, stored.id, deadlines)
            also(connection, stored.id)
            names = {sitter.user_id: sitter.name for sitter in sitters if sitter.user_id is not None}
            people.remember(
                connection, names, stored.created_at, guild_id=stored.guild_id, accounts=self.accounts
            )
            return Stored(stored, sitters, list(journal), deadlines)

        def find(connection: Connection) -> Stored | None:
            return store.find(connection, stored)

        async with self._opening:  # concurrent presses must count each other
            try:
                rows = await make(self.database, write, find)
            except StoreError as error:
                if (
                    error.kind == "unknown" and not stored.terms.tournament
                ):  # a tournament finds its own tables
                    self.spawn(self._find_out(find), "table in doubt")
                raise
        # another task may have loaded it meanwhile, if its storing was in doubt
        table = self.cache.get(rows.game.id) or self._make(rows)
        self.cache.touch(table)
        self._rescheduled(table)
        return table

    async def _find_out(self, find: Callable[[Connection], Stored | None]) -> None:
        """Show a table whose opening was in doubt, as soon as the database confirms it."""
        rows = await find_out(self.database, self.clock, find)
        if rows is not None:
            await self._come_back(rows.game.id)

    async def get(self, table_id: int) -> Table:
        """Return a table, open or closed, loading it if it is not in memory.

        Raises:
            Refused: `no_table`; `resting` if this version cannot replay it; `other_shard` if another process
                plays it.
            StoreError: it could not be read.
        """
        return await self._loader.get(table_id)

    def _make(self, rows: Stored) -> Table:
        return Table(self._context, rows)

    async def of_user(self, user_id: int) -> list[Table]:
        """Return the open tables at which a person sits: first those that wait for them, last those that
        sleep."""
        table_ids = await self.database.read_at_once(lambda c: queries.seats_of(c, user_id, MOST_OF_PERSON))
        tables = await self._loader.those(table_ids)

        def order(table: Table) -> tuple[bool, bool, int]:
            return table.asleep, not set(table.waiting()) & set(table.seats_of(user_id)), -table.id

        return sorted(tables, key=order)

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

    # -- background work --------------------------------------------------------------------

    def spawn(self, work: Coroutine[object, object, object], name: str) -> None:
        """Start a short task in the background; see `Tasks`."""
        self.tasks.spawn(work, name)

    def _changed(self, table: Table, events: Sequence[Event]) -> None:
        self.cache.touch(table)
        self.publisher.changed(table, events)
        self._game_runner.go_on(table)
        if table.phase in ("over", "cancelled"):
            for ended in self.ended:
                ended(table)

    def _ask_new_host(self, table: Table) -> None:
        """Ask the new host of a lobby about everyone whom the previous host has not answered."""
        if table.phase == "lobby" and table.stored.terms.knocks:
            self.spawn(self._ask_again(table), f"knocks at {table.id}")

    async def _ask_again(self, table: Table) -> None:
        knocks = table.stored.terms.knocks
        unavailable = await self.contacts.apart(table.stored.host_id, [knock.user for knock in knocks])
        for knock in knocks:
            if knock.user not in unavailable:
                self.publisher.knocked(table, knock)

    def _note_shown(self, table: Table) -> None:
        """Remember that a table's message shows another edition. The next heartbeat stores it."""
        self._shown[table.id] = table

    async def _clear_doubts(self) -> None:
        """Check the tables whose last change is in doubt: their deadlines in memory may be wrong."""
        for table in [table for table in self.cache.values() if table.in_doubt]:
            try:
                await table.clear_doubt()
            except (Refused, StoreError):
                log.info("still in doubt", table=table.id)
            except Exception as error:
                log.error("table stays in doubt", table=table.id, exc_info=error)

    async def _prefs(self, user_id: int) -> Prefs:
        return await self.database.read_at_once(lambda c: prefs_of(c, user_id))

    async def _store_shown(self) -> None:
        shown, self._shown = self._shown, {}
        if not shown:
            return
        editions = {table_id: table.stored.shown for table_id, table in shown.items()}
        try:
            await self.database.write_at_once(lambda c: store.mark_shown(c, editions))
        except StoreError as error:
            self._shown = {**shown, **self._shown}
            log.warning("not stored what is shown", kind=error.kind)

    # -- time -------------------------------------------------------------------------------

    def _rescheduled(self, table: Table) -> None:
        self._timers.replace(table.id, table.deadlines)

    def _rang(self, deadline: Deadline) -> None:
        self.scheduler.add(deadline.kind, deadline)

    async def _answer(self, handler: DueAtTable, deadline: Deadline) -> None:
        """Answer a deadline that is due, unless the table has replaced it."""
        try:
            table = await self.get(deadline.game_id)
            if deadline in table.deadlines:
                await handler(table, deadline)
        except Stale:
            return

    async def _look_ahead(self) -> list[Deadline]:
        until = self.lease_holder.now() + int(1000 * max(AHEAD_SECONDS, 3 * self.lease_holder.renew_every))
        # read more than those that have rung without an answer, or they would block all others for ever
        most = MOST_DUE + min(self._timers.rung, MOST_STUCK)
        due = await self.database.read_at_once(
            lambda c: queries.due(c, until, most, self.lease_holder.shards)
        )
        # if there are more than were read, nothing is known about the time after the last of them
        self._timers.found(due, until if len(due) < most else due[-1].due_at)
        return due

    async def _beat(self) -> float | None:
        """Renew the lease and do the work that comes with it. Return None once another process has the
        lease."""
        if await self.lease_holder.renew():
            await self._store_shown()
            await self._clear_doubts()
            await self._look_ahead()
            self.cache.sweep()
            await self.database.tidy()
        return None if self.lease_holder.lost else self.lease_holder.renew_every
