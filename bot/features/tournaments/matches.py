"""Opening the tables of matches, step by step: each is stored before the next, and tried again.

A crash at any point leaves a match at a step that is done. What may have been done without being written
down is looked for: the thread by its name, the table by its terms. Nothing is decided against anybody
because Discord or the database did not answer: the no-show clock starts when the message stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

import structlog
from msgspec.structs import replace

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.features.tournaments import rows as store
from bot.features.tournaments.rows import StoredMatch, TournamentState
from bot.features.tournaments.stage import TournamentStage
from bot.features.tournaments.tournament import Tournament
from bot.store.database import Database, StoreError
from bot.store.games import OPEN_PHASES
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.people import leaving
from bot.table.people.hurrying import shorten_clock
from bot.table.ports import DiscordFailure
from bot.table.registry import Tables
from engine import brackets
from engine.brackets import Match

log = structlog.get_logger(__name__)

LONGEST_PAUSE = 900.0
"""Seconds between two tries, at most."""
RETRY = Backoff(first=5.0, longest=LONGEST_PAUSE)
"""Pauses after failures that end by themselves."""
LASTING_RETRY = Backoff(first=60.0, longest=LONGEST_PAUSE)
"""Pauses after failures that people must fix."""


class TournamentChange(Protocol):
    """`Tournaments._change`."""

    async def __call__(
        self,
        tournament: Tournament,
        work: Callable[[TournamentState], None],
        *,
        acted: bool = False,
        seen: bool = True,
    ) -> None:
        """Change a tournament."""


class MovedOn(Exception):
    """The match has been decided meanwhile, or called off."""


class MatchTables:
    """Opens and closes the tables of matches."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        tables: Tables,
        stage: TournamentStage,
        change: TournamentChange,
    ) -> None:
        self._database = database
        self._clock = clock
        self._tables = tables
        self._stage = stage
        self._change = change

    async def go_on(
        self, tournament: Tournament, *, eager: bool = False, held: Collection[str] = ()
    ) -> float | None:
        """Take every match as far as it goes; after how many seconds to come again, if ever.

        `eager`: those that wait for another try have it now. `held`: matches that are not opened yet.

        Raises:
            StoreError: the database did not answer; come again.
        """
        await self._close_tables(tournament)
        for key in sorted(tournament.state.matches):
            match = tournament.state.matches.get(key)
            if match is None or key in held or match.step in ("stands", "close"):
                continue
            if eager or match.next_at <= self._clock.now():
                await self._open(tournament, key)
        waiting = [
            match.next_at
            for key, match in tournament.state.matches.items()
            if key not in held and match.step not in ("stands", "close")
        ]
        if not waiting:
            return None
        # a clock that was set back must not make it a pause of hours
        return min(max(0.05, (min(waiting) - self._clock.now()) / 1000), LONGEST_PAUSE)

    # -- closing ------------------------------------------------------------------------------

    async def _close_tables(self, tournament: Tournament) -> None:
        """Close the tables of decided matches; a drawn match is then played again in its thread."""
        closing = {key: m for key, m in tournament.state.matches.items() if m.step == "close"}
        for match in closing.values():
            if match.game_id is not None:
                await self._close(match.game_id)
        if closing:
            await self._change(tournament, lambda state: _closed(state, closing), seen=False)
            for key in closing:
                tournament.troubles.pop(key, None)

    async def _close(self, game_id: int) -> None:
        """Close a table; one that closes by itself just now may."""
        try:
            table = await self._tables.get(game_id)
            # one whose game went on outside the tournament has left it
            if (
                table.phase in OPEN_PHASES
                and table.stored.terms.tournament
                and await leaving.close_match(table, self._database)
            ):
                self._stage.goes_on(table)
        except Refused as refusal:
            log.info("table of a decided match not closed", table=game_id, why=refusal.key)

    async def hurry(self, tournament: Tournament) -> None:
        """Give the tables of hurried matches their shorter clock, unless they have it.

        Raises:
            StoreError: the database did not answer; come again.
        """
        for key, seconds in tournament.state.stored.terms.hurried.items():
            match = tournament.state.matches.get(key)
            if match is None or match.game_id is None or match.step == "close":
                continue
            try:
                await shorten_clock(await self._tables.get(match.game_id), seconds)
            except Refused as refusal:
                log.info("match not hurried", tournament=tournament.id, match=key, why=refusal.key)

    # -- opening ------------------------------------------------------------------------------

    async def _open(self, tournament: Tournament, key: str) -> None:
        """Take the steps that are left, until the table stands or something hinders."""
        try:
            while (match := tournament.state.matches.get(key)) is not None and match.step != "stands":
                await self._step(tournament, key, match)
        except MovedOn:
            log.info("match decided while it was opened", tournament=tournament.id, match=key)
            tournament.troubles.pop(key, None)
        except DiscordFailure as hindered:
            await self._hold(tournament, key, hindered)
        except Refused as refusal:  # its table has gone to rest, or closed under our hands
            await self._hold(tournament, key, DiscordFailure("table", why=refusal.key, passing=True))
        except StoreError:
            raise
        except Exception as error:  # a defect must not hold up the other matches
            log.error("match not opened", tournament=tournament.id, match=key, exc_info=error)
            await self._hold(tournament, key, DiscordFailure("table", why=type(error).__name__, passing=True))
        else:
            tournament.troubles.pop(key, None)

    async def _step(self, tournament: Tournament, key: str, match: StoredMatch) -> None:
        players = _match(tournament, key)
        if match.step == "due":
            # from the first try on there may be a thread of which nobody has written down anything
            begun = replace(match, tries=match.tries + 1)
            await self._go_to(tournament, key, match, begun)
            thread_id = await self._thread(tournament, players, again=match.tries > 0)
            opened = StoredMatch(step="thread", thread_id=thread_id, game_id=match.game_id)
            await self._go_to(tournament, key, begun, opened)
        elif match.thread_id is None:
            raise DiscordFailure("gone", gone=True, passing=True)
        elif match.step == "thread":
            game_id = await self._table(tournament, key, match, match.thread_id, players)
            await self._go_to(tournament, key, match, replace(match, step="table", game_id=game_id, tries=0))
        elif match.game_id is None:
            await self._go_to(tournament, key, match, replace(match, step="thread"))
        elif match.step == "table":
            await self._stage.call(tournament, players, match.thread_id, match.game_id)
            await self._go_to(tournament, key, match, replace(match, step="called", tries=0))
        else:
            table = await self._tables.get(match.game_id)
            if table.phase not in OPEN_PHASES:
                raise MovedOn
            await self._stage.ensure_posted(table)
            if table.phase == "lobby":
                await lobby.await_players(table, tournament.stored.terms.no_show)
            await self._go_to(tournament, key, match, replace(match, step="stands", tries=0), seen=True)

    async def _thread(self, tournament: Tournament, match: Match, *, again: bool) -> int:
        """The thread of a match: one that was made before that could be written down, or a new one."""
        if again:
            for thread_id in await self._stage.find_threads(tournament, match):
                taken = await self._database.read_at_once(
                    lambda connection: store.has_table(connection, thread_id)  # noqa: B023 - read at once
                )
                if not taken:
                    return thread_id
        return await self._stage.open_thread(tournament, match)

    async def _table(
        self, tournament: Tournament, key: str, match: StoredMatch, thread_id: int, players: Match
    ) -> int:
        """The table of a match in its thread: the one that is there already, or a new one."""
        stored = tournament.stored
        if match.game_id is not None:  # its first thread is gone
            table = await self._tables.get(match.game_id)
            if table.phase in OPEN_PHASES:
                await lobby.stop_waiting(table)  # await_players starts it again
                await table.set_place(thread_id, None, guild_id=stored.guild_id)
                return match.game_id
        invited = tuple(int(player) for player in players.players)
        known = await self._database.read_at_once(
            lambda connection: store.table_of_match(connection, thread_id, tournament.id, key, invited)
        )
        if known is not None:
            return known
        table = await self._tables.opener.open_match(
            stored.game,
            host_id=stored.host_id,
            channel_id=thread_id,
            guild_id=stored.guild_id,
            locale=stored.locale,
            options=stored.options,
            terms=Terms(
                tournament=tournament.id,
                match=key,
                invited=invited,
                clock=stored.terms.clock,
                house_rules=stored.terms.house_rules,
                no_holidays=stored.terms.no_holidays,
            ),
        )
        return table.id

    async def _go_to(
        self, tournament: Tournament, key: str, was: StoredMatch, now: StoredMatch, *, seen: bool = False
    ) -> None:
        """Store a step.

        Raises:
            MovedOn: the match is no longer as it was.
        """

        def work(state: TournamentState) -> None:
            if state.matches.get(key) == was:
                state.matches[key] = now

        await self._change(
            tournament, work, seen=seen or (now.step == "stands" and key in tournament.troubles)
        )
        if tournament.state.matches.get(key) != now:
            if now.game_id is not None and now.game_id != was.game_id:
                await self._close(now.game_id)
            raise MovedOn

    async def _hold(self, tournament: Tournament, key: str, hindered: DiscordFailure) -> None:
        """Try again after a pause that doubles with each try; what people must mend is told."""
        log.info(
            "match not opened yet",
            tournament=tournament.id,
            match=key,
            why=hindered.key,
            facts=hindered.facts,
        )
        lasting = not hindered.passing
        told = tournament.troubles.get(key)
        if lasting:
            tournament.troubles[key] = hindered

        def work(state: TournamentState) -> None:
            match = state.matches.get(key)
            if match is None or match.step in ("stands", "close"):
                return
            before = match.tries - 1 if match.step == "due" else match.tries
            pause = (LASTING_RETRY if lasting else RETRY).pause(before + 1)
            at = self._clock.now() + int(pause * 1000)
            if hindered.gone:  # somebody deleted the thread
                state.matches[key] = StoredMatch(game_id=match.game_id, next_at=at)
            else:
                state.matches[key] = replace(match, tries=before + 1, next_at=at)

        news = lasting and (told is None or (told.key, told.facts) != (hindered.key, hindered.facts))
        await self._change(tournament, work, seen=news)


def _match(tournament: Tournament, key: str) -> Match:
    bracket = tournament.bracket
    if bracket is None or tournament.stored.phase != "running":
        raise MovedOn
    try:
        match = bracket.match(key)
    except brackets.BracketError as error:
        raise MovedOn from error
    if not match.ready:
        raise MovedOn
    return match


def _closed(state: TournamentState, closed: dict[str, StoredMatch]) -> None:
    bracket = state.bracket if state.stored.phase == "running" else None
    ready = {match.key for match in bracket.ready()} if bracket is not None else set()
    for key, match in closed.items():
        if state.matches.get(key) == match:
            del state.matches[key]
            if key in ready:
                state.matches[key] = again_in(match.thread_id)


def again_in(thread_id: int | None) -> StoredMatch:
    """A match whose table is to be opened anew, in its thread if it has one."""
    return StoredMatch(step="due" if thread_id is None else "thread", thread_id=thread_id)
