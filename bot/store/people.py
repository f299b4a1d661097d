"""Reading and writing people: who they are, what they prefer, how they did."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

import msgspec
from sqlalchemy import Table, case, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import PlayerRow, RatingRow, ResultRow, SettingRow, table_of

_PLAYERS, _SETTINGS = table_of(PlayerRow), table_of(SettingRow)
_RESULTS, _RATINGS = table_of(ResultRow), table_of(RatingRow)

EVERYWHERE = 0
"""The guild id of ratings over all servers."""


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


class Rating(msgspec.Struct, frozen=True):
    """An openskill rating of one person in one game."""

    user_id: int
    mu: float
    sigma: float
    games: int


class Score(msgspec.Struct, frozen=True):
    """One row of a leaderboard. Games against opponents alone are counted apart, as `practice`."""

    user_id: int
    name: str
    games: int
    wins: int
    hands: int
    practice: int
    practice_wins: int


async def _put(
    connection: AsyncConnection,
    table: Table,
    key: dict[str, Any],
    values: dict[str, Any],
    *,
    fresh: dict[str, Any] | None = None,
) -> None:
    """Change the row of this key, or make it, in one statement: two at once must not both make it.

    `fresh` are values for a new row only.
    """
    # the module of the dialect in use, which is loaded; both have the same `insert`
    upsert = import_module(f"sqlalchemy.dialects.{connection.dialect.name}").insert
    row = upsert(table).values({**key, **values, **(fresh or {})})
    await connection.execute(row.on_conflict_do_update(index_elements=list(key), set_=values))


async def remember(connection: AsyncConnection, user_id: int, name: str, at: int) -> None:
    """Keep the name that a person goes by."""
    await _put(connection, _PLAYERS, {"id": user_id}, {"name": name, "seen_at": at}, fresh={"prefs": {}})


async def get_setting(connection: AsyncConnection, scope: str, scope_id: int, key: str) -> Any:
    """A setting, or None."""
    query = select(_SETTINGS.c.value).where(
        _SETTINGS.c.scope == scope, _SETTINGS.c.scope_id == scope_id, _SETTINGS.c.key == key
    )
    return (await connection.execute(query)).scalar_one_or_none()


async def put_setting(connection: AsyncConnection, scope: str, scope_id: int, key: str, value: Any) -> None:
    """Keep a setting."""
    where = {"scope": scope, "scope_id": scope_id, "key": key}
    await _put(connection, _SETTINGS, where, {"value": value})


async def has_results(connection: AsyncConnection, game_id: int) -> bool:
    """Whether the results of a game are in."""
    query = select(func.count()).select_from(_RESULTS).where(_RESULTS.c.game_id == game_id)
    return bool((await connection.execute(query)).scalar_one())


async def add_results(connection: AsyncConnection, results: Iterable[Result]) -> None:
    """Keep how the seats of a game ended."""
    await connection.execute(insert(_RESULTS), [msgspec.structs.asdict(result) for result in results])


async def ratings(
    connection: AsyncConnection, user_ids: Iterable[int], guild_id: int, game: str, *, lock: bool = False
) -> dict[int, Rating]:
    """The ratings that these people have; `lock` keeps others from them until this transaction ends."""
    query = select(_RATINGS).where(
        _RATINGS.c.user_id.in_(list(user_ids)), _RATINGS.c.guild_id == guild_id, _RATINGS.c.game == game
    )
    if lock:  # always in one order, or two that wait for each other would wait for ever
        query = query.order_by(_RATINGS.c.user_id).with_for_update()
    return {
        row.user_id: Rating(row.user_id, row.mu, row.sigma, row.games)
        for row in await connection.execute(query)
    }


async def put_rating(connection: AsyncConnection, rating: Rating, guild_id: int, game: str) -> None:
    """Keep a rating."""
    where = {"user_id": rating.user_id, "guild_id": guild_id, "game": game}
    values = {"mu": rating.mu, "sigma": rating.sigma, "games": rating.games}
    await _put(connection, _RATINGS, where, values)


async def leaderboard(
    connection: AsyncConnection,
    game: str,
    guild_id: int | None,
    *,
    limit: int,
    offset: int = 0,
    user_id: int | None = None,
) -> tuple[list[Score], int]:
    """The best people of a game, in one server or (None) everywhere, and how many there are.

    Ordered by wins, then share of wins, among games with at least two people; practice games
    against opponents alone only break ties. With `user_id` just that person's row.
    """
    with_people, won = _RESULTS.c.people >= 2, _RESULTS.c.rank == 1

    def count(*conditions: Any) -> Any:
        condition = conditions[0]
        for more in conditions[1:]:
            condition &= more
        return func.sum(case((condition, 1), else_=0))

    games, wins = count(with_people).label("games"), count(with_people, won).label("wins")
    practice = count(~with_people).label("practice")
    practice_wins = count(~with_people, won).label("practice_wins")
    hands = func.sum(_RESULTS.c.hands).label("hands")
    where = [_RESULTS.c.user_id.is_not(None), _RESULTS.c.game == game]
    if guild_id is not None:
        where.append(_RESULTS.c.guild_id == guild_id)
    if user_id is not None:
        where.append(_RESULTS.c.user_id == user_id)
    name = func.coalesce(_PLAYERS.c.name, "").label("name")
    query = (
        select(_RESULTS.c.user_id, name, games, wins, hands, practice, practice_wins)
        .select_from(_RESULTS.outerjoin(_PLAYERS, _PLAYERS.c.id == _RESULTS.c.user_id))
        .where(*where)
        .group_by(_RESULTS.c.user_id, name)
    )
    ranked = query.order_by(
        wins.desc(), games.asc(), practice_wins.desc(), practice.asc(), _RESULTS.c.user_id
    )
    rows = await connection.execute(ranked.limit(limit).offset(offset))
    total = await connection.execute(select(func.count()).select_from(query.subquery()))
    scores = [Score(int(user), name, *(int(number) for number in numbers)) for user, name, *numbers in rows]
    return scores, total.scalar_one()


async def streak(connection: AsyncConnection, user_id: int, game: str, guild_id: int | None) -> int:
    """How many of the person's last games with people were won in a row."""
    where = [_RESULTS.c.user_id == user_id, _RESULTS.c.game == game, _RESULTS.c.people >= 2]
    if guild_id is not None:
        where.append(_RESULTS.c.guild_id == guild_id)
    query = select(_RESULTS.c.rank).where(*where).order_by(_RESULTS.c.ended_at.desc()).limit(1000)
    run = 0
    for (rank,) in await connection.execute(query):
        if rank != 1:
            break
        run += 1
    return run
