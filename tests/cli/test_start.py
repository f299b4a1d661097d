"""How the program starts: `run` stays small, the playground gets the unmodified bot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import playground
from bot.cli import local
from tests.cli.conftest import Valence
from tests.house.tree import ROOT

WATCH = """
import sys
sys.argv = ["valence", *%r]
from bot.__main__ import main
code = main()
loaded = {name for name, module in sys.modules.items() if module is not None}
print(sorted(loaded & {"typer", "rich", "alembic", "rdkit", "playground", "bot.cli", "hypothesis"}))
sys.exit(code)
"""


@pytest.mark.parametrize("words", [[], ["run"]])
def test_a_running_bot_loads_nothing_of_the_command_line(words: list[str], tmp_path: Path) -> None:
    env = {**os.environ, "DISCORD_TOKEN": "", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", WATCH % words],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "DISCORD_TOKEN is not set" in done.stderr
    assert done.stdout == "[]\n"
    assert done.returncode == 2


def test_run_can_be_asked_for_help(valence: Valence) -> None:
    said = valence("run", "--help")
    assert said.code == 0
    assert "DISCORD_TOKEN" in said.out


def test_run_is_the_bot(valence: Valence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.client.run", lambda **_: 3)
    assert valence("run").code == valence().code == 3


@pytest.mark.parametrize(
    ("words", "with_bot", "port"), [((), True, 0), (("--alone", "--port", "8123"), False, 8123)]
)
def test_the_playground_gets_the_bot_and_a_database_of_its_own(
    valence: Valence, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], with_bot: bool, port: int
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://precious")
    folders = []

    def run(command: object, *, port: int, environment: dict[str, str]) -> int:
        assert (command == local.bot_command()) == with_bot
        assert port == wanted
        database = environment["DATABASE_URL"]
        assert database.startswith("sqlite:///")
        folders.append(Path(database.removeprefix("sqlite:///")).parent)
        assert folders[0].is_dir()
        return 4

    wanted = port
    monkeypatch.setattr(playground, "run", run, raising=False)
    assert valence("playground", *words).code == 4
    assert not folders[0].exists()


def test_the_bot_of_the_playground_is_this_one(tmp_path: Path) -> None:
    """Also from a folder that has a `bot` of its own."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__init__.py").write_text("raise SystemExit('a decoy')")
    env = {**local.environment(tmp_path), "DISCORD_TOKEN": ""}
    env.pop("COV_CORE_SOURCE", None)
    done = subprocess.run(
        local.bot_command(), cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "DISCORD_TOKEN is not set" in done.stderr
    assert str(ROOT) in env["PYTHONPATH"].split(os.pathsep)
