"""What finished games leave behind: totals are what the results add up to, whatever happens at once."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection

from bot.settings import with_async_driver
from bot.store import migrate, people, totals
from bot.store.database import Database
from bot.store.people import EVERYWHERE
from bot.store.totals import Standings, Total
from tests.store.conftest import Postgres
from tests.support.results import add_game, counted, finish, results_of, some_game, stored


async def both(database: Database) -> tuple[Any, Any]:
    """The totals that are kept, and those that the results add up to."""
    return await database.read_at_once(lambda c: (stored(c), counted(c)))


@pytest.mark.parametrize("seed", range(4))
async def test_totals_are_what_the_results_add_up_to(database: Database, seed: int) -> None:
    """After any games in any order, those too that are settled later than games that ended after them."""
    rng = random.Random(seed)
    for n in range(1, 81):
        await database.write_at_once(lambda c: finish(c, **some_game(rng)))
        if n % 8 == 0:
            kept, right = await both(database)
            assert kept == right
    await database.write_at_once(totals.recount)
    assert await both(database) == (right, right)
    assert max(total.best_streak for total in right.values()) > 2


async def test_games_that_end_together_all_count(database: Database) -> None:
    """Totals and ratings are read, changed and written, also for people who have none yet: nothing of two
    games that end at once may be swallowed, and neither may wait for the other for ever."""
    rng = random.Random(7)
    games = []
    for n in range(40):
        seats = rng.sample((1, 2, 3, 4), 3)
        left = rng.choice((seats, seats[1:], ()))
        guild = rng.choice((70, 71))
        games.append({"people": seats, "ranks": [1, 2, 3], "at": 50 - n, "guild_id": guild, "left": left})
    await asyncio.gather(*(database.write_at_once(lambda c, g=g: finish(c, **g)) for g in games))  # type: ignore[misc]
    kept, right = await both(database)
    assert kept == right
    for guild in (EVERYWHERE, 70, 71):
        rated = await database.read_at_once(lambda c, g=guild: people.ratings(c, range(1, 5), g, "probe"))  # type: ignore[misc]
        played = Counter(
            who
            for game in games
            if guild in (EVERYWHERE, game["guild_id"])
            for who in game["people"]  # type: ignore[attr-defined]
        )
        assert {who: rating.games for who, rating in rated.items()} == played


async def test_what_an_older_release_settles_is_counted_at_the_next_start(database: Database) -> None:
    """While one release follows another the old one may still write, on the new schema, results alone."""
    rng = random.Random(3)

    def settle_without_totals(connection: Connection) -> None:
        for _ in range(30):
            game = some_game(rng)
            game_id = add_game(connection, game["game"], game["guild_id"])
            people.add_results(connection, results_of(game_id, **game))

    await database.write_at_once(lambda c: [finish(c, **some_game(rng)) for _ in range(20)])
    await database.write_at_once(settle_without_totals)
    kept, right = await both(database)
    assert kept != right
    assert await database.write_at_once(totals.catch_up) == 30
    kept, right = await both(database)
    assert kept == right
    assert await database.write_at_once(totals.catch_up) == 0


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_migration_counts_the_games_of_old(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    if kind == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        url = server.fresh(template="template0")
    else:
        url = f"sqlite:///{tmp_path / 'old.db'}"

    rng = random.Random(5)

    def fill(connection: Connection) -> None:
        command.upgrade(migrate._config(connection), "0003")
        for _ in range(60):
            game = some_game(rng)
            game_id = add_game(connection, game["game"], game["guild_id"])
            people.add_results(connection, results_of(game_id, **game))

    async def upgrade() -> tuple[Any, Any]:
        await migrate._with(url, fill)
        await migrate.upgrade(url)
        database = Database(with_async_driver(url))
        found = await both(database)
        assert await database.write_at_once(totals.catch_up) == 0
        await database.close()
        return found

    kept, right = asyncio.run(upgrade())
    assert kept == right
    assert len(right) > 20


@pytest.mark.parametrize(
    ("sitters", "ranks", "wins"),
    [
        ((1, 2), (1, 2), (1, 0)),
        ((1, 2), (1, 1), (0, 0)),  # a draw for everybody is a win for nobody
        ((1, 2), (2, 2), (0, 0)),  # the game itself has won
        ((1, 2, 3), (1, 1, 3), (1, 1, 0)),  # shared by some: they have somebody behind them
        ((1, 2, None), (1, 1, 3), (1, 1, None)),
        ((1, 2, 3, 4), (1, 2, 1, 2), (1, 0, 1, 0)),  # two teams
        ((1, 2, 3, 4), (1, 1, 1, 1), (0, 0, 0, 0)),
        ((1, None), (1, 1), (0, None)),
        ((1, None), (1, 2), (1, None)),
        ((1,), (1,), (1,)),  # alone against the game
        ((1,), (2,), (0,)),
    ],
)
async def test_who_has_won(
    database: Database, sitters: tuple[int | None, ...], ranks: tuple[int, ...], wins: tuple[int | None, ...]
) -> None:
    await database.write_at_once(lambda c: finish(c, sitters, ranks, at=5))
    kept, right = await both(database)
    assert kept == right
    for who, won in zip(sitters, wins, strict=True):
        if who is not None:
            total = kept[who, 70, "probe"]
            assert total.wins + total.practice_wins == won
            assert total.streak == total.wins


async def test_the_longest_streak_stays_when_the_streak_ends(database: Database) -> None:
    ends = [1, 1, 1, 2, 1]
    for at, rank in enumerate(ends):
        await database.write_at_once(lambda c, at=at, rank=rank: finish(c, (1, 2), (rank, 3 - rank), at=at))  # type: ignore[misc]
    # practice neither ends a streak nor adds to it
    await database.write_at_once(lambda c: finish(c, (1, None), (2, 1), at=9))
    found = await database.read_at_once(lambda c: totals.of_person(c, 1, 70))
    assert found == {"probe": Total(games=5, wins=4, practice=1, streak=1, best_streak=3)}


# -- leaderboards ---------------------------------------------------------------------------


async def board(database: Database, guild: int = 70, page: int = 0, **known: Any) -> Standings:
    """A page of three places, as person 1 reads it in server 70."""
    asked = {"asker": 1, "here": 70, **known}
    return await database.read_at_once(
        lambda c: totals.leaderboard(c, "probe", guild, rows=3, page=page, **asked)
    )


async def test_a_leaderboard_ranks_by_wins_then_by_share(database: Database) -> None:
    """Wins, then fewer games for them; who shares both shares the place; nobody without a counted game."""

    def play(connection: Connection) -> None:
        finish(connection, (1, 2), (1, 2), at=1)
        finish(connection, (1, 3), (1, 2), at=2)
        finish(connection, (2, 1), (1, 2), at=3)
        finish(connection, (3, 2), (1, 2), at=4)
        finish(connection, (4, 5), (1, 1), at=5)
        finish(connection, (2, 3), (1, 2), at=6, guild_id=71)
        finish(connection, (6, None), (1, 2), at=7)
        finish(connection, (1, 2), (1, 2), at=8, game="duel52")

    await database.write_at_once(play)

    def told(found: Standings) -> list[tuple[int, ...]]:
        return [(line.place, line.user_id, line.wins, line.games) for line in found.places]

    first, second = await board(database), await board(database, page=1)
    assert told(first) == [(1, 1, 2, 3), (2, 3, 1, 2), (3, 2, 1, 3)]
    assert told(second) == [(4, 4, 0, 1), (4, 5, 0, 1)]
    assert (first.own, first.pages) == (None, 2)
    assert second.own is not None
    assert (second.own.place, second.own.user_id, second.own.name) == (1, 1, "person 1")
    everywhere = await board(database, EVERYWHERE)
    assert told(everywhere)[:2] == [(1, 1, 2, 3), (2, 2, 2, 4)]
    assert (await board(database, asker=6)).own is None  # practice gives no place
    empty = await board(database, 72)
    assert (empty.places, empty.page, empty.pages, empty.own) == ((), 0, 1, None)


@pytest.mark.parametrize(("others", "pages"), [(0, 1), (2, 1), (3, 2), (5, 2), (6, 3)])
async def test_a_leaderboard_is_read_page_by_page(database: Database, others: int, pages: int) -> None:
    """Person 1 has lost to each of the others, and so comes last; all are there, once."""

    def play(connection: Connection) -> None:
        finish(connection, (1, 99), (2, 1), at=0, guild_id=71)
        for other in range(2, others + 2):
            finish(connection, (1, other), (2, 1), at=other)

    await database.write_at_once(play)
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
    monkeypatch.setattr(totals, "BOARD", 4)
    await database.write_at_once(lambda c: [finish(c, (1, n), (2, 1), at=n) for n in range(2, 9)])
    read = [await board(database, page=page) for page in range(3)]
    assert [[line.user_id for line in page.places] for page in read] == [[2, 3, 4], [5], [5]]
    assert read[0].own is not None
    assert (read[0].own.place, read[0].own.wins, read[0].own.games) == (0, 0, 7)


async def test_a_leaderboard_says_who_is_known_in_this_server(database: Database) -> None:
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
