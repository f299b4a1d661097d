"""Many writers, two bots on one database, a copy in mid-use: nothing is lost, nothing is torn."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.settings import with_async_driver
from bot.store import games as store
from bot.store import migrate, people
from bot.store.database import Database, Overtaken, StoreTrouble
from bot.store.games import Change, Entry
from bot.store.people import EVERYWHERE, Result
from bot.store.terms import Terms
from bot.tables.results import _rate
from engine.record import verify
from tests.store.conftest import Open
from tests.support.hall import first_act, journal_of, new_table, settle

#: ids as Discord makes them: more than 32 bits, more than a float holds
ANN, BEN = 1_573_215_390_710_890_496, 1_573_215_390_715_084_801


async def test_two_hundred_read_modify_writes_all_survive(upgraded: Path, tmp_path: Path) -> None:
    """With more than one writer SQLite loses most of them, or answers "locked"."""
    path = tmp_path / "valence.db"
    shutil.copy(upgraded, path)
    database = Database(f"sqlite+aiosqlite:///{path}")

    async def count() -> None:
        async with database.write() as connection:
            now = await people.get_setting(connection, "test", 1, "count") or {"n": 0}
            await asyncio.sleep(0)
            await people.put_setting(connection, "test", 1, "count", {"n": now["n"] + 1})

    await asyncio.gather(*(count() for _ in range(200)))
    async with database.read() as connection:
        assert await people.get_setting(connection, "test", 1, "count") == {"n": 200}
    await database.close()


async def test_readers_do_not_write(database: Database) -> None:
    if not database.sqlite:
        pytest.skip("PostgreSQL has one pool for both")
    with pytest.raises(StoreTrouble) as found:
        async with database.read() as connection:
            await people.put_setting(connection, "test", 1, "key", {})
    assert found.value.kind == "readonly"


async def test_one_revision_of_a_table_is_written_once(database: Database, open_hall: Open) -> None:
    hall = await open_hall()
    table = await new_table(hall, people=[ANN, BEN])
    await table.start(ANN)

    async def append(n: int) -> None:
        change = Change(entries=[Entry(1, "act", 0, ["bid", n, []], 5)])
        await database.write_at_once(lambda c: store.keep(c, table.stored, change, 5))

    answers = await asyncio.gather(*(append(n) for n in range(8)), return_exceptions=True)
    assert sum(answer is None for answer in answers) == 1
    assert all(isinstance(answer, Overtaken) for answer in answers if answer is not None)
    (entry,) = await journal_of(hall, table)
    assert entry.data[1] == answers.index(None)


async def test_a_table_comes_back_as_it_was(open_hall: Open) -> None:
    hall = await open_hall()
    table = await new_table(hall, people=[ANN, BEN], terms=Terms(clock=600))
    await table.start(ANN)
    await first_act(table, BEN)
    await first_act(table, ANN)
    before = (table.state.fingerprint(), table.decisions, table.seq, table.deadlines, table.sitters)
    await hall.close()
    await hall.database.close()
    again = await (await open_hall()).get(table.id)
    assert (again.state.fingerprint(), again.decisions, again.seq, again.deadlines, again.sitters) == before
    assert (again.stored.seed, again.stored.nonce) == (table.stored.seed, table.stored.nonce)
    assert again.stored.options == table.stored.options


async def test_a_finished_game_is_read_back_from_the_rows(open_hall: Open) -> None:
    hall = await open_hall()
    table = await new_table(hall, people=[ANN, BEN], rounds=1)
    await table.start(ANN)
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(hall)
    await hall.close()
    await hall.database.close()
    fresh = await open_hall()
    again = await fresh.get(table.id)
    assert again.phase == "over"
    verify(await fresh.record(again))
    async with fresh.database.read() as connection:
        scores, total = await people.leaderboard(connection, "probe", 70, limit=10)
    assert total == 2
    assert {score.name for score in scores} == {f"person {ANN}", f"person {BEN}"}


async def test_a_leaderboard_ranks_by_wins_then_by_share(database: Database, open_hall: Open) -> None:
    """Wins, then fewer games for them, then practice; people who share all, by id; and page by page."""
    hall = await open_hall()
    # per game: guild, and who came which
    games = [
        (70, {1: 1, 2: 2}),
        (70, {1: 1, 3: 2}),
        (70, {2: 1, 1: 2}),
        (70, {3: 1, 2: 2}),
        (71, {2: 1, 3: 2}),
        (70, {4: 1}),
        (70, {5: 2}),
    ]
    for at, (guild, ranks) in enumerate(games):
        table = await new_table(hall, people=list(ranks))
        async with database.write() as connection:
            await people.add_results(
                connection,
                [
                    Result(table.id, seat, ANN + n, None, guild, "probe", len(ranks), rank, 1.5, 2, at)
                    for seat, (n, rank) in enumerate(ranks.items())
                ],
            )

    async def board(guild: int | None, limit: int = 10, offset: int = 0) -> tuple[list[tuple[int, ...]], int]:
        async with database.read() as connection:
            scores, total = await people.leaderboard(connection, "probe", guild, limit=limit, offset=offset)
        return [(s.user_id - ANN, s.wins, s.games, s.practice_wins, s.practice) for s in scores], total

    here, total = await board(70)
    assert here == [(1, 2, 3, 0, 0), (3, 1, 2, 0, 0), (2, 1, 3, 0, 0), (4, 0, 0, 1, 1), (5, 0, 0, 0, 1)]
    assert total == 5
    everywhere, _ = await board(None)
    assert everywhere[:2] == [(1, 2, 3, 0, 0), (2, 2, 4, 0, 0)]
    pages = [await board(70, limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [row for rows, _ in pages for row in rows] == here
    assert {total for _, total in pages} == {5}
    assert await board(72) == ([], 0)
    async with database.read() as connection:
        assert await people.streak(connection, ANN + 2, "probe", None) == 1
        assert await people.streak(connection, ANN + 2, "probe", 70) == 0


async def test_games_that_end_together_all_count_in_the_ratings(database: Database) -> None:
    """A rating is read, changed and written: two games that end at once must not swallow one another."""
    ranks = {ANN: 1, BEN: 2}

    async def end() -> None:
        async with database.write() as connection:
            await _rate(connection, ranks, EVERYWHERE, "probe")

    await end()
    await asyncio.gather(*(end() for _ in range(20)))
    async with database.read() as connection:
        rated = await people.ratings(connection, ranks, EVERYWHERE, "probe")
    assert {user: rating.games for user, rating in rated.items()} == {ANN: 21, BEN: 21}
    assert rated[ANN].mu > 25 > rated[BEN].mu


async def test_a_person_who_opens_two_tables_at_once_is_remembered_once(open_hall: Open) -> None:
    hall = await open_hall()
    tables = await asyncio.gather(*(new_table(hall, people=[ANN]) for _ in range(5)))
    assert len({table.id for table in tables}) == 5


async def test_a_backup_in_mid_use_is_whole(upgraded: Path, tmp_path: Path) -> None:
    path = tmp_path / "valence.db"
    shutil.copy(upgraded, path)
    url = f"sqlite:///{path}"
    database = Database(with_async_driver(url))
    stop = asyncio.Event()

    async def write() -> int:
        """Two settings that are always equal, as long as no transaction is torn."""
        n = 0
        while not stop.is_set():
            n += 1
            async with database.write() as connection:
                await people.put_setting(connection, "test", 1, "left", {"n": n, "fill": "x" * 5000})
                await people.put_setting(connection, "test", 1, "right", {"n": n, "fill": "y" * 5000})
        return n

    writing = asyncio.create_task(write())
    await asyncio.sleep(0.1)
    copies = [tmp_path / f"copy{n}.db" for n in range(3)]
    for copy in copies:
        await asyncio.to_thread(migrate.backup, url, copy)
    stop.set()
    written = await writing
    await database.close()
    assert written > 3
    for copy in copies:
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert await migrate.check(f"sqlite:///{copy}")
        saved = Database(f"sqlite+aiosqlite:///{copy}")
        async with saved.read() as reader:
            left = await people.get_setting(reader, "test", 1, "left")
            right = await people.get_setting(reader, "test", 1, "right")
        await saved.close()
        assert left["n"] == right["n"] >= 1
