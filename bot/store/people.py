"""Reading and writing people: who they are, what they prefer, how they did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, insert, select

from bot.store.models import PlayerRow, ResultRow, SettingRow, table_of

_PLAYERS, _SETTINGS, _RESULTS = table_of(PlayerRow), table_of(SettingRow), table_of(ResultRow)

PERSON = "person"
"""The scope of what is kept in settings for a person, and the lock of whoever changes any of it."""
EVERYWHERE = 0
"""The guild id of totals and ratings over all servers."""


class Result(msgspec.Struct, frozen=True):
    """How one seat ended; the columns of the table `results`."""

    game_id: int
    seat: int
    user_id: int | None
    level: str | None
    guild_id: int | None
    game: str
    people: int
    rank: int
    score: float
    hands: int
    ended_at: int
    variant: str | None = None
    side: int | None = None
    place: int | None = None
    """The last three as `bot.store.ratings.judged` finds them."""


def inserting(dialect: str, table: Table) -> Any:
    """An INSERT with the ON CONFLICT of a dialect, of which only the one in use is loaded."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


def put(
    connection: Connection,
    table: Table,
    key: Sequence[str],
    rows: Sequence[dict[str, Any]],
    *,
    fresh: Sequence[str] = (),
) -> None:
    """Change the rows of these keys, or make them, in one statement: two at once must not both make one.

    Whoever writes several takes them in the order of the key, or two that wait for each other would wait
    for ever. Columns in `fresh` are for new rows only.
    """
    insert = inserting(connection.dialect.name, table)
    kept = {name: insert.excluded[name] for name in rows[0] if name not in key and name not in fresh}
    ordered = sorted(rows, key=lambda row: [row[name] for name in key])
    connection.execute(insert.on_conflict_do_update(index_elements=list(key), set_=kept), ordered)


def remember(connection: Connection, names: Mapping[int, str], at: int) -> None:
    """Keep the names that people go by, by their ids."""
    rows = [{"id": user_id, "name": name, "prefs": {}, "seen_at": at} for user_id, name in names.items()]
    if rows:
        put(connection, _PLAYERS, ("id",), rows, fresh=("prefs",))


def put_player(connection: Connection, user_id: int, name: str, prefs: Mapping[str, object], at: int) -> None:
    """Keep the name and the preferences of a person."""
    row = {"id": user_id, "name": name, "prefs": dict(prefs), "seen_at": at}
    put(connection, _PLAYERS, ("id",), [row])


def get_setting(connection: Connection, scope: str, scope_id: int, key: str) -> object:
    """A setting, or None."""
    query = select(_SETTINGS.c.value).where(
        _SETTINGS.c.scope == scope, _SETTINGS.c.scope_id == scope_id, _SETTINGS.c.key == key
    )
    return connection.execute(query).scalar_one_or_none()


def put_setting(connection: Connection, scope: str, scope_id: int, key: str, value: object) -> None:
    """Keep a setting."""
    row = {"scope": scope, "scope_id": scope_id, "key": key, "value": value}
    put(connection, _SETTINGS, ("scope", "scope_id", "key"), [row])


def has_results(connection: Connection, game_id: int) -> bool:
    """Whether the results of a game are in."""
    query = select(_RESULTS.c.seat).where(_RESULTS.c.game_id == game_id).limit(1)
    return connection.execute(query).first() is not None


def add_results(connection: Connection, results: Iterable[Result]) -> None:
    """Keep how the seats of a game ended."""
    connection.execute(insert(_RESULTS), [msgspec.structs.asdict(result) for result in results])
