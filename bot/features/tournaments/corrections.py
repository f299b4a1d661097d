"""Results noted by hand, corrections, and withdrawals that are taken back."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import msgspec
import structlog
from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.features.tournaments.entries import is_back
from bot.features.tournaments.match_results import OPEN, result_of
from bot.features.tournaments.matches import TournamentChange
from bot.features.tournaments.rows import TournamentState
from bot.features.tournaments.stage import TournamentStage
from bot.features.tournaments.tournament import Tournament, add_notice, go_to, running_bracket
from bot.store import games as store
from bot.store.database import Database
from bot.store.days import DAY_MS
from bot.store.terms import Notice
from bot.table.journal import standing
from bot.table.ports import DiscordFailure
from engine.brackets import Bracket, BracketEntry, BracketError, Match

log = structlog.get_logger(__name__)
RETRY: Final = Backoff(first=30.0, factor=1.0)
"""Pauses before a notice that could not be posted is tried again."""


def digest(match: Match) -> str:
    """Return a word that changes with the players or the result of a match."""
    return blake2b(msgspec.json.encode(match), digest_size=4).hexdigest()


def changeable_bracket(state: TournamentState, now: int) -> Bracket:
    """Return the bracket of a tournament that runs, or ended less than a day ago.

    Raises:
        Refused: it has not started, or its results cannot be changed any more.
    """
    stored = state.stored
    recent = stored.phase == "over" and now - (stored.ended_at or 0) < DAY_MS
    if state.bracket is None or not (stored.phase == "running" or recent):
        raise Refused("tournament_not_running" if stored.phase == "open" else "tournament_over")
    return state.bracket


def shorten_clock(state: TournamentState, key: str, seconds: int, *, by: int) -> None:
    """Give a match a shorter clock, once.

    Raises:
        Refused: it has no table, its clock is shorter, or it was hurried before.
        BracketError: there is no such match.
    """
    match, terms = running_bracket(state).match(key), state.stored.terms
    stored = state.matches.get(key)
    if not match.ready or stored is None or stored.game_id is None or stored.step == "close":
        raise Refused("match_without_table", match=key)
    if key in terms.hurried:
        raise Refused("hurried_before", match=key)
    if 0 < terms.clock <= seconds:
        raise Refused("clock_is_short", match=key)
    state.stored.terms = replace(terms, hurried={**terms.hurried, key: seconds})
    add_notice(state, Notice(what="hurried", by=by, match=key, result=f"t{seconds}"))


def _entry(key: str, result: str) -> BracketEntry | None:
    """Return the report that leads to a result, or None for a match to be played."""
    if result == OPEN:
        return None
    if result[0] in "wx":
        return BracketEntry("won", key, result[1:], result[0] == "x")
    return BracketEntry("drawn" if result == "d" else "missed", key)


def with_result(bracket: Bracket, key: str, result: str, begun: Collection[str] = ()) -> Bracket:
    """Return a bracket in which a match has this result.

    Raises:
        BracketError: the match cannot have it, or a match that follows from it has begun.
    """
    entry = _entry(key, result)
    if entry is None or not bracket.match(key).ready:
        return bracket.correct(key, entry, begun)
    if entry.what == "drawn":
        return bracket.report(key, None)
    if entry.what == "missed":
        return bracket.miss(key)
    return bracket.report(key, entry.player, walkover=entry.walkover)


@dataclass(frozen=True, slots=True)
class Corrections:
    """Changes to what was noted, and the notices about them."""

    database: Database
    clock: Clock
    stage: TournamentStage
    change: TournamentChange

    async def begun(self, tournament: Tournament) -> set[str]:
        """Return the matches in progress at whose tables someone has moved.

        Raises:
            StoreError: the database did not answer.
        """
        ids = {
            m.game_id: key for key, m in tournament.state.matches.items() if m.game_id and m.step != "close"
        }

        def moved(connection: Connection) -> set[str]:
            return {key for game_id, key in ids.items() if standing(store.journal(connection, game_id))}

        return await self.database.read_at_once(moved)

    def check(self, tournament: Tournament) -> Bracket:
        """Return the bracket of a tournament whose results can be changed.

        Raises:
            Refused: it has not started, or it ended more than a day ago.
        """
        return changeable_bracket(tournament.state, self.clock.now())

    async def possible(self, tournament: Tournament) -> list[Match]:
        """Return the matches whose result can be noted or changed: those to be played come first.

        Raises:
            Refused: as for `check`.
            StoreError: the database did not answer.
        """
        bracket, begun = self.check(tournament), await self.begun(tournament)
        matches = list(bracket.ready())
        for match in reversed(bracket.matches()):
            if match.decided:
                try:
                    bracket.correct(match.key, _other(match), begun)
                except BracketError:
                    continue
                matches.append(match)
        return matches

    async def note(self, tournament: Tournament, key: str, result: str, *, by: int, known: str) -> None:
        """Note or correct the result of a match, as this person says who has seen its `known` digest.

        Raises:
            Refused: it cannot be changed, or the match is no longer as they saw it.
            BracketError: the match cannot have this result, or a match that follows from it has begun.
            StoreError: it could not be stored.
        """
        begun, now = await self.begun(tournament), self.clock.now()

        def work(state: TournamentState) -> None:
            bracket = changeable_bracket(state, now)
            match = bracket.match(key)
            before = result_of(match)
            if digest(match) != known:
                if before == result:  # pressed twice
                    return
                raise Refused("match_changed", match=key)
            later = with_result(bracket, key, result, begun)
            if before[0] in "xn" and result != before:
                for player in match.players:  # no one has missed the match
                    is_back(state, int(player))
            reopen(state)
            go_to(state, later, now, key if match.ready else "")
            add_notice(state, Notice(what="result", by=by, match=key, result=result, before=before))

        await self.change(tournament, work, acted=True)

    async def readmit(self, tournament: Tournament, user_id: int, *, by: int) -> None:
        """Take a withdrawal back.

        Raises:
            Refused: the tournament is over.
            BracketError: they have not withdrawn, or a match that follows from it has begun.
            StoreError: it could not be stored.
        """
        begun, now = await self.begun(tournament), self.clock.now()

        def work(state: TournamentState) -> None:
            later = changeable_bracket(state, now).readmit(str(user_id), begun)
            removed = tuple(user for user in state.stored.terms.removed if user != user_id)
            state.stored.terms = replace(state.stored.terms, removed=removed)
            reopen(state)
            go_to(state, later, now)
            name = next(e.name for e in state.entrants if e.user_id == user_id)
            add_notice(state, Notice(what="returned", by=by, player=str(user_id), name=name))

        await self.change(tournament, work, acted=True)

    async def post(self, tournament: Tournament) -> float | None:
        """Post the notices that are due. Return the seconds until this has to be called again, if ever.

        Raises:
            StoreError: the database did not answer.
        """
        for notice in tournament.stored.terms.notices:
            try:
                await self.stage.post_notice(tournament, notice)
            except DiscordFailure as found:
                log.info("notice not posted", tournament=tournament.id, what=notice.what, why=found.key)
                if found.passing:
                    return RETRY.first

            def work(state: TournamentState, notice: Notice = notice) -> None:
                left = tuple(each for each in state.stored.terms.notices if each != notice)
                state.stored.terms = replace(state.stored.terms, notices=left)

            await self.change(tournament, work, seen=False)
        return None


def reopen(state: TournamentState) -> None:
    """Let a tournament that is over continue, so that its last result can be changed."""
    if state.stored.phase == "over":
        state.stored.phase, state.stored.ended_at = "running", None
        state.stored.terms = replace(state.stored.terms, untold=False)


def _other(match: Match) -> BracketEntry:
    """Return another result of a decided match."""
    winner = match.players[1] if match.winner == match.players[0] else match.players[0]
    return BracketEntry("won", match.key, winner)
