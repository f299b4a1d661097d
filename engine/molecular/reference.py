"""The molecule as RDKit sees it: the counts that the plain matcher must equal, and a drawing.

RDKit is imported when a function is called and never by the rules, so that only tests and worker
processes carry its weight. The molecule is built with one atom for each tile and a dummy atom on
every open end; hydrogens are explicit and nothing is aromatic (rules/molecular.md, E3).
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.molecular import groups
from engine.molecular.board import OFFSETS, Board, board_of
from engine.molecular.cards import BOX, EDGES, ELEMENT, SHAPE_EDGES, SHAPE_KIND

NUMBER = {"H": 1, "C": 6, "N": 7, "O": 8}


def molecule(board: Board, *, dummies: bool = True) -> Any:
    """An RDKit molecule: atoms of tiles first, in the order of `board.tiles`."""
    from rdkit import Chem

    kinds = [Chem.BondType.ZERO, Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE]
    made = Chem.RWMol()
    index: dict[int, int] = {}
    for cell, shape in board.tiles.items():
        atom = Chem.Atom(NUMBER[ELEMENT[SHAPE_KIND[shape]]])
        atom.SetNoImplicit(True)
        index[cell] = made.AddAtom(atom)
    for cell, shape in board.tiles.items():
        for edge in range(EDGES):
            order = SHAPE_EDGES[shape][edge]
            other = index.get(cell + OFFSETS[edge])
            if not order:
                continue
            if other is None:
                if dummies:
                    made.AddBond(index[cell], made.AddAtom(Chem.Atom(0)), kinds[order])
            elif index[cell] < other:
                made.AddBond(index[cell], other, kinds[order])
    made.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(made)
    return made


@cache
def _queries() -> tuple[Any, ...]:
    from rdkit import Chem

    return tuple(Chem.MolFromSmarts(group.smarts) for group in BOX.groups)


def matches(board: Board) -> tuple[set[frozenset[int]], ...]:
    """By group: every match that RDKit finds, as sets of cells."""
    made, cells = molecule(board), list(board.tiles)
    return tuple(
        {
            frozenset(cells[atom] for atom in match)
            for match in made.GetSubstructMatches(query, uniquify=True, maxMatches=100_000)
        }
        for query in _queries()
    )


def count_all(board: Board) -> tuple[int, ...]:
    """The count of every group by RDKit, in the order of the data file."""
    return tuple(groups.most_disjoint(found) for found in matches(board))


def _tidy(board: Board) -> Any:
    """The molecule for people: hydrogens folded in where they sit on an atom, ends left open."""
    from rdkit import Chem

    made = molecule(board)
    for atom in made.GetAtoms():
        atom.SetNoImplicit(True)
    plain: Any = Chem.RemoveHsParameters()
    plain.removeHydrides = True
    plain.removeDefiningBondStereo = True
    plain.removeDegreeZero = False
    plain.removeDummyNeighbors = False
    tidy = Chem.RemoveHs(made.GetMol(), plain, sanitize=False)
    tidy.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(tidy)
    return tidy


def drawing(data: Mapping[str, Any]) -> bytes:
    """A clean structural drawing as a PNG file, for a worker process.

    `data` is JSON-able: `tiles` a list of [q, r, kind, rotation], and optionally `width` and
    `height` in pixels. An open end is a bond that fades to grey.

    Raises:
        ValueError: there is no tile, or a tile that does not exist.
    """
    from rdkit.Chem import rdDepictor
    from rdkit.Chem.Draw import rdMolDraw2D

    tiles = data.get("tiles") or ()
    try:
        board = board_of(tiles)
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(f"these are no tiles: {tiles!r:.80}") from error
    if not board.tiles:
        raise ValueError("there is nothing to draw")
    tidy = _tidy(board)
    for atom in tidy.GetAtoms():
        if atom.GetAtomicNum() == 0:
            atom.SetProp("_displayLabel", "")
    rdDepictor.SetPreferCoordGen(False)
    rdDepictor.Compute2DCoords(tidy)
    draw = rdMolDraw2D.MolDraw2DCairo(int(data.get("width", 1280)), int(data.get("height", 900)))
    options: Any = draw.drawOptions()
    options.prepareMolsBeforeDrawing = False
    options.updateAtomPalette({0: (0.62, 0.62, 0.62)})
    options.bondLineWidth = 3
    options.minFontSize = 18
    options.padding = 0.04
    draw.DrawMolecule(tidy)
    draw.FinishDrawing()
    return io.BytesIO(draw.GetDrawingText()).getvalue()
