"""How game nights are shown to people, as their service asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol

from bot.features.nights.events import EventStage
from bot.features.nights.rows import Guest, Night
from bot.table.table import Table

Hindrance = Literal["gone", "closed"]
"""Why nothing can be shown in the channel of a night: it is gone, or the bot may not post tables there."""


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
    """Shows nights to people; `bot.ui` implements it."""

    async def hindrance(self, night: Night) -> Hindrance | None:
        """Return the reason why its table can't be opened in its channel, as far as that is known."""

    async def is_gone(self, night: Night) -> bool:
        """Return whether its channel was deleted; Discord is asked if the bot does not see it."""

    async def show_night(self, night: Night, known: KnownNights) -> None:
        """Update its message, and remove its scheduled event if it is off. If a planned night has none, or
        someone deleted it, post another.

        Raises:
            DiscordFailure: Discord did not take it.
            StoreError: something could not be read or stored.
        """

    async def find_message(self, night: Night) -> int | None:
        """Find the message of a night that was never noted, by the token of the press that planned it.

        Raises:
            DiscordFailure: Discord did not answer.
        """

    async def remind_of_night(self, night: Night, kind: str, known: KnownNights) -> None:
        """Show it, then remind those who come or may come that it begins soon.

        Raises:
            DiscordFailure: Discord did not take it.
            StoreError: something could not be read or stored.
        """

    async def night_opens(self, night: Night, table: Table, guests: list[Guest]) -> None:
        """Post its lobby and notify these people, whose seats it keeps.

        Raises:
            DiscordFailure: Discord did not take it.
            StoreError: something could not be read or stored.
        """

    async def night_moved(self, night: Night, told: Sequence[int]) -> None:
        """Tell these people that it begins at another time.

        Raises:
            DiscordFailure: Discord did not take it.
            StoreError: something could not be read or stored.
        """

    def night_called_off(self, night: Night, told: Sequence[int], by: int) -> None:
        """Tell these people that it does not take place; `by` called it off, or 0 if no one did."""

    async def has_left(self, night: Night, user_id: int) -> bool:
        """Return whether a person has left its server or can't see its channel, as far as Discord says."""

    def night_hindered(self, night: Night) -> None:
        """Tell its planner that it can't take place."""
