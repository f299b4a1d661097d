"""Totals of each player's results: updated when a game is settled, read by leaderboards and statistics.

A leaderboard must not add up all results ever stored. So each result is added to two rows of `totals`, one
for its server and one for all servers, in the transaction that stores it. `recount` computes what those rows
must hold from the results alone.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Subquery, and_, case, func, select, text, tuple_

from bot.store.models import ResultRow, TotalRow, table_of
from bot.store.people import EVERYWHERE, inserting
from bot.store.personal_data.privacy import is_nobody
from bot.store.queries import RECENT

_TOTALS, _RESULTS = table_of(TotalRow), table_of(ResultRow)


class Total(msgspec.Struct, frozen=True):
    """Totals of one person's results in one game. `practice` counts games against computer opponents only."""

    games: int = 0
    wins: int = 0
    hands: int = 0
    practice: int = 0
    practice_wins: int = 0
    streak: int = 0
    best_streak: int = 0


# -- counting -------------------------------------------------------------------------------

# The only definition of a win: first rank, with at least one player behind. If all seats share the first
# rank, no seat has won. A single seat plays against the game itself, and rank 1 means that the player beat
# it.
_DECIDE = """
UPDATE results SET won = CASE
  WHEN rank = 1 AND (
    (SELECT max(other.rank) FROM results AS other WHERE other.game_id = results.game_id) > 1
    OR (SELECT count(*) FROM results AS other WHERE other.game_id = results.game_id) = 1
  ) THEN 1 ELSE 0 END
WHERE won IS NULL"""

# A run is a game with people that was not won plus the wins that follow it. The wins form a streak.
_RECOUNT = """
INSERT INTO totals (
  user_id, guild_id, game, games, wins, hands, practice, practice_wins,
  streak, best_streak, last_at, last_game
)
WITH counted AS (
  SELECT user_id, 0 AS guild_id, game, game_id, seat, people, won, hands, ended_at
  FROM results WHERE user_id > 0 AND won IS NOT NULL {where}
  UNION ALL
  SELECT user_id, guild_id, game, game_id, seat, people, won, hands, ended_at
  FROM results WHERE user_id > 0 AND won IS NOT NULL AND guild_id <> 0 {where}
), numbered AS (
  SELECT counted.*,
    sum(CASE WHEN people >= 2 AND won = 0 THEN 1 ELSE 0 END) OVER onward AS run,
    row_number() OVER (
      PARTITION BY user_id, guild_id, game ORDER BY ended_at DESC, game_id DESC, seat DESC
    ) AS back
  FROM counted
  WINDOW onward AS (PARTITION BY user_id, guild_id, game ORDER BY ended_at, game_id, seat)
), runs AS (
  SELECT user_id, guild_id, game, run,
    sum(CASE WHEN people >= 2 THEN 1 ELSE 0 END) AS games,
    sum(CASE WHEN people >= 2 THEN won ELSE 0 END) AS wins,
    sum(hands) AS hands,
    sum(CASE WHEN people >= 2 THEN 0 ELSE 1 END) AS practice,
    sum(CASE WHEN people >= 2 THEN 0 ELSE won END) AS practice_wins,
    max(CASE WHEN back = 1 THEN ended_at END) AS last_at,
    max(CASE WHEN back = 1 THEN game_id END) AS last_game
  FROM numbered GROUP BY user_id, guild_id, game, run
)
SELECT user_id, guild_id, game, sum(games), sum(wins), sum(hands), sum(practice), sum(practice_wins),
  sum(CASE WHEN last_at IS NULL THEN 0 ELSE wins END), max(wins), max(last_at), max(last_game)
FROM runs WHERE true GROUP BY user_id, guild_id, game ORDER BY user_id, guild_id, game
ON CONFLICT (user_id, guild_id, game) DO UPDATE SET
  games = excluded.games, wins = excluded.wins, hands = excluded.hands,
  practice = excluded.practice, practice_wins = excluded.practice_wins,
  streak = excluded.streak, best_streak = excluded.best_streak,
  last_at = excluded.last_at, last_game = excluded.last_game"""

_DECIDE_ALL = text(_DECIDE)
_DECIDE_ONE = text(f"{_DECIDE} AND game_id = :game_id")
_RECOUNT_ALL = text(_RECOUNT.format(where=""))
_RECOUNT_ONE = text(_RECOUNT.format(where="AND user_id = :user_id AND game = :game"))


def count(connection: Connection, game_id: int) -> None:
    """Decide who won a game whose results are stored, and add them to the totals; counts each game only once.

    The row for all servers is locked first, here and elsewhere: its holder may change the person's other
    rows.
    """
    found = sorted(
        (
            row
            for row in _decide(connection, game_id)
            if row.user_id is not None and not is_nobody(row.user_id)
        ),
        key=lambda row: row.user_id,
    )
    if not found:
        return
    servers = [EVERYWHERE] + ([found[0].guild_id] if found[0].guild_id else [])
    rows: dict[tuple[int, int], dict[str, object]] = {}
    amiss = set()
    """People whose streaks cannot be computed from the row and this game alone."""
    for guild_id in servers:
        for one in found:
            if (guild_id, one.user_id) in rows:
                amiss.add(one.user_id)
            rows[guild_id, one.user_id] = _sum(rows.get((guild_id, one.user_id)), one, guild_id, game_id)
    connection.execute(_adding(connection.dialect.name), list(rows.values()))
    # a game that ended later was counted before this one
    later = select(_TOTALS.c.user_id).where(
        _TOTALS.c.user_id.in_({one.user_id for one in found}),
        _TOTALS.c.guild_id.in_(servers),
        _TOTALS.c.game == found[0].game,
        _TOTALS.c.last_game.is_distinct_from(game_id),
    )
    amiss |= set(connection.execute(later).scalars())
    for user_id in sorted(amiss):
        recount_person(connection, user_id, found[0].game)


def _decide(connection: Connection, game_id: int) -> list[Any]:
    """Decide who won a game, and return the results decided now.

    The SQLite of many systems cannot return the rows of an update, so they are read. The lock makes another
    process wait, and then find nothing to decide.
    """
    undecided = select(_RESULTS.c.seat).where(_RESULTS.c.game_id == game_id, _RESULTS.c.won.is_(None))
    seats = connection.execute(undecided.order_by(_RESULTS.c.seat).with_for_update()).scalars().all()
    if not seats:
        return []
    connection.execute(_DECIDE_ONE, {"game_id": game_id})
    return list(
        connection.execute(select(_RESULTS).where(_RESULTS.c.game_id == game_id, _RESULTS.c.seat.in_(seats)))
    )


def _sum(before: dict[str, Any] | None, one: Any, guild_id: int, game_id: int) -> dict[str, Any]:
    with_people = one.people >= 2
    adds = {
        "games": int(with_people),
        "wins": one.won if with_people else 0,
        "hands": one.hands,
        "practice": int(not with_people),
        "practice_wins": 0 if with_people else one.won,
    }
    if before is not None:
        return {**before, **{key: before[key] + value for key, value in adds.items()}}
    streak = adds["wins"]
    return {
        "user_id": one.user_id,
        "guild_id": guild_id,
        "game": one.game,
        **adds,
        "streak": streak,
        "best_streak": streak,
        "last_at": one.ended_at,
        "last_game": game_id,
    }


@cache
def _adding(dialect: str) -> Any:
    insert = inserting(dialect, _TOTALS)
    had, new = _TOTALS.c, insert.excluded
    last = tuple_(new.last_at, new.last_game) > tuple_(had.last_at, had.last_game)
    grown = had.streak + 1
    sums = ("games", "wins", "hands", "practice", "practice_wins")
    return insert.on_conflict_do_update(
        index_elements=["user_id", "guild_id", "game"],
        set_={key: had[key] + new[key] for key in sums}
        | {
            "streak": case((~last | (new.games == 0), had.streak), (new.wins == 1, grown), else_=0),
            "best_streak": case(
                (and_(last, new.wins == 1, grown > had.best_streak), grown), else_=had.best_streak
            ),
            "last_at": case((last, new.last_at), else_=had.last_at),
            "last_game": case((last, new.last_game), else_=had.last_game),
        },
    )


def catch_up(connection: Connection) -> int:
    """Count games that a release without totals settled on this database. Return how many."""
    games = select(_RESULTS.c.game_id).where(_RESULTS.c.won.is_(None)).distinct()
    found = [game_id for (game_id,) in connection.execute(games.order_by(_RESULTS.c.game_id))]
    for game_id in found:
        count(connection, game_id)
    return len(found)


def recount_person(connection: Connection, user_id: int, game: str) -> None:
    """Recalculate the totals of a person in a game from their results."""
    if not is_nobody(user_id):
        connection.execute(_RECOUNT_ONE, {"user_id": user_id, "game": game})


def recount(connection: Connection) -> None:
    """Recalculate all totals from the results alone, as the migration does."""
    connection.execute(_DECIDE_ALL)
    connection.execute(_TOTALS.delete())
    connection.execute(_RECOUNT_ALL)


# -- reading --------------------------------------------------------------------------------

_TOTAL = [_TOTALS.c[name] for name in Total.__struct_fields__]


def of_person(connection: Connection, user_id: int, guild_id: int) -> dict[str, Total]:
    """A person's totals by game, in one server or `EVERYWHERE`."""
    query = select(_TOTALS.c.game, *_TOTAL).where(
        _TOTALS.c.user_id == user_id, _TOTALS.c.guild_id == guild_id
    )
    return {game: Total(*numbers) for game, *numbers in connection.execute(query)}


def games_with_people(connection: Connection, user_ids: Collection[int]) -> dict[int, int]:
    """Return how many games each of these people has finished with others, in all games and servers."""
    query = (
        select(_TOTALS.c.user_id, func.sum(_TOTALS.c.games))
        .where(_TOTALS.c.user_id.in_(sorted(user_ids)), _TOTALS.c.guild_id == EVERYWHERE)
        .group_by(_TOTALS.c.user_id)
    )
    finished = {user_id: int(games) for user_id, games in connection.execute(query)}
    return {user_id: finished.get(user_id, 0) for user_id in user_ids}


def recent_results(*where: ColumnElement[bool]) -> Subquery:
    """Return a subquery for the last `RECENT` results of a person, or of a person in one game."""
    columns = ("game_id", "guild_id", "people", "ended_at", "won", "variant", "mu")
    query = select(*(_RESULTS.c[name] for name in columns)).where(*where)
    return query.order_by(_RESULTS.c.ended_at.desc(), _RESULTS.c.game_id.desc()).limit(RECENT).subquery()


def last_games(connection: Connection, user_id: int, guild_id: int, most: int) -> tuple[bool, ...]:
    """Return whether each of the last games with people was won, oldest first, in one server or
    `EVERYWHERE`."""
    last = recent_results(_RESULTS.c.user_id == user_id)
    where = [last.c.guild_id == guild_id] if guild_id else []
    query = (
        select(last.c.won)
        .where(last.c.people >= 2, last.c.won.is_not(None), *where)
        .order_by(last.c.ended_at.desc(), last.c.game_id.desc())
        .limit(most)
    )
    return tuple(bool(won) for (won,) in connection.execute(query))[::-1]
