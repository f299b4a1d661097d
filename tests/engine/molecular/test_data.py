"""The card data: what the rules page says of it, and what is said of a broken file."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import data
from engine.molecular import cards, smarts

RAW = (Path(data.folder()) / "cards" / cards.DATA).read_bytes()


@pytest.mark.rule("molecular", 1, "2.2")
def test_the_supply_is_that_of_the_page() -> None:
    assert (cards.KINDS, len(cards.SUPPLY)) == (36, 137)
    by_element = {e: sum(t.count for t in cards.BOX.tiles if t.element == e) for e in "HONC"}
    assert by_element == {"H": 30, "O": 25, "N": 20, "C": 62}
    kinds = {e: sum(t.element == e for t in cards.BOX.tiles) for e in "HONC"}
    assert kinds == {"H": 1, "O": 4, "N": 10, "C": 21}


@pytest.mark.rule("molecular", 2, 3, "3.4")
def test_the_cards_are_those_of_the_page() -> None:
    assert (cards.GROUPS, len(cards.DECK)) == (32, 71)
    assert (cards.EFFECTORS, len(cards.EFFECTOR_DECK)) == (28, 37)
    assert cards.BASE[cards.GROUP["ether"]] == 3
    assert cards.BASE[cards.GROUP["diacid"]] == 10
    for group in cards.BOX.groups:
        assert group.copies == (4 if group.base <= 3 else 2 if group.base == 4 else 1)


@pytest.mark.rule("molecular", "2.2")
def test_the_start_tile_has_four_single_bonds() -> None:
    assert cards.SHAPE_EDGES[cards.START] == (1, 1, 0, 1, 1, 0)
    assert cards.ELEMENT[cards.SHAPE_KIND[cards.START]] == "C"


def test_rotations_that_look_alike_are_one_shape() -> None:
    both = cards.TILE["C22-1"]  # two double bonds straight through: half a turn changes nothing
    shapes = cards.SHAPE_OF[both]
    assert shapes[0] == shapes[3]
    assert len(set(shapes)) == 3
    three = cards.TILE["N111-1"]
    assert len(set(cards.SHAPE_OF[three])) == 2
    assert len(cards.SHAPES) == len({(cards.SHAPE_KIND[s], e) for s, e in enumerate(cards.SHAPE_EDGES)})


def line_of(needle: bytes) -> int:
    return RAW[: RAW.index(needle)].count(b"\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        (b'"C13-2", "element": "C"', b'"C13-2", "element": "N"', b'"C13-2"', "bonds"),
        (b'"O2-1", "element"', b'"O11-1", "element"', b'"O2-1"', "twice"),
        (b'[3], "edges": [0, 0, 0, 0, 0, 3]', b'[3], "edges": [0, 0, 0, 0, 3]', b'"N3-1"', "six"),
        (b'"orders": [2], "edges"', b'"orders": [1], "edges"', b'"O2-1"', "orders"),
        (b"[0, 0, 0, 1, 0, 1], \"count\": 5", b"[0, 0, 0, 0, 1, 1], \"count\": 5", b'"O11-3"', "turned"),
        (b'"smarts": "[#6X2]#[#6X2]"', b'"smarts": "[#6X2]#[#6X2"', b'"alkyne"', "cannot be read"),
        (b'"smarts": "[#6X2]#[#6X2]"', b'"smarts": "[#9]#[#6X2]"', b'"alkyne"', "element"),
        (b'"id": "enol"', b'"id": "enolate"', b'"alcohol"', "reagent speaks"),
        (b'"id": "grant"', b'"id": "gift"', b'"grant"', "no rule knows"),
        (b'"id": "strict", "name": "Strict referee", "symbols": ["active"]',
         b'"id": "strict", "name": "Strict referee", "symbols": ["instant"]', b'"strict"', "must be active"),
    ],
)  # fmt: skip
def test_a_broken_file_is_named_with_its_line(old: bytes, new: bytes, at: bytes, says: str) -> None:
    assert old in RAW
    with pytest.raises(data.BrokenData, match=says) as error:
        cards.read(RAW.replace(old, new, 1))
    assert f"line {line_of(at)}:" in str(error.value)


def test_a_missing_effector_is_named() -> None:
    line = next(line for line in RAW.splitlines(keepends=True) if b'"alarm"' in line)
    with pytest.raises(data.BrokenData, match="'alarm' is missing"):
        cards.read(RAW.replace(line, b""))


@pytest.mark.parametrize(
    "pattern", ["", "[#6", "[#6]=", "[#6](-[#8]", "[#6]1-[#8]", "[#6][#8]", "C-O", "[#6;R1]"]
)
def test_patterns_beyond_the_reader_are_refused(pattern: str) -> None:
    with pytest.raises(smarts.BadPattern):
        smarts.parse(pattern)


def test_a_pattern_is_read_with_branches_rings_and_conditions() -> None:
    ring = smarts.parse("[#6X4]1-[#8X2]-[#6X4]-1")
    assert ring.bonds == ((1, 0, 1), (1, 1, 2), (1, 0, 2))
    ketone = smarts.parse("[#6]-[#6X3](=[#8X1])-[#6]")
    assert ketone.bonds == ((1, 0, 1), (2, 1, 2), (1, 1, 3))
    imine = smarts.parse("[#6X3;!$([#6]-[#7,#8])]=[#7X2]-[#6,#1]")
    assert imine.atoms[0].never == {(1, "N"), (1, "O")}
    assert imine.atoms[2].elements == {"C", "H"}
