"""What people, channels and servers prefer: read once for each, and kept in memory while they are about."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Generic, TypeVar

import structlog
from cachetools import LRUCache
from sqlalchemy import Connection

from bot.store import notices, servers
from bot.store import prefs as store
from bot.store.database import Database, StoreError
from bot.store.locks import one_at_a_time
from bot.store.prefs import Pictures, Prefs
from bot.store.servers import Opening, Server

log = structlog.get_logger(__name__)
MOST_PEOPLE = 20_000
MOST_CHANNELS = 20_000
MOST_SERVERS = 20_000
T = TypeVar("T")


class Kept(Generic[T]):
    """Settings of one kind, by the id of whose they are."""

    def __init__(
        self,
        database: Database,
        default: T,
        read: Callable[[Connection, int], T],
        write: Callable[[Connection, int, T], None],
        *,
        kind: str,
        most: int,
    ) -> None:
        """`kind` names it to other processes (`bot.store.notices`)."""
        self._database = database
        self.kind = kind
        self._default = default
        self._read = read
        self._write = write
        self._known: LRUCache[int, T] = LRUCache(most)
        self._changes = 0
        """How often something may have changed: what was read before that is not remembered after it."""

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

    async def change(self, whose: int, change: Callable[[T], T]) -> None:
        """Change what is set, as it is stored: what `of` says may be the defaults, or older than what
        somebody else has just set.

        Raises:
            StoreError: it was not stored, or nobody can tell: then it is read again when it is asked for.
        """

        def write(connection: Connection) -> T:
            one_at_a_time(connection, self.kind, whose)
            value = change(self._read(connection, whose))
            self._write(connection, whose, value)
            notices.tell(connection, self.kind, whose)
            return value

        try:
            value = await self._database.write_at_once(write)
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
        self._database = database
        self._known: LRUCache[int, Prefs] = LRUCache(MOST_PEOPLE)
        self._changes = 0
        """As of `Kept`."""
        self.channels = Kept(
            database,
            Pictures(),
            store.pictures_of,
            store.put_pictures,
            kind="pictures",
            most=MOST_CHANNELS,
        )
        """How channels show pictures."""
        self.openings = Kept(
            database,
            Opening(),
            servers.opening_of,
            servers.put_opening,
            kind="opening",
            most=MOST_CHANNELS,
        )
        """How tables of channels begin."""
        self.servers = Kept(
            database, Server(), servers.server_of, servers.put_server, kind="server", most=MOST_SERVERS
        )
        """What holds in servers."""

    def known(self, user_id: int) -> Prefs:
        """What is known already; the defaults where that is nothing."""
        return self._known.get(user_id) or Prefs()

    async def of(self, user_id: int) -> Prefs:
        """What a person prefers; the defaults while the database does not answer."""
        found = self._known.get(user_id)
        if found is None:
            before = self._changes
            try:
                found = await self._database.read_at_once(lambda c: store.prefs_of(c, user_id))
            except StoreError as trouble:
                log.info("preferences not read", kind=trouble.kind)
                return Prefs()
            if self._changes == before:
                self._known[user_id] = found
        return found

    async def put(self, user_id: int, name: str, prefs: Prefs, at: int) -> None:
        """Keep this, whatever a person preferred: see `change`."""
        await self.change(user_id, name, lambda _: prefs, at)

    async def change(self, user_id: int, name: str, change: Callable[[Prefs], Prefs], at: int) -> None:
        """Change what a person prefers, as it is stored: see `Kept.change`.

        Raises:
            StoreError: as `Kept.change`.
        """

        def write(connection: Connection) -> Prefs:
            one_at_a_time(connection, "person", user_id)
            prefs = change(store.prefs_of(connection, user_id))
            store.put_prefs(connection, user_id, name, prefs, at)
            notices.tell(connection, "person", user_id)
            return prefs

        try:
            prefs = await self._database.write_at_once(write)
        except BaseException:
            self.forget(user_id)  # as in `Kept.change`
            raise
        self._changes += 1
        self._known[user_id] = prefs

    def forget(self, user_id: int) -> None:
        """Know nothing of a person any more."""
        self._changes += 1
        self._known.pop(user_id, None)

    def forget_server(self, guild_id: int, channels: Collection[int]) -> None:
        """Know nothing of a server and its channels any more: the bot has left it."""
        self.servers.forget(guild_id)
        for channel_id in channels:
            self.channels.forget(channel_id)
            self.openings.forget(channel_id)

    def heard(self, kind: str, whose: int) -> None:
        """Another process has changed something, perhaps what is known here (`bot.store.notices`)."""
        if kind in ("person", "forgotten"):
            self.forget(whose)
        for kept in (self.channels, self.openings, self.servers):
            if kept.kind == kind:
                kept.forget(whose)

    def missed(self) -> None:
        """Nobody knows what other processes have changed: read everything again."""
        self._changes += 1
        self._known.clear()
        for kept in (self.channels, self.openings, self.servers):
            kept.forget()
