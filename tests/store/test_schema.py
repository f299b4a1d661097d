"""Migrations make what the models say, and a database that is not ours is named and left alone."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.locales import words
from bot.settings import with_async_driver
from bot.store.backend import migrate
from bot.store.database import Database, StoreError
from bot.store.models import SCHEMA, Base
from tests.support.processes.databases import Postgres


async def differences(url: str) -> list[Any]:
    engine = create_async_engine(with_async_driver(url))

    def compare(connection: Any) -> list[Any]:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        return list(compare_metadata(context, Base.metadata))

    async with engine.connect() as connection:
        found = await connection.run_sync(compare)
    await engine.dispose()
    return found


async def execute(url: str, *lines: str) -> None:
    engine = create_async_engine(with_async_driver(url))
    async with engine.begin() as connection:
        for line in lines:
            await connection.execute(text(line))
    await engine.dispose()


async def test_the_migrations_make_what_the_models_say(url: str) -> None:
    assert await differences(url) == []
    # the comparison can fail
    await execute(url, "DROP INDEX games_by_phase", "ALTER TABLE players ADD COLUMN shoe_size INTEGER")
    assert len(await differences(url)) == 2


def test_the_newest_migration_is_the_one_that_the_bot_wants() -> None:
    script = ScriptDirectory(str(migrate.MIGRATIONS))
    assert script.get_current_head() == SCHEMA
    revisions = [revision.revision for revision in script.walk_revisions()]
    # they are compared as text, to tell an old database from a newer one
    assert revisions == sorted(revisions, reverse=True)


async def test_an_upgrade_leaves_what_is_there(url: str) -> None:
    await execute(url, "INSERT INTO players (id, name, prefs, seen_at) VALUES (7, 'Ann', '{}', 1)")
    await migrate.upgrade(url)
    assert await migrate.check(url) == SCHEMA
    engine = create_async_engine(with_async_driver(url))
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT name FROM players"))).scalar_one() == "Ann"
    await engine.dispose()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_empty_database_is_old_and_then_upgraded(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    if kind == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        url = server.fresh(template="template0")
    else:
        url = f"sqlite:///{tmp_path / 'new.db'}"
    with pytest.raises(StoreError) as found:
        asyncio.run(migrate.check(url))
    assert found.value.kind == "empty"
    assert list(tmp_path.iterdir()) == [], "a question makes no file"
    asyncio.run(migrate.upgrade(url))
    assert asyncio.run(migrate.check(url)) == SCHEMA


async def test_a_newer_database_is_left_alone(url: str) -> None:
    await execute(url, "UPDATE alembic_version SET version_num = '9999'")
    for act in (migrate.check, migrate.upgrade):
        with pytest.raises(StoreError) as found:
            await act(url)
        assert found.value.kind == "newer"
    with pytest.raises(StoreError):
        await migrate.check(url)


@pytest.mark.parametrize(
    ("content", "kind"), [(b"these are my holiday notes\n" * 300, "not_a_database"), (b"", "empty")]
)
async def test_what_lies_in_the_file_is_told_apart(tmp_path: Path, content: bytes, kind: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    with pytest.raises(StoreError) as found:
        await migrate.check(f"sqlite:///{file}")
    assert found.value.kind == kind
    assert file.read_bytes() == content


def tear(whole: Path, torn: Path) -> None:
    """The head of a database, and rubbish after it."""
    content = whole.read_bytes()
    torn.write_bytes(content[:100] + b"\xff" * (len(content) - 100))


async def test_a_damaged_file_is_no_database(upgraded: Path, tmp_path: Path) -> None:
    file = tmp_path / "torn.db"
    await asyncio.to_thread(tear, upgraded, file)
    database = Database(f"sqlite+aiosqlite:///{file}")
    with pytest.raises(StoreError) as found:
        await database.check_schema()
    await database.close()
    assert found.value.kind == "not_a_database"


async def test_a_foreign_database_with_tables_of_its_own_is_not_taken_for_ours(tmp_path: Path) -> None:
    """Somebody's own file with a table `games`: nothing of it may be changed."""
    file = tmp_path / "chess.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE games (id INTEGER PRIMARY KEY, white TEXT)")
        connection.execute("INSERT INTO games VALUES (1, 'Magnus')")
        connection.commit()
    with pytest.raises(StoreError):
        await migrate.upgrade(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT * FROM games").fetchall() == [(1, "Magnus")]
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert tables == [("games",)]


@pytest.mark.parametrize("change", ["RENAME TO moved", "RENAME COLUMN game TO moved"])
async def test_a_missing_table_or_column_is_found(upgraded: Path, tmp_path: Path, change: str) -> None:
    file = tmp_path / "valence.db"
    shutil.copy(upgraded, file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"ALTER TABLE daily_results {change}")
    with pytest.raises(StoreError) as found:
        await migrate.check(f"sqlite:///{file}")
    assert found.value.kind == "mixed"


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as found:
        await migrate.check(f"postgresql://ann@/valence?host={tmp_path}")
    assert found.value.kind == "gone"


@pytest.mark.parametrize("kind", ["locked", "full", "readonly", "gone", "old", "newer", "not_a_database"])
def test_every_trouble_has_words_for_people_and_for_who_runs_the_bot(kind: str) -> None:
    say = words("en")
    assert f"store.{kind}" in say
    assert f"doctor.store.{kind}" in say


@pytest.mark.parametrize(("name", "code"), [("v.db", 0), ("missing/v.db", 3)])
def test_the_migrations_run_in_a_process_of_their_own(tmp_path: Path, name: str, code: int) -> None:
    """The bot calls them so, with the URL as the one argument, and needs no other settings."""
    done = subprocess.run(
        [sys.executable, "-m", "bot.store.backend.migrate", f"sqlite:///{tmp_path / name}"],
        env={"PATH": ""},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    if code == 0:
        with sqlite3.connect(tmp_path / name) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        assert {"games", "entries", "tournaments"} <= tables
