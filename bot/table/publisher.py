"""The interface through which `bot.table` shows tables to people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.store.games import Whereabouts
from bot.store.terms import Knock
from bot.table.table import Table
from engine.game import Event


class Publisher(Protocol):
    """A channel through which people see tables. `bot.ui` implements it, and calls return at once."""

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Show a table that has changed, as soon as its channel has room for an update."""

    def resting(self, place: Whereabouts) -> None:
        """Tell the channel of a table that does not replay under this version what happens next."""

    def came_back(self, table: Table) -> None:
        """Show a table that is available again after a restart, if its message is out of date."""

    def remind(self, table: Table, seat: int, seconds: int, *, aloud: bool, ping: bool = True) -> None:
        """Remind the player of this seat that their turn clock runs out in this many seconds.

        Only they see it, unless it is `aloud`: then it is posted in the channel, and `ping` notifies them
        there.
        """

    def on_holiday(self, table: Table, seat: int, until: int) -> None:
        """Report that the clock of this seat waits: its player is on holiday until then (Unix seconds)."""

    def knocked(self, table: Table, knock: Knock) -> None:
        """Ask the host of this lobby whether a person who was not invited may sit down."""

    def seat_free(self, table: Table, user_id: int) -> None:
        """Tell someone who waited for a seat in this lobby that one is now reserved for them."""

    def tell_news(self, table: Table, kind: str, seat: int) -> None:
        """Tell the people of a slow table what has happened. `bot.table.news` lists the kinds."""

    def nudge(self, table: Table, seat: int) -> None:
        """Notify this seat's player, whose turn it has been for a while since someone else acted."""
