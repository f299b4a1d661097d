"""`valence render`."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.cli.conftest import Valence


def test_a_table_is_drawn(valence: Valence, tmp_path: Path) -> None:
    out = tmp_path / "table.png"
    figures = valence("render", "probe", "--seats", 3, "--after", 3, "--out", out, "--json").json
    with Image.open(out) as picture:
        assert (picture.format, picture.size) == ("PNG", (figures["width"], figures["height"]))
    assert figures["bytes"] == out.stat().st_size
    assert figures["actions"] == 3
    assert "Points" in figures["alt"]


def test_a_hand_is_drawn(valence: Valence, tmp_path: Path) -> None:
    hands = [
        valence("render", "probe", "--seats", 2, "--seat", seat, "--out", tmp_path / "h.png", "--json").json
        for seat in (1, 2)
    ]
    assert hands[0]["alt"] != hands[1]["alt"]
    assert hands[0]["alt"].startswith("Your hand: ")


def test_the_seed_decides_the_picture(valence: Valence, tmp_path: Path) -> None:
    words = ("render", "probe", "--seats", 2, "--seat", 1, "--after", 4)
    pictures = []
    for number, seed in enumerate((1, 1, 2)):
        out = tmp_path / f"{number}.png"
        assert valence(*words, "--seed", seed, "--out", out).code == 0
        pictures.append(out.read_bytes())
    assert pictures[0] == pictures[1] != pictures[2]


def test_a_game_that_ends_early_is_drawn_at_its_end(valence: Valence, tmp_path: Path) -> None:
    figures = valence(
        "render",
        "probe",
        "-o",
        "rounds=1",
        "--seats",
        2,
        "--after",
        999,
        "--out",
        tmp_path / "e.png",
        "--json",
    ).json
    assert figures["actions"] == 5
    assert "over" in figures["alt"]


def test_what_was_drawn_is_said(valence: Valence, tmp_path: Path) -> None:
    said = valence("render", "probe", "--out", tmp_path / "p.png")
    assert "1280x320" in said.out
    assert "Round 1 of 2" in said.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("render",), "GAME"),
        (("render", "porbe"), "did you mean probe?"),
        (("render", "probe", "--seat", 2, "--seats", 1), "no hand of seat 2"),
        (("render", "probe", "--palette", "contrats"), "did you mean contrast?"),
        (("render", "probe", "--after", -1), "--after"),
        (("render", "probe", "--out", "no/such/folder.png"), "cannot be written"),
    ],
)
def test_wrong_input_is_one_line_and_2(valence: Valence, words: tuple[object, ...], says: str) -> None:
    said = valence(*words)
    assert (said.code, said.out) == (2, "")
    assert says in said.err
    assert said.err.count("\n") == 1
