"""How the program starts: `run` stays small, the playground gets the unmodified bot."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import discord
import pytest

import playground
from bot import running
from bot.cli import playground as local
from bot.store.database import StoreError
from bot.table.storage.resting import TooManyRest
from tests.cli.conftest import Valence
from tests.house.tree import ROOT

WATCH = """
import sys
sys.argv = ["valence", *%r]
from bot.__main__ import main
code = main()
loaded = {name for name, module in sys.modules.items() if module is not None}
print(sorted(loaded & {"typer", "rich", "alembic", "rdkit", "fpdf", "playground", "bot.cli", "hypothesis"}))
sys.exit(code)
"""


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "DISCORD_TOKEN is not set"),
        pytest.param(["run"], "DISCORD_TOKEN is not set", marks=pytest.mark.long),
        (["health"], "nobody can be asked"),
    ],
)
def test_a_running_bot_and_who_asks_it_load_nothing_of_the_command_line(
    words: list[str], complaint: str, tmp_path: Path
) -> None:
    env = {**os.environ, "DISCORD_TOKEN": "", "VALENCE_METRICS_PORT": "0", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", WATCH % words],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert complaint in done.stderr
    assert done.stdout == "[]\n"
    assert done.returncode == 2


def test_run_can_be_asked_for_help(valence: Valence) -> None:
    said = valence("run", "--help")
    assert said.code == 0
    assert "DISCORD_TOKEN" in said.out


def test_run_is_the_bot(valence: Valence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.running.run", lambda **_: 3)
    assert valence("run").code == valence().code == 3


@pytest.mark.parametrize(("words", "port"), [((), None), (("--alone", "--port", "8123"), 8123)])
def test_the_playground_gets_the_bot_and_a_database_of_its_own(
    valence: Valence,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: tuple[str, ...],
    port: int | None,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://precious")
    monkeypatch.chdir(tmp_path)
    home = Path(".playground")

    def run(
        command: object, *, port: int | None, folder: Path, environment: dict[str, str], **_: object
    ) -> int:
        assert command == (None if "--alone" in words else local.bot_command())
        assert (port, folder) == (wanted, home)
        database = Path(environment["DATABASE_URL"].removeprefix("sqlite:///"))
        assert database == tmp_path / home / "valence.db"
        return 4

    wanted = port
    monkeypatch.setattr(playground, "run", run, raising=False)
    assert valence("playground", *words).code == 4


def test_a_fresh_playground_forgets_its_games(
    valence: Valence, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ours, other = [tmp_path / "valence.db", tmp_path / "valence.db-wal"], tmp_path / "notes.txt"
    for path in (*ours, other):
        path.touch()

    def run(_command: object, *, fresh: Callable[[], None] | None, **_: object) -> int:
        if fresh is not None:
            fresh()
        return 0

    monkeypatch.setattr(playground, "run", run, raising=False)
    assert valence("playground", "--folder", tmp_path).code == 0
    assert all(path.exists() for path in ours)
    assert valence("playground", "--folder", tmp_path, "--fresh").code == 0
    assert [path for path in ours if path.exists()] == []
    assert other.exists()


def test_the_bot_of_the_playground_is_this_one(tmp_path: Path) -> None:
    """Also from a folder that has a `bot` of its own."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__init__.py").write_text("raise SystemExit('a decoy')")
    *python, run = local.bot_command()
    assert run == "run"
    env = {**local.environment(tmp_path), "VALENCE_METRICS_PORT": "0"}
    env.pop("COV_CORE_SOURCE", None)
    done = subprocess.run(
        # the same program, which loads less if it is asked for its health
        [*python, "health"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert "nobody can be asked" in done.stderr
    assert str(ROOT) in env["PYTHONPATH"].split(os.pathsep)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StoreError("gone", "no answer"), 3),
        (TooManyRest(5, 20, ["BadJournal"]), 4),
        (discord.LoginFailure("Improper token has been passed."), 2),
        (OSError("no network"), 1),
    ],
)
async def test_why_a_start_has_failed_is_told_also_where_its_end_hangs(error: Exception, code: int) -> None:
    """A unit starts what ended with 1 again, and not what ended with 2 or 4."""

    async def fails() -> None:
        raise error

    playing = asyncio.create_task(fails())
    await asyncio.wait({playing})
    assert running._code_of(playing) == code
