"""Folding a finished game: its journal is replayed, compared with the stored results, and packed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, select

from bot.store import folds
from bot.store import games as store
from bot.store.days import PERSON
from bot.store.folds import Fold
from bot.store.games import Entry
from bot.store.models import DailyResultRow, ResultRow, table_of
from bot.table.journal import replayed
from bot.table.results import places
from bot.table.storage.resting import reason_of
from bot.table.table import entropy_of
from engine import catalog
from engine.digests import digest
from engine.fair import Commitment
from engine.game import Outcome, Setup

_RESULTS, _DAILY = table_of(ResultRow), table_of(DailyResultRow)
OTHER_END: Final = "it does not lead to the end that is stored"
"""Reason for not folding a game that replays, but not to the end that is stored."""
NOT_OVER: Final = "it does not come to an end"


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of an ended game that folding needs. They do not include its players."""

    table: int
    game: str
    version: int
    options: dict[str, Any]
    seats: int
    fair: Commitment
    entropy: list[int]
    over: bool
    """Whether it was played to its end, rather than closed before."""
    journal: list[Entry]
    results: list[tuple[int, int, float]]
    """Seat, rank and score of each result."""


class Unfoldable(msgspec.Struct, frozen=True):
    """A game that cannot be folded, and the reason."""

    table: int
    game: str
    why: str


def read(connection: Connection, ids: Sequence[int]) -> tuple[list[Ended], list[Unfoldable]]:
    """Return the games with these numbers, and those that rest or whose rows cannot be read."""
    games, unfoldable = list[Ended](), list[Unfoldable]()
    for table_id in ids:
        place = store.place(connection, table_id)
        if place is None:
            continue
        try:
            stored = None if place.resting else store.whole(connection, table_id)
        except (ValueError, LookupError) as error:
            unfoldable.append(Unfoldable(table_id, place.game, reason_of(error)))
            continue
        if stored is None:
            unfoldable.append(Unfoldable(table_id, place.game, place.resting))
            continue
        game = stored.game
        games.append(
            Ended(
                table=table_id,
                game=game.game,
                version=game.version,
                options=game.options,
                seats=len(stored.sitters),
                fair=Commitment(game.seed, game.nonce),
                entropy=entropy_of(stored.sitters),
                over=game.phase == "over",
                journal=stored.journal,
                results=_results(connection, table_id),
            )
        )
    return games, unfoldable


def _results(connection: Connection, table_id: int) -> list[tuple[int, int, float]]:
    query = select(_RESULTS.c.seat, _RESULTS.c.rank, _RESULTS.c.score).where(_RESULTS.c.game_id == table_id)
    results = [(row.seat, row.rank, row.score) for row in connection.execute(query)]
    daily_query = select(_DAILY.c.rank, _DAILY.c.score).where(
        _DAILY.c.game_id == table_id, _DAILY.c.ended_at.is_not(None)
    )
    return results + [(PERSON, row.rank, row.score) for row in connection.execute(daily_query)]


def folded(games: Sequence[Ended]) -> list[Fold | Unfoldable]:
    """Return each game packed, or the reason why it cannot be. Runs in the worker."""
    return [_folded(each) for each in games]


def _folded(game: Ended) -> Fold | Unfoldable:
    try:
        rules = catalog.get(game.game).at(game.version)
        options = {**rules.defaults(), **game.options}
        setup = Setup(game.game, game.version, game.seats, options, game.fair.deal_key(game.entropy))
        if refusal := rules.check(setup):
            raise refusal
        state = replayed(rules, setup, game.journal, 0).state
        outcome = state.outcome()
        if game.over and outcome is None:
            return Unfoldable(game.table, game.game, NOT_OVER)
        if outcome is not None and not agrees(outcome, game.results):
            return Unfoldable(game.table, game.game, OTHER_END)
        packed = folds.packed([msgspec.structs.astuple(entry) for entry in game.journal])
        if [Entry(*line) for line in folds.unpacked(packed)] != game.journal:
            return Unfoldable(game.table, game.game, "its entries cannot be packed")
    except Exception as error:  # noqa: BLE001 - a defect in one game must not stop the others
        return Unfoldable(game.table, game.game, reason_of(error))
    return Fold(
        game_id=game.table,
        entries=len(game.journal),
        last_at=game.journal[-1].at,
        digest=digest(game.game, state),
        journal=packed,
    )


def agrees(outcome: Outcome, results: Sequence[tuple[int, int, float]]) -> bool:
    """Return whether a game with this outcome left these results.

    Players who went away are stored as last, however well their seat did, and everyone behind them moved up;
    in older games no one did. If one player held all seats, their only result has rank 1 or 2, for won or
    lost.
    """
    last, is_solo = len(outcome.standings), len(results) == 1
    absent = {seat for seat, rank, _ in results if rank == last}
    counted = places(outcome, absent)
    for seat, rank, score in results:
        if not 0 <= seat < last or not math.isclose(outcome.standings[seat].score, score, abs_tol=1e-9):
            return False
        if not is_solo and rank not in (counted[seat], outcome.standings[seat].rank, last):
            return False
    return True
