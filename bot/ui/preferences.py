"""What people, channels and servers prefer: read once for each, and kept in memory while they are about."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Generic, TypeVar

import structlog
from cachetools import LRUCache
from sqlalchemy import Connection

from bot.store import notices, servers
from bot.store import prefs as store
from bot.store.backend.locks import one_at_a_time
from bot.store.database import Database, StoreError
from bot.store.prefs import Pictures, Prefs
from bot.store.servers import Opening, Server

log = structlog.get_logger(__name__)
MOST_PEOPLE = 20_000
MOST_CHANNELS = 20_000
MOST_SERVERS = 20_000
T = TypeVar("T")


class CachedRows(Generic[T]):
    """Settings of one kind, by the id of whose they are."""

    def __init__(
        self,
        database: Database,
        default: T,
        read: Callable[[Connection, int], T],
        write: Callable[[Connection, int, T], None] | None = None,
        *,
        kind: str,
        most: int,
    ) -> None:
        """`kind` names it to other processes (`bot.store.notices`). Without `write` each change brings its
        own."""
        self._database = database
        self.kind = kind
        self._default = default
        self._read = read
        self._write = write
        self._known: LRUCache[int, T] = LRUCache(most)
        self._changes = 0
        """How often something may have changed: what was read before that is not remembered after it."""

    def known(self, whose: int) -> T:
        """What is known already; the defaults where that is nothing."""
        return self._known.get(whose) or self._default

    async def of(self, whose: int) -> T:
        """What is set; the defaults while the database does not answer."""
        found = self._known.get(whose)
        if found is None:
            before = self._changes
            try:
                found = await self._database.read_at_once(lambda c: self._read(c, whose))
            except StoreError as trouble:
                log.info("preferences not read", kind=trouble.kind)
                return self._default
            if self._changes == before:
                self._known[whose] = found
        return found

    async def put(self, whose: int, value: T) -> None:
        """Keep this, whatever was set: see `change`."""
        await self.change(whose, lambda _: value)

    async def change(
        self,
        whose: int,
        change: Callable[[T], T],
        write: Callable[[Connection, int, T], None] | None = None,
    ) -> None:
        """Change what is set, as it is stored: what `of` says may be the defaults, or older than what
        somebody else has just set.

        Raises:
            StoreError: it was not stored, or nobody can tell: then it is read again when it is asked for.
            TypeError: neither this change nor this kind of settings says how it is written.
        """
        put = write or self._write
        if put is None:
            raise TypeError(f"nothing writes {self.kind}")

        def store_it(connection: Connection) -> T:
            one_at_a_time(connection, self.kind, whose)
            value = change(self._read(connection, whose))
            put(connection, whose, value)
            notices.tell(connection, self.kind, whose)
            return value

        try:
            value = await self._database.write_at_once(store_it)
        except BaseException:
            self.forget(whose)  # where the answer was lost, it may have been stored
            raise
        self._changes += 1
        self._known[whose] = value

    def forget(self, whose: int | None = None) -> None:
        """Read again what is set there, or everywhere."""
        self._changes += 1
        if whose is None:
            self._known.clear()
        else:
            self._known.pop(whose, None)


class Preferences:
    """Preferences by person, by channel and by server."""

    def __init__(self, database: Database) -> None:
        self._people = CachedRows(database, Prefs(), store.prefs_of, kind="person", most=MOST_PEOPLE)
        self.channels = CachedRows(
            database,
            Pictures(),
            store.pictures_of,
            store.put_pictures,
            kind="pictures",
            most=MOST_CHANNELS,
        )
        """How channels show pictures."""
        self.openings = CachedRows(
            database,
            Opening(),
            servers.opening_of,
            servers.put_opening,
            kind="opening",
            most=MOST_CHANNELS,
        )
        """How tables of channels begin."""
        self.servers = CachedRows(
            database, Server(), servers.server_of, servers.put_server, kind="server", most=MOST_SERVERS
        )
        """What holds in servers."""

    def known(self, user_id: int) -> Prefs:
        """What is known already; the defaults where that is nothing."""
        return self._people.known(user_id)

    async def of(self, user_id: int) -> Prefs:
        """What a person prefers; the defaults while the database does not answer."""
        return await self._people.of(user_id)

    async def put(self, user_id: int, name: str, prefs: Prefs, at: int) -> None:
        """Keep this, whatever a person preferred: see `change`."""
        await self.change(user_id, name, lambda _: prefs, at)

    async def change(self, user_id: int, name: str, change: Callable[[Prefs], Prefs], at: int) -> None:
        """Change what a person of this name prefers, as it is stored: see `CachedRows.change`.

        Raises:
            StoreError: as `CachedRows.change`.
        """

        def write(connection: Connection, whose: int, prefs: Prefs) -> None:
            store.put_prefs(connection, whose, name, prefs, at)

        await self._people.change(user_id, change, write)

    async def note_language(self, user_id: int, name: str, locale: str, at: int) -> None:
        """Remember the language of the Discord of a person who wants direct messages; of others forget it."""
        try:
            await self.change(user_id, name, lambda prefs: store.with_language(prefs, locale), at)
        except StoreError as trouble:
            log.info("language not noted", kind=trouble.kind)

    def forget(self, user_id: int) -> None:
        """Know nothing of a person any more."""
        self._people.forget(user_id)

    def forget_server(self, guild_id: int, channels: Collection[int]) -> None:
        """Know nothing of a server and its channels any more: the bot has left it."""
        self.servers.forget(guild_id)
        for channel_id in channels:
            self.channels.forget(channel_id)
            self.openings.forget(channel_id)

    def invalidate(self, kind: str, whose: int) -> None:
        """Drop cached settings that another process has changed (`bot.store.notices`)."""
        if kind in ("person", "forgotten"):
            self.forget(whose)
        for kept in (self.channels, self.openings, self.servers):
            if kept.kind == kind:
                kept.forget(whose)

    def invalidate_all(self) -> None:
        """Drop all cached settings, because notices of other processes may have been missed."""
        for kept in (self._people, self.channels, self.openings, self.servers):
            kept.forget()
