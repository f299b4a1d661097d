"""Opponents from outside: those of docs/your-opponent.md, and those that answer badly."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.cli import external_opponents as foreign
from engine import catalog
from engine.ai.register import REGISTERED, opponent
from engine.arena import Forfeit
from tests.cli.conftest import Valence
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "your-opponent.md").read_text(encoding="utf-8")
DUEL = ("arena", "atom_duel", "-o", "level=1", "-o", "rounds=1", "--games", 4, "--json", "--players")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    yield
    REGISTERED.clear()


def example(name: str, folder: Path) -> Path:
    """An example of the page, as a file."""
    (body,) = re.findall(rf"```\w+\n(?:#|/\*) {re.escape(name)}[^\n]*\n(.*?)```", PAGE, re.DOTALL)
    file = folder / name
    file.write_text(body, encoding="utf-8")
    return file


def program(folder: Path, body: str) -> str:
    file = folder / "program.py"
    file.write_text(body, encoding="utf-8")
    return f"cmd:{sys.executable} {file}"


def test_the_file_of_the_page_plays(valence: Valence, tmp_path: Path) -> None:
    file = example("bold.py", tmp_path)
    said = valence("arena", "duel52", "--players", "bold,random", "--with", file, "--games", 2, "--json")
    assert (said.json["players"], said.json["games"]) == (["bold", "random"], 2)


def test_the_program_of_the_page_plays(valence: Valence, tmp_path: Path) -> None:
    first = example("first.py", tmp_path)
    found = valence(*DUEL, f"steady,cmd:{sys.executable} {first}").json
    assert (found["forfeits"], found["games"]) == ([0, 0], 4)
    assert found["decisions"][1] > 0


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
def test_the_program_in_c_plays(valence: Valence, tmp_path: Path) -> None:
    source, built = example("first.c", tmp_path), tmp_path / "first"
    subprocess.run(["cc", "-Wall", "-Werror", source, "-o", built], check=True)
    assert valence(*DUEL, f"steady,cmd:{built}").json["forfeits"] == [0, 0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("while input(): print('no idea', flush=True)", "no JSON: 'no idea"),
        ("while input(): print('[\"win\"]', flush=True)", 'not a legal action: \'["win"]'),
        ("while input(): print('-1', flush=True)", "not a legal action: '-1"),
        ("while input(): print('true', flush=True)", "not a legal action: 'true"),
        ("while input(): print('[' * 50000, flush=True)", "no JSON: '[[[["),
        ("while input(): print('0' * 70000, flush=True)", "an answer of more than 65,536 signs"),
        ("import os\nwhile input(): os.write(1, b'\\xff\\n')", "the program has ended"),
        ("input()", "the program has ended"),
        ("import time; time.sleep(60)", "no answer within 0.3 seconds"),
    ],
)
def test_a_bad_answer_costs_the_game_and_no_more(
    valence: Valence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, why: str
) -> None:
    if "sleep" in body:
        slow = foreign.Program.__init__
        monkeypatch.setattr(foreign.Program, "__init__", lambda *args: slow(*args, seconds=0.3))
    name = program(tmp_path, body)
    found = valence(*DUEL, f"steady,{name}").json
    assert found["games"] == 4
    assert found["forfeits"] == [0, 4]
    assert found["win_share"] == [1, 0]
    told = valence(*[word for word in DUEL if word != "--json"], f"steady,{name}").out
    assert "lost 4 games for want of an answer" in told
    assert why in told


def test_who_talks_without_being_asked_is_not_listened_to(tmp_path: Path) -> None:
    """It waits until somebody reads, instead of filling the memory of the arena; and since it reads no
    question, one of them is too much for the pipe."""
    game = catalog.get("chemistry_battle")
    state = game.deal(game.setup(2, bytes(32)))
    seat = state.to_act()[0]
    seen, actions = state.observe(seat), state.legal_actions(seat)
    name = program(tmp_path, "while True: print(0)").removeprefix(foreign.PREFIX)
    talker, answers = foreign.Program(game, name, seconds=0.5), 0

    def ask() -> None:
        nonlocal answers
        while answers < 10_000:
            assert talker(seen, actions, Random(1)) == actions[0]
            answers += 1

    with closing(talker), pytest.raises(Forfeit, match=r"no answer within 0\.5 seconds"):
        ask()
    assert answers > 0


def test_what_cannot_be_had_is_one_line(valence: Valence, tmp_path: Path) -> None:
    said = valence(*DUEL, "steady,cmd:/nowhere/bot")
    assert (said.code, "/nowhere/bot cannot be started" in said.err) == (2, True)
    assert "followed by the command" in valence(*DUEL, "steady,cmd:").err
    assert "cannot be read: No closing quotation" in valence(*DUEL, "steady,cmd:'bot").err
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0")
    said = valence(*DUEL, "steady,mine", "--with", broken)
    assert "cannot be run: ZeroDivisionError" in said.err
    said = valence(*DUEL, "steady,mine", "--with", tmp_path / "missing.py")
    assert "cannot be run: FileNotFoundError" in said.err
    assert "no opponent 'mine'" in valence(*DUEL, "steady,mine").err


def test_a_level_keeps_its_name() -> None:
    with pytest.raises(ValueError, match="level of every game"):
        opponent("duel52", "Steady")
