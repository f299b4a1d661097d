"""The command line, called as a shell would call it, without a new process."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import rich

from bot.__main__ import main
from tests.support.processes.command_line import Command, command
from tests.support.processes.schema import empty

Valence = Command


def make_database(file: Path) -> None:
    """Make what `valence db upgrade` makes, but sooner."""
    file.write_bytes(empty())
    file.chmod(0o600)


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Change to an empty folder and clear the settings in the environment. Return the folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DATABASE_URL", "VALENCE_DISCORD_BASE", "VALENCE_BACKUPS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def valence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Valence]:
    """Call `valence …`; answers hold no line breaks that a narrow terminal would put in."""
    heard = {sign: signal.getsignal(sign) for sign in (signal.SIGTERM, signal.SIGINT)}
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setitem(sys.modules, "rich", rich)  # `run` hides it, and other tests want it back

    def run(words: list[str]) -> int:
        monkeypatch.setattr(sys, "argv", ["valence", *words])
        return main()

    yield command(capsys, run)
    for sign, handler in heard.items():  # `run` takes them over
        signal.signal(sign, handler)


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The database's file, not there yet, in a folder without `.env`."""
    path = tmp_path / "valence.db"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    monkeypatch.chdir(tmp_path)
    return path
