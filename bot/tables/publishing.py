"""How tables and tournaments are shown to people: what `bot.tables` asks of whoever shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from bot.store.games import Whereabouts
from bot.store.mornings import Morning, Summary
from bot.tables.table import Table
from bot.tables.tournament import Tournament
from engine.brackets import Match
from engine.game import Event


class Publisher(Protocol):
    """Shows tables to people; `bot.views` implements it. Calls return at once."""

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

    def nudge(self, table: Table, seat: int) -> None:
        """It has been this seat's turn for a while, and somebody else acted last."""

    async def morning(self, channel_id: int, morning: Morning, summary: Summary) -> None:
        """Post in a channel how yesterday's deals went and what today brings. Unlike the others this returns
        when it is done.

        Raises:
            Hindered: it could not be posted.
        """


class TournamentStage(Protocol):
    """Shows tournaments to people; `bot.views` implements it.

    What it cannot do in Discord it says by `Hindered`.
    """

    moved: list[Callable[[Table], None]]
    """Called with each table whose message has given way to another one."""

    def tournament_changed(self, tournament: Tournament, *, acted: bool = False) -> None:
        """The tournament has changed, and where `acted` because somebody did something: show it."""

    def ways_changed(self, tournament: Tournament) -> None:
        """The table of a match may stand elsewhere: show the way there."""

    async def find_threads(self, tournament: Tournament, match: Match) -> list[int]:
        """Threads that may have been made for a match by a try of which nobody heard the end."""

    async def open_thread(self, tournament: Tournament, match: Match) -> int:
        """Make the thread of a match; its id."""

    async def call(self, tournament: Tournament, match: Match, thread_id: int, game_id: int) -> None:
        """Call both to their table."""

    async def tell_end(self, tournament: Tournament) -> None:
        """Tell in its channel who has won. Within a few minutes a second time counts as the first."""

    async def stand(self, table: Table) -> None:
        """Post the table of a match, unless it has its message."""

    def hindered(self, table: Table) -> bool:
        """Whether people cannot see this table."""
