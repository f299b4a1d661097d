"""`valence db`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.models import SCHEMA
from tests.cli.conftest import Valence, make_database


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    path = tmp_path / "valence.db"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    monkeypatch.chdir(tmp_path)  # no `.env` of the checkout
    return path


def test_upgrade_makes_a_database_and_leaves_it_alone_after_that(valence: Valence, database: Path) -> None:
    for _ in range(2):
        said = valence("db", "upgrade")
        assert said.code == 0
        assert "valence.db is up to date" in said.out
        assert valence("db", "check", "--json").json == {
            "database": f"sqlite:///{database}",
            "usable": True,
            "revision": SCHEMA,
        }
    assert f"revision {SCHEMA}" in valence("db", "check").out


def test_check_tells_of_an_upgrade_that_is_due(valence: Valence, database: Path) -> None:
    make_database(database)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0015'")
        connection.commit()
    said = valence("db", "check")
    assert (said.code, said.out) == (1, "")
    assert "valence db upgrade" in said.err
    told = valence("db", "check", "--json")
    assert told.code == 1
    assert (told.json["usable"], told.json["problem"]) == (False, "old")


@pytest.mark.parametrize("words", [("db", "check"), ("tables", "list"), ("ratings", "rebuild", "--check")])
def test_a_command_in_another_folder_finds_nothing_and_makes_nothing(
    valence: Valence, database: Path, words: tuple[str, ...]
) -> None:
    assert not database.exists()
    said = valence(*words)
    assert (said.code, said.out, said.err.count("\n")) == (1, "", 1)
    assert "in another folder than the bot's" in said.err
    assert list(database.parent.iterdir()) == []


def test_a_newer_database_is_left_alone(valence: Valence, database: Path) -> None:
    make_database(database)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    for command in ("check", "upgrade"):
        said = valence("db", command)
        assert said.code == 1
        assert "newer version" in said.err


def test_backup_copies_all(valence: Valence, database: Path, tmp_path: Path) -> None:
    valence("db", "upgrade")
    target = tmp_path / "copy.db"
    assert valence("db", "backup", target).code == 0
    with sqlite3.connect(database) as one, sqlite3.connect(target) as two:
        names = "SELECT name, sql FROM sqlite_master ORDER BY name"
        assert one.execute(names).fetchall() == two.execute(names).fetchall()
    again = valence("db", "backup", target)
    assert again.code == 2
    assert "is there already" in again.err


def test_nothing_is_copied_where_there_is_nothing(valence: Valence, database: Path, tmp_path: Path) -> None:
    said = valence("db", "backup", tmp_path / "copy.db")
    assert (said.code, said.out, said.err.count("\n")) == (1, "", 1)
    assert f"{database} is not there" in said.err
    assert "in another folder" in said.err


def test_where_no_copy_can_go_that_is_said_and_not_that_the_database_is_away(
    valence: Valence, database: Path, tmp_path: Path
) -> None:
    make_database(database)
    said = valence("db", "backup", tmp_path / "no" / "such" / "copy.db")
    assert (said.code, "the folder of" in said.err) == (2, True)
    said = valence("db", "backup", tmp_path / "many", "--every", "999999d")
    assert (said.code, "at most 365d" in said.err, (tmp_path / "many").exists()) == (2, True, False)


def test_what_is_no_database_is_said_in_words(valence: Valence, database: Path) -> None:
    database.write_bytes(b"this is a letter, not a database\n" * 200)
    said = valence("db", "check")
    assert said.code == 1
    assert "damaged, or is no database" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("command", ["upgrade", "check"])
def test_a_folder_that_is_not_there_is_said_in_words(
    valence: Valence, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/no/such/valence.db")
    said = valence("db", command)
    assert said.code == 1
    assert "cannot be reached" in said.err


@pytest.mark.parametrize("url", ["nonsense", "mysql://a:b@c/d", ""])
def test_an_address_that_nobody_understands_is_wrong_input(
    valence: Valence, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    for command in ("upgrade", "check"):
        said = valence("db", command)
        assert said.code == 2
        assert "sqlite:/// or postgresql://" in said.err


def test_only_sqlite_is_copied(valence: Valence, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:secret@127.0.0.1:1/valence")
    said = valence("db", "backup", tmp_path / "copy.db")
    assert said.code == 2
    assert "pg_dump" in said.err


def test_a_password_is_never_shown(valence: Valence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:secret@127.0.0.1:1/valence")
    for words in (("check",), ("check", "--json"), ("upgrade",)):
        said = valence("db", *words)
        assert said.code == 1
        assert "secret" not in said.out + said.err


def test_a_setting_that_cannot_be_used_is_named(
    valence: Valence, monkeypatch: pytest.MonkeyPatch, database: Path
) -> None:
    monkeypatch.setenv("VALENCE_PACE", "slowly")
    said = valence("db", "check")
    assert said.code == 2
    assert said.err.startswith("valence: VALENCE_PACE cannot be used")


def test_a_lease_that_would_run_out_between_two_signs_of_life_cannot_be_set(
    valence: Valence, monkeypatch: pytest.MonkeyPatch, database: Path
) -> None:
    monkeypatch.setenv("VALENCE_LEASE_SECONDS", "3")
    said = valence("db", "check")
    assert said.code == 2
    assert said.err.startswith("valence: VALENCE_LEASE_RENEW_SECONDS cannot be used")
    monkeypatch.setenv("VALENCE_LEASE_RENEW_SECONDS", "2")
    assert "VALENCE" not in valence("db", "check").err
