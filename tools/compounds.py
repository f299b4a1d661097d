"""Compute how the molecules of the compound decks look, and check every structure, with RDKit.

    python tools/compounds.py            checks assets/cards/compounds.json and draws what has no drawing
    python tools/compounds.py --check    only checks

The texts, formulas, SMILES and ions of that file are written by hand, and so are the shapes of small
molecules, from measured lengths and angles. This script adds `atoms` (symbol, x, y, depth in drawing units)
and `bonds` (two indices, order) to molecules without them. The bot itself does not use RDKit.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers

FILE = Path(__file__).resolve().parent.parent / "assets" / "cards" / "compounds.json"
SEED = 54
TURNS = 4000
RADII = {"H": 0.3, "P": 0.52, "S": 0.52, "Cl": 0.5}
"""Radii of drawn atoms; all others have 0.45."""
ION = re.compile(r"([A-Z][a-z]?)(\d*)([+-])")


def structure(smiles: str) -> Chem.Mol:
    """Return the molecule with all its hydrogens."""
    return Chem.AddHs(Chem.MolFromSmiles(smiles))


def counted(compound: dict[str, Any]) -> dict[str, int]:
    """Return the atoms of a compound's structure; for a salt those of its ions, whose charges must cancel.

    Raises:
        ValueError: the charges do not cancel, or an ion cannot be read.
    """
    if compound["smiles"]:
        mol = structure(compound["smiles"])
        if Chem.GetFormalCharge(mol):
            raise ValueError(f"{compound['formula']} is charged")
        return dict(Counter(atom.GetSymbol() for atom in mol.GetAtoms()))
    found: Counter[str] = Counter()
    charge = 0
    for ion in compound["ions"]:
        match = ION.fullmatch(ion)
        if match is None or Chem.MolFromSmiles(f"[{match[1]}{match[3]}{match[2]}]") is None:
            raise ValueError(f"{compound['formula']} has the ion {ion!r}")
        found[match[1]] += 1
        charge += int(f"{match[3]}{match[2] or 1}")
    if charge:
        raise ValueError(f"the charges of {compound['formula']} do not cancel")
    return dict(found)


def drawing(smiles: str) -> tuple[list[list[Any]], list[list[int]]]:
    """Return atoms and bonds of a molecule in space, turned to show its broad side."""
    mol = structure(smiles)
    if rdDistGeom.EmbedMolecule(mol, randomSeed=SEED) != 0:
        raise ValueError(f"no shape found for {smiles}")
    if rdForceFieldHelpers.UFFHasAllMoleculeParams(mol):
        rdForceFieldHelpers.UFFOptimizeMolecule(mol, maxIters=2000)
    points = np.array(mol.GetConformer().GetPositions())
    points -= points.mean(axis=0)
    # the longest extent is level, the shortest points to the reader
    _, _, axes = np.linalg.svd(points)
    points = points @ axes.T
    if np.ptp(points[:, 2]) > 0.6:  # atoms of a bulky molecule may hide each other
        radii = np.array([RADII.get(atom.GetSymbol(), 0.45) for atom in mol.GetAtoms()])
        points = _turned(points, radii)
    heavy = [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetSymbol() != "H"]
    if len(heavy) == 1 and points[heavy[0], 1] < 0:  # the middle atom is above, as water is always drawn
        points[:, 1] *= -1
    atoms = [
        [atom.GetSymbol(), *(round(float(value), 2) + 0.0 for value in point)]
        for atom, point in zip(mol.GetAtoms(), points, strict=True)
    ]
    bonds = [
        [bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), int(bond.GetBondTypeAsDouble())]
        for bond in mol.GetBonds()
    ]
    return atoms, bonds


def _turned(points: Any, radii: Any) -> Any:
    """Return the molecule turned so that atoms hide each other as little as possible, its long side level."""
    rng = np.random.default_rng(SEED)
    first, second = np.triu_indices(len(points), 1)
    reach = radii[first] + radii[second]

    def seen(turned: Any) -> float:
        apart = np.hypot(*(turned[first, :2] - turned[second, :2]).T)
        return float(np.min(apart / reach))

    turns = (np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(TURNS))
    # a mirror image would be another molecule: proper rotations only
    best = max((points @ (turn * np.sign(np.linalg.det(turn))).T for turn in turns), key=seen)
    _, _, axes = np.linalg.svd(best[:, :2])
    best[:, :2] = best[:, :2] @ axes.T
    return best


def main() -> int:
    data = json.loads(FILE.read_text("utf-8"))
    wrong = 0
    for compound in data["compounds"]:
        if counted(compound) != compound["elements"]:
            print(f"{compound['formula']}: structure {counted(compound)}, formula {compound['elements']}")
            wrong += 1
        if compound["smiles"] and not compound["atoms"]:
            compound["atoms"], compound["bonds"] = drawing(compound["smiles"])
    if not wrong and "--check" not in sys.argv:
        FILE.write_text(written(data), "utf-8")
    print(f"{len(data['compounds'])} compounds, {wrong} wrong")
    return 1 if wrong else 0


def written(data: dict[str, Any]) -> str:
    """Return the file content: one field per line, lists of numbers and names on one line."""
    text = json.dumps(data, indent=1, ensure_ascii=False)
    while (flat := re.sub(r"\[\s+((?:[^\[\]{}]|\[[^\[\]{}\n]*\])*?)\s+\]", _one_line, text)) != text:
        text = flat
    return text + "\n"


def _one_line(match: re.Match[str]) -> str:
    return "[" + re.sub(r",\s+", ", ", match[1]) + "]"


if __name__ == "__main__":
    sys.exit(main())
