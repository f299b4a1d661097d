"""Entrants no one should wait for: they have left the server, or did not come to their last match."""

from __future__ import annotations

import structlog
from msgspec.structs import replace

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.core.lease_holder import LeaseHolder
from bot.features.tournaments.entries import withdraw
from bot.features.tournaments.matches import TournamentChange
from bot.features.tournaments.rows import TournamentState
from bot.features.tournaments.stage import TournamentStage
from bot.features.tournaments.tournament import Tournament, add_notice, players_due
from bot.store.personal_data.privacy import is_nobody
from bot.store.terms import Notice
from bot.table.ports import DiscordFailure
from engine.brackets import BracketError

log = structlog.get_logger(__name__)

RETRY = Backoff(first=60.0, factor=1.0)
"""Pauses before a question that could not be posted is tried again."""
LASTING_RETRY = Backoff(first=3600.0, factor=1.0)
"""Pauses if a person must change something first. When they do, the tournament continues at once."""


def absent_now(tournament: Tournament) -> dict[int, int]:
    """Return the absent players who have a match to come, and until when they can answer; 0 if not asked.

    That is table time in milliseconds, which stands still while the bot or Discord is away.
    """
    bracket = tournament.bracket
    if bracket is None or tournament.stored.phase != "running":
        return {}
    absent = tournament.stored.terms.absent
    return {user: until for user, until in absent.items() if bracket.plays_on(str(user))}


def matches_held(tournament: Tournament) -> dict[str, tuple[int, int]]:
    """Return the matches that wait for an absent player's answer: the player, and until when, by match."""
    asked = {str(user): until for user, until in absent_now(tournament).items() if until}
    if not asked or tournament.bracket is None:
        return {}
    due = {key for key, match in tournament.state.matches.items() if match.step == "due" and not match.tries}
    return {
        match.key: (int(player), asked[player])
        for match in tournament.bracket.ready()
        if match.key in due
        for player in match.players
        if player in asked
    }


class Absences:
    """Withdraws entrants who are gone, and asks those who did not come to their last match."""

    def __init__(
        self,
        lease_holder: LeaseHolder,
        stage: TournamentStage,
        change: TournamentChange,
        clock: Clock,
    ) -> None:
        self._lease_holder = lease_holder
        self._stage = stage
        self._change = change
        self._clock = clock

    async def withdraw_gone(self, tournament: Tournament) -> None:
        """Withdraw players of matches about to be opened who have left the server.

        Raises:
            StoreError: the database did not answer.
        """
        asked = set[str]()
        while due := players_due(tournament) - asked:
            asked |= due
            for player in sorted(due):
                user_id = int(player)
                if not is_nobody(user_id) and await self._stage.is_gone(tournament, user_id):
                    await self._leave(tournament, Notice(what="gone", player=player))

    async def ask(self, tournament: Tournament) -> float | None:
        """Ask absent players whether they still take part, and withdraw those who did not answer in time.

        Return the seconds until this has to be called again, if ever.

        Raises:
            StoreError: the database did not answer.
        """
        pauses = []
        for user_id, asked_until in sorted(absent_now(tournament).items()):
            now, wait = self._lease_holder.now(), tournament.stored.terms.no_show * 60_000
            until = asked_until or now + wait
            if not asked_until and (hindered := await self._ask(tournament, user_id, until)):
                pauses.append((RETRY if hindered.passing else LASTING_RETRY).first)
            elif until <= now:
                await self._leave(tournament, Notice(what="unanswered", player=str(user_id)))
            else:
                pauses.append((until - now) / 1000)
        return min(pauses, default=None)

    async def _ask(self, tournament: Tournament, user_id: int, until: int) -> DiscordFailure | None:
        """Post the question, then store until when it can be answered. Return what hindered that."""
        try:
            await self._stage.ask_absent(tournament, user_id, self._lease_holder.wall(until))
        except DiscordFailure as found:
            log.info("absent player not asked", tournament=tournament.id, why=found.key)
            return found

        def work(state: TournamentState) -> None:
            absent = state.stored.terms.absent
            if absent.get(user_id) == 0:
                state.stored.terms = replace(state.stored.terms, absent={**absent, user_id: until})

        await self._change(tournament, work)
        return None

    async def _leave(self, tournament: Tournament, notice: Notice) -> None:
        def work(state: TournamentState) -> None:
            withdraw(state, int(notice.player), self._clock.now())
            add_notice(state, replace(notice, name=tournament.name_of(notice.player)))

        try:
            await self._change(tournament, work)
        except (BracketError, Refused) as refusal:  # they have withdrawn meanwhile
            log.info("not withdrawn", tournament=tournament.id, why=str(refusal.args[0]))
