"""Views of people who watch tables: they follow the table as long as Discord lets them be changed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from time import monotonic
from typing import Final

import structlog
from cachetools import TTLCache
from typing_extensions import override

from bot.core.errors import Refused
from bot.core.service import Service
from bot.features.watching.messages import Watch, hands_message, watch_message
from bot.features.watching.service import delayed_table
from bot.render.pool import Studio
from bot.store.database import Database, StoreError
from bot.store.prefs import Prefs
from bot.table.people.shown_hands import may_show_hands
from bot.table.table import Table
from bot.ui.components import Message
from bot.ui.discord_errors import reason
from bot.ui.live.private_message import MINUTES, CurrentView, Interaction, PrivateMessage

log = structlog.get_logger(__name__)

MOST_VIEWS: Final = 1000
MOST_AT_TABLE: Final = 40
"""The most views of one table that follow it; later watchers press Refresh."""
PAUSE_SECONDS: Final = 3.0
"""The least seconds between two changes of a view."""


class WatcherView(PrivateMessage):
    """A person's view of a table at which they watch."""

    def __init__(self, watchers: Watchers, table: Table, user_id: int, watch: Watch) -> None:
        super().__init__(watchers.studio, user_id)
        self._watchers = watchers
        self.table = table
        self.watch = watch
        self.known_events = table.recent.total
        """The number of events at the table when this person last pressed."""

    async def look_up(self) -> CurrentView | None:
        """Return the table after a pause; without hands once its players show them no more."""
        await asyncio.sleep(max(0.0, self.written_at + PAUSE_SECONDS - monotonic()))
        if self.closed:
            return None
        if not self.may_show():
            self.watch = replace(self.watch, hands=False)
        message = await self._message()
        return CurrentView(message.moment, lambda: message)

    async def _message(self) -> Message:
        """Return what this watcher sees now: the table, if hands are withdrawn or can't be read."""
        table = self.table
        if self.watch.hands:
            try:
                return hands_message(table, await delayed_table(table, self._watchers.database), self.locale)
            except (Refused, StoreError) as error:
                log.info("no hands for a watcher", table=table.id, why=str(error))
        return watch_message(table, replace(self.watch, hands=False), self.locale)

    @property
    def whose(self) -> int | None:
        """The channel of the table: everyone who watches it takes its turn at the painters."""
        return self.table.stored.channel_id

    def may_show(self) -> bool:
        """Return whether the players still let watchers see what this view shows."""
        table = self.table
        return not self.watch.hands or (table.stored.terms.hands and may_show_hands(table))

    def lost(self, error: Exception) -> None:
        """Forget the view."""
        self._watchers.drop(self)
        log.info("view not refreshed", table=self.table.id, why=reason(error))


class Watchers(Service):
    """The last view of each person at each table at which they watch."""

    def __init__(self, studio: Studio, database: Database) -> None:
        self.studio = studio
        self.database = database
        self._views: TTLCache[tuple[int, int], WatcherView] = TTLCache(MOST_VIEWS, MINUTES * 60)

    def shown(
        self,
        interaction: Interaction,
        table: Table,
        message: Message,
        watch: Watch,
        prefs: Prefs,
        *,
        message_id: int = 0,
        sent_at: float | None = None,
    ) -> None:
        """Follow the view that the answer to this interaction has shown; see `PrivateMessage.answered`."""
        key = (table.id, interaction.user.id)
        view = self._views.get(key)
        if view is None:
            if self.number(table) >= MOST_AT_TABLE:
                return
            view = WatcherView(self, table, interaction.user.id, watch)
        view.table, view.watch, view.known_events = table, watch, table.recent.total
        view.answered(interaction, message, prefs, message_id=message_id, sent_at=sent_at)
        self._views[key] = view  # renews the time for which it is followed

    def watch_of(self, table: Table, user_id: int) -> Watch | None:
        """Return how a person watches a table, or None if their view is no longer followed."""
        view = self._views.get((table.id, user_id))
        return replace(view.watch, since=view.known_events) if view is not None else None

    def number(self, table: Table) -> int:
        """Return how many people watch a table."""
        return len(self.of_table(table))

    def of_table(self, table: Table) -> list[int]:
        """Return the people who watch a table."""
        return [user_id for table_id, user_id in list(self._views) if table_id == table.id]

    def drop(self, view: WatcherView) -> None:
        """Follow this view no more."""
        view.closed = True
        key = (view.table.id, view.user_id)
        if self._views.get(key) is view:
            self._views.pop(key, None)

    @override
    def forget(self, user_id: int) -> None:
        """Follow no table for this person any more."""
        for view in [view for key, view in self._views.items() if key[1] == user_id]:
            self.drop(view)

    async def refresh(self, table: Table, user_id: int) -> None:
        """Show a view as the table is now, if it shows something else."""
        view = self._views.get((table.id, user_id))
        if view is not None:
            view.table = table
            await view.refresh()
