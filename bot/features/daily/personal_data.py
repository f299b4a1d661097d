"""The limit that outlives a deletion: each person plays a daily deal once."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, select

from bot.store.days import begins_at, day_of, shifted
from bot.store.models import DailyResultRow, table_of
from bot.store.personal_data.kept_limits import KeptLimit
from bot.store.personal_data.special_tables import SpecialTable

_RESULTS = table_of(DailyResultRow)

PLAYED: Final = "daily"
"""Kind of the limit of a person who has played a daily deal."""


def limit_subject(day: str, game: str) -> str:
    """Return the subject of the limit on a daily deal."""
    return f"{day}/{game}"


def _limits(connection: Connection, user_id: int, at: int) -> list[KeptLimit]:
    """Return the limits on the deals of today that the person has played, each until its day is over."""
    today = select(_RESULTS.c.day, _RESULTS.c.game).where(
        _RESULTS.c.user_id == user_id, _RESULTS.c.day >= day_of(at)
    )
    return [
        KeptLimit(PLAYED, limit_subject(day, game), {}, begins_at(shifted(day, 1)))
        for day, game in connection.execute(today)
    ]


TABLES: Final[tuple[SpecialTable, ...]] = (SpecialTable(table=_RESULTS, limits=_limits),)
