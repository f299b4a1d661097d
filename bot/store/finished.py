"""The finished games of a person."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, func, select

from bot.store.models import GameRow, SeatRow, table_of
from bot.store.queries import recent_games
from bot.store.terms import terms

_GAMES, _SEATS = table_of(GameRow), table_of(SeatRow)


class Finished(msgspec.Struct, frozen=True):
    """A finished game as shown in a list, without the result."""

    id: int
    game: str
    ended_at: int
    practice: bool
    names: tuple[str, ...] = ()


def finished_of(
    connection: Connection, user_id: int, most: int, offset: int = 0
) -> tuple[list[Finished], int]:
    """Return one page of the games a person played to the end, most recently ended first, and the total.

    Only the last `RECENT` games of the person count.
    """
    mine = (_GAMES.c.id.in_(recent_games(user_id)), _GAMES.c.phase == "over")
    total = connection.execute(select(func.count()).select_from(_GAMES).where(*mine)).scalar_one()
    query = select(_GAMES.c.id, _GAMES.c.game, _GAMES.c.ended_at, _GAMES.c.terms).where(*mine)
    ordered = query.order_by(func.coalesce(_GAMES.c.ended_at, 0).desc(), _GAMES.c.id.desc())
    rows = connection.execute(ordered.limit(most).offset(offset)).all()
    names: dict[int, list[str]] = {row.id: [] for row in rows}
    seated = select(_SEATS.c.game_id, _SEATS.c.name).where(_SEATS.c.game_id.in_(list(names)))
    for game_id, name in connection.execute(seated.order_by(_SEATS.c.game_id, _SEATS.c.seat)):
        names[game_id].append(name)
    found = [
        Finished(row.id, row.game, row.ended_at or 0, bool(terms(row.terms).practice), tuple(names[row.id]))
        for row in rows
    ]
    return found, total
