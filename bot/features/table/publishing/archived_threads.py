"""Threads that Discord archives while the game in them continues."""

from __future__ import annotations

from functools import partial

import discord
import structlog

from bot.core.service import Service
from bot.store.database import StoreError
from bot.store.games import OPEN_PHASES
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui import discord_errors
from bot.ui.outbox import Outbox, Place

log = structlog.get_logger(__name__)

EARLY_MS = 60_000
"""Tolerance in milliseconds, because the clocks of Discord and this machine differ."""


class ArchivedThreads(Service):
    """Reopens threads of live tables that Discord has archived for inactivity.

    A week without messages is normal if a turn may take days. Discord does not say who archived a thread, so
    the time decides: a thread archived before it was due was archived by a person and stays archived.
    """

    def __init__(self, tables: Tables, outbox: Outbox) -> None:
        self._tables = tables
        self._outbox = outbox

    def thread_archived(self, thread_id: int, opened_at: int) -> None:
        """Reopen this thread if a table there needs it and Discord archived it for inactivity."""
        self._tables.tasks.spawn(self._reopen(thread_id, opened_at), f"archived thread {thread_id}")

    async def _reopen(self, thread_id: int, opened_at: int) -> None:
        try:
            tables = await self._tables.in_channel(thread_id)
        except StoreError as error:
            log.warning("archived thread not looked at", thread=thread_id, kind=error.kind)
            return
        table = next(filter(_needs_thread, tables), None)
        if table is None:
            return
        place = Place(thread_id, table.stored.guild_id)
        try:
            opened = await self._outbox.unarchive(place, wanted=partial(self._is_inactive, opened_at))
        except discord_errors.NOT_DONE as error:
            log.info("thread stays archived", table=table.id, why=discord_errors.reason(error))
            return
        log.info("thread opened again" if opened else "thread stays archived", table=table.id)

    def _is_inactive(self, opened_at: int, thread: discord.Thread) -> bool:
        """Return whether a thread was archived because it had been inactive for long enough."""
        last_id = thread.last_message_id or thread.id
        active_at = max(opened_at, int(1000 * discord.utils.snowflake_time(last_id).timestamp()))
        quiet_for = self._outbox.clock.now() - active_at
        return thread.archived and quiet_for >= 60_000 * thread.auto_archive_duration - EARLY_MS


def _needs_thread(table: Table) -> bool:
    """Return whether people are still playing at a table or have been called there for their match."""
    match = bool(table.stored.terms.tournament) and table.phase in OPEN_PHASES
    return (table.phase == "live" or match) and table.outcome() is None and not table.asleep
