"""Per-seat statistics of a finished game, stored with its results in the transaction that counts it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, bindparam, select, update

from bot.store import achievements
from bot.store.models import ResultRow, table_of

_RESULTS = table_of(ResultRow)


class SeatStatistics(msgspec.Struct, frozen=True):
    """Statistics of one seat: whether it began, how often it played each card and earned each achievement,
    and its role if the game has roles."""

    seat: int
    began: int | None
    cards: dict[str, int]
    achieved: dict[str, int] = {}
    role: str | None = None


def store_statistics(connection: Connection, game_id: int, statistics: Sequence[SeatStatistics]) -> None:
    """Store the statistics of a game with its results, and count its achievements only once."""
    noted = select(_RESULTS.c.cards).where(_RESULTS.c.game_id == game_id)
    if all(cards is None for cards in connection.execute(noted).scalars()):
        count_achievements(connection, game_id, statistics)
    update_results(connection, game_id, statistics)


def update_results(connection: Connection, game_id: int, statistics: Sequence[SeatStatistics]) -> None:
    """Store who began, the cards played and the roles with the results of a game."""
    change = update(_RESULTS).where(
        _RESULTS.c.game_id == game_id,
        _RESULTS.c.seat == bindparam("of_seat"),
        _RESULTS.c.user_id.is_not(None),
    )
    rows = [
        {"of_seat": each.seat, "began": each.began, "cards": each.cards, "role": each.role}
        for each in statistics
    ]
    if rows:
        connection.execute(change, rows)


def count_achievements(connection: Connection, game_id: int, statistics: Sequence[SeatStatistics]) -> None:
    """Add the achievements earned in a game to those of its players."""
    columns = [_RESULTS.c[name] for name in ("seat", "user_id", "game", "ended_at")]
    there = select(*columns).where(_RESULTS.c.game_id == game_id, _RESULTS.c.user_id > 0)
    held = {row.seat: row for row in connection.execute(there)}
    for each in statistics:
        if row := held.get(each.seat):
            achievements.add(connection, row.user_id, row.game, game_id, each.achieved, row.ended_at)
