"""Finished games that do not replay: the reason they were not folded, and the rules source that last tried.

Each game has one row among the settings, so counting them does not scan all games. A version with different
rules source code tries them once more, because it may have fixed the problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from sqlalchemy import Connection, and_, delete, func, select, update

from bot.store.folds import LEFT
from bot.store.models import GameRow, SettingRow, table_of
from bot.store.people import put
from engine.packed import source_digest

_SETTINGS, _GAMES = table_of(SettingRow), table_of(GameRow)
_SCOPE: Final = "table"
_KEY: Final = "unfolded"
_HERE: Final = and_(_SETTINGS.c.scope == _SCOPE, _SETTINGS.c.key == _KEY)


class Unfolded(msgspec.Struct, frozen=True, kw_only=True):
    """The reason a game was not folded."""

    game: str
    why: str
    source: str = ""
    """Digest of the rules source that last tried to fold it."""


def note(connection: Connection, left: Mapping[int, Unfolded]) -> None:
    """Record why these games, by table id, were not folded by this version."""
    rows = [
        {
            "scope": _SCOPE,
            "scope_id": table,
            "key": _KEY,
            "value": msgspec.to_builtins(msgspec.structs.replace(each, source=source_digest())),
        }
        for table, each in left.items()
    ]
    if rows:
        put(connection, _SETTINGS, ("scope", "scope_id", "key"), rows)


def count(connection: Connection) -> int:
    """Count the games that could not be folded."""
    query = select(func.count()).select_from(_SETTINGS).where(_HERE)
    return int(connection.execute(query).scalar_one())


def newest(connection: Connection, most: int) -> dict[int, Unfolded]:
    """Return the entries with the highest table ids."""
    query = select(_SETTINGS.c.scope_id, _SETTINGS.c.value).where(_HERE)
    rows = connection.execute(query.order_by(_SETTINGS.c.scope_id.desc()).limit(most))
    return {table: msgspec.convert(value, Unfolded) for table, value in rows}


def try_again(connection: Connection) -> int:
    """Mark games for folding again if a different rules source failed on them. Return how many."""
    rows = connection.execute(select(_SETTINGS.c.scope_id, _SETTINGS.c.value).where(_HERE))
    here = source_digest()
    ids = [table for table, value in rows if msgspec.convert(value, Unfolded).source != here]
    if ids:
        due = (_GAMES.c.id.in_(ids), _GAMES.c.folded == LEFT)
        connection.execute(update(_GAMES).where(*due).values(folded=0))
        connection.execute(delete(_SETTINGS).where(_HERE, _SETTINGS.c.scope_id.in_(ids)))
    return len(ids)
