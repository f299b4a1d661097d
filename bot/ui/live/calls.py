"""Challenges, invitations to a lobby and calls of who looks for people: once it has closed without those whom
they call, they say so and offer nothing to press any more."""

from __future__ import annotations

from typing import NamedTuple

import structlog
from cachetools import LRUCache

from bot import presenters
from bot.locales import words
from bot.tables.table import Table
from bot.ui import discord_errors
from bot.ui.components import page
from bot.ui.outbox import Outbox, Place

log = structlog.get_logger(__name__)

MOST_LOBBIES = 2000


class _Call(NamedTuple):
    place: Place
    """Where it stands, which may be another channel than that of its table by now."""
    expired_key: str


class Calls:
    """Remembers the calls to a lobby until it closes, as long as this process runs: what was posted before
    says when it is pressed that its table is closed."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._calls: LRUCache[int, list[_Call]] = LRUCache(MOST_LOBBIES)

    def posted(self, table: Table, place: Place, expired_key: str) -> None:
        """The message there calls somebody to a lobby; `expired_key` names the words that take its place."""
        self._calls.setdefault(table.id, []).append(_Call(place, expired_key))
        self.changed(table)  # while it was on its way

    def answered(self, table: Table, message_id: int) -> None:
        """This message says by now how it was answered."""
        left = [call for call in self._calls.pop(table.id, ()) if call.place.message_id != message_id]
        if left:
            self._calls[table.id] = left

    def changed(self, table: Table) -> None:
        """Nobody can come any more where the table is closed; where it is dealt, what called them stays."""
        if table.phase == "lobby":
            return
        calls = self._calls.pop(table.id, ())
        if table.phase == "cancelled":
            for call in calls:
                self._outbox.spawn(self._lapse(table, call), f"call to {table.id}")

    async def _lapse(self, table: Table, call: _Call) -> None:
        if call.place.message_id is None:
            return
        locale = table.stored.locale
        game = presenters.title(table.game.key, locale)
        told = page(words(locale)(call.expired_key, game=game, table=table.id), accent=None)
        await self._outbox.token()
        try:
            channel = self._outbox.channel(call.place)
            # a call is plain text, and a message cannot have content and Components V2 at once
            await channel.get_partial_message(call.place.message_id).edit(content=None, view=told.view)
        except discord_errors.NOT_DONE as error:
            log.info("call stays", why=discord_errors.reason(error))
