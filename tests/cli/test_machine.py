"""On a machine that lacks something one sentence says what to do."""

from __future__ import annotations

import getpass
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import features

from bot import running
from bot.__main__ import complete
from bot.ops import startup
from bot.ops.startup import pillow_words, store_words
from bot.store.backend.urls import BadUrl, place
from tests.cli.conftest import Valence
from tests.house.tree import ROOT
from tests.support.processes.command_line import TOKEN

COMMANDS = (("db", "check"), ("db", "upgrade"), ("doctor", "--offline"))
UNNAMED = (
    "postgresql://127.0.0.1:1/valence",
    "postgresql:///valence?host=/run/postgresql",
    "postgres://:secret@127.0.0.1:1/valence",
)


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine like Debian 10, whose SQLite has 3.27."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 27, 2))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.27.2")


@pytest.fixture(params=[KeyError, OSError, ImportError], ids=["3.11", "3.13", "windows"])
def number_only(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container that runs under a number without a name, as each Python tells it."""

    def unknown() -> str:
        raise request.param("getpwuid(): uid not found: 23456")

    for name in ("PGUSER", "LOGNAME", "USER", "LNAME", "USERNAME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(getpass, "getuser", unknown)


@pytest.mark.usefixtures("old")
@pytest.mark.parametrize("words", COMMANDS)
def test_an_old_sqlite_is_named(file: Path, valence: Valence, words: tuple[str, ...]) -> None:
    said = valence(*words)
    assert said.code
    assert "SQLite is too old: this machine has 3.27.2" in said.out + said.err
    assert not file.exists()


@pytest.mark.usefixtures("number_only", "place")
@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize("url", UNNAMED)
def test_a_url_without_a_user_needs_a_machine_with_one(
    monkeypatch: pytest.MonkeyPatch, valence: Valence, words: tuple[str, ...], url: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    said = valence(*words)
    assert said.code
    assert "DATABASE_URL names no user" in said.out + said.err
    assert "secret" not in said.out + said.err


@pytest.mark.usefixtures("number_only")
def test_a_user_from_anywhere_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    assert place("postgresql://ann@127.0.0.1/valence").url.username == "ann"
    assert place("postgresql://127.0.0.1/valence?user=ann").url.username == "ann"
    with pytest.raises(BadUrl, match="no_user"):
        place("postgresql://127.0.0.1/valence")
    monkeypatch.setenv("PGUSER", "ann")
    assert place("postgresql://127.0.0.1/valence")


@pytest.mark.usefixtures("number_only")
def test_a_file_needs_no_user(file: Path, valence: Valence) -> None:
    assert valence("db", "upgrade").code == 0
    assert valence("db", "check").code == 0
    assert file.exists()


@pytest.mark.parametrize("feature", ["freetype2", "zlib", "webp"])
def test_a_pillow_that_cannot_draw_ends_the_start(
    monkeypatch: pytest.MonkeyPatch, file: Path, valence: Valence, feature: str
) -> None:
    assert pillow_words() is None
    monkeypatch.setattr(features, "check", lambda name: name != feature)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert startup.PILLOW[feature] in (pillow_words() or "")
    said = valence("doctor", "--offline")
    assert said.code
    assert f"Pillow was built without {startup.PILLOW[feature]}" in said.out
    monkeypatch.setattr("bot.running.logs.set_up", lambda _settings: None)
    said = valence("run")
    assert (said.code, file.exists()) == (running.MISUSED, False)
    assert f"Pillow was built without {startup.PILLOW[feature]}" in said.err


@pytest.mark.parametrize("module", ["_sqlite3", "_ssl", "discord"])
@pytest.mark.parametrize("words", ["run", "doctor --offline"])
def test_a_python_without_a_module_says_so(module: str, words: str) -> None:
    program = f"import sys; sys.modules[{module!r}] = None; from bot.__main__ import main; sys.exit(main())"
    line = [sys.executable, "-c", program, *words.split()]
    said = subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT)
    assert said.returncode == 2
    assert f"has no module {module}." in said.stderr
    assert sys.executable in said.stderr
    assert said.stderr.count("\n") == 1


def test_a_module_of_ours_that_is_missing_is_a_bug() -> None:
    with pytest.raises(ModuleNotFoundError), complete():
        raise ModuleNotFoundError("No module named 'bot.nothing'", name="bot.nothing")


def test_the_sentence_shows_no_password() -> None:
    assert "user:password" in store_words(BadUrl("no_user"))
