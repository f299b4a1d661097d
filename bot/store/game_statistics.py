"""Per-seat statistics of a finished game, stored with its results in the transaction that counts it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, bindparam, select, update

from bot.store import achievements
from bot.store.models import ResultRow, table_of

_RESULTS = table_of(ResultRow)


class Deed(msgspec.Struct, frozen=True):
    """Statistics of one seat: whether it began, how often it played each card and earned each achievement,
    and its role if the game has roles."""

    seat: int
    began: int | None
    cards: dict[str, int]
    achieved: dict[str, int] = {}
    role: str | None = None


def keep_deeds(connection: Connection, game_id: int, deeds: Sequence[Deed]) -> None:
    """Store the statistics of a game with its results, and count its achievements only once."""
    noted = select(_RESULTS.c.cards).where(_RESULTS.c.game_id == game_id)
    if all(cards is None for cards in connection.execute(noted).scalars()):
        count_achievements(connection, game_id, deeds)
    note_deeds(connection, game_id, deeds)


def note_deeds(connection: Connection, game_id: int, deeds: Sequence[Deed]) -> None:
    """Store who began, the cards played and the roles with the results of a game."""
    change = update(_RESULTS).where(
        _RESULTS.c.game_id == game_id,
        _RESULTS.c.seat == bindparam("of_seat"),
        _RESULTS.c.user_id.is_not(None),
    )
    rows = [
        {"of_seat": deed.seat, "began": deed.began, "cards": deed.cards, "role": deed.role} for deed in deeds
    ]
    if rows:
        connection.execute(change, rows)


def count_achievements(connection: Connection, game_id: int, deeds: Sequence[Deed]) -> None:
    """Add the achievements earned in a game to those of its players."""
    columns = [_RESULTS.c[name] for name in ("seat", "user_id", "game", "ended_at")]
    there = select(*columns).where(_RESULTS.c.game_id == game_id, _RESULTS.c.user_id > 0)
    held = {row.seat: row for row in connection.execute(there)}
    for deed in deeds:
        if row := held.get(deed.seat):
            achievements.add(connection, row.user_id, row.game, game_id, deed.achieved, row.ended_at)
