"""`valence render`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from PIL import Image

from bot import presenters
from bot.render.scene import Look, Rect, Scene, Text
from bot.views.showcase import showcase
from engine import catalog
from tests.cli.conftest import Valence
from tests.support.probe import Observation


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


def test_one_sheet_of_every_picture(valence: Valence, tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    figures = valence("render", "probe", "--all", "--out", out, "--json").json
    assert figures["pictures"] == ["probe", *(f"Table, {seats} seats" for seats in seats_of_the_probe())]
    assert figures["drawn"] >= 4 * sum(1 + seats for seats in seats_of_the_probe())
    with Image.open(out) as picture:
        assert picture.size == (figures["width"], figures["height"])


def test_the_sheet_of_all_games_has_the_pictures_around_them(
    valence: Valence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "listed", lambda: ("probe",))
    figures = valence("render", "--all", "--out", tmp_path / "sheet.png", "--json").json
    around = [title for title, _ in showcase()]
    assert figures["pictures"][: len(around) + 1] == [*around, "probe"]


def seats_of_the_probe() -> tuple[int, ...]:
    game = catalog.get("probe")
    return game.seats(game.defaults())


def test_a_table_that_cannot_be_painted_stops_the_sheet(
    valence: Valence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only with three seats, only at the end: nobody would have looked there."""
    real = presenters.get("probe")

    def table(observation: Observation, look: Look) -> Scene:
        scene = real.table(observation, look)
        if len(look.names) < 3 or not real.status(observation, look).endswith("over"):
            return scene
        return structs.replace(scene, items=(*scene.items, Text(Rect(40, 40, 30, 12), "far too long")))

    monkeypatch.setattr(presenters, "get", lambda _: replace(real, table=table))
    said = valence("render", "probe", "--all", "--out", tmp_path / "s.png")
    assert said.code == 1
    assert "probe, 3 seats" in said.err
    assert "over, table" in said.err


def test_what_was_drawn_is_said(valence: Valence, tmp_path: Path) -> None:
    said = valence("render", "probe", "--out", tmp_path / "p.png")
    assert "1280x320" in said.out
    assert "Round 1 of 2" in said.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("render",), "which game?"),
        (("render", "porbe"), "did you mean probe?"),
        (("render", "probe", "--seat", 2, "--seats", 1), "no hand of seat 2"),
        (("render", "probe", "--palette", "contrats"), "did you mean contrast?"),
        (("render", "probe", "--after", -1), "--after"),
        (("render", "probe", "--out", "no/such/folder.png"), "cannot be written"),
        (("render", "probe", "--all", "--out", "no/such/folder.png"), "cannot be written"),
    ],
)
def test_wrong_input_is_one_line_and_2(valence: Valence, words: tuple[object, ...], says: str) -> None:
    said = valence(*words)
    assert (said.code, said.out) == (2, "")
    assert says in said.err
    assert said.err.count("\n") == 1
