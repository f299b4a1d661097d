"""EXPLAIN is asked of every hot query: on SQLite and PostgreSQL alike, each finds its rows by an index."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert
from sqlalchemy.engine import make_url

from bot.features.stats import rows as boards
from bot.features.teacher import review_rows as reviews
from bot.store import days, queries, totals
from bot.store.database import Database
from bot.store.models import (
    DailyResultRow,
    GameRow,
    KeptLimitRow,
    NightRow,
    SeekerRow,
    TournamentRow,
    table_of,
)
from bot.store.personal_data.kept_limits import VOID
from tests.store.hot_queries import GAMES, HOT, HotQuery
from tests.support.tables.results import add_game, add_live, finish, some_game
from tests.support.tables.tables import patient_database

pytestmark = pytest.mark.repeats

SMALL = {"alembic_version", "heartbeat"}
"""Tables of one row."""
DML = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")


class Undone(Exception):
    """Ends a transaction without keeping it."""


@contextmanager
def listening(connection: Connection) -> Iterator[list[tuple[str, Any]]]:
    """The statements that go to the database meanwhile, each once, with parameters it was called with."""
    heard: dict[str, Any] = {}

    def hear(_c: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        # where rows come back the driver gets one statement for all, and its parameters in one line
        several = many and isinstance(parameters[0], tuple | dict)
        heard.setdefault(statement, parameters[0] if several else parameters)

    found: list[tuple[str, Any]] = []
    event.listen(connection, "before_cursor_execute", hear)
    try:
        yield found
    finally:
        event.remove(connection, "before_cursor_execute", hear)
        found += [(s, p) for s, p in heard.items() if s.strip().upper().startswith(DML)]


def trouble_with(connection: Connection, query: HotQuery) -> list[str]:
    """What each statement of the query does that it should not, with its plan."""
    with listening(connection) as statements:
        query.run(connection)
    assert statements, "nothing was executed"
    sqlite = connection.dialect.name == "sqlite"
    if not sqlite:
        # With few rows it would rather read them all, or a whole index to join in its order; so it does
        # that only where there is no other way. What may sort is let: forbidden to, it does just the same.
        reading = ("enable_seqscan", "enable_mergejoin", "enable_hashjoin")
        sorting = () if query.sorts else ("enable_sort", "enable_incremental_sort")
        for choice in (*reading, *sorting):
            connection.exec_driver_sql(f"SET LOCAL {choice} = off")
    found = []
    for statement, parameters in statements:
        asked = f"EXPLAIN {'QUERY PLAN ' if sqlite else ''}{statement}"
        rows = connection.exec_driver_sql(asked, parameters)
        plan = [str(row[-1]) for row in rows]
        # named in the statement, and so no tables
        parts = {*re.findall(r"(\w+) AS \(", statement), *re.findall(r"\) AS (\w+)", statement)}
        wrong = _sqlite(plan, query, parts | SMALL) if sqlite else _postgresql(plan, query, SMALL)
        if wrong:
            found.append("\n".join([*wrong, "in", statement, *plan]))
    return found


def _sqlite(plan: list[str], query: HotQuery, small: set[str]) -> list[str]:
    wrong = []
    for line in plan:
        scanned = re.match(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?$", line)
        whole = scanned and scanned[1] not in small and scanned[2] not in query.whole
        if whole or ("TEMP B-TREE" in line and not query.sorts):
            wrong.append(line)
    return wrong


def _postgresql(plan: list[str], query: HotQuery, small: set[str]) -> list[str]:
    wrong = []
    for line, following in zip(plan, [*plan[1:], ""], strict=True):
        scanned = re.search(r"Seq Scan on (\w+)", line)
        index = re.search(r"Index (?:Only )?Scan (?:Backward )?(?:using|on) (\w+)", line)
        whole = (scanned and scanned[1] not in small) or (
            index and "Index Cond" not in following and index[1] not in query.whole
        )
        if whole or (re.search(r"\bSort  ", line) and not query.sorts):
            wrong.append(line.strip())
    return wrong


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a database with games, made once."""
    if request.param == "postgresql":
        url = str(request.getfixturevalue("postgres").fresh())
    else:
        path = tmp_path_factory.mktemp("hot") / "valence.db"
        shutil.copy(request.getfixturevalue("upgraded"), path)
        url = f"sqlite:///{path}"

    asyncio.run(_fill(url, GAMES, 6))
    return url


def some_night(number: int) -> dict[str, object]:
    """A row of a planned night, each in a server and by a host of its own."""
    times = {"starts_at": number, "created_at": number}
    where = {"guild_id": number, "channel_id": number, "host_id": number, "locale": "en"}
    return {"phase": "planned", "game": "duel52", "seats": 2, **times, **where}


def some_limit(number: int) -> dict[str, object]:
    """A row of a limit that outlives the deletion of its person."""
    return {"digest": f"{number:064x}", "kind": VOID, "subject": str(number), "value": {}, "until": number}


def some_tournament(number: int) -> dict[str, object]:
    """A row of a tournament that is over, shown and told; each server has had several."""
    where = {"guild_id": 70 + number % 10, "channel_id": 7, "host_id": number, "locale": "en"}
    times = {"created_at": number, "ended_at": number, "revision": 1, "shown": 1, "acted_at": number}
    rules = {"game": "duel52", "options": {}, "terms": {}, "bracket": {}}
    return {"phase": "over", "name": "Cup", **rules, **where, **times}


async def _fill(url: str, games: int, people: int, live: int | None = None, asleep: int = 0) -> None:
    def play(connection: Connection) -> None:
        rng = random.Random(1)
        for _ in range(games):
            finish(connection, **some_game(rng, people))
        # where no table is live, or one person sits at a third of them, PostgreSQL rightly reads them all
        for number in range(games // 5 if live is None else live):
            add_live(connection, rng, 10 * people, place=number // 5)
        ids = [add_game(connection, phase="live", channel_id=100 + number) for number in range(asleep)]
        sleep = table_of(GameRow).update().where(table_of(GameRow).c.id.in_(ids))
        connection.execute(sleep.values(asleep_at=table_of(GameRow).c.id, why="idle"))
        connection.execute(insert(table_of(NightRow)), [some_night(number) for number in range(games)])
        connection.execute(
            insert(table_of(TournamentRow)), [some_tournament(number) for number in range(games)]
        )
        seekers = [{"guild_id": 70 + 5 * n // games, "user_id": n, "since": 1} for n in range(games)]
        connection.execute(insert(table_of(SeekerRow)), seekers)
        connection.execute(insert(table_of(KeptLimitRow)), [some_limit(number) for number in range(games)])
        if connection.dialect.name == "postgresql":  # it looks at its tables by itself, SQLite never does
            connection.exec_driver_sql("ANALYZE")

    database = patient_database(url)
    await database.write_at_once(play)
    await database.close()


@pytest.fixture
def url(request: pytest.FixtureRequest, filled: str) -> str:
    """The URL of a database with games, in the place of the fresh one of the other tests.

    What a test undoes still counts in the plans of PostgreSQL, so there each test has a copy.
    """
    if filled.startswith("sqlite"):
        return filled
    return str(request.getfixturevalue("postgres").fresh(make_url(filled).database))


async def explain(database: Database, query: HotQuery) -> list[str]:
    """What is wrong with a query; nothing of what it writes stays."""
    found: list[str] = []

    def work(connection: Connection) -> None:
        found.extend(trouble_with(connection, query))
        raise Undone

    with pytest.raises(Undone):
        await database.write_at_once(work)
    return found


@pytest.mark.repeats
@pytest.mark.parametrize("query", HOT, ids=lambda query: query.name)
async def test_no_hot_query_reads_a_whole_table(database: Database, query: HotQuery) -> None:
    assert await explain(database, query) == []


def sql(line: str) -> Callable[[Connection], object]:
    return lambda connection: connection.exec_driver_sql(line).all()


@pytest.mark.parametrize(
    "line",
    [
        "SELECT count(*) FROM results",
        "SELECT user_id FROM results WHERE score > 1 LIMIT 10",
        "SELECT sum(rank) FROM results WHERE score = 1.5",
        "SELECT wins FROM totals JOIN players ON players.name = 'Ann' WHERE totals.user_id = 1",
        "SELECT user_id FROM totals WHERE user_id = 1 AND guild_id = 70 ORDER BY wins, hands",
        # the leaderboard's index holds only people with a counted game, and so does not serve this
        "SELECT user_id FROM totals WHERE game = 'a' AND guild_id = 1 ORDER BY wins DESC, games, user_id",
    ],
)
async def test_a_scan_or_a_sort_is_found(database: Database, line: str) -> None:
    (found,) = await explain(database, HotQuery("wrong", sql(line)))
    assert line in found


# -- and none takes longer because others have played more ----------------------------------

STEP = 10


def steps_of(connection: Connection, query: HotQuery) -> int:
    """How many instructions SQLite carries out for it, in tens."""
    count = 0

    def tick() -> int:
        nonlocal count
        count += 1
        return 0

    driver = connection.connection.driver_connection
    assert driver is not None
    driver.set_progress_handler(tick, STEP)
    try:
        query.run(connection)
    finally:
        driver.set_progress_handler(None, STEP)
    return count


@pytest.fixture(scope="module")
def towns(tmp_path_factory: pytest.TempPathFactory, upgraded: Path) -> list[str]:
    """Databases of a small town and of one with eight times as many people, each of whom plays as much."""
    urls = []
    for times in (1, 8):
        path = tmp_path_factory.mktemp("town") / "valence.db"
        shutil.copy(upgraded, path)
        urls.append(f"sqlite:///{path}")
        asyncio.run(_fill(urls[-1], games=150 * times, people=40 * times, asleep=15 * times))
    return urls


@pytest.mark.long
@pytest.mark.parametrize("query", HOT, ids=lambda query: query.name)
async def test_no_hot_query_grows_with_the_town(
    towns: list[str], query: HotQuery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index may be used and all of it be read: what counts is how many steps it takes."""
    monkeypatch.setattr(boards, "PLACES", 10)
    monkeypatch.setattr(queries, "MOST_ASLEEP", 10)
    found = []
    for url in towns:
        database = patient_database(url)

        def work(connection: Connection) -> None:
            found.append(steps_of(connection, query))
            raise Undone

        with pytest.raises(Undone):
            await database.write_at_once(work)
        await database.close()
    small, large = found
    assert large < 2 * small + 20, found


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory, upgraded: Path) -> list[str]:
    """Two databases of the same few people. In the second one they have played eight times as much."""
    urls = []
    for times in (1, 8):
        path = tmp_path_factory.mktemp("years") / "valence.db"
        shutil.copy(upgraded, path)
        urls.append(f"sqlite:///{path}")
        asyncio.run(_fill(urls[-1], games=150 * times, people=6, live=30, asleep=15 * times))
    return urls


@pytest.mark.long
@pytest.mark.parametrize("query", [query for query in HOT if not query.history], ids=lambda query: query.name)
async def test_no_hot_query_grows_with_the_years(
    years: list[str], query: HotQuery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone who has played for years waits no longer than someone who came last month."""
    monkeypatch.setattr(boards, "PLACES", 10)
    for module, name in (
        (queries, "RECENT"),
        (totals, "RECENT"),
        (boards, "LOOKED_AT"),
        (reviews, "LOOKED_AT"),
    ):
        monkeypatch.setattr(module, name, 10)
    await test_no_hot_query_grows_with_the_town(years, query, monkeypatch)


@pytest.mark.long
async def test_a_query_that_grows_with_the_town_is_found(
    towns: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "SELECT hands FROM totals WHERE game = 'probe' AND guild_id = 0 AND games > 0"
    with pytest.raises(AssertionError):
        await test_no_hot_query_grows_with_the_town(towns, HotQuery("wrong", sql(line)), monkeypatch)


def finish_a_deal(connection: Connection, people: int, guild_id: int) -> None:
    """Let this many people finish the deal of a day that they began in this server."""
    done = {"game_id": 1, "guild_id": guild_id, "rank": 1, "score": 1.0, "margin": 1.0, "ended_at": 9}
    rows = [
        {"day": "2027-01-15", "game": "probe", "user_id": number, "moves": number, **done}
        for number in range(100, 100 + people)
    ]
    connection.execute(insert(table_of(DailyResultRow)), rows)


@pytest.mark.parametrize(("guild_id", "most"), [(70, 1), (71, 3)], ids=["members", "people elsewhere"])
async def test_a_board_of_a_day_costs_little_for_each_further_person(
    towns: list[str], guild_id: int, most: int
) -> None:
    """The board counts everyone who has finished the deal, and looks up only the people on its lines."""
    database = patient_database(towns[0])
    board = HotQuery(
        "board of a day", lambda c: days.board(c, "2027-01-15", "probe", here=70, asker=1, most=10)
    )
    steps = []
    for people in (1200, 2400):

        def work(connection: Connection, people: int = people) -> None:
            finish_a_deal(connection, people, guild_id)
            steps.append(steps_of(connection, board))
            raise Undone

        with pytest.raises(Undone):
            await database.write_at_once(work)
    await database.close()
    fewer, more = steps
    assert more - fewer < most * 1200, steps
