"""The list of somebody's finished games."""

from __future__ import annotations

from sqlalchemy import Connection, insert, update

from bot.store.database import Database
from bot.store.finished import finished_of
from bot.store.models import GameRow, SeatRow, table_of
from tests.support.tables.results import add_game

ANN = 1


async def test_the_game_that_ended_last_comes_first(database: Database) -> None:
    """A game of weeks may have been opened before many that have long been over."""
    games = table_of(GameRow)

    def write(connection: Connection) -> list[int]:
        found = []
        for ended_at in (9_000, 2_000, None, 5_000):
            game_id = add_game(connection)
            connection.execute(update(games).where(games.c.id == game_id).values(ended_at=ended_at))
            seat = {"game_id": game_id, "seat": 0, "user_id": ANN, "name": "Ann"}
            connection.execute(insert(table_of(SeatRow)).values(seat))
            found.append(game_id)
        return found

    long, first, unknown, second = await database.write_at_once(write)
    listed, total = await database.read_at_once(lambda c: finished_of(c, ANN, 3))
    assert ([one.id for one in listed], total) == ([long, second, first], 4)
    listed, _ = await database.read_at_once(lambda c: finished_of(c, ANN, 3, 3))
    assert [one.id for one in listed] == [unknown]
