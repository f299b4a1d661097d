"""The drawing of the finished molecule: JSON-able in, a PNG file out, RDKit only when called."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys

import pytest
from PIL import Image

from engine.molecular import groups, reference
from engine.molecular.board import Board, place_of
from engine.molecular.cards import SHAPES
from tests.engine.molecular.positions import of_smiles, random_board


def data_of(board: reference.Board) -> dict[str, object]:
    tiles = [[*place_of(cell), *SHAPES[shape]] for cell, shape in board.tiles.items()]
    found: dict[str, object] = json.loads(json.dumps({"tiles": tiles, "width": 800, "height": 600}))
    return found


def test_a_drawing_is_a_png_of_the_size_asked_for() -> None:
    raw = reference.drawing(data_of(of_smiles("OCC(O)CO")))
    with Image.open(io.BytesIO(raw)) as image:
        assert (image.format, image.size) == ("PNG", (800, 600))
        assert len(image.convert("L").getcolors(100_000) or ()) > 3


@pytest.mark.repeats
@pytest.mark.long
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


def test_nitriles_alkynes_and_cumulenes_are_drawn_straight() -> None:
    for smiles in ("CC#N", "CC#CC", "C=C=C"):
        (angle, *_) = reference.angles_at_sp(reference.laid_out(of_smiles(smiles)))
        assert angle == pytest.approx(180, abs=5)
    angles = []
    for seed in range(6):
        angles += reference.angles_at_sp(reference.laid_out(random_board(50, random.Random(seed))))
    assert len(angles) > 10
    assert min(angles) > reference.STRAIGHT


def test_every_open_end_is_marked() -> None:
    for seed in range(3):
        board = random_board(20, random.Random(seed))
        made = reference.laid_out(board)
        ends = [atom for atom in made.GetAtoms() if atom.GetAtomicNum() == 0]
        assert len(ends) == groups.open_ends(board) > 0
        assert all(atom.GetDegree() == 1 for atom in ends)
    # a wavy line takes many short strokes, which a bare bond does not have
    closed, open_end = (reference.drawing(data_of(board)) for board in (of_smiles("C"), Board.begun()))
    assert len(open_end) > 2 * len(closed)


@pytest.mark.repeats
def test_the_drawing_chosen_has_no_more_crossings_than_the_usual_one() -> None:
    better = 0
    for seed in range(3):
        board = random_board(70, random.Random(seed))
        chosen = reference.flaws(reference.laid_out(board))
        usual = reference.flaws(next(reference.depictions(board)))
        assert chosen <= usual
        better += chosen < usual
    assert better


def test_a_bond_across_another_is_a_flaw() -> None:
    made = reference.laid_out(of_smiles("CC(C)C"))
    assert reference.flaws(made) == (0, 0)
    places = made.GetConformer()
    carbon = [atom.GetIdx() for atom in made.GetAtoms() if atom.GetDegree() == 1]
    one, other = places.GetAtomPosition(carbon[0]), places.GetAtomPosition(carbon[1])
    places.SetAtomPosition(carbon[0], other)
    assert reference.flaws(made)[1] == 1
    assert one != other
