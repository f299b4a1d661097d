"""The molecule in RDKit: reference counts for the plain matcher, and a drawing.

RDKit is imported inside functions and never by the rules, so that only tests and worker processes load it.
The molecule has one atom for each tile and a dummy atom on every open end; hydrogens are explicit and nothing
is aromatic (docs/rules/molecular.md, section 3).
"""

from __future__ import annotations

import io
import math
import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Any

from engine.molecular import groups
from engine.molecular.board import OFFSETS, Board, board_of
from engine.molecular.cards import BOX, EDGES, ELEMENT, SHAPE_EDGES, SHAPE_KIND

NUMBER = {"H": 1, "C": 6, "N": 7, "O": 8}
LEAST_TRIES, MOST_TRIES, ATOMS_PLACED = 4, 30, 2500
"""Depictions to try with the atoms in another order, fewer for large molecules."""
LARGE = 60
"""Number of tiles from which the lines of a drawing are thinner."""
TOO_NEAR = 0.45
"""Atoms closer than this, in bond lengths, clash."""
STRAIGHT = 170
"""Bonds of an sp atom at a smaller angle than this, in degrees, look bent."""

Point = tuple[float, float]


def molecule(board: Board, *, dummies: bool = True) -> Any:
    """Return an RDKit molecule. The atoms of tiles come first, in the order of `board.tiles`."""
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
def _queries() -> tuple[object, ...]:
    from rdkit import Chem

    return tuple(Chem.MolFromSmarts(group.smarts) for group in BOX.groups)


def matches(board: Board) -> tuple[set[frozenset[int]], ...]:
    """Return every match that RDKit finds for each group, as sets of cells."""
    made, cells = molecule(board), list(board.tiles)
    return tuple(
        {
            frozenset(cells[atom] for atom in match)
            for match in made.GetSubstructMatches(query, uniquify=True, maxMatches=100_000)
        }
        for query in _queries()
    )


def count_all(board: Board) -> tuple[int, ...]:
    """Return the count of every group according to RDKit, in the order of the data file."""
    return tuple(groups.most_disjoint(found) for found in matches(board))


def _tidy(board: Board) -> Any:
    """Return a molecule for drawing, with hydrogens merged into their atoms and ends left open."""
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
    """Draw a structural formula as a PNG file; meant for a worker process.

    `data` is JSON-compatible: `tiles` is a list of [q, r, kind, rotation], with optional `width` and `height`
    in pixels. A wavy line across a bond marks an open end.

    Raises:
        ValueError: there are no tiles, or a tile does not exist.
    """
    from rdkit.Chem.Draw import rdMolDraw2D

    tiles = data.get("tiles") or ()
    try:
        board = board_of(tiles)
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(f"these are no tiles: {tiles!r:.80}") from error
    if not board.tiles:
        raise ValueError("there is nothing to draw")
    draw = rdMolDraw2D.MolDraw2DCairo(int(data.get("width", 1280)), int(data.get("height", 900)))
    options: Any = draw.drawOptions()
    options.prepareMolsBeforeDrawing = False
    options.dummiesAreAttachments = True
    options.updateAtomPalette({0: (0.62, 0.62, 0.62)})
    # in a drawing of many short bonds, waves in thick lines would fill up
    options.bondLineWidth = 3 if len(board.tiles) < LARGE else 2
    options.minFontSize = 18
    options.padding = 0.04
    draw.DrawMolecule(laid_out(board))
    draw.FinishDrawing()
    return io.BytesIO(draw.GetDrawingText()).getvalue()


def laid_out(board: Board) -> object:
    """Return the molecule with atom positions: of several depictions the one with the fewest flaws."""
    best, fewest = None, (math.inf, 0.0)
    for depiction in depictions(board):
        found = flaws(depiction)
        if found < fewest:
            best, fewest = depiction, found
        if not any(found):
            break
    return best


def depictions(board: Board) -> Iterator[object]:
    """Yield the usual depiction, that of CoordGen, and some with the atoms in another order.

    If rings are fused and crowded, the order of the atoms decides which part is placed first, and so what
    collides. The number of depictions keeps a drawing of 120 tiles to about two seconds.
    """
    from rdkit import Chem
    from rdkit.Chem import rdDepictor

    tidy = _tidy(board)
    # RDKit only draws two double bonds or a triple bond in a straight line if it knows the atom as sp
    Chem.SetConjugation(tidy)
    Chem.SetHybridization(tidy)

    def placed(made: object, *, coordgen: bool = False) -> object:
        rdDepictor.SetPreferCoordGen(coordgen)
        try:
            rdDepictor.Compute2DCoords(made)
        finally:
            rdDepictor.SetPreferCoordGen(False)
        return made

    atoms = tidy.GetNumAtoms()
    yield placed(Chem.Mol(tidy))
    yield placed(Chem.Mol(tidy), coordgen=True)
    rng = random.Random(atoms)
    for _ in range(max(LEAST_TRIES, min(MOST_TRIES, ATOMS_PLACED // atoms))):
        yield placed(Chem.RenumberAtoms(tidy, rng.sample(range(atoms), atoms)))


def flaws(made: Any) -> tuple[int, int]:
    """Count the flaws of a depiction: crossing bonds, then clashing atoms and bent sp atoms."""
    places = [(x, y) for x, y, _ in made.GetConformer().GetPositions().tolist()]
    bonds = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in made.GetBonds()]
    length = (
        sorted(math.dist(places[one], places[other]) for one, other in bonds)[len(bonds) // 2] if bonds else 1
    )
    crossings = sum(
        _cross(places[a], places[b], places[c], places[d])
        for (a, b), (c, d) in combinations(bonds, 2)
        if len({a, b, c, d}) == 4
    )
    near = length * TOO_NEAR
    clashes = sum(
        abs(one[0] - other[0]) < near and math.dist(one, other) < near
        for one, other in combinations(places, 2)
    )
    return crossings, clashes + sum(angle < STRAIGHT for angle in angles_at_sp(made))


def angles_at_sp(made: Any) -> list[float]:
    """Return the angles in degrees at atoms outside rings whose two bonds should form a straight line."""
    from rdkit import Chem

    places = made.GetConformer().GetPositions().tolist()
    found = []
    for atom in made.GetAtoms():
        near = [places[other.GetIdx()] for other in atom.GetNeighbors()]
        if atom.GetHybridization() == Chem.HybridizationType.SP and len(near) == 2 and not atom.IsInRing():
            x, y, _ = places[atom.GetIdx()]
            ways = [math.atan2(other[1] - y, other[0] - x) for other in near]
            apart = abs(ways[0] - ways[1])
            found.append(math.degrees(min(apart, 2 * math.pi - apart)))
    return found


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether the lines from a to b and from c to d cross."""
    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Point, b: Point, p: Point) -> float:
    """Return which side of the line from a to b a point is on, as a sign."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
