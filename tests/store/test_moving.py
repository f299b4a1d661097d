"""From a SQLite file to PostgreSQL: everything is there, people play on, and the file stays as it was."""

from __future__ import annotations

import asyncio
import errno
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import func, select, text

from bot.store.backend import engines, migrate
from bot.store.backend.file_lock import Holder
from bot.store.backend.urls import place
from bot.store.days import DAY_MS
from bot.store.models import Base, FoldRow, NightRow, table_of
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.storage.retention import Keeping, Retention
from bot.table.thinking import WorkerThinker
from tests.cli.conftest import Valence
from tests.support.processes.databases import Postgres
from tests.support.tables.ended import AT, ended_game
from tests.support.tables.tables import (
    ManualClock,
    close_tables,
    first_act,
    new_table,
    patient_database,
    settle,
    unopened_tables,
)

T = TypeVar("T")


def with_tables(url: str, act: Callable[[Tables], Awaitable[T]]) -> T:
    """Let a bot do something, from its start to its end."""

    async def run() -> T:
        tables = unopened_tables(url, ManualClock(AT + 31 * DAY_MS))
        await tables.runtime.open()
        try:
            return await act(tables)
        finally:
            await settle(tables)
            await close_tables(tables)

    return asyncio.run(run())


def rows(url: str) -> dict[str, list[Any]]:
    """All rows of all tables."""

    async def run() -> dict[str, list[Any]]:
        database = patient_database(url)
        try:
            return {
                table.name: sorted(
                    await database.read_at_once(
                        lambda c, table=table: [repr(tuple(row)) for row in c.execute(select(table))]
                    )
                )
                for table in Base.metadata.sorted_tables
            }
        finally:
            await database.close()

    return asyncio.run(run())


async def a_year(tables: Tables) -> int:
    """A folded game, one that is over, a table that goes on, a night without house rules."""
    await ended_game(tables.database, "chemistry_battle", 1)
    await Retention(tables.database, tables.clock, WorkerThinker(0), Keeping()).round()
    await ended_game(tables.database, "chemistry_battle", 2)
    table = await new_table(tables, people=[1, 2], game="duel52")
    await lobby.start(table, 1)
    await settle(tables)
    night = {
        "phase": "planned",
        "game": "atom",
        "seats": 4,
        "starts_at": AT * 2,
        "guild_id": 7,
        "channel_id": 70,
    }
    night |= {"host_id": 1, "locale": "en", "created_at": AT}
    await tables.database.write_at_once(lambda c: c.execute(table_of(NightRow).insert().values(night)))
    return table.id


@pytest.fixture
def file(upgraded: Path, tmp_path: Path) -> Path:
    path = tmp_path / "valence.db"
    shutil.copy(upgraded, path)
    return path


@pytest.fixture
def target(postgres: Postgres, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """An empty database of PostgreSQL, as a host hands it out."""
    url = postgres.fresh("template0")
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("VALENCE_LEASE_SECONDS", "1")
    monkeypatch.setenv("VALENCE_LEASE_RENEW_SECONDS", "0.3")
    monkeypatch.chdir(tmp_path)
    return url


def test_everything_is_moved_and_people_play_on(file: Path, target: str, valence: Valence) -> None:
    source = f"sqlite:///{file}"
    table_id = with_tables(source, a_year)
    before = rows(source)
    whole = file.read_bytes()
    said = valence("db", "move", file)
    assert said.code == 0, said.err
    assert "1 open games, 2 finished" in said.out
    assert file.read_bytes() == whole
    assert [each.name for each in file.parent.iterdir() if each.is_dir()] == []
    assert rows(target) == before
    assert valence("db", "check").code == 0

    async def play_on(tables: Tables) -> tuple[int, int, int, Any]:
        table = await tables.get(table_id)
        (first,) = [user for user in (1, 2) if {*table.seats_of(user)} & {*table.waiting()}]
        await first_act(table, first)
        fresh = await new_table(tables, people=[1])
        read = tables.database.read_at_once
        packed = await read(
            lambda c: c.execute(select(func.count()).select_from(table_of(FoldRow))).scalar_one()
        )
        nothing = await read(
            lambda c: c.execute(text("SELECT count(*) FROM nights WHERE rules IS NULL")).scalar()
        )
        return table.seq, fresh.id, packed, nothing

    seq, fresh, packed, nothing = with_tables(target, play_on)
    assert seq > 0
    assert fresh == table_id + 1
    assert (packed, nothing) == (1, 1)


def test_a_database_on_which_people_have_played_is_not_filled(
    file: Path, target: str, valence: Valence
) -> None:
    with_tables(f"sqlite:///{file}", a_year)
    assert valence("db", "move", file).code == 0
    before = rows(target)
    said = valence("db", "move", file)
    assert (said.code, said.err.count("\n"), "is not empty" in said.err) == (1, 1, True)
    assert rows(target) == before


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("INSERT INTO settings VALUES ('server', 7, 'server', '{}')", "chosen settings"),
        ("INSERT INTO leases VALUES (0, 'pi:1:a', 3, 5000, nextval('beat'))", "pi:1:a lives there"),
    ],
    ids=["settings", "a bot"],
)
def test_a_database_that_somebody_uses_is_left_as_it_is(  # noqa: PLR0917 - fixtures and two parameters
    file: Path, target: str, valence: Valence, sql: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an older schema as well: the bot there goes on with it."""

    async def used() -> None:
        await migrate.upgrade(target, "0015")
        engine = engines.postgres(place(target), engines.FOR_MIGRATIONS)
        async with engine.begin() as connection:
            await connection.execute(text("CREATE SEQUENCE beat"))
            await connection.execute(text(sql))
        await engine.dispose()

    async def beats(_seconds: float) -> None:
        engine = engines.postgres(place(target), engines.FOR_MIGRATIONS)
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE leases SET at = nextval('beat')"))
        await engine.dispose()

    asyncio.run(used())
    monkeypatch.setattr("bot.ops.migrate_to_postgres._wait", beats)
    said = valence("db", "move", file)
    assert (said.code, "is not empty" in said.err, says in said.err) == (1, True, True), said.err
    monkeypatch.undo()
    assert asyncio.run(schema_of(target)) == "0015"


async def schema_of(url: str) -> str:
    engine = engines.postgres(place(url), engines.FOR_MIGRATIONS)
    async with engine.connect() as connection:
        found = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one()
    await engine.dispose()
    return str(found)


def test_what_is_cut_short_leaves_nothing(
    file: Path, target: str, valence: Valence, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_tables(f"sqlite:///{file}", a_year)

    def broken(*_: object) -> None:
        raise OSError("the line broke")

    with monkeypatch.context() as patch:
        patch.setattr("bot.ops.migrate_to_postgres._count_on", broken)
        said = valence("db", "move", file)
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert rows(target)["games"] == []
    assert valence("db", "move", file).code == 0


def read_only(**_: object) -> object:
    raise OSError(errno.EROFS, "Read-only file system")


def test_what_cannot_be_moved(
    file: Path, target: str, valence: Valence, monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = file.with_name("torn.db")
    torn.write_bytes(b"a letter\n" * 500)
    for words, code, says in (
        ([file.with_name("nowhere.db")], 2, "is not there"),
        ([torn], 1, "is no"),
    ):
        said = valence("db", "move", *words)
        assert (said.code, said.err.count("\n"), says in said.err) == (code, 1, True), said.err
    with monkeypatch.context() as shut:
        shut.setattr("bot.ops.migrate_to_postgres.tempfile.TemporaryDirectory", read_only)
        said = valence("db", "move", file)
        assert (said.code, said.err.count("\n")) == (1, 1), said.err
    monkeypatch.setattr("bot.ops.migrate_to_postgres.holder_of", lambda *_, **__: Holder("pi:1:a"))
    said = valence("db", "move", file)
    assert (said.code, "pi:1:a lives on this database; stop it, then move" in said.err) == (1, True)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
    said = valence("db", "move", file)
    assert (said.code, "set it to a PostgreSQL" in said.err) == (2, True)
