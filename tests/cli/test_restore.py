"""`valence db backup` and `valence db restore`: what is taken is proved, what is put back is whole."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.ops import restore as restoring
from bot.store.backend import migrate
from bot.store.backend import sqlite_backup as copies
from bot.store.backend.file_lock import holder_of
from bot.store.database import Database, StoreError
from bot.store.models import SCHEMA
from tests.cli.conftest import Valence
from tests.support.processes.played_file import play, tear
from tests.support.processes.playing_bot import bot
from tests.support.share import share
from tests.support.tables.tables import close_tables, first_act, opened_tables, the_table


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lease lasts a second: so long does a restore wait after a bot that was killed."""
    monkeypatch.setenv("VALENCE_LEASE_SECONDS", "1")
    monkeypatch.setenv("VALENCE_LEASE_RENEW_SECONDS", "0.3")


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The database of a bot that lives, for tests that change nothing there."""
    file = tmp_path_factory.mktemp("living") / "valence.db"
    before = os.umask(0o022)
    try:
        play(file)
        with bot(file, 1):
            yield file
    finally:
        os.umask(before)


@pytest.fixture
def used(living: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{living}")
    return living


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a backup, and a database as a bot left it that has played on until it was killed."""
    folder = tmp_path_factory.mktemp("killed")
    play(folder / "valence.db")
    shutil.copy(folder / "valence.db", folder / "saved.db")
    with bot(folder / "valence.db", 2):
        pass
    return folder


def journal(file: Path) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute("SELECT game_id, seq FROM entries ORDER BY 1, 2").fetchall()


@pytest.mark.long
def test_a_log_that_stayed_behind_does_not_reach_what_is_restored(
    valence: Valence, file: Path, tmp_path: Path
) -> None:
    """Killed, the bot leaves its write-ahead log, which tears a backup that is copied over the file."""
    saved = tmp_path / "saved.db"
    play(file, count=2)
    assert valence("db", "backup", saved).code == 0
    wanted = journal(saved)
    with bot(file, 40):
        pass
    assert file.with_name("valence.db-wal").stat().st_size > 100_000
    beside = tmp_path / "copied"
    beside.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{file}{suffix}", beside / f"valence.db{suffix}")
    shutil.copy(saved, beside / "valence.db")
    # what people do without `restore`: this test would find it
    with closing(sqlite3.connect(beside / "valence.db")) as connection:
        entries = connection.execute("SELECT game_id, seq FROM entries ORDER BY 1, 2").fetchall()
    assert entries != wanted

    said = valence("db", "restore", saved, "--yes")
    assert said.code == 0, said.err
    assert "2 open games" in said.out
    assert not file.with_name("valence.db-wal").exists()
    assert journal(file) == wanted
    (aside,) = (path for path in tmp_path.glob("valence.db.before-restore-*") if path.suffix != ".db-wal")
    assert f"kept as {aside}" in said.out.replace("\n", "") or aside.name.endswith("-wal")


@pytest.mark.long
def test_the_old_file_is_kept_with_all_that_was_written_last(
    valence: Valence, file: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "saved.db"
    play(file)
    valence("db", "backup", saved)
    with bot(file, 3):
        pass
    assert valence("db", "restore", saved, "--yes").code == 0
    (aside,) = tmp_path.glob("valence.db.before-restore-*Z")
    assert len(journal(aside)) == 1 + 3 * 4
    assert aside.stat().st_mode & 0o777 == 0o600


def test_a_restored_game_goes_on(valence: Valence, file: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.db"
    play(file)
    valence("db", "backup", saved)
    play(file, count=3)
    assert valence("db", "restore", saved, "--yes").code == 0

    async def go_on() -> None:
        tables, _, _ = await opened_tables(file)
        table = await the_table(tables)
        await first_act(table, 2)
        assert table.seq == 2
        await close_tables(tables)

    asyncio.run(go_on())


def test_nothing_is_restored_under_a_living_bot(valence: Valence, used: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.db"
    play(saved)
    before = journal(used)
    said = valence("db", "restore", saved, "--yes")
    assert said.code == 1
    assert "in use" in said.err
    assert journal(used) == before
    assert sorted(path.name for path in used.parent.iterdir() if "restor" in path.name) == []


def test_a_lease_that_moves_is_believed(tmp_path: Path) -> None:
    """Nobody has the file open here, but it may lie on a disk that another machine has too."""
    file = tmp_path / "v.db"

    def lease(holder: str, until: int) -> None:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("DELETE FROM leases")
            connection.execute("INSERT INTO leases VALUES (0, ?, 7, ?, 1)", (holder, until))
            connection.commit()

    assert holder_of(file) is None, "nobody uses what is not there"
    asyncio.run(migrate.upgrade(f"sqlite:///{file}"))
    assert holder_of(file) is None
    lease("other:1:ab", 1000)
    slept: list[float] = []
    assert holder_of(file, seconds=10, sleep=slept.append) is None, "it stood still: who held it is gone"
    assert sum(slept) == 10
    found = holder_of(file, seconds=10, sleep=lambda _: lease("other:1:ab", 2000))
    assert found is not None
    assert found.name == "other:1:ab"
    lease("", 0)
    assert holder_of(file, seconds=10, sleep=slept.append) is None
    assert sum(slept) == 10, "one that was given back needs no waiting"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"Dear Ann,\n" * 900, "damaged"),
        (b"", "no database of Valence"),
        (None, "is not there"),
    ],
)
def test_what_is_no_backup_is_refused(
    valence: Valence, file: Path, tmp_path: Path, content: bytes | None, says: str
) -> None:
    play(file)
    before = journal(file)
    if content is not None:
        (tmp_path / "letter.db").write_bytes(content)
    said = valence("db", "restore", tmp_path / "letter.db", "--yes")
    assert said.code in (1, 2)
    assert says in said.err
    assert said.err.count("\n") == 1
    assert journal(file) == before
    assert {path.name for path in tmp_path.iterdir()} <= {"letter.db", "valence.db"}


def test_a_torn_backup_is_refused(valence: Valence, file: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.db"
    play(file)
    valence("db", "backup", saved)
    tear(saved)
    said = valence("db", "restore", saved, "--yes")
    assert (said.code, "damaged" in said.err) == (1, True)
    assert journal(file) == [(1, 1)]


def test_a_torn_database_is_replaced(valence: Valence, file: Path, tmp_path: Path) -> None:
    """The case for which there are backups."""
    saved = tmp_path / "saved.db"
    play(file)
    valence("db", "backup", saved)
    file.write_bytes(b"\0" * 8192)
    assert valence("db", "restore", saved, "--yes").code == 0
    assert journal(file) == [(1, 1)]


def test_a_row_that_belongs_to_nothing_is_found(valence: Valence, file: Path, tmp_path: Path) -> None:
    play(file)
    saved = tmp_path / "saved.db"
    valence("db", "backup", saved)
    with closing(sqlite3.connect(saved)) as connection:
        connection.execute("INSERT INTO seats (game_id, seat, user_id, name) VALUES (99, 0, 1, 'nobody')")
        connection.commit()
    said = valence("db", "restore", saved, "--yes")
    assert (said.code, "seats: a row belongs to no row of games" in said.err) == (1, True)


def test_a_backup_of_a_newer_version_is_refused(valence: Valence, file: Path, tmp_path: Path) -> None:
    play(file)
    saved = tmp_path / "saved.db"
    valence("db", "backup", saved)
    with closing(sqlite3.connect(saved)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    said = valence("db", "restore", saved, "--yes")
    assert (said.code, "newer version" in said.err) == (1, True)


def spoil(file: Path, game: int) -> None:
    """An act that nobody can read."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE entries SET data = '[\"dance\"]' WHERE game_id = ?", (game,))
        connection.commit()


def test_a_game_that_does_not_replay_is_told_and_restored_only_if_wanted(
    valence: Valence, file: Path, tmp_path: Path
) -> None:
    play(file, count=2)
    saved = tmp_path / "saved.db"
    valence("db", "backup", saved)
    spoil(saved, 2)
    said = valence("db", "restore", saved, "--yes")
    assert said.code == 1
    assert "#2 probe" in said.err
    assert "--rest-anyway" in said.err
    said = valence("db", "restore", saved, "--yes", "--rest-anyway")
    assert (said.code, "1 open games will rest: #2" in said.out) == (0, True)


def test_it_asks_first(valence: Valence, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(file)
    saved = tmp_path / "saved.db"
    valence("db", "backup", saved)
    play(file, count=2)
    for answer, code, tables in ((False, 1, 3), (True, 0, 1)):
        monkeypatch.setattr("typer.confirm", lambda *_, answer=answer, **__: answer)
        assert valence("db", "restore", saved).code == code
        assert len(journal(file)) == tables
    assert not list(tmp_path.glob("*.restore-copy*"))


@pytest.mark.parametrize("step", share(range(1, 12), 4))
def test_a_power_cut_at_any_step_leaves_no_half_database(
    valence: Valence, killed: Path, file: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Either the old file is whole, or the new one is, or no bot starts until the restore is run again."""
    for path in killed.iterdir():
        shutil.copy(path, file.parent)
    saved = file.with_name("saved.db")
    wanted = journal(saved)
    cut_at(step, restoring.prepare(saved, file, lease_seconds=0), monkeypatch)
    kind = asyncio.run(trouble_of(file))
    if kind is None:
        assert journal(file) in (wanted, [*wanted, *((n, s) for n in (2, 3) for s in (1, 2, 3, 4))])
    else:
        assert kind == "restoring"
        assert valence("db", "check").code == 1
        assert valence("db", "restore", saved, "--yes").code == 0
        assert journal(file) == wanted


@pytest.mark.parametrize("step", share((4, 1, 2, 3, *range(5, 12)), 6))
def test_a_power_cut_parts_no_old_file_from_its_log(
    valence: Valence, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """What SQLite could not fold in, as on a full disk, stays in the log: whoever rescues it needs both."""
    saved = tmp_path / "saved.db"
    play(file)
    valence("db", "backup", saved)
    torn = file.read_bytes()
    log = file.with_name("valence.db-wal")
    log.write_bytes(b"what was written last")
    monkeypatch.setattr(restoring, "holder_of", lambda *_, **__: None)  # by opening it would fold it in
    first = datetime(2026, 1, 1, tzinfo=UTC)
    cut_at(step, restoring.prepare(saved, file, lease_seconds=0), monkeypatch, first)
    if restoring.restoring(file).exists():
        assert valence("db", "restore", saved, "--yes").code == 0
    elif file.read_bytes() == torn:  # it was cut before anything had changed
        assert log.read_bytes() == b"what was written last"
        return
    (aside,) = tmp_path.glob("valence.db.before-restore-*Z")
    assert aside.read_bytes() == torn
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"what was written last"
    assert journal(file) == journal(saved)


def cut_at(
    step: int, ready: restoring.Ready, monkeypatch: pytest.MonkeyPatch, now: datetime | None = None
) -> None:
    """Exchange the files, and lose the power just before a step of it."""
    steps = 0

    class PowerCut(BaseException):
        pass

    def counted(act: object) -> object:
        def run(*args: object, **kwargs: object) -> object:
            nonlocal steps
            steps += 1
            if steps == step:
                raise PowerCut
            return act(*args, **kwargs)  # type: ignore[operator]

        return run

    with monkeypatch.context() as patched:
        for name in ("replace", "rename", "unlink"):
            patched.setattr(Path, name, counted(getattr(Path, name)))
        patched.setattr(copies, "sync", counted(copies.sync))
        with suppress(PowerCut):
            restoring.exchange(ready, now)


async def trouble_of(file: Path) -> str | None:
    """What keeps a bot from starting on the file."""
    database = Database(f"sqlite:///{file}")
    try:
        await database.check_schema()
    except StoreError as found:
        return found.kind
    finally:
        await database.close()
    return None


def test_what_a_backup_of_an_older_version_holds_is_upgraded(
    valence: Valence, file: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old.db"
    asyncio.run(migrate.upgrade(f"sqlite:///{old}", "0001"))
    before = old.read_bytes()
    said = valence("db", "restore", old, "--yes")
    assert (said.code, "of schema 0001" in said.out) == (0, True)
    assert valence("db", "check", "--json").json["revision"] == SCHEMA
    assert old.read_bytes() == before


def test_restoring_needs_a_file_of_its_own(valence: Valence, file: Path) -> None:
    play(file)
    assert "the database itself" in valence("db", "restore", file).err


def test_postgresql_has_tools_of_its_own(
    valence: Valence, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:secret@127.0.0.1:1/valence")
    said = valence("db", "restore", tmp_path / "x.db")
    assert (said.code, "pg_restore" in said.err) == (2, True)


# -- backups ------------------------------------------------------------------------------


def test_nobody_else_may_read_a_database_or_its_backup(valence: Valence, used: Path, tmp_path: Path) -> None:
    """They hold the seeds of live games."""
    for suffix in ("", "-wal", "-shm"):
        assert Path(f"{used}{suffix}").stat().st_mode & 0o777 == 0o600, suffix
    before = os.umask(0o022)
    try:
        assert valence("db", "backup", tmp_path / "saved.db").code == 0
    finally:
        os.umask(before)
    assert (tmp_path / "saved.db").stat().st_mode & 0o777 == 0o600


def test_a_file_that_all_could_read_is_closed(file: Path) -> None:
    play(file)
    file.chmod(0o644)
    play(file)
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_copy_is_one_file(valence: Valence, used: Path, tmp_path: Path) -> None:
    folder = tmp_path / "away"
    folder.mkdir()
    assert valence("db", "backup", folder / "saved.db").code == 0
    journal(folder / "saved.db")
    assert [path.name for path in folder.iterdir()] == ["saved.db"]


def test_a_torn_database_gives_no_backup(valence: Valence, file: Path, tmp_path: Path) -> None:
    play(file)
    tear(file)
    said = valence("db", "backup", tmp_path / "saved.db")
    assert said.code == 1
    assert "no backup was taken" in said.err or "damaged" in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["valence.db"]


def test_a_game_that_rests_does_not_keep_backups_from_being_taken(
    valence: Valence, file: Path, tmp_path: Path
) -> None:
    play(file, count=2)
    spoil(file, 1)
    said = valence("db", "backup", tmp_path / "saved.db")
    assert (said.code, "here as in the original: #1 probe" in said.out) == (0, True)


def test_a_copy_in_which_a_game_no_longer_plays_is_kept_out(
    valence: Valence, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(file)
    whole = copies.make_one_file
    monkeypatch.setattr(copies, "make_one_file", lambda copy: (whole(copy), spoil(copy, 1)))
    said = valence("db", "backup", tmp_path / "saved.db")
    assert (said.code, "#1 probe" in said.err) == (1, True)
    assert not (tmp_path / "saved.db").exists()


def test_a_disk_that_fills_up_at_the_end_is_told_in_words(
    valence: Valence, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(file)
    saved = tmp_path / "saved.db"
    valence("db", "backup", saved)
    before = journal(file)

    def full(_file: Path) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(copies, "make_one_file", full)
    said = valence("db", "restore", saved, "--yes")
    assert said.code == 1
    assert "disk" in said.err
    assert "Traceback" not in said.err
    assert journal(file) == before
    assert not list(tmp_path.glob("*.restore-copy*"))
