"""Reviews of finished games, kept with them: each is made once."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, select

from bot.store.models import ReviewRow, table_of
from bot.store.people import inserting
from engine.ai.review import Review

_REVIEWS = table_of(ReviewRow)


def review(connection: Connection, game_id: int, seat: int) -> Review | None:
    """The review of a game for one of its seats; None where there is none that this version reads."""
    where = (_REVIEWS.c.game_id == game_id, _REVIEWS.c.seat == seat)
    data = connection.execute(select(_REVIEWS.c.data).where(*where)).scalar()
    if data is None:
        return None
    try:
        return msgspec.convert(data, Review)
    except msgspec.ValidationError:
        return None  # of another version: it is made anew


def keep_review(connection: Connection, game_id: int, found: Review) -> None:
    """Keep a review, in the place of one that was there."""
    insert = inserting(connection.dialect.name, _REVIEWS)
    values = {"game_id": game_id, "seat": found.seat, "data": msgspec.to_builtins(found)}
    kept = insert.values(values).on_conflict_do_update(
        index_elements=["game_id", "seat"], set_={"data": insert.excluded.data}
    )
    connection.execute(kept)
