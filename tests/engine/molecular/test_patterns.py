"""Each pattern with molecules that have the group and near misses that do not, as its words say."""

from __future__ import annotations

from typing import Any

import pytest
from rdkit import Chem

from engine.molecular import groups, reference
from engine.molecular.board import Board, cell_of
from engine.molecular.cards import BOX, GROUP
from tests.engine.molecular.positions import g, of_smiles, shaped
from tests.support.games.molecular import kekule

PAIRS: dict[str, tuple[str, str]] = {
    # an oxygen on a carbon of a double bond makes an enol
    "alcohol": ("CO OCCO", "C=CO COC CC(=O)O"),
    "ether": ("COC C=COC C1CO1", "COC(C)=O CO COO"),
    # formic acid and formamide have the hydrogen, but oxygen and nitrogen on the carbon
    "aldehyde": ("CC=O C=O C=CC=O", "OC=O NC=O CC(C)=O"),
    "ketone": ("CC(C)=O C=CC(C)=O", "CC=O CC(=O)O C=C=O"),
    "acid": ("CC(=O)O OC=O OC(=O)O", "CC(=O)OC OCC=O"),
    "ester": ("CC(=O)OC COC(=O)OC", "CC(=O)OC(C)=O COC"),
    "amide": ("NC=O CN(C)C=O", "NCC=O C=NC=O"),
    "amine1": ("CN NCCO", "NC=O CNC C=CN"),
    "amine2": ("CNC C1CN1", "CNC=O CN(C)C C=CNC"),
    "amine3": ("CN(C)C", "CN(C)C=O CNC"),
    "nitrile": ("CC#N C=CC#N", "C#N C#C"),
    # a carbon with a second double bond; nitrogen or oxygen on the carbon; oxygen on the nitrogen
    "imine": ("C=N CC=NC", "C=C=N NC=N OC=N C=NO C=NN"),
    "alkene": ("C=C C=CO", "C=C=C C#C C=O"),
    "alkyne": ("C#C CC#C", "C=C C#N"),
    "methyl": ("CC C CO", "C=C C=O OCO"),
    "peroxide": ("COOC", "COO OO C1OO1 COOO"),
    "anhydride": ("CC(=O)OC(C)=O O=COC=O", "CC(=O)OC O=CNC=O"),
    # the ends must be two carbons, and the carbon between holds no double bond
    "acetal": ("COCOC", "COCO C1OCO1 COC(=O)OC"),
    "hemiacetal": ("COCO", "OCO COC(=O)O COCOC"),
    "enol": ("C=CO OC=CO", "C=C=CO CCO COC=C"),
    "diene": ("C=CC=C C1=CC=C1", "C=CCC=C C=CC=O C=C=C=C"),
    "enone": ("C=CC=O C=CC(=O)O", "C=CCC=O C=C=O"),
    "hydrazine": ("NN CNN", "N=N C=NN"),
    "azo": ("CN=NC", "CN=N CNNC C1N=N1"),
    "urea": ("NC(N)=O CNC(=O)NC", "NC=O C=NC(N)=O NC(=O)O"),
    "carbamate": ("NC(=O)OC", "NC(=O)O C=NC(=O)OC"),
    "imide": ("O=CNC=O CN(C=O)C=O", "O=CNC O=COC=O"),
    "diol": ("OCCO OCC(O)CO", "OCCCO OC=CO OCO"),
    "epoxide": ("C1CO1", "C1CCO1 C1=CO1 C1CN1"),
    "benzene": ("c1ccccc1 Oc1ccccc1", "C=CC=CC=C C1CCCCC1 C1=CCC=CC1"),
    # dehydroalanine, sarcosine, beta-alanine
    "aminoacid": ("NCC(=O)O CC(N)C(=O)O", "C=C(N)C(=O)O CNCC(=O)O NCCC(=O)O"),
    # itaconic acid is one: only the bonds of the chain count; then maleic, malonic and glutaric acid
    "diacid": ("OC(=O)CCC(=O)O C=C(CC(=O)O)C(=O)O", "OC(=O)C=CC(=O)O OC(=O)CC(=O)O OC(=O)CCCC(=O)O"),
}


def cases() -> list[Any]:
    return [
        pytest.param(name, smiles, has, id=f"{name}-{smiles}")
        for name, lists in PAIRS.items()
        for smiles_list, has in zip(lists, (True, False), strict=True)
        for smiles in smiles_list.split()
    ]


def test_every_group_has_pairs() -> None:
    assert set(PAIRS) == set(GROUP)


@pytest.mark.rule("molecular", 6, "3.4")
@pytest.mark.parametrize(("name", "smiles", "has"), cases())
def test_a_pattern_tells_examples_from_near_misses(name: str, smiles: str, has: bool) -> None:
    query = Chem.MolFromSmarts(BOX.groups[g(name)].smarts)
    assert kekule(smiles).HasSubstructMatch(query) is has
    assert bool(groups.count(of_smiles(smiles), g(name))) is has


def test_a_benzene_ring_may_lie_in_two_rows() -> None:
    """Six carbons without a hole: two rows of three cells, the edges between inner neighbours blank."""
    ring = [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)]
    links = [{(n + 1) % 6: 1 + n % 2, (n - 1) % 6: 2 - n % 2} for n in range(6)]
    board = Board.of(shaped("C" * 6, links, {n: cell_of(q, r) for n, (q, r) in enumerate(ring)}) or {})
    assert groups.count(board, g("benzene")) == 1
    assert groups.count_all(board) == reference.count_all(board)
