"""A review is kept with its game, and made anew where this version cannot read it."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, update

from bot.features.teacher import review_rows as reviews
from bot.store.database import Database
from bot.store.models import ReviewRow, table_of
from engine.ai.advice import Difference
from engine.ai.review import Judged, Review
from tests.support.tables.results import add_game, finish


def found(seat: int, loss: float) -> Review:
    differences = (Difference("points", 12.0, 7.5),)
    one = Judged(
        act=4, best=["lay", 0, [1, 2]], chance=0.5, loss=loss, error=0.01, luck=-0.1, differences=differences
    )
    return Review(seat, (one,), 0.5)


async def test_a_review_comes_back_as_it_was_kept(database: Database) -> None:
    def keep(connection: Connection) -> int:
        game_id = add_game(connection)
        for one in (found(0, 0.1), found(1, 0.2), found(1, 0.3)):
            reviews.keep_review(connection, game_id, one)
        return game_id

    game_id = await database.write_at_once(keep)
    kept = await database.read_at_once(lambda c: [reviews.review(c, game_id, seat) for seat in range(3)])
    assert kept == [found(0, 0.1), found(1, 0.3), None]


async def test_one_of_another_version_is_none(database: Database) -> None:
    def keep(connection: Connection) -> int:
        game_id = add_game(connection)
        reviews.keep_review(connection, game_id, found(0, 0.1))
        connection.execute(update(table_of(ReviewRow)).values(data={"seat": 0, "moves": []}))
        return game_id

    game_id = await database.write_at_once(keep)
    assert await database.read_at_once(lambda c: reviews.review(c, game_id, 0)) is None


async def test_luck_is_told_apart_from_mistakes(database: Database) -> None:
    """Over the reviewed games of one person in one game; what this version cannot read is none."""

    def keep(connection: Connection) -> None:
        for at, (loss, game) in enumerate(((0.2, "probe"), (0.4, "probe"), (0.3, "duel52"))):
            game_id = finish(connection, (1, 2), (1, 2), at=at, game=game)
            reviews.keep_review(connection, game_id, found(0, loss))
        finish(connection, (1, 2), (1, 2), at=9)

    await database.write_at_once(keep)
    luck = await database.read_at_once(lambda c: reviews.luck_of(c, 1, "probe", 9))
    assert luck == (2, pytest.approx(0.6), pytest.approx(-0.6))
    last = await database.read_at_once(lambda c: reviews.luck_of(c, 1, "probe", 1))
    assert last == (1, pytest.approx(0.4), pytest.approx(-0.4))
    assert await database.read_at_once(lambda c: reviews.luck_of(c, 2, "probe", 9)) == (0, 0, 0)
