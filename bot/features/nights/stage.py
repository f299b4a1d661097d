"""How game nights are shown to people, as their service asks for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol

from bot.features.nights.events import EventStage
from bot.features.nights.rows import Guest, Night
from bot.tables.table import Table

Hindrance = Literal["gone", "closed"]
"""Why nothing can be shown in the channel of a night: it is gone, or the bot may not post tables there."""

Settle = Callable[[bool], Awaitable[None]]
"""Called once: with True when a step was done or refused for good, with False to have it tried again."""


class KnownNights(Protocol):
    """Reads nights and notes their messages while they are shown; `Nights` implements it."""

    def as_it_is(self, night_id: int) -> AbstractAsyncContextManager[tuple[Night, list[Guest], Table | None]]:
        """Yield a night, what people have answered and its table, unchanged while it is being shown."""

    async def set_message(self, night_id: int, message_id: int) -> None:
        """Remember the message of a night.

        Raises:
            StoreError: it could not be stored.
        """


class NightStage(EventStage, Protocol):
    """Shows nights to people; `bot.ui` implements it. What takes `settle` returns at once and calls it."""

    async def hindrance(self, night: Night) -> Hindrance | None:
        """Return the reason why its table can't be opened in its channel, as far as that is known."""

    async def is_gone(self, night: Night) -> bool:
        """Return whether its channel was deleted; Discord is asked if the bot does not see it."""

    def show_night(self, night: Night, known: KnownNights, settle: Settle) -> None:
        """Update its message, and remove its scheduled event if it is off. If a planned night has none, or
        someone deleted it, post another."""

    async def find_message(self, night: Night) -> int | None:
        """Find the message of a night that was never noted, by the token of the press that planned it.

        Raises:
            DiscordFailure: Discord did not answer.
        """

    def remind_of_night(self, night: Night, kind: str, known: KnownNights, settle: Settle) -> None:
        """Show it, then remind those who come or may come that it begins soon."""

    def night_opens(self, night: Night, table: Table, guests: list[Guest], settle: Settle) -> None:
        """Post its lobby and notify these people, whose seats it keeps."""

    def night_moved(self, night: Night, told: Sequence[int], settle: Settle) -> None:
        """Tell these people that it begins at another time."""

    def night_called_off(self, night: Night, told: Sequence[int], by: int) -> None:
        """Tell these people that it does not take place; `by` called it off, or 0 if no one did."""

    async def has_left(self, night: Night, user_id: int) -> bool:
        """Return whether a person has left its server or can't see its channel, as far as Discord says."""

    def night_hindered(self, night: Night) -> None:
        """Tell its planner that it can't take place."""
