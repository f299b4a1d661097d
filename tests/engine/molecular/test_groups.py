"""Functional groups: known molecules, and the plain matcher held equal to RDKit."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations

import pytest
from rdkit import Chem

from engine.molecular import groups, reference
from engine.molecular.board import MIDDLE, OFFSETS, Board, cell_of
from engine.molecular.cards import BOX, GROUP, MASS, SHAPE_EDGES, SHAPE_OF
from tests.engine.molecular.positions import embedded, g, of_group, of_smiles, random_board, tile

KNOWN = {
    "CC(=O)O": {"acid": 1, "methyl": 1},
    "CCO": {"alcohol": 1, "methyl": 1},
    "OCC(O)CO": {"alcohol": 3, "diol": 1},
    "CN1C=NC2=C1C(=O)N(C(=O)N2C)C": {"amide": 2, "alkene": 1, "methyl": 3, "enone": 1, "urea": 1, "imide": 1},
    "OC(=O)CC(O)(CC(=O)O)C(=O)O": {"alcohol": 1, "acid": 3, "diacid": 1},
    "NCC(=O)O": {"acid": 1, "amine1": 1, "aminoacid": 1},
    "c1ccccc1": {"alkene": 3, "diene": 1, "benzene": 1},
    "C1CO1": {"ether": 1, "epoxide": 1},
    "COC": {"ether": 1, "methyl": 2},
    "CC(=O)C": {"ketone": 1, "methyl": 2},
    "CC#N": {"nitrile": 1, "methyl": 1},
    "CC=O": {"aldehyde": 1, "methyl": 1},
    "C=O": {"aldehyde": 1},
    "COC(=O)C": {"ester": 1, "methyl": 2},
    "NC(=O)N": {"amide": 1, "urea": 1},
    "C=CC=C": {"alkene": 2, "diene": 1},
    "C=CC=O": {"aldehyde": 1, "alkene": 1, "enone": 1},
    "CN": {"amine1": 1, "methyl": 1},
    "CNC": {"amine2": 1, "methyl": 2},
    "CN(C)C": {"amine3": 1, "methyl": 3},
    "CN=NC": {"azo": 1, "methyl": 2},
    "NN": {"hydrazine": 1},
    "COOC": {"peroxide": 1, "methyl": 2},
    "CC(=O)OC(=O)C": {"anhydride": 1, "methyl": 2},
    "COCOC": {"ether": 1, "acetal": 1, "methyl": 2},
    "COCO": {"alcohol": 1, "ether": 1, "hemiacetal": 1, "methyl": 1},
    "C=CO": {"alkene": 1, "enol": 1},
    "NC(=O)OC": {"ester": 1, "amide": 1, "carbamate": 1, "methyl": 1},
    "O=CNC=O": {"amide": 1, "imide": 1},
    "C#C": {"alkyne": 1},
    "C=N": {"imine": 1},
    "OC(=O)CCC(=O)O": {"acid": 2, "diacid": 1},
    # itaconic acid: a double bond beside the chain does no harm
    "C=C(CC(=O)O)C(=O)O": {"acid": 2, "alkene": 1, "enone": 1, "diacid": 1},
    # near misses: dehydroalanine, maleic acid, hexatriene, cyclohexadiene, allene, ketenimine
    "C=C(N)C(=O)O": {"acid": 1, "alkene": 1, "enone": 1},
    "OC(=O)C=CC(=O)O": {"acid": 2, "alkene": 1, "enone": 1},
    "C=CC=CC=C": {"alkene": 3, "diene": 1},
    "C1=CCC=CC1": {"alkene": 2},
    "C=C=C": {},
    "C=C=N": {},
}


def found(counts: Iterable[int]) -> dict[str, int]:
    return {group.id: count for group, count in zip(BOX.groups, counts, strict=True) if count}


@pytest.mark.rule("molecular", "3.3", "3.4")
@pytest.mark.parametrize("smiles", KNOWN)
def test_known_molecules(smiles: str) -> None:
    board = of_smiles(smiles)
    assert found(groups.count_all(board)) == KNOWN[smiles]
    assert groups.count_all(board) == reference.count_all(board)


def test_every_group_is_in_a_known_molecule() -> None:
    assert {name for counts in KNOWN.values() for name in counts} == set(GROUP)


@pytest.mark.long
@pytest.mark.repeats
@pytest.mark.rule("molecular", 6)
@pytest.mark.parametrize("start", range(0, 3000, 500))
def test_the_plain_matcher_equals_rdkit_on_thousands_of_random_boards(start: int) -> None:
    """Matches, not only counts: a wrong match that packing hides would show in another molecule.

    Chance rarely makes the larger groups, so every second board grows from the atoms of one.
    """
    met = [0] * len(BOX.groups)
    for seed in range(start, start + 500):
        rng = random.Random(seed)
        begun = of_group(seed // 2 % len(BOX.groups)) if seed % 2 else None
        board = random_board(rng.choice((8, 20, 30, 45)), rng, begun)
        theirs = reference.matches(board)
        cells = groups.by_family(board)
        for group in range(len(BOX.groups)):
            assert groups.matches(board, group, cells) == theirs[group], (seed, BOX.groups[group].id)
            assert groups.matches(board, group) == theirs[group]
            met[group] += bool(theirs[group])
    # at least 24 boards with each group in all six parts
    assert min(met) >= 4, [group.id for group, n in zip(BOX.groups, met, strict=True) if n < 4]


def test_the_plain_matcher_equals_rdkit_on_large_boards() -> None:
    for seed in range(40):
        board = random_board(130, random.Random(f"large/{seed}"))
        assert groups.count_all(board) == reference.count_all(board)


def brute(sets: list[frozenset[int]]) -> int:
    for size in range(len(sets), 0, -1):
        for some in combinations(sets, size):
            if len(frozenset().union(*some)) == sum(map(len, some)):
                return size
    return 0


@pytest.mark.rule("molecular", 6)
def test_the_largest_disjoint_choice_is_exact() -> None:
    rng = random.Random(3)
    for _ in range(400):
        sets = [frozenset(rng.sample(range(9), rng.choice((2, 3, 4)))) for _ in range(rng.randrange(1, 10))]
        sets = list(dict.fromkeys(sets))
        chosen = groups.disjoint(sets)
        assert len(frozenset().union(*chosen)) == sum(map(len, chosen))
        assert set(chosen) <= set(sets)
        assert len(chosen) == brute(sets)


def test_large_tangles_are_solved_quickly() -> None:
    """A chain of seventy overlapping pairs, and a grid of triples: no search explodes."""
    assert groups.most_disjoint(frozenset((n, n + 1)) for n in range(70)) == 35
    grid = [frozenset((x + 8 * y, x + 1 + 8 * y, x + 8 * y + 8)) for x in range(7) for y in range(7)]
    assert groups.most_disjoint(grid) == 17


# the examples of the page


@pytest.mark.rule("molecular", "3.3")
def test_an_open_oxygen_is_nothing_then_alcohol_or_ether() -> None:
    bare = embedded("CO", [(0, 1, 1)])
    assert found(groups.count_all(bare)) == {} == found(reference.count_all(bare))
    with_hydrogen = embedded("COH", [(0, 1, 1), (1, 2, 1)])
    assert found(groups.count_all(with_hydrogen)) == {"alcohol": 1}
    with_carbon = embedded("COC", [(0, 1, 1), (1, 2, 1)])
    assert found(groups.count_all(with_carbon)) == {"ether": 1}


@pytest.mark.rule("molecular", "3.1", "3.5")
def test_two_ethers_that_share_a_carbon_count_once() -> None:
    chain = embedded("COCOC", [(n, n + 1, 1) for n in range(4)])
    assert len(groups.matches(chain, g("ether"))) == 2
    assert groups.count(chain, g("ether")) == 1


@pytest.mark.rule("molecular", "3.1", "3.5")
def test_two_ethers_far_apart_count_twice() -> None:
    chain = embedded("COCCOC", [(n, n + 1, 1) for n in range(5)])
    assert groups.count(chain, g("ether")) == 2


@pytest.mark.rule("molecular", "3.5")
def test_glycerol_has_one_diol_and_three_alcohols() -> None:
    glycerol = of_smiles("OCC(O)CO")
    assert len(groups.matches(glycerol, g("diol"))) == 2
    assert groups.count(glycerol, g("diol")) == 1
    assert groups.count(glycerol, g("alcohol")) == 3


@pytest.mark.rule("molecular", "3.3", "3.5")
def test_six_tiles_round_an_empty_cell_are_benzene() -> None:
    ring = {}
    for place, offset in enumerate(OFFSETS):
        # neighbours on the ring lie at edges place+2 and place+4; bonds alternate
        wanted = [0] * 6
        wanted[(place + 2) % 6] = 2 if place % 2 else 1
        wanted[(place + 4) % 6] = 1 if place % 2 else 2
        wanted[place] = 1
        shape = next(s for s, edges in enumerate(SHAPE_EDGES) if edges == tuple(wanted) and sum(edges) == 4)
        ring[MIDDLE + offset] = shape
    board = Board.of(ring)
    assert groups.count(board, g("benzene")) == 1
    assert groups.count(board, g("alkene")) == 3
    assert groups.count(board, g("diene")) == 1
    assert reference.count_all(board) == groups.count_all(board)


@pytest.mark.rule("molecular", "3.3")
def test_a_dangling_double_bond_is_no_carbonyl() -> None:
    board = Board.begun()
    turn = next(t for t in range(6) if SHAPE_EDGES[SHAPE_OF[tile("C112-1")][t]][3] == 1)
    board.lay(cell_of(1, -1), SHAPE_OF[tile("C112-1")][turn])
    assert found(groups.count_all(board)) == {}


def test_formula_and_open_ends() -> None:
    vinegar = of_smiles("CC(=O)O")
    assert groups.formula(vinegar) == {"C": 2, "H": 4, "O": 2}
    assert groups.open_ends(vinegar) == 0
    assert groups.open_ends(Board.begun()) == 4
    assert groups.mass(vinegar) == pytest.approx(60.05, abs=0.01)


def test_atoms_weigh_what_rdkit_says() -> None:
    table = Chem.GetPeriodicTable()
    assert set(MASS) == set("HONC")
    for element, mass in MASS.items():
        assert mass == pytest.approx(table.GetAtomicWeight(element), abs=0.001)
