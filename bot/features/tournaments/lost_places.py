"""Deleted channels of tournaments and deleted threads of matches."""

from __future__ import annotations

from typing import Protocol

import structlog
from msgspec.structs import replace

from bot.features.tournaments.matches import TournamentChange
from bot.features.tournaments.rows import StoredMatch, TournamentState
from bot.features.tournaments.stage import TournamentStage
from bot.features.tournaments.tournament import Tournament
from bot.store.database import StoreError
from bot.store.terms import GOING_ON

log = structlog.get_logger(__name__)


class Proceed(Protocol):
    """`Tournaments._proceed`."""

    def __call__(self, tournament: Tournament, *, acted: bool = False, eager: bool = False) -> None:
        """Go on with a tournament."""


class LostPlaces:
    """Moves matches whose thread was deleted, and tells organisers whose channel was."""

    def __init__(self, stage: TournamentStage, change: TournamentChange, proceed: Proceed) -> None:
        self._stage = stage
        self._change = change
        self._proceed = proceed

    async def react(self, tournament: Tournament, channel_id: int) -> None:
        """React to a deleted channel or thread, which may be another one than this tournament has."""
        if tournament.stored.channel_id == channel_id:
            await self.look(tournament)
        elif any(_is_at(tournament, key, channel_id) for key in tournament.state.matches):
            await self._reopen(tournament, channel_id)

    async def look(self, tournament: Tournament) -> None:
        """Tell the organiser once if the channel of a tournament was deleted."""
        stored = tournament.stored
        if stored.phase not in GOING_ON or stored.terms.lost:
            return
        if not await self._stage.has_lost_channel(tournament):
            return

        def work(state: TournamentState) -> None:
            state.stored.terms = replace(state.stored.terms, lost=True)

        try:
            await self._change(tournament, work, seen=False)
        except StoreError as found:  # the next start looks again
            log.warning("channel not noted as lost", tournament=tournament.id, kind=found.kind)
        else:
            await self._stage.tell_lost(tournament)

    async def _reopen(self, tournament: Tournament, thread_id: int) -> None:
        """Give the matches of a deleted thread a new one; their tables move there."""
        if await self._stage.has_lost_channel(tournament):
            return  # a new thread would need the channel

        def work(state: TournamentState) -> None:
            for key, match in state.matches.items():
                if match.step != "close" and _is_at(tournament, key, thread_id):
                    state.matches[key] = StoredMatch(game_id=match.game_id)

        try:
            await self._change(tournament, work)
        except StoreError as found:  # Discord is asked again before anyone loses by it
            log.warning("matches not reopened", tournament=tournament.id, kind=found.kind)
        self._proceed(tournament, eager=True)


def _is_at(tournament: Tournament, key: str, thread_id: int) -> bool:
    """Return whether a match is to be played in this thread, and its table was not moved elsewhere."""
    match, way = tournament.state.matches[key], tournament.ways.get(key)
    return match.thread_id == thread_id and (way is None or way.channel_id == thread_id)
