"""Rows of one kind in any number, for `tools.bench.growth`: each function lets one thing grow."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

from sqlalchemy import Connection, text

from bot.store.models import (
    BoardRatingRow,
    GameRow,
    PlayerRow,
    ResultRow,
    RivalRow,
    SeatRow,
    TotalRow,
    table_of,
)
from engine import catalog
from tools.bench.store import SNOWFLAKE, START

PERSON, SERVER, GAME = SNOWFLAKE, SNOWFLAKE, catalog.listed()[0]
"""The person, the server and the game with most games in the small database: those that are asked for."""
LATER: Final = START + 10**12
"""A time after all others."""
OTHERS: Final = 10
"""Games of the person per opponent."""
DAY: Final = "2026-11-22"
"""The day of the daily deal."""
SERVERS: Final = 500
"""Servers of the people who never play with the person."""

_NUMBERS = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :size)"
_GAMES = (
    "INSERT INTO games (id, game, version, phase, options, terms, guild_id, channel_id, message_id, "
    "posted_at, host_id, locale, seed, nonce, created_at, ended_at, why, asleep_at) "
    f"{_NUMBERS} SELECT :first + n, :game, 1, :phase, '{{}}', '{{}}', :server + n % :servers, "
    ":server + n % :servers + 1, n, 0, :person, 'en', x'00', x'00', :start + n, "
    "CASE WHEN :phase = 'over' THEN :start + n END, '', CASE WHEN :phase = 'live' THEN :start + n ELSE 0 END "
    "FROM numbers"
)
_CLOSE = text(
    "UPDATE seats SET closed = 1 WHERE game_id IN (SELECT id FROM games WHERE phase IN ('over', 'cancelled'))"
)


def close_seats(connection: Connection) -> None:
    """Mark the seats of closed games, as closing does."""
    connection.execute(_CLOSE)


def _where(connection: Connection, size: int, **more: object) -> Mapping[str, object]:
    first = connection.execute(text("SELECT max(id) FROM games")).scalar_one()
    asked = {"first": first, "size": size, "game": GAME, "server": SERVER, "servers": 1}
    return {**asked, "person": PERSON, "start": START, "others": max(size // OTHERS, 1), **more}


def games_of_person(connection: Connection, size: int) -> None:
    """Let one person have played this many games with others, a quarter of them in other servers."""
    where = _where(connection, size, phase="over", servers=4)
    other = ":person + 1000000 + games.id % :others"
    for statement in (
        _GAMES,
        "INSERT INTO seats (game_id, seat, user_id, name, closed) "
        "SELECT id, 0, :person, 'ann', 1 FROM games WHERE id > :first",
        f"INSERT INTO seats (game_id, seat, user_id, name, closed) SELECT id, 1, {other}, 'ben', 1 "
        "FROM games WHERE id > :first",
        "INSERT INTO results (game_id, seat, user_id, guild_id, game, people, rank, score, hands, "
        "ended_at, won, variant, mu, sigma) SELECT game_id, seat, user_id, guild_id, game, 2, seat + 1, 1.0, "
        "0, ended_at, 1 - seat, '', 25.0, 8.0 FROM seats JOIN games ON games.id = game_id "
        "WHERE game_id > :first",
        "INSERT INTO rivals (user_id, other_id, game, variant, games, wins, losses, heat, heat_at) "
        "SELECT :person, user_id, :game, '', count(*), 0, 0, 0, 0 FROM seats "
        "WHERE game_id > :first AND seat = 1 GROUP BY user_id",
    ):
        connection.execute(text(statement), where)


def sleeping_tables(connection: Connection, size: int) -> None:
    """Let this many tables sleep in one server, each of another person."""
    where = _where(connection, size, phase="live")
    for statement in (
        _GAMES,
        "INSERT INTO seats (game_id, seat, user_id, name) SELECT id, 0, :person + id, 'ann' FROM games "
        "WHERE id > :first",
    ):
        connection.execute(text(statement), where)


def finished_tournaments(connection: Connection, size: int) -> None:
    """Let this many tournaments have ended, in servers of five each."""
    statement = (
        "INSERT INTO tournaments (phase, name, game, options, terms, bracket, guild_id, channel_id, host_id, "
        "locale, created_at, ended_at, revision, shown, acted_at) "
        f"{_NUMBERS} SELECT 'over', 'cup', :game, '{{}}', '{{}}', :bracket, :server + n / 5, 1, n, 'en', "
        ":start, :start + n, 1, 1, 0 FROM numbers"
    )
    bracket = json.dumps({"log": "x" * 3000})
    connection.execute(text(statement), _where(connection, size, bracket=bracket))


_PEOPLE: Final = (
    f"INSERT INTO players (id, name, prefs, seen_at) {_NUMBERS} "
    "SELECT :first + n, 'person ' || n, '{}', :start FROM numbers",
    "INSERT INTO names (user_id, guild_id, name, seen_at) "
    f"{_NUMBERS} SELECT :first + n, :apart + n % :servers, 'person ' || n, :start FROM numbers",
    "INSERT INTO totals (user_id, guild_id, game, games, wins, hands, practice, practice_wins, streak, "
    f"best_streak, last_at, last_game) {_NUMBERS}, boards(guild_id) AS (VALUES (0), (:apart)) "
    "SELECT :first + n, CASE WHEN guild_id THEN guild_id + n % :servers ELSE 0 END, :game, n % 50, n % 20, "
    "0, 0, 0, 0, 0, :start + n, 1 FROM numbers CROSS JOIN boards",
    "INSERT INTO board_ratings (user_id, game, variant, season, guild_id, mu, sigma, sure, games, wins, "
    f"streak) {_NUMBERS}, boards(guild_id) AS (VALUES (0), (:apart)) SELECT :first + n, :game, '', 0, "
    "CASE WHEN guild_id THEN guild_id + n % :servers ELSE 0 END, 25.0, 8.0, n % 997 / 40.0, n % 50, n % 20, "
    "0 FROM numbers CROSS JOIN boards",
    "INSERT INTO blocks (blocker_id, blocked_id, at) "
    f"{_NUMBERS} SELECT :first + n, :first + n + 1, :start FROM numbers",
    "INSERT INTO seekers (guild_id, user_id, since) "
    f"{_NUMBERS} SELECT :apart + n % :servers, :first + n, :start FROM numbers",
    "INSERT INTO daily_results (day, game, user_id, game_id, guild_id, rank, score, margin, moves, ended_at) "
    f"{_NUMBERS} SELECT :day, :game, :first + n, 1, :apart + n % :servers, 1 + n % 3, 1.0, n % 61, n % 37, "
    ":start + n FROM numbers",
    "INSERT INTO daily_results (day, game, user_id, game_id, guild_id, rank, score, margin, moves, ended_at) "
    "VALUES (:day, :game, :person, 1, :server, 2, 1.0, 30, 20, :start)",
)
"""Everything that a list, a board or a search of people reads. All of them finished the deal of one day."""


def _add_people(connection: Connection, size: int, apart: int, servers: int) -> None:
    """Let this many people have ratings, in these servers and everywhere, and results of one day."""
    first = PERSON + 10_000_000
    where = _where(connection, size, first=first, apart=apart, servers=servers, day=DAY)
    for statement in _PEOPLE:
        connection.execute(text(statement), where)


def people_known(connection: Connection, size: int) -> None:
    """Let this many people play in other servers, never with the person."""
    _add_people(connection, size, SERVER + 1_000_000, SERVERS)


def members_of_server(connection: Connection, size: int) -> None:
    """Let this many people have results in the server of the person."""
    _add_people(connection, size, SERVER, 1)


_COPIED: Final = {
    GameRow: {"id": "tables", "host_id": "people"},
    SeatRow: {"game_id": "tables", "user_id": "people"},
    ResultRow: {"game_id": "tables", "user_id": "people"},
    TotalRow: {"user_id": "people", "last_game": "tables"},
    BoardRatingRow: {"user_id": "people"},
    RivalRow: {"user_id": "people", "other_id": "people"},
    PlayerRow: {"id": "people"},
}
"""Tables of finished games, with the columns in which each copy has numbers of its own."""


def more_results(connection: Connection, size: int) -> None:
    """Copy all games, with other people in the same servers, until there are about this many results."""
    now = connection.execute(text("SELECT count(*) FROM results")).scalar_one()
    last = connection.execute(text("SELECT max(id) FROM games")).scalar_one()
    where = {"size": max(round(size / now) - 1, 0), "tables": last, "people": 1_000_000}
    if not where["size"]:
        return
    live = "SELECT id FROM games WHERE phase <> 'over'"
    for model, shifted in _COPIED.items():
        table = table_of(model)
        names = [f'"{column.name}"' for column in table.c]
        values = [
            f'"{column.name}" + numbers.n * :{shifted[column.name]}'
            if column.name in shifted
            else f'"{column.name}"'
            for column in table.c
        ]
        key = next(
            (name for name, kind in shifted.items() if kind == "tables" and model is not TotalRow), None
        )
        only = f'WHERE "{key}" NOT IN ({live}) AND "{key}" <= :tables' if key else ""
        connection.execute(
            text(
                f"{_NUMBERS} INSERT INTO {table.name} ({', '.join(names)}) "
                f"SELECT {', '.join(values)} FROM {table.name} CROSS JOIN numbers {only}"
            ),
            where,
        )


PILES: Final[dict[str, Callable[[Connection, int], None]]] = {
    "results": more_results,
    "games of one person": games_of_person,
    "sleeping tables of one server": sleeping_tables,
    "finished tournaments": finished_tournaments,
    "people known": people_known,
    "members of one server": members_of_server,
}
"""The functions by the name of what they let grow."""
