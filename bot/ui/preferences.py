"""Cached preferences of people, channels and servers."""

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
    """Cached settings of one kind, by the id of their person, channel or server."""

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
        """Create a cache of one kind of settings.

        Args:
            kind: The name of these settings in notices to other processes (`bot.store.notices`).
            write: Stores changed settings. Without it each change passes its own function.
            most: The number of settings to keep in memory.
        """
        self._database = database
        self.kind = kind
        self._default = default
        self._read = read
        self._write = write
        self._known: LRUCache[int, T] = LRUCache(most)
        self._changes = 0
        """The number of possible changes. A value read before the latest one is not cached."""

    def known(self, whose: int) -> T:
        """Return the cached settings, or the defaults."""
        return self._known.get(whose) or self._default

    async def of(self, whose: int) -> T:
        """Return the settings, or the defaults if the database does not answer."""
        value = self._known.get(whose)
        if value is None:
            changes = self._changes
            try:
                value = await self._database.read_at_once(lambda c: self._read(c, whose))
            except StoreError as error:
                log.info("preferences not read", kind=error.kind)
                return self._default
            if self._changes == changes:
                self._known[whose] = value
        return value

    async def put(self, whose: int, value: T) -> None:
        """Replace the settings; see `change`."""
        await self.change(whose, lambda _: value)

    async def change(
        self,
        whose: int,
        change: Callable[[T], T],
        write: Callable[[Connection, int, T], None] | None = None,
    ) -> None:
        """Change the stored settings. The result of `of` may be out of date, or the defaults.

        Raises:
            StoreError: the change was not stored, or its outcome is unknown. The settings are then read
                again.
            TypeError: neither this change nor this kind of settings has a write function.
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
            self.forget(whose)  # the change may have been stored even if the answer was lost
            raise
        self._changes += 1
        self._known[whose] = value

    def forget(self, whose: int | None = None) -> None:
        """Drop the cached settings of this id, or all of them."""
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
        """The picture settings of channels."""
        self.openings = CachedRows(
            database,
            Opening(),
            servers.opening_of,
            servers.put_opening,
            kind="opening",
            most=MOST_CHANNELS,
        )
        """The defaults for new tables in channels."""
        self.servers = CachedRows(
            database, Server(), servers.server_of, servers.put_server, kind="server", most=MOST_SERVERS
        )
        """Per-server settings."""

    def known(self, user_id: int) -> Prefs:
        """Return the cached settings, or the defaults."""
        return self._people.known(user_id)

    async def of(self, user_id: int) -> Prefs:
        """Return a person's preferences, or the defaults if the database does not answer."""
        return await self._people.of(user_id)

    async def put(self, user_id: int, name: str, prefs: Prefs, at: int) -> None:
        """Replace a person's preferences; see `change`."""
        await self.change(user_id, name, lambda _: prefs, at)

    async def change(self, user_id: int, name: str, change: Callable[[Prefs], Prefs], at: int) -> None:
        """Change the stored preferences of a person with this name; see `CachedRows.change`.

        Raises:
            StoreError: as for `CachedRows.change`.
        """

        def write(connection: Connection, whose: int, prefs: Prefs) -> None:
            store.put_prefs(connection, whose, name, prefs, at)

        await self._people.change(user_id, change, write)

    async def note_language(self, user_id: int, name: str, locale: str, at: int) -> None:
        """Store the Discord language of a person who wants direct messages, and remove it for anyone else."""
        try:
            await self.change(user_id, name, lambda prefs: store.with_language(prefs, locale), at)
        except StoreError as error:
            log.info("language not noted", kind=error.kind)

    def forget(self, user_id: int) -> None:
        """Drop the cached preferences of a person."""
        self._people.forget(user_id)

    def forget_server(self, guild_id: int, channels: Collection[int]) -> None:
        """Drop the cached settings of a server that the bot has left, and of its channels."""
        self.servers.forget(guild_id)
        for channel_id in channels:
            self.channels.forget(channel_id)
            self.openings.forget(channel_id)

    def invalidate(self, kind: str, whose: int) -> None:
        """Drop cached settings that another process has changed (`bot.store.notices`)."""
        if kind in ("person", "forgotten"):
            self.forget(whose)
        for cache in (self.channels, self.openings, self.servers):
            if cache.kind == kind:
                cache.forget(whose)

    def invalidate_all(self) -> None:
        """Drop all cached settings, because notices of other processes may have been missed."""
        for cache in (self._people, self.channels, self.openings, self.servers):
            cache.forget()
