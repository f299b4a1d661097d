"""What tournaments ask of whoever shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.features.tournaments.tournament import Tournament
    from bot.store.terms import Notice
    from bot.table.table import Table
    from engine.brackets import Match


class TournamentStage(Protocol):
    """Shows tournaments to people; `bot.ui` implements it.

    What it cannot do in Discord it says by `DiscordFailure`.
    """

    moved: list[Callable[[Table], None]]
    """Called with each table whose message has given way to another one."""

    def tournament_changed(self, tournament: Tournament, *, acted: bool = False) -> None:
        """The tournament has changed, and where `acted` because somebody did something: show it."""

    def ways_changed(self, tournament: Tournament) -> None:
        """The table of a match may stand elsewhere: show the way there."""

    def is_allowed(self, tournament: Tournament, thread_id: int | None) -> bool:
        """Return whether the bot may open a match, as far as it knows: in this thread, or in a new one."""

    async def find_threads(self, tournament: Tournament, match: Match) -> list[int]:
        """Threads that may have been made for a match by a try of which nobody heard the end."""

    async def open_thread(self, tournament: Tournament, match: Match) -> int:
        """Make the thread of a match; its id."""

    async def call(self, tournament: Tournament, match: Match, thread_id: int, game_id: int) -> None:
        """Call both to their table."""

    async def tell_end(self, tournament: Tournament) -> None:
        """Tell in its channel who has won. Within a few minutes a second time counts as the first."""

    async def is_gone(self, tournament: Tournament, user_id: int) -> bool:
        """Whether a person is no longer a member of the server; False where Discord does not tell."""

    async def post_notice(self, tournament: Tournament, notice: Notice) -> None:
        """Post a notice in its channel. Within a few minutes a second time counts as the first.

        Raises:
            DiscordFailure: it could not be posted.
        """

    async def ask_absent(self, tournament: Tournament, user_id: int, until: int) -> None:
        """Ask a player who did not come to a match whether they still take part; they can answer until this
        time in milliseconds. Within a few minutes a second time counts as the first.

        Raises:
            DiscordFailure: the question could not be posted.
        """

    async def has_lost_channel(self, tournament: Tournament) -> bool:
        """Return whether its channel was deleted. Discord is asked if the bot does not see the channel, and
        no answer counts as no."""

    async def tell_lost(self, tournament: Tournament) -> None:
        """Write to the organiser that the channel was deleted, and what they can do."""

    async def ensure_posted(self, table: Table) -> None:
        """Post the table of a match, unless it has its message."""

    def goes_on(self, table: Table) -> None:
        """Tell the players that their game goes on although the match is decided."""

    async def hindered(self, table: Table) -> bool:
        """Return whether people cannot see this table, by what Discord says now.

        Raises:
            DiscordFailure: Discord did not answer.
        """
