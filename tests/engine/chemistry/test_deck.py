"""The decks (docs/rules/chemistry.md, section 2): the data file, its checks, RDKit on every structure."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import acos, degrees, dist
from pathlib import Path
from typing import Any

import pytest

from engine import data
from engine.chemistry import deck
from engine.chemistry.deck import BOOK, BY_FORMULA, NEEDS, SIZES, WILD
from engine.data import BrokenData
from engine.elements import BY_SYMBOL

RAW = (data.folder() / "cards" / deck.DATA).read_bytes()
every_compound = pytest.mark.parametrize("compound", BOOK.compounds, ids=lambda one: one.formula)


@pytest.mark.rule("chemistry", "2.1")
def test_each_deck_is_24_compounds_24_elements_6_wilds() -> None:
    for one in BOOK.decks:
        assert sum(compound.deck == one.key for compound in BOOK.compounds) == 24
        assert sum(one.elements.values()) == 24
        assert len(one.laws) == 6
        assert len(deck.draw_cards(one.key, basic=False)) == 30


@pytest.mark.rule("chemistry", "4.1")
def test_the_draw_decks_of_canasta_have_84_and_114_cards() -> None:
    assert len(deck.draw_cards("ionic", basic=True)) == 84
    assert len(deck.draw_cards("both", basic=True)) == 114
    assert deck.draw_cards("both", basic=True).count(WILD) == 12


@pytest.mark.rule("chemistry", 1, "2.2", "2.3")
def test_the_element_cards_are_those_of_the_page() -> None:
    covalent, ionic = BOOK.decks
    assert covalent.elements == {"H": 5, "C": 3, "O": 5, "N": 3, "Cl": 3, "S": 2, "F": 2, "P": 1}
    page = {"Na": 2, "K": 2, "Mg": 2, "Ca": 2, "Al": 2, "Fe": 2, "Zn": 1, "Cl": 4, "O": 4, "F": 2, "S": 1}
    assert ionic.elements == page


@pytest.mark.rule("chemistry", 1, "2.2", "2.3")
def test_sizes_are_those_of_the_page() -> None:
    covalent = [size for size, one in zip(SIZES, BOOK.compounds, strict=True) if one.deck == "covalent"]
    ionic = [size for size, one in zip(SIZES, BOOK.compounds, strict=True) if one.deck == "ionic"]
    assert (min(covalent), max(covalent), round(sum(covalent) / 24, 1)) == (2, 6, 3.6)
    assert (min(ionic), max(ionic), round(sum(ionic) / 24, 1)) == (2, 5, 2.8)


@pytest.mark.rule("chemistry", "2.4")
@every_compound
def test_every_compound_can_be_made_from_its_deck_without_wilds(compound: deck.Compound) -> None:
    cards = Counter(deck.draw_cards(compound.deck, basic=False))
    assert all(cards[z] >= n for z, n in NEEDS[BY_FORMULA[compound.formula]])


@every_compound
def test_words_are_short_sentences(compound: deck.Compound) -> None:
    for text in (compound.use, compound.fact):
        assert text[0].isupper()
        assert text[-1] == "."
        assert len(text) <= 110
    assert len(compound.use) <= 60
    words = re.findall(r"[A-Za-z]+", compound.use + " " + compound.fact)
    assert sum(map(len, words)) / len(words) < 5.6, "not for a fourth grade"


@every_compound
def test_the_equation_is_balanced_and_makes_the_compound(compound: deck.Compound) -> None:
    sides = [Counter[str](), Counter[str]()]
    made: list[str] = []
    for side, text in zip(sides, compound.equation.split(" -> "), strict=True):
        for term in text.split(" + "):
            count, _, formula = term.rpartition(" ")
            if side is sides[1]:
                made.append(formula)
            for symbol, atoms in deck.atoms_of(formula).items():
                side[symbol] += int(count or 1) * atoms
    assert sides[0] == sides[1]
    assert compound.formula in made


@every_compound
def test_charges_are_those_of_the_name(compound: deck.Compound) -> None:
    """Iron(II) is Fe2+, iron(III) Fe3+; the others have just one charge."""
    usual = {"Na": 1, "K": 1, "Mg": 2, "Ca": 2, "Al": 3, "Zn": 2, "Cl": -1, "F": -1, "O": -2, "S": -2}
    for ion in compound.ions:
        symbol, charge = deck.ion_of(ion)
        iron = 3 if "(III)" in compound.name else 2
        assert charge == usual.get(symbol, iron)


def script() -> Any:
    """`tools/compounds.py`; skips where RDKit, which it imports, is missing."""
    pytest.importorskip("rdkit", reason="RDKit checks the structures; it is no part of the bot")
    path = Path(__file__).parents[3] / "tools" / "compounds.py"
    spec = importlib.util.spec_from_file_location("compounds_script", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.rule("chemistry", 1)
def test_rdkit_finds_the_formula_in_every_structure() -> None:
    counted = script().counted
    for row in json.loads(RAW)["compounds"]:
        assert counted(row) == row["elements"], row["formula"]


def test_rdkit_finds_the_drawn_bonds() -> None:
    structure = script().structure
    for compound in BOOK.compounds:
        if compound.smiles:
            mol = structure(compound.smiles)
            drawn = {(*sorted((a, b)), order) for a, b, order in compound.bonds}
            real = {
                (*sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx())), int(b.GetBondTypeAsDouble()))
                for b in mol.GetBonds()
            }
            assert drawn == real
            assert [atom.GetSymbol() for atom in mol.GetAtoms()] == [atom[0] for atom in compound.atoms]


def test_the_script_refuses_a_wrong_structure() -> None:
    counted = script().counted
    row = json.loads(RAW)["compounds"][BY_FORMULA["CO2"]]
    assert counted({**row, "smiles": "[C-]#[O+]"}) != row["elements"]
    with pytest.raises(ValueError, match="charged"):
        counted({**row, "smiles": "[OH-]"})


KNOWN_BONDS = {
    "H2O": {"HO": 0.958},
    "H2O2": {"OO": 1.456, "HO": 0.967},
    "CO": {"CO": 1.128},
    "CO2": {"CO": 1.160},
    "CH4": {"CH": 1.087},
    "C2H2": {"CC": 1.203, "CH": 1.063},
    "C2H4": {"CC": 1.339, "CH": 1.086},
    "CH2O": {"CO": 1.205, "CH": 1.111},
    "CH3OH": {"CO": 1.427, "CH": 1.096, "HO": 0.956},
    "NH3": {"HN": 1.012},
    "N2H4": {"NN": 1.449, "HN": 1.021},
    "HCN": {"CN": 1.153, "CH": 1.065},
    "NO": {"NO": 1.151},
    "NO2": {"NO": 1.193},
    "N2O": {"NN": 1.128, "NO": 1.184},
    "HCl": {"ClH": 1.275},
    "HF": {"FH": 0.917},
    "H2S": {"HS": 1.336},
    "SO2": {"OS": 1.431},
    "SO3": {"OS": 1.420},
    "CS2": {"CS": 1.553},
    "CHCl3": {"CCl": 1.758, "CH": 1.085},
    "PCl3": {"ClP": 2.043},
    "OF2": {"FO": 1.405},
}
"""Lengths in angstroms by the two elements, measured in the gas: NIST CCCBDB, CRC Handbook."""

KNOWN_ANGLES = {
    "H2O": {"HOH": 104.5},
    "H2O2": {"HOO": 99.4},
    "CO2": {"OCO": 180.0},
    "CH4": {"HCH": 109.5},
    "C2H2": {"CCH": 180.0},
    "CH2O": {"HCO": 121.7},
    "NH3": {"HNH": 106.7},
    "HCN": {"HCN": 180.0},
    "NO2": {"ONO": 134.1},
    "N2O": {"NNO": 180.0},
    "H2S": {"HSH": 92.1},
    "SO2": {"OSO": 119.3},
    "SO3": {"OSO": 120.0},
    "CS2": {"SCS": 180.0},
    "PCl3": {"ClPCl": 100.3},
    "OF2": {"FOF": 103.1},
}

every_molecule = pytest.mark.parametrize(
    "compound", [one for one in BOOK.compounds if one.smiles], ids=lambda one: one.formula
)


@every_molecule
def test_bonds_are_as_long_as_measured(compound: deck.Compound) -> None:
    """Within five per cent; and in these molecules all bonds between the same two elements are alike."""
    atoms = compound.atoms
    found: dict[str, list[float]] = {}
    for one, other, _ in compound.bonds:
        pair = "".join(sorted((atoms[one][0], atoms[other][0])))
        found.setdefault(pair, []).append(dist(atoms[one][1:], atoms[other][1:]))
    assert found.keys() == KNOWN_BONDS[compound.formula].keys()
    for pair, lengths in found.items():
        assert max(lengths) - min(lengths) <= 0.021, pair
        for length in lengths:
            assert length == pytest.approx(KNOWN_BONDS[compound.formula][pair], rel=0.05), pair


@pytest.mark.parametrize("formula", sorted(KNOWN_ANGLES))
def test_angles_are_as_wide_as_measured(formula: str) -> None:
    compound = BOOK.compounds[BY_FORMULA[formula]]
    atoms = compound.atoms
    bonded: dict[int, list[int]] = {}
    for one, other, _ in compound.bonds:
        bonded.setdefault(one, []).append(other)
        bonded.setdefault(other, []).append(one)
    seen = set()
    for middle, ends in bonded.items():
        for one, other in combinations(ends, 2):
            first, last = sorted((atoms[one][0], atoms[other][0]))
            known = KNOWN_ANGLES[formula].get(f"{first}{atoms[middle][0]}{last}")
            if known is None:
                continue
            seen.add(known)
            a, b, c = (
                dist(atoms[p][1:], atoms[q][1:]) for p, q in ((middle, one), (middle, other), (one, other))
            )
            angle = degrees(acos(max(-1.0, (a * a + b * b - c * c) / (2 * a * b))))
            assert angle == pytest.approx(known, abs=2)
    assert seen == set(KNOWN_ANGLES[formula].values())


def test_radii_grow_down_the_groups_and_shrink_with_the_charge() -> None:
    radii = BOOK.radii
    assert radii["Na+"] < radii["K+"]
    assert radii["Mg2+"] < radii["Ca2+"]
    assert radii["F-"] < radii["O2-"] < radii["Cl-"] < radii["S2-"]
    assert radii["Fe3+"] < radii["Fe2+"]
    assert radii["Al3+"] < radii["Mg2+"] < radii["Na+"]
    assert set(radii) == {ion for one in BOOK.compounds for ion in one.ions}


def test_atoms_do_not_hide_each_other() -> None:
    """In the drawing no two atoms lie on one spot."""
    for compound in BOOK.compounds:
        atoms = compound.atoms
        for n, (_, x, y, _) in enumerate(atoms):
            for _, u, v, _ in atoms[:n]:
                assert (x - u) ** 2 + (y - v) ** 2 > 0.5**2, compound.formula


def broken(change: dict[str, Any], formula: str = "H2O") -> bytes:
    book = json.loads(RAW)
    row = next(row for row in book["compounds"] if row["formula"] == formula)
    row.update(change)
    return json.dumps(book, indent=1).encode()


@pytest.mark.parametrize(
    ("change", "formula", "says"),
    [
        ({"elements": {"H": 2, "O": 2}}, "H2O", "does not have the elements"),
        ({"formula": "H2-O"}, "H2O", "is no formula"),
        ({"atoms": [["O", 0, 0, 0]], "bonds": []}, "H2O", "is drawn with"),
        ({"bonds": [[0, 7, 1]]}, "H2O", "bond to no atom"),
        ({"deck": "organic"}, "H2O", "in no deck"),
        ({"use": ""}, "H2O", "lacks words"),
        ({"smiles": ""}, "H2O", "either SMILES or ions"),
        ({"ions": ["Na+", "Cl2-"]}, "NaCl", "charges of NaCl do not cancel"),
        ({"ions": ["Na", "Cl-"]}, "NaCl", "is no ion"),
        (
            {"formula": "NaCl9", "elements": {"Na": 1, "Cl": 9}, "ions": ["Na+"] + ["Cl-"] * 9},
            "NaCl",
            "charges",
        ),
        ({"ions": ["Na2+", "Cl2-"]}, "NaCl", "an ion without a radius"),
        ({"formula": "P2H2O", "elements": {"P": 2, "H": 2, "O": 1}}, "H2O", "is drawn with"),
    ],
)
def test_a_broken_file_is_named_with_its_line(change: dict[str, Any], formula: str, says: str) -> None:
    with pytest.raises(BrokenData, match=rf"{deck.DATA}, line \d+: .*{says}"):
        deck.read(broken(change, formula))


def test_the_line_is_that_of_the_compound() -> None:
    source = broken({"use": ""}, "CO2")
    with pytest.raises(BrokenData) as caught:
        deck.read(source)
    line = int(re.search(r"line (\d+)", str(caught.value))[1])  # type: ignore[index]
    assert '"CO2"' in source.decode().splitlines()[line - 1]


def test_a_deck_with_a_card_too_many_is_refused() -> None:
    book = json.loads(RAW)
    book["decks"][0]["elements"]["H"] = 6
    with pytest.raises(BrokenData, match="25 element cards"):
        deck.read(json.dumps(book).encode())


def test_elements_of_the_decks_are_in_the_basic_deck() -> None:
    assert all(BY_SYMBOL[symbol].z in deck.BASIC for one in BOOK.decks for symbol in one.elements)


def test_the_engine_and_the_bot_do_without_rdkit() -> None:
    """In a fresh process, since the tests themselves import it."""
    games = ("canasta", "chemistry_battle", "compound_capture")
    code = "; ".join(
        [
            "import sys",
            "from bot import presenters",
            f"[presenters.get(key).cards('en') for key in {games}]",
            "assert 'engine.chemistry.deck' in sys.modules",
            "print([name for name in sys.modules if name.split('.')[0] == 'rdkit'])",
        ]
    )
    root = Path(__file__).parents[3]
    ran = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert (ran.stdout.strip(), ran.stderr) == ("[]", "")
