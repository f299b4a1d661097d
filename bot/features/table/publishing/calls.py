"""Challenges, invitations to a lobby and calls for players.

If the lobby closes before they are answered, the message says so and its buttons disappear.
"""

from __future__ import annotations

import structlog
from cachetools import LRUCache
from typing_extensions import override

from bot import presenters
from bot.core.backoff import Backoff
from bot.locales import words
from bot.table.table import Table
from bot.ui import discord_errors
from bot.ui.components import page
from bot.ui.live.follower import Follower
from bot.ui.outbox import Outbox, Place, is_passing

log = structlog.get_logger(__name__)

MOST_LOBBIES = 2000
RETRY = Backoff(first=5.0, factor=3.0, retries=6)
"""Pauses after failures that end by themselves: half an hour in total."""
EXPIRED = "expired"
"""The version of a call whose lobby has closed."""


class PostedCall(Follower):
    """A message that calls people to a lobby. `expired_key` names the text that replaces it."""

    def __init__(self, outbox: Outbox, table: Table, place: Place, expired_key: str) -> None:
        super().__init__()
        self.place = place
        """The place of the message. The table may have moved to another channel since."""
        self._outbox = outbox
        self._table = table
        self._expired_key = expired_key
        self._pauses = iter(RETRY)

    def expire(self) -> None:
        """Show in the background that the lobby has closed."""
        if self.place.message_id is not None and not self.running:
            self._outbox.spawn(self.catch_up(), f"call to {self._table.id}")

    @override
    async def look(self) -> bool:
        return True

    @override
    def due(self) -> bool:
        return self.delivery.behind(EXPIRED)

    @override
    async def write(self) -> bool:
        table, locale = self._table, self._table.stored.locale
        game = presenters.title(table.game.key, locale)
        expired = page(words(locale)(self._expired_key, game=game, table=table.id), accent=None)
        await self._outbox.token()
        with self.delivery.on_its_way(EXPIRED):
            message = self._outbox.channel(self.place).get_partial_message(self.place.message_id or 0)
            # a call is plain text, and a message cannot have content and Components V2 at once
            await message.edit(content=None, view=expired.view)
        return True

    @override
    async def failed(self, error: Exception) -> None:
        if not isinstance(error, discord_errors.NOT_DONE):
            raise error
        pause = next(self._pauses, None) if is_passing(error) else None
        log.info("call stays", why=discord_errors.reason(error), again_in=pause)
        if pause is not None:
            self._outbox.clock.call_later(pause, self.expire)


class Calls:
    """The calls to each open lobby that this process has posted.

    A call posted by an earlier process reports that its table is closed when someone presses it.
    """

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._calls: LRUCache[int, list[PostedCall]] = LRUCache(MOST_LOBBIES)

    def posted(self, table: Table, place: Place, expired_key: str) -> None:
        """Note that the message at this place calls someone to a lobby."""
        self._calls.setdefault(table.id, []).append(PostedCall(self._outbox, table, place, expired_key))
        self.changed(table)  # the lobby may have closed while the message was being sent

    def answered(self, table: Table, message_id: int) -> None:
        """Note that this message has already been changed to show its answer."""
        others = [call for call in self._calls.pop(table.id, ()) if call.place.message_id != message_id]
        if others:
            self._calls[table.id] = others

    def changed(self, table: Table) -> None:
        """Expire the calls to a table that was closed. If its game has begun, they stay as they are."""
        if table.phase == "lobby":
            return
        calls = self._calls.pop(table.id, ())
        if table.phase == "cancelled":
            for call in calls:
                call.expire()
