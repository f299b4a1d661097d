"""The opening of tables: a lobby, a match of a tournament, or a game that begins at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.clock import Clock
from bot.core.errors import Refused, Titles
from bot.core.lease_holder import LeaseHolder
from bot.core.tasks import Tasks
from bot.core.unit import find_out, make
from bot.store import games as store
from bot.store import people
from bot.store.database import Database, StoreError
from bot.store.games import Deadline, Entry, Sitter, Stored, StoredGame
from bot.store.terms import Terms
from bot.table.people.friendly_games import newcomers_among
from bot.table.people.quotas import Quotas, check_opening
from bot.table.storage.loader import Loader
from bot.table.table import Table
from engine import catalog
from engine.fair import Commitment
from engine.game import AnyGame, Value


class TableOpener:
    """Stores new tables, and refuses them if a quota is full or the game is not offered.

    `rescheduled` sets the timers of a table. `resume` starts the work of a table by its number.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        loader: Loader,
        *,
        rescheduled: Callable[[Table], None],
        resume: Callable[[int], Awaitable[None]],
        lease_holder: LeaseHolder,
        tasks: Tasks,
        accounts: Mapping[int, str],
        quotas: Quotas,
        offers: Callable[[str], bool],
        lobby_minutes: int,
    ) -> None:
        self._database = database
        self._clock = clock
        self._loader = loader
        self._rescheduled = rescheduled
        self._resume = resume
        self._lease_holder = lease_holder
        self._tasks = tasks
        self._accounts = accounts
        self._quotas = quotas
        self._offers = offers
        self.lobby_ms = lobby_minutes * 60_000
        self._opening = asyncio.Lock()

    async def open_lobby(
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
        stored = self.new_game(
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
        closes_at = self._lease_holder.now() + self.lobby_ms
        return await self.open(
            stored, sitters, due=lambda table_id: (Deadline(table_id, "lobby", -1, closes_at),)
        )

    async def open_match(
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
        stored = self.new_game(
            game,
            options,
            terms,
            host_id=host_id,
            channel_id=channel_id,
            guild_id=guild_id,
            locale=locale,
        )
        return await self.open(stored, [], unbounded=True)

    def new_game(
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
        fair, now = Commitment.fresh(), self._clock.now()
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

    async def open(
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
                connection, names, stored.created_at, guild_id=stored.guild_id, accounts=self._accounts
            )
            return Stored(stored, sitters, list(journal), deadlines)

        def find(connection: Connection) -> Stored | None:
            return store.find(connection, stored)

        async with self._opening:  # concurrent presses must count each other
            try:
                rows = await make(self._database, write, find)
            except StoreError as error:
                if (
                    error.kind == "unknown" and not stored.terms.tournament
                ):  # a tournament finds its own tables
                    self._tasks.spawn(self._find_out(find), "table in doubt")
                raise
        table = self._loader.keep(rows)
        self._rescheduled(table)
        return table

    async def _find_out(self, find: Callable[[Connection], Stored | None]) -> None:
        """Show a table whose opening was in doubt, as soon as the database confirms it."""
        rows = await find_out(self._database, self._clock, find)
        if rows is not None:
            await self._resume(rows.game.id)
