"""`python -m tools ladder`: the steps of a game, kept in a file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine import arena, catalog
from engine.game import IllegalSetup
from engine.ladder import steps
from tests.support.processes.command_line import Command

DUEL = ("atom_duel", "-o", "level=1", "-o", "rounds=1")


def test_a_ladder_grows_with_its_file(run_ladder: Command, tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"
    climb = (*DUEL, "--append", file, "--json", "--games")
    first = run_ladder(*climb, 2).json
    assert [(step["level"], step["against"]) for step in first] == list(
        steps(catalog.get("atom_duel"), 2, {"level": 1})
    )
    assert {step["games"] for step in run_ladder(*climb, 4).json} == {4}
    assert len(file.read_text().splitlines()) == 2 * len(first)
    said = run_ladder(*DUEL, "--append", file, "--games", 4)
    assert "steady against casual" in said.out
    file.write_text("no ladder")
    assert "holds no ladder" in run_ladder(*climb, 2).err


def test_people_see_each_batch_and_the_sums(run_ladder: Command) -> None:
    said = run_ladder(*DUEL, "--games", 2)
    assert "steady against casual: 2 more games" in said.out
    assert "Atom Duel: the ladder" in said.out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("porbe",), "did you mean probe?"),
        (("probe", "-o", "rounds=9"), "rounds cannot be '9'"),
        (("probe", "--seats", 1), "played alone"),
        (("probe", "--seats", 9), "9 seats"),
        (("probe", "--games", 0), "--games"),
        (("probe", "--append", "."), "cannot be read"),
    ],
)
def test_wrong_input_is_one_line_and_2(run_ladder: Command, words: tuple[str, ...], line: str) -> None:
    said = run_ladder(*words)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert line in said.err


def test_a_file_that_cannot_be_written_is_one_line(run_ladder: Command, tmp_path: Path) -> None:
    said = run_ladder(*DUEL, "--games", 2, "--json", "--append", tmp_path / "no" / "ladder.jsonl")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "cannot be written" in said.err


@pytest.mark.parametrize(
    ("error", "code"), [(arena.Endless("it goes on"), 1), (IllegalSetup("not_enough_cards", cards=54), 2)]
)
def test_what_goes_wrong_in_a_game_is_one_line(
    run_ladder: Command, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(arena, "arena", fail)
    said = run_ladder(*DUEL, "--games", 2)
    assert (said.code, said.out, said.err.count("\n")) == (code, "", 1)


def test_a_cluster_that_cannot_be_used_is_one_sentence(
    run_ladder: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = run_ladder(*DUEL, "--games", 2, "--scheduler", "tcp://127.0.0.1:9")
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert "pip install '.[cluster]'" in said.err
