"""Additional tasks of a process when servers are divided among several (`bot.store.shards`)."""

from __future__ import annotations

import math

from discord.http import HTTPClient

from bot.store.backend.identify import IdentifyTurns
from bot.store.database import Database
from bot.store.notices import Notices
from bot.table.runtime import TableRuntime
from bot.ui.app import App


class ShardTasks:
    """Coordination with the other processes: opens shards in turn, clears cached data that others changed."""

    def __init__(self, database: Database) -> None:
        self._turns = IdentifyTurns(database)
        self._may: set[int] = set()
        """Shards that took their turn before connecting."""
        self._at_once = 0
        """Number of shards that may IDENTIFY at a time; 0 until Discord was asked."""

    async def before_connecting(self, shard_id: int, http: HTTPClient) -> None:
        """Wait for the turn to open a shard. With many processes this takes longer than Discord keeps a
        silent connection open, so it is done before connecting."""
        await self._turn(shard_id, http)
        self._may.add(shard_id)

    async def before_identify(self, shard_id: int, http: HTTPClient) -> None:
        """Wait for the turn to IDENTIFY after a lost session, unless the shard took its turn before
        connecting."""
        if shard_id in self._may:
            self._may.discard(shard_id)
        else:
            await self._turn(shard_id, http)

    async def _turn(self, shard_id: int, http: HTTPClient) -> None:
        if not self._at_once:
            _, _, limits = await http.get_bot_gateway()
            self._at_once = limits["max_concurrency"]
        await self._turns.wait(shard_id % self._at_once)

    def listen(self, app: App) -> None:
        """Start listening for changes made by other processes. The tables must be open."""

        def invalidate(kind: str, whose: int) -> None:
            app.preferences.invalidate(kind, whose)
            if kind == "forgotten":
                app.forget(whose)
                app.tasks.spawn(app.service(TableRuntime).reload_tables_of(whose), "somebody was deleted")
                for service in app.services:
                    app.tasks.spawn(service.forgotten(whose), "somebody was deleted")

        notices = Notices(app.database, invalidate, app.preferences.invalidate_all)
        # a round lasts as long as the connection
        app.service(TableRuntime).scheduler.keep("notices", notices.round, longest=math.inf)

    async def close(self) -> None:
        """Release all turns."""
        await self._turns.close()
