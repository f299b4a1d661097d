"""What people and channels prefer: read once for each, and kept in memory while they are about."""

from __future__ import annotations

import structlog
from cachetools import LRUCache

from bot.store import prefs as store
from bot.store.database import Database, StoreError
from bot.store.prefs import Pictures, Prefs

log = structlog.get_logger(__name__)
MOST_PEOPLE = 20_000
MOST_CHANNELS = 20_000


class Preferences:
    """Preferences by person, and by channel."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: LRUCache[int, Prefs] = LRUCache(MOST_PEOPLE)
        self._channels: LRUCache[int, Pictures] = LRUCache(MOST_CHANNELS)

    def known(self, user_id: int) -> Prefs:
        """What is known already; the defaults where that is nothing."""
        return self._known.get(user_id) or Prefs()

    async def of(self, user_id: int) -> Prefs:
        """What a person prefers; the defaults while the database does not answer."""
        found = self._known.get(user_id)
        if found is None:
            try:
                found = await self._database.read_at_once(lambda c: store.prefs_of(c, user_id))
            except StoreError as trouble:
                log.info("preferences not read", kind=trouble.kind)
                return Prefs()
            self._known[user_id] = found
        return found

    async def put(self, user_id: int, name: str, prefs: Prefs, at: int) -> None:
        """Keep what a person prefers.

        Raises:
            StoreError: it was not stored, and nothing has changed.
        """
        await self._database.write_at_once(lambda c: store.put_prefs(c, user_id, name, prefs, at))
        self._known[user_id] = prefs

    def forget(self, user_id: int) -> None:
        """Know nothing of a person any more."""
        self._known.pop(user_id, None)

    async def of_channel(self, channel_id: int) -> Pictures:
        """How a channel shows pictures; the defaults while the database does not answer."""
        found = self._channels.get(channel_id)
        if found is None:
            try:
                found = await self._database.read_at_once(lambda c: store.pictures_of(c, channel_id))
            except StoreError as trouble:
                log.info("preferences not read", kind=trouble.kind)
                return Pictures()
            self._channels[channel_id] = found
        return found

    async def put_channel(self, channel_id: int, pictures: Pictures) -> None:
        """Keep how a channel shows pictures.

        Raises:
            StoreError: it was not stored, and nothing has changed.
        """
        await self._database.write_at_once(lambda c: store.put_pictures(c, channel_id, pictures))
        self._channels[channel_id] = pictures
