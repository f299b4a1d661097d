"""Those who watch tables: their private views follow the table as long as Discord lets them be changed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Final

import structlog
from cachetools import TTLCache
from typing_extensions import override

from bot.core.errors import Refused
from bot.features.watching.messages import Watch, hands_message, watch_message
from bot.features.watching.service import delayed_table
from bot.render.pool import Studio
from bot.store.database import Database, StoreError
from bot.store.prefs import Prefs
from bot.tables.people.shown_hands import may_show_hands
from bot.tables.service import Service
from bot.tables.table import Table
from bot.ui.components import Message
from bot.ui.discord_errors import NOT_DONE, reason
from bot.ui.live.late_pictures import as_painted, in_time
from bot.ui.live.open_hands import MINUTES, Interaction
from bot.ui.live.uploads import deliver

log = structlog.get_logger(__name__)

MOST_VIEWS: Final = 1000
MOST_AT_TABLE: Final = 40
"""So many views of one table follow it; who comes later presses Refresh."""
PAUSE_SECONDS: Final = 3.0
"""A view changes no more often."""


@dataclass(slots=True)
class _View:
    interaction: Interaction
    watch: Watch
    prefs: Prefs
    locale: str
    moment: object
    """What it shows, by the last writing that was finished."""
    told: int
    """How much had been told at the table when this person pressed."""
    late: bool = False
    """It shows words that say that the picture is on its way."""
    writing: bool = False
    again: bool = False
    written_at: float = field(default_factory=lambda: -PAUSE_SECONDS)


class Watchers(Service):
    """The last view of each person at each table at which they watch. Each is written by one task at a time,
    and the newest state last."""

    def __init__(self, studio: Studio, database: Database) -> None:
        self._studio = studio
        self._database = database
        self._views: TTLCache[tuple[int, int], _View] = TTLCache(MOST_VIEWS, MINUTES * 60)

    def shown(
        self, interaction: Interaction, table: Table, message: Message, watch: Watch, prefs: Prefs
    ) -> None:
        """The answer to this interaction has shown the table to whoever watches it."""
        key, locale = (table.id, interaction.user.id), prefs.locale or interaction.locale.value
        before = self._views.get(key)
        if before is None and self.number(table) >= MOST_AT_TABLE:
            return
        view = _View(interaction, watch, prefs, locale, message.moment, table.recent.total)
        if before is not None:
            # where a writing is under way nobody knows which of the two comes last
            view.writing, before.again, view.again = before.writing, before.writing, before.writing
        self._views[key] = view

    def watch_of(self, table: Table, user_id: int) -> Watch | None:
        """How somebody goes on to watch a table, if their view is still followed."""
        view = self._views.get((table.id, user_id))
        return replace(view.watch, since=view.told) if view is not None else None

    def number(self, table: Table) -> int:
        """How many watch a table."""
        return len(self.of_table(table))

    def of_table(self, table: Table) -> list[int]:
        """Those who watch a table."""
        return [user_id for table_id, user_id in list(self._views) if table_id == table.id]

    @override
    def forget(self, user_id: int) -> None:
        """Follow no table for this person any more."""
        for key in [key for key in self._views if key[1] == user_id]:
            self._views.pop(key, None)

    async def turn_over(self, table: Table, user_id: int) -> None:
        """Show a view as the table is now, if it shows something else."""
        key = (table.id, user_id)
        here = self._views.get(key)
        if here is not None and here.writing:
            here.again = True
            return
        while here is not None:
            in_doubt = here.again or here.late
            here.again, here.writing = False, True
            try:
                await self._bring_up(table, here, key, in_doubt=in_doubt)
            except NOT_DONE as error:
                log.info("view not turned over", table=table.id, why=reason(error))
                if self._views.get(key) is here:
                    self._views.pop(key, None)
            finally:
                here.writing = False
            now = self._views.get(key)
            if now is here and not here.again:
                return
            here = now

    async def _bring_up(self, table: Table, here: _View, key: tuple[int, int], *, in_doubt: bool) -> None:
        await asyncio.sleep(max(0.0, here.written_at + PAUSE_SECONDS - monotonic()))
        if here.watch.hands and not _still_open(table):
            here.watch = replace(here.watch, hands=False)
        message = (await self._build(table, here.watch, here.locale)).fitted(here.prefs)
        if message.moment == here.moment and not (in_doubt or here.again):
            return
        painted = await in_time(message.attachments(self._studio, later=True, whose=table.stored.channel_id))
        # what was withdrawn while it was painted is not shown: the table is, in the next round
        if self._views.get(key) is not here or (here.watch.hands and not _still_open(table)):
            here.again = True
            return
        told, here.late = here.late and message.moment == here.moment, painted is None
        if here.late:
            here.again = True
            if told:
                return
        view, files = as_painted(message, painted, here.locale)
        here.written_at = monotonic()
        edit = here.interaction.edit_original_response
        await deliver(
            message, files, here.locale, lambda view, files: edit(view=view, attachments=files), view=view
        )
        here.moment = message.moment

    async def _build(self, table: Table, watch: Watch, locale: str) -> Message:
        """What somebody who watches so sees now; the table, where hands are closed or cannot be read."""
        if watch.hands:
            try:
                return hands_message(table, await delayed_table(table, self._database), locale)
            except (Refused, StoreError) as found:
                log.info("no hands for a watcher", table=table.id, why=str(found))
        return watch_message(table, replace(watch, hands=False), locale)


def _still_open(table: Table) -> bool:
    return table.stored.terms.hands and may_show_hands(table)
