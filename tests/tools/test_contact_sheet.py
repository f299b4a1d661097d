"""`python -m tools contact_sheet`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from PIL import Image

from bot import presenters
from bot.presenters.base import Presenter
from bot.render.check import audit
from bot.render.scene import Look, Panel, Rect, Scene, Text
from bot.render.theme import CONTAINER_WIDTH
from engine import catalog
from tests.support.games.probe import Observation
from tests.support.processes.command_line import Command, command
from tools.contact_sheet import around_games
from tools.contact_sheet.__main__ import main
from tools.contact_sheet.galleries import GALLERIES, gallery
from tools.contact_sheet.sheet import contact_sheet


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.setenv("COLUMNS", "300")
    return command(capsys, main)


def seats_of_the_probe() -> tuple[int, ...]:
    game = catalog.get("probe")
    return game.seats(game.defaults())


def test_one_sheet_of_every_picture(draw: Command, tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    figures = draw("probe", "--out", out, "--json").json
    tables = [f"Table, {seats} seats" for seats in seats_of_the_probe()]
    assert figures["pictures"] == ["Table", "Hand", *tables]
    assert figures["drawn"] >= 4 * sum(1 + seats for seats in seats_of_the_probe())
    with Image.open(out) as picture:
        assert picture.size == (figures["width"], figures["height"])


@pytest.mark.parametrize("each", [3, pytest.param(1, marks=pytest.mark.long)])
def test_the_sheet_of_all_games_has_the_pictures_around_them(
    draw: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each: int
) -> None:
    """Every third picture, and all of them in `make long`."""
    some = around_games.gallery()[::each]
    monkeypatch.setattr(around_games, "gallery", lambda: some)
    monkeypatch.setattr(catalog, "listed", lambda: ("probe",))
    figures = draw("--out", tmp_path / "sheet.png", "--json").json
    around = [title for title, _ in some]
    assert figures["pictures"][: len(around) + 1] == [*around, "Table"]


def test_a_table_that_cannot_be_painted_stops_the_sheet(
    draw: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault shows only with three seats at the end, where no one would look."""
    real: Presenter[Any, Any] = presenters.get("probe")

    def table(observation: Observation, look: Look) -> Scene:
        scene = real.table(observation, look)
        if len(look.names) < 3 or not real.status(observation, look).endswith("over"):
            return scene
        return structs.replace(scene, items=(*scene.items, Text(Rect(40, 40, 30, 12), "far too long")))

    monkeypatch.setattr(presenters, "get", lambda _: replace(real, table=table))
    said = draw("probe", "--out", tmp_path / "s.png")
    assert said.code == 1
    assert "probe, 3 seats" in said.err
    assert "over, table" in said.err


def test_a_file_that_cannot_be_written_is_one_line(draw: Command) -> None:
    said = draw("probe", "--out", "no/such/folder.png")
    assert (said.code, said.out) == (2, "")
    assert "cannot be written" in said.err


def test_a_game_without_a_gallery_shows_a_table_and_a_hand() -> None:
    shown = dict(gallery("probe"))
    assert set(shown) == {"Table", "Hand"}
    assert all(audit(scene) == [] for scene in shown.values())


def test_galleries_are_those_of_games() -> None:
    assert set(GALLERIES) <= set(catalog.listed())


def test_a_sheet_holds_both_sizes() -> None:
    wide = Scene(1280, 200, (Panel(Rect(40, 40, 60, 60), "accent", 8),), "A panel")
    sheet = contact_sheet([("one", structs.replace(wide, width=640)), ("two", wide)])
    assert sheet.width > 1280 + CONTAINER_WIDTH
    with pytest.raises(ValueError, match="nothing"):
        contact_sheet([])
