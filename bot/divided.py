"""What a process does beside playing where the servers are divided among several (`bot.store.shards`)."""

from __future__ import annotations

import asyncio

from discord.http import HTTPClient

from bot.store.database import Database
from bot.store.identify import IdentifyTurns
from bot.store.notices import Notices
from bot.tables import elsewhere
from bot.views.app import App


class Divided:
    """Opens shards in turn with the other processes, and forgets what they have changed."""

    def __init__(self, database: Database) -> None:
        self._turns = IdentifyTurns(database)
        self._listening: asyncio.Task[None] | None = None
        self._may: set[int] = set()
        """The shards that have their turn before their connection stands."""
        self._at_once = 0
        """How many shards may IDENTIFY at a time; 0 while Discord was not asked."""

    async def before_connecting(self, shard_id: int, http: HTTPClient) -> None:
        """Wait for the turn to open a shard; with many processes that takes longer than Discord lets a
        connection stand that is silent."""
        await self._turn(shard_id, http)
        self._may.add(shard_id)

    async def before_identify(self, shard_id: int, http: HTTPClient) -> None:
        """Wait for the turn to IDENTIFY where a session was lost; who waited before has it already."""
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
        """Hear what other processes change, from now on."""

        def heard(kind: str, whose: int) -> None:
            app.preferences.heard(kind, whose)
            if kind == "forgotten":
                app.forget(whose)
                app.tables.spawn(elsewhere.forgotten(app.tables, whose), "somebody was deleted")
                app.tables.spawn(app.tournaments.forgotten(whose), "somebody was deleted")

        notices = Notices(app.database, heard, app.preferences.missed)
        self._listening = asyncio.create_task(notices.keep(), name="notices")

    async def close(self) -> None:
        """Listen no more, and give up what is held."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait({self._listening})
        await self._turns.close()
