"""Reading boards: who stands where, and who is named."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, insert, update

from bot.features.stats import rows as boards
from bot.features.stats.rows import BoardPage, GamesDone
from bot.store.database import Database
from bot.store.game_statistics import SeatStatistics, store_statistics
from bot.store.models import BoardRatingRow, PlayerRow, table_of
from bot.store.people import EVERYWHERE
from bot.store.rating_model import ALL_TIME, RatingBoard, season_of
from tests.support.tables.results import finish


async def board(
    database: Database, guild: int = 70, page: int = 0, season: int = ALL_TIME, **known: Any
) -> BoardPage:
    """A page of three places, as person 1 reads it in server 70."""
    asked = {"asker": 1, "here": 70, **known}
    on = RatingBoard("probe", "", season, guild)
    return await database.read_at_once(lambda c: boards.leaderboard(c, on, rows=3, page=page, **asked))


def stand(connection: Connection, points: dict[int, float], sigma: float = 3.0) -> None:
    """Put people on the board, each with such a mu."""
    rows = [
        {
            **RatingBoard("probe", "", ALL_TIME, 70)._asdict(),
            "user_id": who,
            "mu": mu,
            "sigma": sigma,
            "sure": mu - 3 * sigma,
            "games": 3,
            "wins": 1,
            "streak": 0,
        }
        for who, mu in points.items()
    ]
    connection.execute(insert(table_of(BoardRatingRow)), rows)


async def test_a_leaderboard_ranks_by_rating(database: Database) -> None:
    """By what is sure of it; who has the same rating shares the place."""

    def play(connection: Connection) -> None:
        stand(connection, {2: 30.0, 3: 26.5, 4: 26.5})
        stand(connection, {1: 31.0, 5: 32.0}, sigma=8.0)

    await database.write_at_once(play)

    def told(found: BoardPage) -> list[tuple[int, int]]:
        return [(line.place, line.user_id) for line in found.places]

    first, second = await board(database), await board(database, page=1)
    assert told(first) == [(1, 2), (2, 3), (2, 4)]
    assert told(second) == [(4, 5), (5, 1)]
    assert first.pages == second.pages == 2
    assert first.own is not None
    assert (first.own.place, first.own.user_id) == (5, 1)
    assert second.own is None
    assert (await board(database, asker=6)).own is None
    empty = await board(database, 72)
    assert (empty.places, empty.page, empty.pages, empty.own) == ((), 0, 1, None)


async def test_places_are_counted_without_those_who_have_left(database: Database) -> None:
    """On every page; the ratings stay, so that they have their places again if they come back."""
    await database.write_at_once(lambda c: stand(c, {who: 40.0 - who for who in range(1, 9)}))

    def told(found: BoardPage) -> list[tuple[int, int]]:
        return [(line.place, line.user_id) for line in found.places]

    assert told(await board(database, departed={2, 3})) == [(1, 1), (2, 4), (3, 5)]
    second = await board(database, page=1, departed={2, 3}, asker=1)
    assert (told(second), second.pages) == ([(4, 6), (5, 7), (6, 8)], 2)
    assert second.own is not None
    assert second.own.place == 1
    late = await board(database, page=2, departed={2, 3}, asker=8)
    assert (late.page, told(late)[-1]) == (1, (6, 8)), "the board is a page shorter"
    own = (await board(database, departed={2, 3}, asker=8)).own
    assert own is not None
    assert own.place == 6
    assert told(await board(database)) == [(1, 1), (2, 2), (3, 3)]
    best = await database.read_at_once(
        lambda c: boards.best_of(c, RatingBoard("probe", "", ALL_TIME, 70), most=3)
    )
    assert best == [1, 2, 3]


async def test_only_rated_games_give_a_place(database: Database) -> None:
    """In the season and the server in which they were played, and everywhere."""

    def play(connection: Connection) -> None:
        finish(connection, (1, 2), (1, 2), at=1)
        finish(connection, (2, 3), (1, 2), at=2, guild_id=71)
        finish(connection, (6, None), (1, 2), at=7)
        finish(connection, (7, 8), (1, 2), at=8, game="duel52")

    await database.write_at_once(play)

    async def places(guild: int, season: int) -> list[int]:
        return [line.user_id for line in (await board(database, guild, season=season)).places]

    for season in (ALL_TIME, season_of(1)):
        assert await places(70, season) == [1, 2]
        assert await places(71, season) == [2, 3]
        assert sorted(await places(EVERYWHERE, season)) == [1, 2, 3]
    assert await places(70, season_of(1) + 1) == []


@pytest.mark.parametrize(("others", "pages"), [(0, 1), (2, 1), (3, 2), (5, 2), (6, 3)])
async def test_a_leaderboard_is_read_page_by_page(database: Database, others: int, pages: int) -> None:
    """Person 1 stands behind each of the others; all are there, once."""
    standing = {other: 30.0 - other / 10 for other in range(2, others + 2)}
    if others:
        await database.write_at_once(lambda c: stand(c, {**standing, 1: 10.0}))
    read = [await board(database, page=page) for page in range(pages)]
    assert {found.pages for found in read} == {pages}
    assert [found.page for found in read] == list(range(pages))
    found = [line.user_id for page in read for line in page.places]
    assert found == [*range(2, others + 2), *([1] if others else [])]
    assert await board(database, page=pages + 3) == read[-1]  # a page that is gone: the last one
    if others:
        assert all(page.own and page.own.place == others + 1 for page in read[:-1])
        assert read[-1].own is None


async def test_a_leaderboard_has_so_many_places_and_no_more(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading one costs the same however many people play; who asks sees their own line all the same."""
    monkeypatch.setattr(boards, "PLACES", 4)
    await database.write_at_once(lambda c: stand(c, {1: 1.0, **{n: 40.0 - n for n in range(2, 9)}}))
    read = [await board(database, page=page) for page in range(3)]
    assert [[line.user_id for line in page.places] for page in read] == [[2, 3, 4], [5], [5]]
    assert read[0].own is not None
    assert (read[0].own.place, read[0].own.rating.games) == (0, 3)


async def test_a_leaderboard_says_who_may_be_named_in_this_server(database: Database) -> None:
    def play(connection: Connection) -> None:
        finish(connection, (1, 2), (1, 2), at=1)
        finish(connection, (3, 4), (1, 2), at=2, guild_id=71)
        finish(connection, (4, None), (1, 2), at=3, game="duel52")  # practice here, of another game

    await database.write_at_once(play)

    async def known(here: int) -> dict[int, bool]:
        pages = [await board(database, EVERYWHERE, page, here=here) for page in (0, 1)]
        return {line.user_id: line.known for page in pages for line in page.places}

    assert await known(70) == {1: True, 2: True, 3: False, 4: True}
    assert await known(71) == {1: False, 2: False, 3: True, 4: True}
    assert await known(0) == dict.fromkeys((1, 2, 3, 4), False)  # a direct message is no server
    players = table_of(PlayerRow)
    agrees = update(players).where(players.c.id == 3).values(prefs={"named": True})
    await database.write_at_once(lambda c: c.execute(agrees))
    assert await known(70) == dict.fromkeys((1, 2, 3, 4), True)


async def test_a_person_has_a_curve_and_a_record(database: Database) -> None:
    def play(connection: Connection) -> None:
        for at in range(4):
            finish(connection, (1, 2), (1, 2), at=at)
        finish(connection, (3, 1), (1, 2), at=9, guild_id=71)
        finish(connection, (1, 2), (1, 1), at=10, game="duel52")

    await database.write_at_once(play)
    curve = await database.read_at_once(lambda c: boards.curve(c, 1, "probe", "", 4))
    rated = await database.read_at_once(lambda c: boards.ratings_of(c, 1, EVERYWHERE))
    assert len(curve) == 4
    assert curve[0] < curve[1] < curve[2] > curve[3] == rated["probe", ""].mu
    assert set(rated) == {("probe", ""), ("duel52", "")}
    met = await database.read_at_once(lambda c: boards.records_of(c, 1, 70, 5))
    assert [(each.other_id, each.known, each.games, each.wins) for each in met] == [
        (2, True, 5, 4),
        (3, False, 1, 0),
    ]
    assert [
        each.other_id for each in await database.read_at_once(lambda c: boards.records_of(c, 1, 70, 1))
    ] == [2]


async def test_games_against_the_computer_by_level(database: Database) -> None:
    """Those played alone; a game against several levels counts for each of them, once."""

    def play(connection: Connection) -> None:
        for level, rank in (("steady", 1), ("steady", 2), ("casual", 1), ("heuristic", 1)):
            game = finish(connection, (1, None), (rank, 3 - rank), at=1)
            line = f"UPDATE results SET level = '{level}' WHERE game_id = {game} AND user_id IS NULL"
            connection.exec_driver_sql(line)
        finish(connection, (1, 2, None), (1, 2, 3), at=2)
        game = finish(connection, (1, None, None), (1, 2, 3), at=3, guild_id=71)
        connection.exec_driver_sql(f"UPDATE results SET level = 'casual' WHERE game_id = {game} AND seat > 0")

    await database.write_at_once(play)
    everywhere = await database.read_at_once(lambda c: boards.practised(c, 1, EVERYWHERE))
    assert everywhere == [("casual", 2, 2), ("steady", 3, 2)]
    assert await database.read_at_once(lambda c: boards.practised(c, 1, 70)) == [
        ("casual", 1, 1),
        ("steady", 3, 2),
    ]
    assert await database.read_at_once(lambda c: boards.practised(c, 2, 70)) == []


async def test_what_a_person_did(database: Database) -> None:
    """Who began counts in games with people; cards count in all of them, the one played most comes first."""

    def play(connection: Connection) -> None:
        for began, rank, cards in ((1, 1, {"K": 2, "7": 1}), (1, 2, {"7": 1}), (0, 1, {"K": 1, "Q": 3})):
            game = finish(connection, (1, 2), (rank, 3 - rank), at=1)
            store_statistics(
                connection, game, [SeatStatistics(0, began, cards), SeatStatistics(1, 1 - began, {"2": 9})]
            )
        alone = finish(connection, (1, None), (1, 2), at=2)
        store_statistics(connection, alone, [SeatStatistics(0, 1, {"K": 1}), SeatStatistics(1, 0, {"2": 9})])
        finish(connection, (1, 2), (1, 2), at=3)  # of which nothing is known

    await database.write_at_once(play)
    found = await database.read_at_once(lambda c: boards.done_by(c, 1, "probe"))
    assert found == GamesDone((2, 1), (1, 1), "K", 4)
    assert await database.read_at_once(lambda c: boards.done_by(c, 3, "probe")) == GamesDone()


async def test_what_a_person_did_by_role(database: Database) -> None:
    """A game with roles counts by these alone, whoever began it."""

    def play(connection: Connection) -> None:
        for role, began, rank in (("caller", 1, 1), ("caller", 1, 2), ("opponent", 0, 1), (None, 0, 2)):
            game = finish(connection, (1, 2), (rank, 3 - rank), at=1)
            store_statistics(
                connection, game, [SeatStatistics(0, began, {}, role=role), SeatStatistics(1, 1 - began, {})]
            )
        alone = finish(connection, (1, None), (1, 2), at=2)
        store_statistics(
            connection, alone, [SeatStatistics(0, 1, {}, role="caller"), SeatStatistics(1, 0, {})]
        )

    await database.write_at_once(play)
    found = await database.read_at_once(lambda c: boards.done_by(c, 1, "probe"))
    assert (found.began, found.followed) == ((0, 0), (1, 0))
    assert found.roles == {"caller": (2, 1), "opponent": (1, 1)}
