"""Reviews of finished games, kept with them: each is made once."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, select

from bot.store.backend.locks import one_at_a_time
from bot.store.models import ResultRow, ReviewRow, SeatRow, table_of
from bot.store.people import PERSON, inserting
from bot.store.personal_data.privacy import is_nobody
from engine.ai.review import Review

_REVIEWS, _RESULTS, _SEATS = map(table_of, (ReviewRow, ResultRow, SeatRow))
LOOKED_AT = 200
"""So many of somebody's last games may have been reviewed."""


class Luck(NamedTuple):
    """What luck and what mistakes came to in reviewed games, in wins: luck may have taken some."""

    games: int
    by_luck: float
    by_mistakes: float


def review(connection: Connection, game_id: int, seat: int) -> Review | None:
    """The review of a game for one of its seats; None where there is none that this version reads."""
    where = (_REVIEWS.c.game_id == game_id, _REVIEWS.c.seat == seat)
    data = connection.execute(select(_REVIEWS.c.data).where(*where)).scalar()
    return None if data is None else _read(data)


def luck_of(connection: Connection, user_id: int, game: str, most: int) -> Luck:
    """What luck and mistakes came to in the last games of a person that have been reviewed."""
    played = (
        select(_RESULTS.c.game_id, _RESULTS.c.seat)
        .where(_RESULTS.c.user_id == user_id, _RESULTS.c.game == game)
        .order_by(_RESULTS.c.ended_at.desc(), _RESULTS.c.game_id.desc())
        .limit(LOOKED_AT)
    )
    seats = [(row.game_id, row.seat) for row in connection.execute(played)]
    kept = select(_REVIEWS).where(_REVIEWS.c.game_id.in_([game_id for game_id, _ in seats]))
    made = {(row.game_id, row.seat): row.data for row in connection.execute(kept)}
    last = [made[seat] for seat in seats if seat in made][:most]
    read = [found for data in last if (found := _read(data)) is not None]
    lost = sum(decision.loss for found in read for decision in found.costly)
    return Luck(len(read), sum(found.luck for found in read), -lost)


def _read(data: object) -> Review | None:
    try:
        return msgspec.convert(data, Review)
    except msgspec.ValidationError:
        return None  # of another version: it is made anew


def keep_review_of(connection: Connection, game_id: int, found: Review, user_id: int) -> bool:
    """Keep a review for whom it was made; False where they sit there no more, since they were deleted while
    it was being made."""
    one_at_a_time(connection, PERSON, user_id)
    seated = select(_SEATS.c.user_id).where(_SEATS.c.game_id == game_id, _SEATS.c.seat == found.seat)
    if is_nobody(user_id) or connection.execute(seated).scalar() != user_id:
        return False
    keep_review(connection, game_id, found)
    return True


def keep_review(connection: Connection, game_id: int, found: Review) -> None:
    """Keep a review, in the place of one that was there."""
    insert = inserting(connection.dialect.name, _REVIEWS)
    values = {"game_id": game_id, "seat": found.seat, "data": msgspec.to_builtins(found)}
    kept = insert.values(values).on_conflict_do_update(
        index_elements=["game_id", "seat"], set_={"data": insert.excluded.data}
    )
    connection.execute(kept)
