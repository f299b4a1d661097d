"""The speed of the database: many finished games, and each query that a person waits for.

Play is as uneven as in reality: most of it comes from few people, servers and games, and the queries ask for
those. A time runs from handing over the work to receiving its result, including the commit.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, text, update

from bot.features.stats import rows as boards
from bot.store import games as store
from bot.store import leases, queries, ratings, totals
from bot.store.backend import engines
from bot.store.backend.urls import place
from bot.store.database import Database
from bot.store.games import Change, Deadline, Entry, Whereabouts
from bot.store.models import (
    ClockRow,
    EntryRow,
    GameRow,
    PlayerRow,
    ResultRow,
    SeatRow,
    TotalRow,
    table_of,
)
from bot.store.people import EVERYWHERE, StoredResult
from bot.store.rating_model import ALL_TIME, RatingBoard
from bot.table.results import store_results
from bot.table.storage.resting import TRIAL_TABLES
from engine import catalog
from engine.levels import STEADY
from tools.bench.press import percentiles

_GAMES, _SEATS, _ENTRIES, _CLOCKS = map(table_of, (GameRow, SeatRow, EntryRow, ClockRow))
_RESULTS, _PLAYERS, _TOTALS = map(table_of, (ResultRow, PlayerRow, TotalRow))

LINES = 10
"""Journal entries of each game."""
WARM = 5
"""Calls that are not counted, because the first ones compile the statements."""
AT_ONCE = 2000
SNOWFLAKE = 1_573_215_390_710_890_496
"""Offset for ids as large as Discord's, which exceed 32 bits."""
START = 1_700_000_000_000


class StoreNotEmpty(Exception):
    """The database already holds games. Measuring would write into someone's own data."""


class Crowd:
    """Random people, servers and games drawn from a seed, so that two runs have the same database."""

    def __init__(self, games: int, seed: int) -> None:
        self.games = games
        self.live = max(games // 100, 300)
        """Number of live tables, in addition to the finished ones."""
        self.people = max(games // 5, 10)
        self.guilds = max(games // 200, 3)
        self.rng = random.Random(f"store/{seed}")
        self.kinds = catalog.listed()
        self.clock = START + games * 60_000

    def person(self) -> int:
        """Return a person's id, more likely that of a frequent player."""
        return SNOWFLAKE + int(self.people * self.rng.random() ** 2)

    def guild(self) -> int:
        """Return a server's id; the first server has about an eighth of all games."""
        return SNOWFLAKE + int(self.guilds * self.rng.random() ** 3)

    def kind(self) -> str:
        """Return a game; the first has about a third of all tables."""
        return self.kinds[int(len(self.kinds) * self.rng.random() ** 2)]

    def rows(self, number: int) -> Iterator[tuple[str, dict[str, object]]]:
        """Yield all rows of one game with their tables. Numbers after the finished games are live ones."""
        over, at = number <= self.games, START + number * 60_000
        guild, kind = self.guild(), self.kind()
        sitters: list[int | None] = [self.person()]
        while len(sitters) < (3 if self.rng.random() < 0.2 else 2):
            if (other := self.person()) not in sitters:
                sitters.append(other)
        if self.rng.random() < 0.1:
            sitters[1:] = [None] * (len(sitters) - 1)
        yield (
            "games",
            {
                "id": number,
                "game": kind,
                "version": 1,
                "phase": "over" if over else "live",
                "options": {},
                "terms": {},
                "guild_id": guild,
                "channel_id": guild + 1,
                "message_id": SNOWFLAKE + number,
                "posted_at": at,
                "host_id": sitters[0],
                "locale": "en",
                "seed": self.rng.randbytes(32),
                "nonce": self.rng.randbytes(32),
                "created_at": at - 600_000,
                "ended_at": at if over else None,
                "why": "",
            },
        )
        people = sum(who is not None for who in sitters)
        ranks = self.rng.sample(range(1, len(sitters) + 1), len(sitters))
        for seat, who in enumerate(sitters):
            where = {"game_id": number, "seat": seat, "user_id": who}
            level = None if who is not None else STEADY
            yield "seats", {**where, "name": f"person {who}", "level": level, "entropy": who}
            if over:
                told = {"level": level, "guild_id": guild, "game": kind, "people": people}
                yield (
                    "results",
                    {**where, **told, "rank": ranks[seat], "score": 1.0, "hands": 0, "ended_at": at},
                )
            else:
                yield (
                    "clocks",
                    {"game_id": number, "kind": "turn", "seat": seat, "due_at": self.clock + number},
                )
        for seq in range(1, LINES + 1):
            data = ["play", seq, [self.rng.randrange(52), self.rng.randrange(52)]]
            line = {"kind": "act", "seat": seq % len(sitters), "data": data, "at": at + seq}
            yield "entries", {"game_id": number, "seq": seq, **line}


async def fill(database: Database, crowd: Crowd) -> None:
    """Fill the database with games, journals, results, and everything computed from them.

    Raises:
        NotEmpty: it already contains games.
    """
    if await database.read_at_once(lambda c: c.execute(select(_GAMES.c.id).limit(1)).first()):
        raise StoreNotEmpty
    tables = {table.name: table for table in (_GAMES, _SEATS, _ENTRIES, _CLOCKS, _RESULTS)}
    last = crowd.games + crowd.live
    for first in range(1, last + 1, AT_ONCE):
        rows: dict[str, list[dict[str, object]]] = {name: [] for name in tables}
        for number in range(first, min(first + AT_ONCE, last + 1)):
            for name, row in crowd.rows(number):
                rows[name].append(row)

        def write(connection: Connection, rows: dict[str, list[dict[str, object]]] = rows) -> None:
            for name, table in tables.items():
                if rows[name]:
                    connection.execute(insert(table), rows[name])

        await database.write_at_once(write)

    def follow(connection: Connection) -> None:
        totals.recount(connection)
        seen = [
            {"id": SNOWFLAKE + n, "name": f"person {n}", "prefs": {}, "seen_at": START}
            for n in range(crowd.people)
        ]
        connection.execute(insert(_PLAYERS), seen)
        ratings.catch_up(connection)

    await database.write_at_once(follow)


async def _tidy(url: str) -> None:
    """Run PostgreSQL's maintenance now, so that it does not start in the middle of the measurements."""
    engine = engines.postgres(place(url), engines.FOR_MIGRATIONS, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text("VACUUM ANALYZE"))
    await engine.dispose()


@dataclass(frozen=True, slots=True)
class Query:
    """A query that a person waits for: its name, and a function that prepares the n-th call."""

    name: str
    work: Callable[[Crowd, int], Callable[[Connection], object]]
    writes: bool = False


def _leaderboard(everywhere: bool) -> Callable[[Crowd, int], Callable[[Connection], object]]:
    def nth(crowd: Crowd, _n: int) -> Callable[[Connection], object]:
        asker, page, here = crowd.person(), crowd.rng.randrange(5), SNOWFLAKE
        board = RatingBoard(crowd.kinds[0], "", ALL_TIME, EVERYWHERE if everywhere else here)
        return lambda c: boards.leaderboard(c, board, rows=10, page=page, asker=asker, here=here)

    return nth


def _stats(crowd: Crowd, n: int) -> Callable[[Connection], object]:
    person, guild = crowd.person(), (EVERYWHERE, SNOWFLAKE)[n % 2]
    return lambda c: totals.of_person(c, person, guild)


def _listed(crowd: Crowd, n: int) -> Callable[[Connection], object]:
    return lambda c: queries.listed(c, 12, 12 * (n % 3), guild_id=crowd.guild(), user_id=0)


def _at_the_start(connection: Connection) -> None:
    """Run all queries made before the bot connects, except trying the tables."""
    leases.read(connection)
    queries.latest_open(connection, TRIAL_TABLES)
    queries.resting(connection)
    queries.due(connection, 0, 200)
    queries.unshown(connection, 500)


def _upkeep(connection: Connection) -> None:
    """Run the hourly queries."""
    queries.idle(connection, START, 200)
    queries.asleep_since(connection, START, ["left_server"], 200)


def _quotas(crowd: Crowd, _n: int) -> Callable[[Connection], object]:
    person, guild = crowd.person(), crowd.guild()
    return lambda c: queries.open_counts(c, person, guild + 1, guild, "paused", 0)


def _listed_of(crowd: Crowd, n: int) -> Callable[[Connection], object]:
    person = crowd.person()
    return lambda c: queries.listed(c, 12, 12 * (n % 3), guild_id=None, user_id=person)


def _seats_of(person: int, connection: Connection) -> object:
    return queries.seats_of(connection, person, 25)


def _append(crowd: Crowd, n: int) -> Callable[[Connection], object]:
    game_id, seq = crowd.games + 1 + n % crowd.live, LINES + 1 + n // crowd.live
    entry = Entry(seq, "act", 0, ["play", seq, [1, 2]], crowd.clock + n)
    due = [Deadline(game_id, "turn", seat, crowd.clock + 600_000 + n) for seat in range(2)]
    before = Whereabouts(game_id, "", "live", None, 0, None, "en", "", 0, revision=n // crowd.live)
    return lambda c: store.keep(c, before, Change(deadlines=due, entries=[entry]), crowd.clock + n)


def _settle(crowd: Crowd, n: int) -> Callable[[Connection], object]:
    """Write what `Table.settle` writes: results, totals, ratings, end of the game and deadlines."""
    game_id, at = crowd.games + crowd.live - n, crowd.clock + n
    sitters = list({crowd.person() for _ in range(2)})
    facts: dict[str, Any] = {
        "level": None,
        "guild_id": SNOWFLAKE,
        "game": crowd.kinds[0],
        "people": len(sitters),
    }
    results = [
        StoredResult(
            game_id=game_id, seat=seat, user_id=who, rank=seat + 1, score=1, hands=0, ended_at=at, **facts
        )
        for seat, who in enumerate(sitters)
    ]
    judged = ratings.judged(results, {}, ())

    def work(connection: Connection) -> None:
        store_results(connection, dict.fromkeys(sitters, "somebody"), judged, at)
        ended = {"phase": "over", "why": "", "ended_at": at}
        connection.execute(update(_GAMES).where(_GAMES.c.id == game_id).values(ended))
        connection.execute(delete(_CLOCKS).where(_CLOCKS.c.game_id == game_id))

    return work


QUERIES: tuple[Query, ...] = (
    Query("leaderboard_here", _leaderboard(everywhere=False)),
    Query("leaderboard_everywhere", _leaderboard(everywhere=True)),
    Query("stats", _stats),
    Query("games", _listed),
    Query("games_of_person", _listed_of),
    Query("quotas", _quotas),
    Query("upkeep", lambda _crowd, _n: _upkeep),
    Query("start", lambda _crowd, _n: _at_the_start),
    Query("deadlines", lambda crowd, n: lambda c: queries.due(c, crowd.clock + n, 200)),
    Query("tables_of_person", lambda crowd, _n: partial(_seats_of, crowd.person())),
    Query("load_a_table", lambda crowd, n: lambda c: store.whole(c, crowd.games + 1 + n % crowd.live)),
    Query("append_act", _append, writes=True),
    Query("settle", _settle, writes=True),
)
"""The timed queries, in order of output."""


async def _time(database: Database, crowd: Crowd, query: Query, calls: int) -> dict[str, float]:
    spent = []
    run = database.write_at_once if query.writes else database.read_at_once
    for n in range(WARM + calls):
        work = query.work(crowd, n)
        began = perf_counter()
        await run(work)
        spent.append(1000 * (perf_counter() - began))
    counted = sorted(spent[WARM:])
    return {"calls": calls, **percentiles(counted), "most_ms": round(counted[-1], 2)}


_SIZE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}
"""Queries for the size of a database in bytes."""


def mib_of(connection: Connection) -> float:
    """Return the size of the database in MiB."""
    taken: int = connection.execute(text(_SIZE[connection.dialect.name])).scalar_one()
    return round(taken / 2**20, 1)


async def _measure(url: str, games: int, calls: int, seed: int) -> dict[str, object]:
    from bot.store.backend import migrate

    await migrate.upgrade(url)
    database, crowd = Database(url), Crowd(games, seed)
    try:
        began = perf_counter()
        await fill(database, crowd)
        if not database.sqlite:
            await _tidy(url)
        built = perf_counter() - began

        def number_of(table: Any) -> Callable[[Connection], int]:
            return lambda c: c.execute(select(func.count()).select_from(table)).scalar_one()

        figures: dict[str, object] = {
            "database": database.url.get_backend_name(),
            "games": games,
            "seed": seed,
        }
        for table in (_ENTRIES, _RESULTS, _TOTALS):
            figures[table.name] = await database.read_at_once(number_of(table))
        figures |= {"mib": await database.read_at_once(mib_of), "built_s": round(built, 1)}
        figures["queries"] = {query.name: await _time(database, crowd, query, calls) for query in QUERIES}
        return figures
    finally:
        await database.close()


def measure(*, games: int, calls: int, seed: int, url: str | None = None) -> dict[str, Any]:
    """Build a database of this many finished games and time every query of `QUERIES` on it.

    Without `url`, use a SQLite file that is deleted afterwards. Times are in milliseconds.

    Raises:
        StoreNotEmpty: the database of the URL already contains games.
        StoreError: it cannot be used.
    """
    if url is not None:
        return asyncio.run(_measure(url, games, calls, seed))
    with tempfile.TemporaryDirectory(prefix="valence-bench-") as folder:
        return asyncio.run(_measure(f"sqlite:///{Path(folder, 'store.db')}", games, calls, seed))
