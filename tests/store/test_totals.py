"""What finished games leave behind: totals are what the results add up to, whatever happens at once."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from msgspec.structs import asdict
from sqlalchemy import Connection, insert, inspect

from bot.features.stats import rows as boards
from bot.store import people, totals
from bot.store.backend import migrate
from bot.store.database import Database
from bot.store.models import ResultRow, table_of
from bot.store.people import EVERYWHERE
from bot.store.rating_model import ALL_TIME, RatingBoard
from bot.store.totals import Total
from tests.support.processes.databases import Postgres
from tests.support.tables.results import add_game, counted, finish, results_of, some_game, stored
from tests.support.tables.tables import patient_database


async def both(database: Database) -> tuple[Any, Any]:
    """The totals that are kept, and those that the results add up to."""
    return await database.read_at_once(lambda c: (stored(c), counted(c)))


@pytest.mark.long
@pytest.mark.repeats
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
        on = RatingBoard("probe", "", ALL_TIME, guild)
        rated = await database.read_at_once(lambda c, b=on: boards.ratings_on(c, range(1, 5), b))  # type: ignore[misc]
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
        columns = {column["name"] for column in inspect(connection).get_columns("results")}
        for _ in range(60):
            game = some_game(rng)
            game_id = add_game(connection, game["game"], game["guild_id"])
            for result in results_of(game_id, **game):
                row = {name: value for name, value in asdict(result).items() if name in columns}
                connection.execute(insert(table_of(ResultRow)).values(row))

    async def upgrade() -> tuple[Any, Any]:
        await migrate._with(url, fill)
        await migrate.upgrade(url)
        database = patient_database(url)
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
