"""The tables of the database. Times are milliseconds since 1970 (UTC); Discord ids are 64-bit."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
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
from bot.store.models.people import (
    BlockRow,
    HouseRulesRow,
    KeptLimitRow,
    NameRow,
    PlayerRow,
    RequestRow,
    SeekerRow,
    SettingRow,
)
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
    "BlockRow",
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
    "KeptLimitRow",
    "LeaseRow",
    "MatchRow",
    "NameRow",
    "NightAnswerRow",
    "NightCallRow",
    "NightRow",
    "PlayerRow",
    "RatingRow",
    "RequestRow",
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
    "feature_modules",
    "table_of",
]

_VERSIONS = Path(__file__).parents[1] / "migrations" / "versions"
SCHEMA = max(name[:4] for _, name, _ in iter_modules([str(_VERSIONS)]))
"""The newest migration; a database must be at exactly this revision."""


def table_of(model: type[Base]) -> Table:
    """Return the Core table of a model. The hot path uses Core, which costs a third less than the ORM."""
    return cast("Table", model.__table__)


def feature_modules(name: str) -> list[ModuleType]:
    """Import the module of this name from every feature that has one."""
    paths = sorted((Path(__file__).parents[2] / "features").glob(f"*/{name}.py"))
    return [import_module(f"bot.features.{path.parent.name}.{name}") for path in paths]


# Migrations, exports and deletions look at all tables. A feature may import what is defined above.
feature_modules("models")
