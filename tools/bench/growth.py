"""Growth of each cost: python -m tools.bench.growth [--quick] [--json] [AXIS…]

One thing grows at a time, in a database that is otherwise small, and the same work is done at each size. Its
CPU time is printed in milliseconds, the median of several calls. `--json` adds the instructions of SQLite, in
tens. Those are the same on each machine. All writes are undone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from types import SimpleNamespace
from typing import Any, Final, cast

import discord
from sqlalchemy import Connection, create_engine, text

from bot.cli.output import as_table
from bot.core.clock import SystemClock
from bot.features.nights import rows as nights
from bot.features.seek import rows as seekers
from bot.features.stats import rows as boards
from bot.features.table.board import lines_of
from bot.features.table.hand.messages import hand_message
from bot.features.table.hand.open_hands import HandState, OpenHands
from bot.features.teacher import review_rows as reviews
from bot.features.tournaments import rows as tournaments
from bot.render.encode import encode
from bot.render.scene import Scene
from bot.server_checks import ServerChecks
from bot.settings import with_async_driver
from bot.store import contacts, days, finished, games, leases, queries, ratings, servers, totals
from bot.store.backend import migrate
from bot.store.database import Database
from bot.store.people import EVERYWHERE, StoredResult
from bot.store.rating_model import ALL_TIME, RatingBoard
from bot.table.journal import replayed
from bot.table.results import store_results
from bot.table.storage.rebuild import load_table
from bot.table.storage.resting import TRIAL_TABLES
from bot.table.table import PAUSED, Table
from bot.table.table_context import TableContext
from engine import catalog
from tools.bench import cold_tables, growth_rows, growth_tournaments, start, store
from tools.bench.growth_rows import GAME, PERSON, SERVER

CALLS: Final = 9
"""Calls of each piece of work."""
RESULTS: Final = 10_000
"""Results in every database but those in which they grow; a game has 2.2 of them."""
ACTS: Final = 12
"""Acts and loads of each table."""
STEP: Final = 10
"""SQLite reports every tenth instruction."""
SIZES: Final[dict[str, tuple[int, ...]]] = {
    "open tables": (1, 1_000, 100_000),
    "results": (10_000, 1_000_000),
    "games of one person": (100, 1_000, 10_000),
    "sleeping tables of one server": (100, 10_000),
    "finished tournaments": (100, 10_000),
    "people known": (1_000, 100_000),
    "members of one server": (100, 10_000),
    "servers": (1, 500, 10_000),
    "entries in a game": (10, 100, 600),
    "people at a table": (2, 4, 8),
    "open hands at a table": (2, 4, 8),
    **growth_tournaments.SIZES,
}


@dataclass(frozen=True, slots=True)
class Work:
    """Work that someone waits for."""

    name: str
    run: Callable[[Connection], object]


def _start(connection: Connection) -> None:
    leases.read(connection)
    queries.latest_open(connection, TRIAL_TABLES)
    queries.resting(connection)
    queries.due(connection, 0, 200)
    queries.unshown(connection, 500)
    tournaments.to_bring_back(connection, growth_rows.LATER)


def _leaderboard(connection: Connection) -> None:
    for guild_id in (SERVER, EVERYWHERE):
        board = RatingBoard(GAME, "", ALL_TIME, guild_id)
        boards.leaderboard(connection, board, rows=10, page=1, asker=PERSON, here=SERVER)
        boards.best_of(connection, board, 120)


def _stats(connection: Connection) -> None:
    totals.of_person(connection, PERSON, SERVER)
    totals.last_games(connection, PERSON, SERVER, 10)
    boards.ratings_of(connection, PERSON, SERVER)
    boards.records_of(connection, PERSON, SERVER, 4)
    boards.practised(connection, PERSON, SERVER)
    boards.done_by(connection, PERSON, GAME)
    boards.curve(connection, PERSON, GAME, "", 60)
    reviews.luck_of(connection, PERSON, GAME, 20)


def _open(connection: Connection) -> None:
    queries.last_set_up(connection, PERSON, GAME)
    queries.open_counts(connection, PERSON, SERVER + 1, SERVER, PAUSED, growth_rows.LATER)


def _own_games(connection: Connection) -> None:
    queries.seats_of(connection, PERSON, 100)
    finished.finished_of(connection, PERSON, 12)


def _day(connection: Connection) -> None:
    days.best_of_server(connection, growth_rows.DAY, GAME, SERVER, 110)
    days.board(connection, growth_rows.DAY, GAME, here=SERVER, asker=PERSON, most=10)


def _call(connection: Connection) -> None:
    people = seekers.of_guild(connection, SERVER)
    contacts.apart(connection, PERSON, people)
    contacts.pausing(connection, PERSON, people, growth_rows.LATER)


def _settle(connection: Connection) -> None:
    live = text("SELECT id FROM games WHERE phase = 'live' LIMIT 1")
    game_id, at = connection.execute(live).scalar_one(), growth_rows.LATER
    people = {PERSON: "ann", PERSON + 1: "ben"}
    results = [
        StoredResult(
            game_id=game_id,
            seat=seat,
            user_id=who,
            level=None,
            guild_id=SERVER,
            game=GAME,
            people=2,
            rank=1 + seat,
            score=1,
            hands=0,
            ended_at=at,
        )
        for seat, who in enumerate(people)
    ]
    store_results(connection, people, ratings.judged(results, {}, ()), at)


WORK: Final = (
    Work("start", _start),
    Work("leaderboards", _leaderboard),
    Work("statistics", _stats),
    Work("open", _open),
    Work("own games", _own_games),
    Work("games here", lambda c: queries.listed(c, 12, 0, guild_id=SERVER, user_id=PERSON)),
    Work("board of a day", _day),
    Work("call", _call),
    Work("tournaments", lambda c: tournaments.ended(c, SERVER, growth_rows.LATER)),
    Work("settle", _settle),
)


def costs(path: Path) -> dict[str, tuple[float, int]]:
    """Return the CPU milliseconds and the tens of SQLite's instructions of each work on this database."""
    found = {}
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        for work in WORK:
            spent = []
            for _ in range(CALLS):
                began = process_time()
                work.run(connection)
                spent.append(1000 * (process_time() - began))
                connection.rollback()
            steps = _Steps()
            driver.set_progress_handler(steps, STEP)
            work.run(connection)
            driver.set_progress_handler(None, STEP)
            connection.rollback()
            found[work.name] = round(statistics.median(spent), 2), steps.count
    engine.dispose()
    return found


class _Steps:
    """Counts SQLite's instructions, in tens."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> int:
        self.count += 1
        return 0


async def press_costs(path: Path, table_id: int, rng: random.Random) -> dict[str, tuple[float, int]]:
    """Return the CPU milliseconds of a press at a cold table, of an act and of the log, and the number of
    entries in the journal."""
    database = Database(with_async_driver(f"sqlite:///{path}"))
    context = TableContext[Table].alone(database)
    loads, acts, logs = [], [], []
    try:
        for _ in range(ACTS):
            began = process_time()
            table = await load_table(database, table_id, lambda found: Table(context, found))
            loads.append(1000 * (process_time() - began))
            entries = table.seq
            if not table.waiting() or table.state is None:
                break
            seat = table.waiting()[0]
            action = rng.choice(table.state.legal_actions(seat))
            began = process_time()
            await table.act(seat, None, action)
            acts.append(1000 * (process_time() - began))
            began = process_time()
            journal = await database.read_at_once(lambda c: games.journal(c, table_id))
            events = replayed(table.game, table.setup(), journal, sys.maxsize).recent
            lines_of(list(events), table, seat, "en")
            logs.append(1000 * (process_time() - began))
    finally:
        await database.close()
    figures = {"walk, cold": (round(statistics.median(loads), 2), entries)}
    for name, spent in (("act", acts), ("log", logs)):
        if spent:
            figures[name] = round(statistics.median(spent), 2), entries
    return figures


class _Screen:
    """The private message of one person, as Discord takes its changes."""

    def __init__(self, user_id: int) -> None:
        self.user = SimpleNamespace(id=user_id)
        self.locale = discord.Locale.british_english
        self.channel_id = 1

    async def edit_original_response(self, **_message: object) -> SimpleNamespace:
        return SimpleNamespace(attachments=[])


class _TimedPainter:
    """Paints in this process, and adds up the CPU milliseconds."""

    def __init__(self) -> None:
        self.spent = 0.0

    async def paint(self, scene: Scene, _priority: int, **_whose: object) -> bytes:
        began = process_time()
        data = encode(scene)
        self.spent += 1000 * (process_time() - began)
        return data


async def hand_costs(path: Path, table_id: int, rng: random.Random) -> dict[str, tuple[float, int]]:
    """Return the CPU milliseconds of an act, and of the other people's open hands and pictures after it.

    Each person at the table has an open hand.
    """
    database = Database(with_async_driver(f"sqlite:///{path}"))
    context = TableContext[Table].alone(database)
    painter: Any = _TimedPainter()
    hands = OpenHands(painter)
    acts, refreshes, pictures = [], [], []

    def show(table: Table, user_id: int) -> None:
        seat, screen = table.seats_of(user_id)[0], _Screen(user_id)
        message = hand_message(hands.views.of(table, seat, "en-GB"))
        hands.shown(cast(Any, screen), table, message, HandState(seat, table.seq), message_id=user_id)

    try:
        table = await load_table(database, table_id, lambda found: Table(context, found))
        for user_id in table.people():
            show(table, user_id)
        for _ in range(ACTS):
            if not table.waiting() or table.state is None:
                break
            seat = table.waiting()[0]
            actor = table.sitters[seat].user_id or 0
            action = rng.choice(table.state.legal_actions(seat))
            began = process_time()
            await table.act(seat, None, action)
            acts.append(1000 * (process_time() - began))
            show(table, actor)
            painter.spent, began = 0.0, process_time()
            for user_id in hands.of_table(table):
                if user_id != actor:
                    await hands.refresh(table, user_id)
            pictures.append(painter.spent)
            refreshes.append(1000 * (process_time() - began) - painter.spent)
    finally:
        await database.close()
    spent = {"act": acts, "other hands": refreshes, "their pictures": pictures}
    return {name: (round(statistics.median(each), 2), len(each)) for name, each in spent.items()}


async def wait_among_servers(path: Path, number: int) -> dict[str, tuple[float, int]]:
    """Return the milliseconds that the read of a press waits while this many servers become available, and
    the reads that were asked for before it was answered."""
    database = Database(with_async_driver(f"sqlite:///{path}"))
    tasks, asked, answered = set[asyncio.Task[object]](), 0, False

    def look(guild_id: int) -> None:
        nonlocal asked
        if answered:
            return
        for work in (
            lambda c: nights.with_events(c, guild_id=guild_id),
            lambda c: nights.planned(c, guild_id=guild_id),
            lambda c: servers.server_of(c, guild_id),
        ):
            asked += 1
            tasks.add(asyncio.create_task(database.read_at_once(work)))

    await database.read_at_once(lambda c: games.whole(c, 1))
    checks = ServerChecks(SystemClock(), look)
    for guild_id in range(number):
        checks.add(guild_id)
    await asyncio.sleep(0)
    began = perf_counter()
    await database.read_at_once(lambda c: games.whole(c, 1))
    waited, answered = 1000 * (perf_counter() - began), True
    await asyncio.gather(*tasks)
    await database.close()
    return {"first answer": (round(waited, 1), asked)}


async def small(path: Path) -> store.Crowd:
    """Make a small database of finished games, with some live ones."""
    await migrate.upgrade(f"sqlite:///{path}")
    database, crowd = Database(with_async_driver(f"sqlite:///{path}")), store.Crowd(RESULTS * 9 // 20, 1)
    await store.fill(database, crowd)
    await database.write_at_once(growth_rows.close_seats)
    await database.close()
    return crowd


async def _of_tables(path: Path, size: int) -> dict[str, tuple[float, int]]:
    figures = await start.measure(tables=size, game=GAME, seed=1)
    first = figures["start"]
    await migrate.upgrade(f"sqlite:///{path}")
    database = Database(with_async_driver(f"sqlite:///{path}"))
    asker = cold_tables.TableAsker(PERSON, SERVER, SERVER + 1)
    now = int(time.time() * 1000)
    mine = await database.write_at_once(lambda c: cold_tables.fill(c, size, now, asker, 1))
    await database.close()
    found = {
        "first answer": (1000 * first["first_answer_cpu_s"], round(1000 * first["first_answer_s"])),
        "MiB": (first["rss_after_mib"], 0),
    }
    return found | costs(path) | await press_costs(path, mine[GAME], random.Random(1))


async def _of_one_game(path: Path, axis: str, size: int) -> dict[str, tuple[float, int]]:
    await migrate.upgrade(f"sqlite:///{path}")
    rng = random.Random(f"growth/{axis}")
    if axis == "entries in a game":
        rules = catalog.get("canasta")
        whole = max((cold_tables.play(rules, 4, 0.999, rng) for _ in range(5)), key=lambda p: len(p.journal))
        part, seats = min(1.0, size / len(whole.journal)) * 0.97, 4
    else:
        rules, part, seats = catalog.get("molecular"), cold_tables.MIDDLE, size
    played = cold_tables.play(rules, seats, part, rng)
    database = Database(with_async_driver(f"sqlite:///{path}"))
    now = int(time.time() * 1000)
    table_id = await database.write_at_once(lambda c: cold_tables.put(c, played, now))
    await database.close()
    if axis == "open hands at a table":
        return await hand_costs(path, table_id, rng)
    return await press_costs(path, table_id, rng)


async def measure(axis: str, size: int, base: Path, folder: Path) -> dict[str, tuple[float, int]]:
    """Return the costs with this much of one thing; `base` is the small database."""
    path = folder / "grown.db"
    path.unlink(missing_ok=True)
    if axis == "open tables":
        return await _of_tables(path, size)
    if axis in ("entries in a game", "people at a table", "open hands at a table"):
        return await _of_one_game(path, axis, size)
    if axis in growth_tournaments.SIZES:
        return await growth_tournaments.measure(axis, size, path)
    shutil.copy(base, path)
    if axis == "servers":
        return await wait_among_servers(path, size)
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        growth_rows.PILES[axis](connection, size)
    engine.dispose()
    return costs(path)


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("axes", nargs="*", metavar="AXIS", help=", ".join(SIZES))
    parser.add_argument("--quick", action="store_true", help="leave out the largest size of each")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if unknown := set(chosen.axes) - SIZES.keys():
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    rows: list[tuple[str, int, dict[str, tuple[float, int]]]] = []
    with tempfile.TemporaryDirectory(prefix="valence-bench-") as name:
        folder = Path(name)
        base = folder / "small.db"
        await small(base)
        for axis, sizes in SIZES.items():
            for size in sizes[: -1 if chosen.quick else None] if axis in (chosen.axes or SIZES) else ():
                rows += [(axis, size, await measure(axis, size, base, folder))]
    if chosen.json:
        print(json.dumps([{"axis": axis, "size": size, "costs": found} for axis, size, found in rows]))
        return
    columns = list(dict.fromkeys(name for _, _, found in rows for name in found))
    lines = [
        (axis, f"{size:,}", *(found[name][0] if name in found else "" for name in columns))
        for axis, size, found in rows
    ]
    as_table("CPU milliseconds; first answer among servers: milliseconds", ("axis", "size", *columns), lines)


if __name__ == "__main__":
    asyncio.run(main())
