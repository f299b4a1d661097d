"""Folding a finished game: its journal is replayed, held against what is stored of its end, and packed."""

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
"""Why a game is left as it is that replays, but not to what is known of it."""
NOT_OVER: Final = "it does not come to an end"


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A game that has ended, as far as folding needs it: nothing of who sat there."""

    table: int
    game: str
    version: int
    options: dict[str, Any]
    seats: int
    fair: Commitment
    entropy: list[int]
    over: bool
    """Whether it was played to its end; else it was closed before."""
    journal: list[Entry]
    results: list[tuple[int, int, float]]
    """By result: the seat, its rank and its score."""


class Unfoldable(msgspec.Struct, frozen=True):
    """A game that cannot be folded, and why."""

    table: int
    game: str
    why: str


def read(connection: Connection, ids: Sequence[int]) -> tuple[list[Ended], list[Unfoldable]]:
    """The games with these numbers; and those whose rows cannot be read, or that rest."""
    found, left = list[Ended](), list[Unfoldable]()
    for table_id in ids:
        place = store.place(connection, table_id)
        if place is None:
            continue
        try:
            stored = None if place.resting else store.whole(connection, table_id)
        except (ValueError, LookupError) as error:
            left.append(Unfoldable(table_id, place.game, reason_of(error)))
            continue
        if stored is None:
            left.append(Unfoldable(table_id, place.game, place.resting))
            continue
        game = stored.game
        found.append(
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
    return found, left


def _results(connection: Connection, table_id: int) -> list[tuple[int, int, float]]:
    rows = select(_RESULTS.c.seat, _RESULTS.c.rank, _RESULTS.c.score).where(_RESULTS.c.game_id == table_id)
    found = [(row.seat, row.rank, row.score) for row in connection.execute(rows)]
    day = select(_DAILY.c.rank, _DAILY.c.score).where(
        _DAILY.c.game_id == table_id, _DAILY.c.ended_at.is_not(None)
    )
    return found + [(PERSON, row.rank, row.score) for row in connection.execute(day)]


def folded(games: Sequence[Ended]) -> list[Fold | Unfoldable]:
    """Each game packed, or why it is left; runs in the worker."""
    return [_folded(each) for each in games]


def _folded(each: Ended) -> Fold | Unfoldable:
    try:
        rules = catalog.get(each.game).at(each.version)
        options = {**rules.defaults(), **each.options}
        setup = Setup(each.game, each.version, each.seats, options, each.fair.deal_key(each.entropy))
        if refusal := rules.check(setup):
            raise refusal
        state = replayed(rules, setup, each.journal, 0).state
        outcome = state.outcome()
        if each.over and outcome is None:
            return Unfoldable(each.table, each.game, NOT_OVER)
        if outcome is not None and not agrees(outcome, each.results):
            return Unfoldable(each.table, each.game, OTHER_END)
        packed = folds.packed([msgspec.structs.astuple(entry) for entry in each.journal])
        if [Entry(*line) for line in folds.unpacked(packed)] != each.journal:
            return Unfoldable(each.table, each.game, "its entries cannot be packed")
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one game, the others are folded
        return Unfoldable(each.table, each.game, reason_of(error))
    return Fold(
        game_id=each.table,
        entries=len(each.journal),
        last_at=each.journal[-1].at,
        digest=digest(each.game, state),
        journal=packed,
    )


def agrees(outcome: Outcome, results: Sequence[tuple[int, int, float]]) -> bool:
    """Whether a game that ended so left these results. Who went away is stored as last, however their seat
    came out, and whoever was behind them moved up, but for games of before that was so; the one result of who
    played all seats says 1 or 2 for won or lost."""
    last, alone = len(outcome.standings), len(results) == 1
    away = {seat for seat, rank, _ in results if rank == last}
    counted = places(outcome, away)
    for seat, rank, score in results:
        if not 0 <= seat < last or not math.isclose(outcome.standings[seat].score, score, abs_tol=1e-9):
            return False
        if not alone and rank not in (counted[seat], outcome.standings[seat].rank, last):
            return False
    return True
