"""Per-player statistics of finished games: first player, role, cards played, achievements."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
import structlog
from sqlalchemy import Connection

from bot.core.errors import Refused
from bot.core.scheduler import Scheduler
from bot.store import achievements
from bot.store import games as store
from bot.store.database import Database
from bot.store.game_statistics import SeatStatistics, count_achievements, store_statistics, update_results
from bot.store.games import Change, Deadline, Entry
from bot.table.journal import standing
from bot.table.ports import Thinker
from bot.table.results import lost_by_absence
from bot.table.storage.rebuild import read_table
from bot.table.table import Table, changes
from bot.table.table_kinds import is_decided_by_deal
from bot.table.turns import POST_GAME
from bot.workers.errors import NoAnswer
from engine import catalog
from engine.achievements import reached, replay
from engine.game import Refusal, Seat, Setup
from engine.levels import LEVELS, STEADY, renamed

log = structlog.get_logger(__name__)
LATER_MS = 3_600_000
"""Milliseconds until statistics are computed again after no worker answered or the game's code failed."""


class Earning(msgspec.Struct, frozen=True):
    """The seats that can earn achievements in a game, and whether achievements for a win count."""

    seats: tuple[Seat, ...]
    fair: bool


def earning(table: Table, acts: Sequence[Entry]) -> Earning:
    """Return the seats that can earn achievements at a table that has ended.

    Their players held one seat to the end, and made all its decisions themselves. A win is fair if no
    computer opponent is weaker than Steady, the deal did not decide it, and the game was not friendly. No one
    can earn any if the only player may have seen hidden cards (`Terms.peeked`).
    """
    if table.stored.terms.peeked:
        return Earning((), fair=False)
    levels_there = [renamed(sitter.level) for sitter in table.sitters if sitter.level is not None]
    fair = all(level in LEVELS[LEVELS.index(STEADY) :] for level in levels_there)
    fair = fair and not is_decided_by_deal(table) and not table.stored.terms.friendly
    absent = {entry.seat for entry in acts if entry.kind == "timeout"} | set(lost_by_absence(table))
    users = [sitter.user_id for sitter in table.sitters]
    seats = [
        seat
        for seat, user in enumerate(users)
        if user is not None and users.count(user) == 1 and seat not in absent
    ]
    return Earning(tuple(seats), fair)


def seat_statistics(setup: Setup, acts: Sequence[tuple[Seat, Any]], who: Earning) -> list[SeatStatistics]:
    """Return the statistics of a finished game by seat. Runs in the worker.

    `acts` contain actions as JSON.
    """
    game = catalog.get(setup.game).at(setup.version)
    first = game.deal(setup).to_act()
    last, steps = replay(game, setup, acts)
    outcome, roles = last.outcome(), game.roles_in(last)
    cards: list[dict[str, int]] = [{} for _ in range(setup.seats)]
    for seat, events in steps:
        for event in events:
            if event.seat == seat:
                for card in game.played(event.kind, {**event.facts, **event.secret}):
                    cards[seat][card] = cards[seat].get(card, 0) + 1
    began = first[0] if len(first) == 1 < setup.seats else None
    return [
        SeatStatistics(
            seat,
            None if began is None else int(seat == began),
            played,
            reached(game, setup, outcome, seat, steps, fair=who.fair)
            if outcome is not None and seat in who.seats
            else {},
            roles[seat] if roles else None,
        )
        for seat, played in enumerate(cards)
    ]


class GameStatistics:
    """Storage of the statistics of each finished game with its results.

    The end of a game leaves a deadline that records this work as due (`bot.table.turns.POST_GAME`). It is
    deleted when the statistics are stored, so a stop in between neither loses nor doubles them.
    """

    def __init__(self, database: Database, thinker: Thinker, scheduler: Scheduler) -> None:
        self._database = database
        self._thinker = thinker
        self._scheduler = scheduler

    def note(self, table: Table) -> None:
        """Start storing the statistics of a table that has ended, unless they are stored or in progress."""
        if (deadline := owed(table)) is not None:
            self._scheduler.trigger(deadline.kind, deadline)

    async def compute(self, table: Table, _deadline: Deadline) -> None:
        """Compute and store the statistics that are due.

        Raises:
            StoreError, Refused: it could not be stored.
        """
        acts = standing(await self._database.read_at_once(lambda c: store.journal(c, table.id)))
        moves, channel_id = [(entry.seat, entry.data) for entry in acts], table.stored.channel_id
        try:
            earners = earning(table, acts)
            statistics = await self._thinker.analyze(
                seat_statistics, table.setup(), moves, earners, whose=channel_id
            )
        except Exception as error:  # any failure of the game is retried an hour later
            if isinstance(error, NoAnswer):
                log.warning("game statistics not stored yet", table=table.id, why=error.why)
            else:
                log.exception("game statistics could not be computed", table=table.id)
            await _owe(table, table.now() + LATER_MS)
        else:
            await _keep(table, statistics)


def owed(table: Table) -> Deadline | None:
    """Return the deadline of statistics that are not stored yet, or None."""
    return next((each for each in table.deadlines if each.kind == POST_GAME), None)


@changes(quiet=True, waited=False)
async def _keep(table: Table, statistics: Sequence[SeatStatistics]) -> None:
    """Store the statistics, and delete their deadline."""
    if owed(table) is not None:
        rest = tuple(each for each in table.deadlines if each.kind != POST_GAME)
        also = partial(store_statistics, game_id=table.id, statistics=statistics)
        await table.keep(Change(deadlines=rest, also=also, quiet=True))


@changes(quiet=True, waited=False)
async def _owe(table: Table, at: int) -> None:
    """Postpone the statistics to this table time."""
    if owed(table) is not None:
        await table.keep(Change(deadlines=(Deadline(table.id, POST_GAME, -1, at),), quiet=True))


class Recounted(NamedTuple):
    """Number of games whose achievements were recounted, and the tables that no longer replay."""

    games: int
    lost: tuple[int, ...]


async def recount(database: Database) -> Recounted:
    """Recount all achievements from the finished games, in the order in which they ended.

    Achievements from a game that does not replay are lost, and with an achievement the title that someone has
    from it.

    Raises:
        StoreError: the database did not answer; nothing has changed.
    """
    recounted: dict[int, list[SeatStatistics]] = {}
    lost: list[int] = []

    def put(connection: Connection) -> list[int]:
        """Store the recount, unless games have ended meanwhile. Return those, which must be counted first."""
        counted = {*recounted, *lost}
        new = [game_id for game_id in achievements.finished(connection) if game_id not in counted]
        if not new:
            achievements.clear(connection)
            for game_id, statistics in recounted.items():
                count_achievements(connection, game_id, statistics)
                # so statistics that are still due are not counted twice
                update_results(connection, game_id, statistics)
            achievements.take_titles(connection)
        return new

    async def play(game_id: int) -> None:
        try:
            table = await read_table(database, game_id)
        except (Refused, Refusal, ValueError, LookupError) as error:
            log.warning("achievements not counted", table=game_id, why=type(error).__name__)
            lost.append(game_id)
            return
        acts = standing(await database.read_at_once(partial(store.journal, game_id=game_id)))
        moves = [(entry.seat, entry.data) for entry in acts]
        recounted[game_id] = seat_statistics(table.setup(), moves, earning(table, acts))

    game_ids = await database.read_at_once(achievements.finished)
    while True:
        for game_id in game_ids:
            await play(game_id)
        game_ids = await database.write_at_once(put)
        if not game_ids:
            return Recounted(len(recounted), tuple(lost))
