"""The tables of the database. Times are milliseconds since 1970 (UTC); ids of Discord are 64-bit."""

from __future__ import annotations

from typing import cast

from sqlalchemy import Table

from bot.store.models.base import Base
from bot.store.models.games import (
    ClockRow,
    EntryRow,
    GameRow,
    GuessRow,
    LeaseRow,
    ReviewRow,
    SeatRow,
    SnapshotRow,
)
from bot.store.models.gatherings import (
    EntrantRow,
    MatchRow,
    NightAnswerRow,
    NightCallRow,
    NightRow,
    TournamentRow,
)
from bot.store.models.old import FoldRow, HeartbeatRow, RatingRow
from bot.store.models.people import HouseRulesRow, PlayerRow, SeekerRow, SettingRow
from bot.store.models.results import (
    AchievementRow,
    BoardRatingRow,
    DailyResultRow,
    DayRow,
    ResultRow,
    RivalRow,
    TotalRow,
    VoidRow,
)

__all__ = [
    "SCHEMA",
    "AchievementRow",
    "Base",
    "BoardRatingRow",
    "ClockRow",
    "DailyResultRow",
    "DayRow",
    "EntrantRow",
    "EntryRow",
    "FoldRow",
    "GameRow",
    "GuessRow",
    "HeartbeatRow",
    "HouseRulesRow",
    "LeaseRow",
    "MatchRow",
    "NightAnswerRow",
    "NightCallRow",
    "NightRow",
    "PlayerRow",
    "RatingRow",
    "ResultRow",
    "ReviewRow",
    "RivalRow",
    "SeatRow",
    "SeekerRow",
    "SettingRow",
    "SnapshotRow",
    "TotalRow",
    "TournamentRow",
    "VoidRow",
    "table_of",
]

SCHEMA = "0016"
"""The newest migration; a database must be at exactly this revision."""


def table_of(model: type[Base]) -> Table:
    """The Core table of a model: the hot path speaks Core, which costs a third less than the ORM."""
    return cast("Table", model.__table__)
