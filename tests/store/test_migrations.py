"""Migrations only add, so the release before runs on the schema after; and each is preceded by a copy."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.settings import with_async_driver
from bot.store.backend import migrate
from bot.store.backend.policy import Migration
from bot.store.database import Database, StoreError
from bot.store.models import SCHEMA
from bot.table import lobby
from bot.table.registry import Tables
from tests.support.processes.databases import Postgres
from tests.support.tables.tables import close_tables, first_act, new_table, settle, unopened_tables

pytestmark = pytest.mark.repeats

FILES = sorted((migrate.MIGRATIONS / "versions").glob("*.py"))
HEAD = """import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"
{more}

def upgrade():
    {body}
"""
ADDS = """op.create_table("pets", sa.Column("id", sa.BigInteger(), primary_key=True))
    op.add_column("games", sa.Column("weather", sa.String(16), nullable=True))
    op.add_column("entries", sa.Column("mood", sa.String(16), nullable=False, server_default="calm"))"""
TAKES = """with op.batch_alter_table("games") as batch:
        batch.alter_column("why", new_column_name="reason")"""
NEXT, AFTER = f"{int(SCHEMA) + 1:04}", f"{int(SCHEMA) + 2:04}"


def written(
    folder: Path, body: str, *, revision: str = NEXT, before: str = SCHEMA, more: str = ""
) -> Migration:
    file = folder / f"{revision}_of_a_test.py"
    file.write_text(HEAD.format(revision=revision, before=before, more=more, body=body))
    return Migration(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_migration_keeps_the_policy(file: Path) -> None:
    """It only adds; what it takes away, an earlier release has stopped using, and it names that release."""
    assert Migration(file).fault is None


@pytest.mark.parametrize(
    ("body", "more", "adds", "fault"),
    [
        (ADDS, "", True, None),
        ('op.create_index("a", "games", ["game"])', "", True, None),
        ('op.drop_index("games_by_phase")', "", True, None),
        ('op.create_index("a", "games", ["game"], unique=True)', "", False, "unused_since"),
        (
            'op.create_table("a", sa.Column("b"))\n    op.create_index("c", "a", ["b"], unique=True)',
            "",
            True,
            None,
        ),
        (TAKES, "", False, "alter_column"),
        (TAKES, 'unused_since = "0.2.0"', False, None),
        ('op.drop_column("games", "why")', "", False, "drop_column"),
        ('op.drop_table("heartbeat")', 'unused_since = "0.2.0"', False, None),
        ('op.rename_table("games", "plays")', "", False, "rename_table"),
        ('op.add_column("games", sa.Column("x", sa.Integer(), nullable=False))', "", False, "nullable"),
        ('op.execute("ALTER TABLE games RENAME TO plays")', "only_adds = True", False, "unused_since"),
        ('op.execute("UPDATE games SET why = 1")', "", False, "only_adds"),
        ('op.execute("UPDATE games SET weather = 1")', "only_adds = True", True, None),
        ('op.execute("UPDATE games SET why = 1")', "only_adds = False", False, None),
        ("op.get_bind().exec_driver_sql(sql)", "", False, "only_adds"),
        (TAKES, 'unused_since = "0.2.0"\nonly_adds = True', False, "and yet"),
    ],
)
def test_what_the_policy_sees(tmp_path: Path, body: str, more: str, adds: bool, fault: str | None) -> None:
    found = written(tmp_path, body, more=more)
    assert found.only_adds is adds
    assert (found.fault is None) if fault is None else (fault in (found.fault or ""))


@pytest.fixture
def migrations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the migrations to which a test adds its own."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(migrate, "MIGRATIONS", folder)
    return folder / "versions"


def upgraded_by_a_later_version(url: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bot.store.database.SCHEMA", "9998")  # so that it finds the database old
        patched.setattr("bot.store.backend.migrate.SCHEMA", NEXT)
        asyncio.run(migrate.upgrade(url))


def test_todays_code_plays_on_the_next_schema(url: str, migrations: Path) -> None:
    """A release is taken back after its migration: the tables of before and new ones go on."""

    async def tables() -> Tables:
        tables = unopened_tables(url)
        await tables.runtime.open()
        return tables

    async def begin() -> int:
        before = await tables()
        table = await new_table(before, people=[1, 2], rounds=1)
        await lobby.start(table, 1)
        await first_act(table, 1)
        await close_tables(before)
        return table.id

    async def play(old: int) -> None:
        here = await tables()
        fresh = await new_table(here, people=[3, 4], rounds=1)
        await lobby.start(fresh, 3)
        for table in (await here.get(old), fresh):
            while table.phase == "live" and table.waiting():
                seat = table.waiting()[0]
                await table.act(seat, table.decisions[seat], table.legal[seat][0])
            await settle(here)
            assert table.phase == "over"
            assert table.outcome() is not None
        await close_tables(here)

    game = asyncio.run(begin())
    written(migrations, ADDS)
    upgraded_by_a_later_version(url)
    assert asyncio.run(migrate.check(url)) == NEXT
    asyncio.run(play(game))
    asyncio.run(migrate.upgrade(url))
    assert asyncio.run(migrate.check(url)) == NEXT, "it is left as it is"


def newer(url: str) -> None:
    for act in (migrate.check, migrate.upgrade):
        with pytest.raises(StoreError) as found:
            asyncio.run(act(url))
        assert found.value.kind == "newer"


@pytest.mark.parametrize(
    ("body", "more"), [(TAKES, 'unused_since = "0.2.0"'), ('op.execute("UPDATE games SET why = 1")', "")]
)
def test_a_next_schema_that_did_more_than_add_is_refused(
    url: str, migrations: Path, body: str, more: str
) -> None:
    written(migrations, body, more=more)
    upgraded_by_a_later_version(url)
    newer(url)


TOYS = 'op.create_table("toys", sa.Column("id", sa.Integer()))'


@pytest.mark.parametrize("at_once", [True, False])
def test_a_later_schema_is_accepted_where_all_steps_to_it_only_add(
    url: str, migrations: Path, at_once: bool
) -> None:
    """A release with several migrations can be taken back as well, and so can two releases."""
    written(migrations, ADDS)
    if not at_once:
        upgraded_by_a_later_version(url)
    written(migrations, TOYS, revision=AFTER, before=NEXT)
    upgraded_by_a_later_version(url)
    assert asyncio.run(migrate.check(url)) == AFTER


@pytest.mark.parametrize("first", [True, False])
def test_one_step_that_did_more_than_add_is_enough_to_refuse(url: str, migrations: Path, first: bool) -> None:
    more = 'unused_since = "0.2.0"'
    written(migrations, TAKES if first else ADDS, more=more)
    written(migrations, TOYS if first else TAKES, revision=AFTER, before=NEXT, more=more)
    upgraded_by_a_later_version(url)
    newer(url)


def test_what_is_written_down_counts_for_the_schema_of_which_it_was_written(url: str) -> None:
    """Somebody else's migration, by a version that writes nothing down, must not pass for ours."""
    assert asyncio.run(migrate.check(url)) == SCHEMA

    async def mark() -> None:
        database = Database(with_async_driver(url))
        async with database.write() as connection:
            await connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{NEXT}'")
        await database.close()

    asyncio.run(mark())
    newer(url)


# -- the copy before -----------------------------------------------------------------------


def at(file: Path, revision: str) -> str:
    url = f"sqlite:///{file}"
    asyncio.run(migrate.upgrade(url, revision))
    return url


def revision_of(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_a_file_is_copied_before_it_is_upgraded(tmp_path: Path) -> None:
    file = tmp_path / "valence.db"
    told: list[str] = []
    url = at(file, "0001")
    assert list(tmp_path.iterdir()) == [file], "nothing was there before the first"
    asyncio.run(migrate.upgrade(url, tell=told.append))
    copy = tmp_path / f"valence.db.before-{SCHEMA}"
    assert (revision_of(copy), revision_of(file)) == ("0001", SCHEMA)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [str(copy) in line for line in told] == [True]
    asyncio.run(migrate.upgrade(url, tell=told.append))
    assert len(told) == 1, "one that is there is not copied"


def test_the_last_two_copies_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "valence.db"
    url = at(file, "0001")
    mine = tmp_path / "valence.db.before-the-holidays"
    for name in ("0000", "0001"):
        (tmp_path / f"valence.db.before-{name}").touch()
    mine.touch()
    asyncio.run(migrate.upgrade(url))
    names = {path.name for path in tmp_path.iterdir()} - {"valence.db"}
    assert names == {"valence.db.before-0001", f"valence.db.before-{SCHEMA}", mine.name}


def test_without_a_copy_nothing_is_upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "valence.db"
    url = at(file, "0001")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("bot.store.backend.sqlite_backup.sync", full)
    with pytest.raises(StoreError) as found:
        asyncio.run(migrate.upgrade(url))
    assert found.value.kind == "full"
    assert revision_of(file) == "0001"
    assert list(tmp_path.iterdir()) == [file]


def test_the_bots_own_upgrade_tells_of_the_copy(tmp_path: Path) -> None:
    """It runs in a process of its own at the start, and its line reaches whoever starts the bot."""
    url = at(tmp_path / "valence.db", "0001")
    done = subprocess.run(
        [sys.executable, "-m", "bot.store.backend.migrate", url],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"valence.db.before-{SCHEMA}" in done.stdout
    assert done.stdout.count("\n") == 1


def test_postgresql_is_not_copied(postgres: Postgres) -> None:
    told: list[str] = []
    url = postgres.fresh(template="template0")
    asyncio.run(migrate.upgrade(url, "0001"))
    asyncio.run(migrate.upgrade(url, tell=told.append))
    assert told == []
    assert asyncio.run(migrate.check(url)) == SCHEMA


def test_how_far_back_the_newest_schema_can_be_taken(url: str) -> None:
    """0005 took away; whoever adds a migration sees here what it does to the way back."""

    async def oldest() -> object:
        database = Database(with_async_driver(url))
        async with database.read() as connection:
            found = await connection.exec_driver_sql("SELECT value FROM settings WHERE key = 'oldest'")
            value = found.scalar_one()
        await database.close()
        return json.loads(value) if isinstance(value, str) else value

    asyncio.run(migrate.upgrade(url))
    assert asyncio.run(oldest()) == {"schema": SCHEMA, "oldest": "0005"}
