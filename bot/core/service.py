"""Services: what a feature does for as long as the bot runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.core.scheduler import Handler
    from bot.store.personal_data.forgetting import Forgotten


class Service:
    """A long-lived part of a feature. The bot calls these methods; a feature overrides those it needs."""

    due: Mapping[str, Handler] = {}
    """Handlers of this feature's jobs, by kind. Each is called with the key of the job, and again after an
    error."""

    async def open(self) -> None:
        """Start, and resume what a restart interrupted. The tables are open by then."""

    async def hourly(self) -> None:
        """Do what is due once an hour; after a failure it is called again soon.

        Raises:
            StoreError: the database did not answer.
        """

    async def drain(self) -> None:
        """Finish what is under way before the bot stops."""

    def allowed(self, guild_id: int) -> None:
        """Retry what waited for a permission in this server."""

    def joined(self, guild_id: int) -> None:
        """React to a server that the bot was added to."""

    def unlocked(self, thread_id: int, guild_id: int) -> None:
        """Retry what waited for this thread of a server to be unlocked."""

    def thread_archived(self, thread_id: int, opened_at: int) -> None:
        """React to a thread that was archived and isn't locked. `opened_at` is when it was created or last
        unarchived, in milliseconds since 1970."""

    def event_changed(self, event_id: int) -> None:
        """React to a scheduled event of a server that was changed or deleted."""

    def removed(self, guild_id: int) -> None:
        """React to a channel or a role of a server that was deleted."""

    def channel_deleted(self, channel_id: int, guild_id: int) -> None:
        """React to a deleted channel or thread of a server."""

    def channel_renamed(self, channel_id: int) -> None:
        """React to the new name of a channel."""

    async def leave_everything(self, user_id: int) -> None:
        """Leave what is still open, as the person would; they are about to be deleted."""

    async def reread(self, gone: Forgotten) -> None:
        """Read rows again that a step of a deletion has changed."""

    async def forgotten(self, user_id: int) -> None:
        """Read again what names this person; another process has deleted them."""

    def forget(self, user_id: int) -> None:
        """Drop what memory holds about a person who was deleted."""
