"""Many writers, two bots on one database, a copy in mid-use: nothing is lost, nothing is torn."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from bot.features.stats import rows as boards
from bot.store import games as store
from bot.store import people
from bot.store.backend import migrate
from bot.store.backend import sqlite_backup as copies
from bot.store.database import Database, Overtaken, StoreError
from bot.store.games import Change, Entry
from bot.store.rating_model import ALL_TIME, RatingBoard
from bot.store.terms import Terms
from bot.table import lobby
from engine.record import verify
from tests.support.processes.databases import Open
from tests.support.tables.tables import first_act, journal_of, new_table, patient_database, settle
from tests.support.waiting import until

#: ids as Discord makes them: more than 32 bits, more than a float holds
ANN, BEN = 1_573_215_390_710_890_496, 1_573_215_390_715_084_801


async def test_two_hundred_read_modify_writes_all_survive(upgraded: Path, tmp_path: Path) -> None:
    """With more than one writer SQLite loses most of them, or answers "locked"."""
    path = tmp_path / "valence.db"
    shutil.copy(upgraded, path)
    database = Database(f"sqlite+aiosqlite:///{path}")

    async def count() -> None:
        async with database.write() as connection:
            now = await connection.run_sync(people.get_setting, "test", 1, "count") or {"n": 0}
            await asyncio.sleep(0)
            await connection.run_sync(people.put_setting, "test", 1, "count", {"n": now["n"] + 1})

    await asyncio.gather(*(count() for _ in range(200)))
    assert await database.read_at_once(lambda c: people.get_setting(c, "test", 1, "count")) == {"n": 200}
    await database.close()


async def test_readers_do_not_write(database: Database) -> None:
    if not database.sqlite:
        pytest.skip("PostgreSQL has one pool for both")
    with pytest.raises(StoreError) as found:
        await database.read_at_once(lambda c: people.put_setting(c, "test", 1, "key", {}))
    assert found.value.kind == "readonly"


async def test_one_revision_of_a_table_is_written_once(database: Database, opened_tables: Open) -> None:
    tables = await opened_tables()
    table = await new_table(tables, people=[ANN, BEN])
    await lobby.start(table, ANN)

    async def append(n: int) -> None:
        change = Change(entries=[Entry(1, "act", 0, ["bid", n, []], 5)])
        await database.write_at_once(lambda c: store.keep(c, table.stored, change, 5))

    answers = await asyncio.gather(*(append(n) for n in range(8)), return_exceptions=True)
    assert sum(answer is None for answer in answers) == 1
    assert all(isinstance(answer, Overtaken) for answer in answers if answer is not None)
    (entry,) = await journal_of(tables, table)
    assert entry.data[1] == answers.index(None)


async def test_a_table_comes_back_as_it_was(opened_tables: Open) -> None:
    tables = await opened_tables()
    table = await new_table(tables, people=[ANN, BEN], terms=Terms(clock=600))
    await lobby.start(table, ANN)
    await first_act(table, BEN)
    await first_act(table, ANN)
    before = (table.state.fingerprint(), table.decisions, table.seq, table.deadlines, table.sitters)
    await tables.runtime.close()
    await tables.database.close()
    again = await (await opened_tables()).get(table.id)
    assert (again.state.fingerprint(), again.decisions, again.seq, again.deadlines, again.sitters) == before
    assert (again.stored.seed, again.stored.nonce) == (table.stored.seed, table.stored.nonce)
    assert again.stored.options == table.stored.options


async def test_a_finished_game_is_read_back_from_the_rows(opened_tables: Open) -> None:
    tables = await opened_tables()
    table = await new_table(tables, people=[ANN, BEN], rounds=1)
    await lobby.start(table, ANN)
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(tables)
    await tables.runtime.close()
    await tables.database.close()
    fresh = await opened_tables()
    again = await fresh.get(table.id)
    assert again.phase == "over"
    verify(await fresh.record(again))
    on = RatingBoard("probe", "", ALL_TIME, 70)
    board = await fresh.database.read_at_once(
        lambda c: boards.leaderboard(c, on, rows=10, page=0, asker=ANN, here=70)
    )
    assert {line.name for line in board.places} == {f"person {ANN}", f"person {BEN}"}


async def test_a_person_who_opens_two_tables_at_once_is_remembered_once(opened_tables: Open) -> None:
    tables = await opened_tables()
    opened = await asyncio.gather(*(new_table(tables, people=[ANN]) for _ in range(5)))
    assert len({table.id for table in opened}) == 5


async def test_a_backup_in_mid_use_is_whole(upgraded: Path, tmp_path: Path) -> None:
    path = tmp_path / "valence.db"
    shutil.copy(upgraded, path)
    url = f"sqlite:///{path}"
    database = patient_database(url)
    stop = asyncio.Event()

    n = 0

    async def write() -> int:
        """Two settings that are always equal, as long as no transaction is torn."""
        nonlocal n
        while not stop.is_set():
            n += 1
            async with database.write() as connection:
                for key in ("left", "right"):
                    value = {"n": n, "fill": key * 1000}
                    await connection.run_sync(people.put_setting, "test", 1, key, value)
        return n

    writing = asyncio.create_task(write())
    await until(lambda: n > 3)
    taken = [tmp_path / f"copy{n}.db" for n in range(3)]
    for copy in taken:
        await asyncio.to_thread(copies.copy, path, copy)
    stop.set()
    written = await writing
    await database.close()
    assert written > 3
    for copy in taken:
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert await migrate.check(f"sqlite:///{copy}")
        saved = Database(f"sqlite+aiosqlite:///{copy}")
        left, right = await saved.read_at_once(
            lambda c: [people.get_setting(c, "test", 1, key) for key in ("left", "right")]
        )
        await saved.close()
        assert left["n"] == right["n"] >= 1


async def test_a_log_that_a_reader_let_grow_is_folded_in(upgraded: Path, tmp_path: Path) -> None:
    path = tmp_path / "valence.db"
    shutil.copy(upgraded, path)
    database = Database(f"sqlite:///{path}")
    log = tmp_path / "valence.db-wal"

    def put(n: int) -> Callable[[Connection], None]:
        return lambda connection: people.put_setting(
            connection, "test", n % 40, "fill", {"x": f"{n:06}" * 10_000}
        )

    await database.write_at_once(put(0))
    async with database.read() as reading:
        await reading.run_sync(lambda connection: people.get_setting(connection, "test", 1, "fill"))
        for n in range(160):
            await database.write_at_once(put(n))
        assert log.stat().st_size > 8 << 20
        assert not await database.tidy(), "somebody reads"
        await database.write_at_once(put(0))
    assert await database.tidy()
    assert log.stat().st_size == 0
    await database.write_at_once(put(1))
    assert not await database.tidy(), "a small one is left alone"
    await database.close()


async def test_a_log_keeps_its_size_by_itself(upgraded: Path, tmp_path: Path) -> None:
    """As soon as SQLite may begin it anew, it cuts it back."""
    path = tmp_path / "valence.db"
    shutil.copy(upgraded, path)
    database = Database(f"sqlite:///{path}")
    rows = [{"n": n, "x": "x" * 60_000} for n in range(200)]
    insert = text("INSERT INTO settings VALUES ('test', :n, 'fill', :x)")
    await database.write_at_once(lambda connection: connection.execute(insert, rows))
    for _ in range(3):
        await database.write_at_once(
            lambda connection: people.put_setting(connection, "test", 1, "small", {})
        )
    assert (tmp_path / "valence.db-wal").stat().st_size <= 4 << 20
    await database.close()


async def test_postgresql_needs_no_tidying(database: Database) -> None:
    assert await database.tidy() is False
