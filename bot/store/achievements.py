"""Players' achievements: counted once for each finished game."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, func, select, update

from bot.store.models import AchievementRow, PlayerRow, ResultRow, table_of
from bot.store.people import inserting

_ACHIEVEMENTS, _PLAYERS, _RESULTS = map(table_of, (AchievementRow, PlayerRow, ResultRow))


class Earned(msgspec.Struct, frozen=True):
    """An achievement a player has earned: its game, count, and where and when it was first earned."""

    game: str
    key: str
    count: int
    first_game: int
    at: int


def add(  # noqa: PLR0917 - the columns of a row
    connection: Connection, user_id: int, game: str, game_id: int, times: Mapping[str, int], at: int
) -> None:
    """Add the achievements a player earned at a table. The caller ensures that each table is added only
    once."""
    if not times:
        return
    insert = inserting(connection.dialect.name, _ACHIEVEMENTS)
    more = insert.on_conflict_do_update(
        index_elements=["user_id", "game", "key"],
        set_={"count": _ACHIEVEMENTS.c.count + insert.excluded.count},
    )
    one = {"user_id": user_id, "game": game, "first_game": game_id, "at": at}
    connection.execute(more, [{**one, "key": key, "count": n} for key, n in sorted(times.items())])


def of_person(connection: Connection, user_id: int) -> list[Earned]:
    """Return all achievements of a player."""
    columns = [_ACHIEVEMENTS.c[name] for name in Earned.__struct_fields__]
    query = select(*columns).where(_ACHIEVEMENTS.c.user_id == user_id)
    ordered = query.order_by(_ACHIEVEMENTS.c.game, _ACHIEVEMENTS.c.key)
    return [Earned(*row) for row in connection.execute(ordered)]


def first_at(connection: Connection, user_id: int, game: str, game_id: int) -> list[str]:
    """Return the keys of the achievements a player first earned at this table."""
    query = select(_ACHIEVEMENTS.c.key).where(
        _ACHIEVEMENTS.c.user_id == user_id,
        _ACHIEVEMENTS.c.game == game,
        _ACHIEVEMENTS.c.first_game == game_id,
    )
    return list(connection.execute(query.order_by(_ACHIEVEMENTS.c.key)).scalars())


def finished(connection: Connection) -> list[int]:
    """Return the tables whose games count, in the order in which the games ended."""
    query = select(_RESULTS.c.game_id).group_by(_RESULTS.c.game_id)
    return list(
        connection.execute(query.order_by(func.min(_RESULTS.c.ended_at), _RESULTS.c.game_id)).scalars()
    )


def clear(connection: Connection) -> None:
    """Delete all achievements, before they are recalculated."""
    connection.execute(_ACHIEVEMENTS.delete())


def take_titles(connection: Connection) -> None:
    """Remove titles from players who no longer have the achievement that the title names."""
    keys = (_ACHIEVEMENTS.c.user_id, _ACHIEVEMENTS.c.game, _ACHIEVEMENTS.c.key)
    earned = {(user, f"{game}:{key}") for user, game, key in connection.execute(select(*keys))}
    for user, prefs in connection.execute(select(_PLAYERS.c.id, _PLAYERS.c.prefs)).all():
        if prefs.get("title") and (user, prefs["title"]) not in earned:
            bare = {key: value for key, value in prefs.items() if key != "title"}
            connection.execute(update(_PLAYERS).where(_PLAYERS.c.id == user).values(prefs=bare))
