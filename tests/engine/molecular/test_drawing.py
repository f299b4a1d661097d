"""The drawing of the finished molecule: JSON-able in, a PNG file out, RDKit only when called."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys

import pytest
from PIL import Image

from engine.molecular import reference
from engine.molecular.board import place_of
from engine.molecular.cards import SHAPES
from tests.engine.molecular.tables import of_smiles, random_board


def data_of(board: reference.Board) -> dict[str, object]:
    tiles = [[*place_of(cell), *SHAPES[shape]] for cell, shape in board.tiles.items()]
    found: dict[str, object] = json.loads(json.dumps({"tiles": tiles, "width": 800, "height": 600}))
    return found


def test_a_drawing_is_a_png_of_the_size_asked_for() -> None:
    raw = reference.drawing(data_of(of_smiles("OCC(O)CO")))
    with Image.open(io.BytesIO(raw)) as image:
        assert (image.format, image.size) == ("PNG", (800, 600))
        assert len(image.convert("L").getcolors(100_000) or ()) > 3


def test_every_molecule_of_a_game_can_be_drawn() -> None:
    for seed in range(6):
        board = random_board(20 * (seed + 1), random.Random(seed))
        assert reference.drawing(data_of(board)).startswith(b"\x89PNG")


@pytest.mark.parametrize("tiles", [[], [[0, 0, 99, 0]], [[0]], [7]])
def test_nonsense_is_refused(tiles: list[object]) -> None:
    with pytest.raises(ValueError, match=r"nothing to draw|no tiles"):
        reference.drawing({"tiles": tiles})


def test_the_rules_do_not_import_rdkit() -> None:
    code = "import sys, engine.molecular, engine.molecular.reference; sys.exit('rdkit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
