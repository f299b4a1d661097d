"""Reading and writing people: names, preferences, settings and results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, func, insert, select, update

from bot.store.models import NameRow, PlayerRow, ResultRow, SettingRow, table_of

_PLAYERS, _SETTINGS, _RESULTS = table_of(PlayerRow), table_of(SettingRow), table_of(ResultRow)
_NAMES = table_of(NameRow)

PERSON = "person"
"""Settings scope of a person's data, and the name of the lock for changing any of it."""
EVERYWHERE = 0
"""Guild id of totals and ratings over all servers."""


class StoredResult(msgspec.Struct, frozen=True):
    """The result of one seat; the columns of the table `results`."""

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
    """`variant`, `side` and `place` are set by `bot.store.ratings.judged`."""


def inserting(dialect: str, table: Table) -> Any:
    """Return a dialect's INSERT with ON CONFLICT. Only the dialect in use is imported."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


def put(
    connection: Connection,
    table: Table,
    key: Sequence[str],
    rows: Sequence[dict[str, Any]],
    *,
    fresh: Sequence[str] = (),
) -> None:
    """Update the rows with these keys, or insert them, in one statement, so that two writers cannot both
    insert.

    Several rows are written in the order of their keys; otherwise two writers could deadlock. Columns in
    `fresh` are only set on new rows.
    """
    insert = inserting(connection.dialect.name, table)
    kept = {name: insert.excluded[name] for name in rows[0] if name not in key and name not in fresh}
    ordered = sorted(rows, key=lambda row: [row[name] for name in key])
    connection.execute(insert.on_conflict_do_update(index_elements=list(key), set_=kept), ordered)


def remember(
    connection: Connection,
    names: Mapping[int, str],
    at: int,
    *,
    guild_id: int | None = None,
    accounts: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """Store people's names by their ids: those used in a server, and those of their accounts.

    Outside of servers, `names` are those of the accounts. A name used in a server never becomes a person's
    only name.
    """
    if guild_id is None:
        accounts = {**names, **accounts}
    elif names:
        here = [
            {"user_id": user_id, "guild_id": guild_id, "name": name, "seen_at": at}
            for user_id, name in names.items()
        ]
        put(connection, _NAMES, ("user_id", "guild_id"), here)
    rows = [
        {"id": user_id, "name": accounts[user_id], "prefs": {}, "seen_at": at}
        for user_id in names
        if user_id in accounts
    ]
    if rows:
        put(connection, _PLAYERS, ("id",), rows, fresh=("prefs",))


def name_in(guild_id: int, user_id: ColumnElement[int]) -> ColumnElement[str]:
    """Return the name by which a server knows a person, or else that of their account; "" if there is none.

    Everywhere (`EVERYWHERE`) it is the name of the account. The query joins no other table.
    """
    players = _PLAYERS.alias()
    account = select(players.c.name).where(players.c.id == user_id).scalar_subquery()
    here = (
        select(_NAMES.c.name)
        .where(_NAMES.c.user_id == user_id, _NAMES.c.guild_id == guild_id)
        .scalar_subquery()
    )
    return func.coalesce(here, account, "") if guild_id != EVERYWHERE else func.coalesce(account, "")


def put_player(connection: Connection, user_id: int, name: str, prefs: Mapping[str, object], at: int) -> None:
    """Store the name of a person's account, and their preferences."""
    row = {"id": user_id, "name": name, "prefs": dict(prefs), "seen_at": at}
    put(connection, _PLAYERS, ("id",), [row])


def get_setting(connection: Connection, scope: str, scope_id: int, key: str) -> object:
    """Return a setting, or None."""
    query = select(_SETTINGS.c.value).where(
        _SETTINGS.c.scope == scope, _SETTINGS.c.scope_id == scope_id, _SETTINGS.c.key == key
    )
    return connection.execute(query).scalar_one_or_none()


def put_setting(connection: Connection, scope: str, scope_id: int, key: str, value: object) -> None:
    """Store a setting."""
    row = {"scope": scope, "scope_id": scope_id, "key": key, "value": value}
    put(connection, _SETTINGS, ("scope", "scope_id", "key"), [row])


def seats_with_results(connection: Connection, game_id: int) -> dict[int, int | None]:
    """Return the seats of a game whose results are stored, and their people."""
    query = select(_RESULTS.c.seat, _RESULTS.c.user_id).where(_RESULTS.c.game_id == game_id)
    return {row.seat: row.user_id for row in connection.execute(query)}


def add_results(connection: Connection, results: Iterable[StoredResult]) -> None:
    """Store the results of a game's seats."""
    connection.execute(insert(_RESULTS), [msgspec.structs.asdict(result) for result in results])


def change_results(connection: Connection, results: Iterable[StoredResult]) -> None:
    """Change the stored results of these seats; whose they are stays."""
    for result in results:
        columns = msgspec.structs.asdict(result)
        here = [_RESULTS.c[key] == columns.pop(key) for key in ("game_id", "seat")]
        del columns["user_id"]  # they may have been deleted since
        connection.execute(update(_RESULTS).where(*here).values(columns))
