"""A database program that is too old is refused in one sentence before anything is stored."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import create_engine, event, text

from bot.ops.startup import store_words
from bot.settings import with_async_driver
from bot.store.backend import engines, migrate, versions
from bot.store.backend.urls import place
from bot.store.database import Database, TooOld
from tests.support.processes.databases import Postgres


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine like Debian 10, whose SQLite has 3.27."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 27, 2))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.27.2")


@pytest.mark.usefixtures("old")
async def test_an_old_sqlite_is_refused_before_the_file_is_made(tmp_path: Path) -> None:
    file = tmp_path / "v.db"
    database = Database(with_async_driver(f"sqlite:///{file}"))
    with pytest.raises(TooOld) as found:
        await database.check_schema()
    with pytest.raises(TooOld):
        await migrate.upgrade(with_async_driver(f"sqlite:///{file}"))
    await database.close()
    assert not file.exists()
    told = store_words(found.value)
    assert "3.27.2" in told
    assert "3.32" in told
    assert "\n" not in told


def test_the_oldest_sqlite_that_works_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", versions.MIN_SQLITE)
    assert versions.outdated_sqlite() is None


def test_a_sqlite_without_threads_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "threadsafety", 0)
    outdated = versions.outdated_sqlite()
    assert outdated is not None
    assert "without threads" in store_words(TooOld(outdated))


@pytest.mark.parametrize(
    ("number", "has"), [("90624", "9.6"), ("100023", "10"), ("80002", "8.0"), ("110000", ""), ("170004", "")]
)
def test_an_old_server_is_refused(number: str, has: str) -> None:
    asked: Any = SimpleNamespace(execute=lambda _: SimpleNamespace(scalar_one=lambda: number))
    outdated = versions.outdated_postgres(asked)
    assert (outdated.has if outdated else "") == has
    if outdated:
        assert f"the server has {has}, and Valence needs 11" in store_words(TooOld(outdated))


async def test_a_real_server_that_is_too_old_stops_the_start(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(with_async_driver(await asyncio.to_thread(postgres.fresh)))
    await database.check_schema()
    monkeypatch.setattr(versions, "MIN_POSTGRES", 99)
    with pytest.raises(TooOld, match="< 99"):
        await database.check_schema()
    await database.close()


def test_no_statement_needs_a_newer_sqlite() -> None:
    """RETURNING came with 3.35, which Debian 11 and the clones of RHEL 9 don't have."""
    sources = (Path(__file__).parents[2] / "bot").rglob("*.py")
    needing = re.compile(r"\bRETURNING |\.returning\(")
    found = [file.name for file in sources if needing.search(file.read_text("utf-8"))]
    assert not found


@pytest.fixture
def no_temp(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which no folder for temporary files may be written."""

    def nowhere() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    engines.has_temp_folder.cache_clear()
    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    yield
    engines.has_temp_folder.cache_clear()


async def pragmas(file: Path, name: str) -> set[int]:
    """The values of a setting on each kind of connection to a file."""
    database = Database(with_async_driver(f"sqlite:///{file}"))
    asked = text(f"PRAGMA {name}")
    found = {await database.read_at_once(lambda c: int(c.execute(asked).scalar_one()))}
    found.add(await database.write_at_once(lambda c: int(c.execute(asked).scalar_one()), fenced=False))
    async with database.write() as connection:
        found.add(int((await connection.execute(asked)).scalar_one()))
    async with database.read() as connection:
        found.add(int((await connection.execute(asked)).scalar_one()))
    await database.close()
    return found


@pytest.mark.usefixtures("no_temp")
async def test_without_a_temporary_folder_sqlite_works_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "v.db"
    await migrate.upgrade(with_async_driver(f"sqlite:///{file}"))
    assert await pragmas(file, "temp_store") == {2}


async def test_with_a_temporary_folder_large_sorts_go_there(tmp_path: Path) -> None:
    engines.has_temp_folder.cache_clear()
    assert await pragmas(tmp_path / "v.db", "temp_store") == {0}


def test_deleted_rows_are_overwritten_whatever_the_build_does(tmp_path: Path) -> None:
    """Debian's SQLite overwrites them by itself; that of python.org does not."""
    where = place(f"sqlite:///{tmp_path / 'v.db'}")
    engine = create_engine(where.url.set(drivername="sqlite"))

    @event.listens_for(engine, "connect")
    def as_built(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA secure_delete=OFF")

    engines._prepare_sqlite(engine, where, read_only=False)
    with closing(engine.raw_connection()) as connection:
        assert connection.cursor().execute("PRAGMA secure_delete").fetchone() == (1,)
    engine.dispose()
