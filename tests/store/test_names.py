"""A name that is used in one server is shown in that server alone."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, literal, select

from bot.features.stats import rows as boards
from bot.store import people
from bot.store.backend import migrate
from bot.store.database import Database
from bot.store.models import NameRow, PlayerRow, table_of
from bot.store.people import EVERYWHERE, name_in
from bot.store.personal_data import left_servers
from bot.store.personal_data.forgetting import forget
from bot.store.personal_data.personal import everything
from bot.store.rating_model import ALL_TIME, RatingBoard
from tests.support.tables.results import finish

SCHOOL, CLUB = 70, 71
CAROL = 5
OLD = Path(__file__).parent / "corpus" / "0019.sqlite.gz"
"""A database of the last release that knew one name of each person."""


async def known(database: Database, guild_id: int) -> str:
    query = select(name_in(guild_id, literal(CAROL)))
    return await database.read_at_once(lambda c: str(c.execute(query).scalar_one()))


async def remember(database: Database, name: str, guild_id: int | None, account: str = "carol") -> None:
    await database.write_at_once(
        lambda c: people.remember(c, {CAROL: name}, 9, guild_id=guild_id, accounts={CAROL: account})
    )


async def test_each_server_has_its_own_name_and_others_that_of_the_account(database: Database) -> None:
    await remember(database, "Mia Weber 7b", SCHOOL)
    assert await known(database, SCHOOL) == "Mia Weber 7b"
    assert await known(database, CLUB) == "carol"
    assert await known(database, EVERYWHERE) == "carol"
    await remember(database, "Queen of hearts", CLUB)
    assert await known(database, SCHOOL) == "Mia Weber 7b"
    assert await known(database, CLUB) == "Queen of hearts"


async def test_a_nickname_is_never_the_only_name(database: Database) -> None:
    """Not even where the bot has not yet heard how the account is called."""
    await database.write_at_once(lambda c: people.remember(c, {CAROL: "Mia Weber 7b"}, 9, guild_id=SCHOOL))
    assert await known(database, CLUB) == ""
    assert await known(database, EVERYWHERE) == ""


async def test_boards_name_people_as_their_server_does(database: Database) -> None:
    def play(connection: Connection) -> None:
        for guild_id in (SCHOOL, CLUB):
            finish(connection, [CAROL, 6], [1, 2], at=5, guild_id=guild_id)
        for guild_id, name in ((SCHOOL, "Mia Weber 7b"), (CLUB, "Queen of hearts")):
            people.remember(connection, {CAROL: name}, 9, guild_id=guild_id, accounts={CAROL: "carol"})

    await database.write_at_once(play)

    async def on(guild_id: int) -> str:
        board = RatingBoard("probe", "", ALL_TIME, guild_id)
        page = await database.read_at_once(
            lambda c: boards.leaderboard(c, board, rows=9, page=0, asker=CAROL, here=CLUB)
        )
        return next(place.name for place in page.places if place.user_id == CAROL)

    assert await on(SCHOOL) == "Mia Weber 7b"
    assert await on(CLUB) == "Queen of hearts"
    assert await on(EVERYWHERE) == "carol"


def rows(connection: Connection) -> list[Any]:
    return list(connection.execute(select(table_of(NameRow))).all())


async def test_names_are_given_and_deleted_with_the_person(database: Database) -> None:
    await remember(database, "Mia Weber 7b", SCHOOL)
    given = await database.read_at_once(lambda c: everything(c, CAROL, 10))
    assert [(row["guild_id"], row["name"]) for row in given["names"]] == [(SCHOOL, "Mia Weber 7b")]
    await database.write_at_once(lambda c: forget(c, CAROL, 10))
    assert await database.read_at_once(rows) == []


async def test_names_go_with_a_server_that_the_bot_has_left(database: Database) -> None:
    await remember(database, "Mia Weber 7b", SCHOOL)
    await remember(database, "Queen of hearts", CLUB)
    await database.write_at_once(lambda c: left_servers.note(c, SCHOOL, 1))
    assert await database.write_at_once(lambda c: left_servers.remove(c, 2, 9))
    assert await known(database, SCHOOL) == "carol"
    assert await known(database, CLUB) == "Queen of hearts"


def test_names_of_older_games_are_found_by_their_servers(tmp_path: Path) -> None:
    path = tmp_path / "valence.db"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    engine = create_engine(f"sqlite:///{path}")
    last = (
        "SELECT s.user_id, g.guild_id, s.name FROM seats s JOIN games g ON g.id = s.game_id "
        "WHERE s.user_id > 0 AND g.guild_id IS NOT NULL ORDER BY g.id DESC, s.seat DESC"
    )
    with engine.begin() as connection:
        expected = {(user, guild): name for user, guild, name in connection.exec_driver_sql(last).all()[::-1]}
    asyncio.run(migrate.upgrade(f"sqlite:///{path}"))
    with engine.connect() as connection:
        found = {(row.user_id, row.guild_id): row.name for row in rows(connection)}
        assert connection.execute(select(table_of(PlayerRow))).first() is not None
    engine.dispose()
    assert expected
    assert found == expected
