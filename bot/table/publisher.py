"""How tables and tournaments are shown to people: what `bot.table` asks of whoever shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.store.games import Whereabouts
from bot.store.terms import Knock
from bot.table.table import Table
from engine.game import Event


class Publisher(Protocol):
    """Shows tables to people; `bot.ui` implements it. Calls return at once."""

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """The table has changed: show it when the channel has room for it."""

    def resting(self, place: Whereabouts) -> None:
        """A table does not replay under this version: tell its channel what happens next."""

    def came_back(self, table: Table) -> None:
        """The table is here again after a restart: show it if its message is behind."""

    def remind(self, table: Table, seat: int, seconds: int, *, aloud: bool, ping: bool = True) -> None:
        """The turn clock of this seat runs out in so many seconds: tell its person alone, or `aloud` in the
        channel; `ping` calls them there."""

    def on_holiday(self, table: Table, seat: int, until: int) -> None:
        """The clock of this seat waits, since its person is on holiday until then (Unix seconds)."""

    def knocked(self, table: Table, knock: Knock) -> None:
        """Ask the host of this lobby whether a person who was not invited may sit down."""

    def seat_free(self, table: Table, user_id: int) -> None:
        """Tell somebody who waited for a seat in this lobby that one is kept for them now."""

    def tell_news(self, table: Table, kind: str, seat: int) -> None:
        """Tell the people of a slow table what has happened; `bot.table.news` lists the kinds."""

    def nudge(self, table: Table, seat: int) -> None:
        """It has been this seat's turn for a while, and somebody else acted last."""
