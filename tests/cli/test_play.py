"""`valence play`: a person at the keyboard."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from pathlib import Path

import pytest

from engine import record
from tests.cli.conftest import Valence


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> object:
    def lines(answers: Iterable[str]) -> None:
        source = iter(answers)

        def read(_prompt: str = "") -> str:
            try:
                return next(source)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr(builtins, "input", read)

    return lines


def test_a_game_goes_to_its_end_and_leaves_a_record(valence: Valence, types: object, tmp_path: Path) -> None:
    types(["1"] * 50)  # type: ignore[operator]
    path = tmp_path / "game.json"
    said = valence("play", "probe", "--seats", 3, "--seed", 3, "--seat", 2, "--name", "Ada", "--save", path)
    assert said.code == 0
    assert "seed 3" in said.out
    kept = record.from_json(path.read_bytes())
    assert kept.names == ["Random 1", "Ada", "Random 3"]
    assert record.verify(kept).outcome() == kept.outcome


def test_a_person_is_told_no_secrets(valence: Valence, types: object) -> None:
    types(["1", "1", "q"])  # type: ignore[operator]
    said = valence("play", "probe", "--seats", 4, "--seed", 8)
    assert "looked place" in said.out
    assert ", card " not in said.out


def test_a_wrong_answer_is_asked_again(valence: Valence, types: object) -> None:
    types(["99", "0", "-1", "x", "", "²", "?", "q"])  # type: ignore[operator]
    said = valence("play", "probe", "--seed", 3)
    assert said.out.count("Please type a number from 1 to 4.") == 6
    assert said.out.count("Your hand: ") == 2
    assert said.out.endswith("You left. --seed 3 deals the same cards again.\n")
    assert (said.code, said.err) == (0, "")


def test_many_choices_come_in_pages(valence: Valence, types: object) -> None:
    types(["1", "1", "m", "m", "31", "q"])  # type: ignore[operator]
    said = valence("play", "probe", "--seats", 1, "--seed", 3)
    assert said.out.count("   m  more") == 3
    assert "  31  " in said.out
    assert "laid" in said.out
    assert "   1  Lay a set → " in said.out


def test_the_end_of_the_input_ends_the_game(valence: Valence, types: object) -> None:
    types([])  # type: ignore[operator]
    assert valence("play", "probe").code == 130


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--seat", 3, "--seats", 2), "there are 2 seats"),
        (("--against", "nobody"), "there are: random"),
        (("--seats", 9), "it can on: 1, 2, 3, 4"),
        (("--seed", "x"), "--seed"),
    ],
)
def test_wrong_input_is_one_line_and_2(valence: Valence, words: tuple[object, ...], says: str) -> None:
    said = valence("play", "probe", *words)
    assert (said.code, said.out) == (2, "")
    assert says in said.err


@pytest.mark.parametrize("where", [".", "no/such.json"])
def test_a_record_that_cannot_be_written_is_said_before_the_game(
    valence: Valence, types: object, tmp_path: Path, where: str
) -> None:
    types(["1"] * 50)  # type: ignore[operator]
    said = valence("play", "probe", "--save", tmp_path / where)
    assert (said.code, said.out) == (2, "")
    assert "cannot be written" in said.err


def test_who_leaves_leaves_no_empty_record(valence: Valence, types: object, tmp_path: Path) -> None:
    types(["q"])  # type: ignore[operator]
    assert valence("play", "probe", "--save", tmp_path / "game.json").code == 0
    assert list(tmp_path.iterdir()) == []
