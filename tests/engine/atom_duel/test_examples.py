"""The worked examples of docs/rules/atom_duel.md, section 7; most are the source's own."""

from __future__ import annotations

import pytest

from tests.engine.atom_duel.positions import won

EXAMPLES = [
    ("1 high card", 1, "Nd Pd Mn", "A", 60),
    ("2 fewest cards", 5, "Lu Mn Pd", "A", 71),
    ("3 no power wins", 7, "Po N", "A", 7),
    ("4 both use a power: the name", 7, "Au+5 N", "A", 7),
    ("5 an Anti adopts the number", 2, "Cn As Pb", "B", 112),
    ("6 two Antis: the higher", 2, "Cn As Te", "C", 112),
    ("7 a higher card beats the Anti", 2, "Cn As Lv", "C", 116),
    ("8 an Anti with nothing to beat", 2, "As Lv Pb", "B", 116),
    ("9 no cut on a trumping Anti", 6, "Cn As Ta", "B", 112),
    ("10 a Stopper adopts", 4, "Pu Pb Bi", "B", 94),
    ("11 a Stopper keeps its own", 4, "Pb Tc Hf", "A", 82),
    ("12 Magnet and Stopper", 6, "Pu Pb Fe/magnet", "C", 108),
    ("13 two Magnets cancel", 6, "Co Gd Ac", "C", 89),
    ("14 three Magnets: the last", 6, "Co Gd Ac Sm", "D", 126),
    ("15 no Magnet on a noble gas", 6, "Og Rn Co", "A", 118),
    ("16 no Magnet on Silver", 6, "Ag Ac Co", "B", 89),
    ("17 a cut alloy", 6, "Pd Pt Ta Ac", "D", 89),
    ("18 a Carbide Bit cuts itself", 6, "Ta Nd/laser Ce", "B", 60),
    ("19 two Carbide Bits", 6, "Ac Fr Nb V Bi", "E", 83),
    ("20 Gold is immune", 7, "Au Nb Nd/laser", "A", 79),
]


@pytest.mark.rule("atom_duel", "7.1", "4.12")
@pytest.mark.parametrize(("name", "level", "hand", "winner", "value"), EXAMPLES, ids=[e[0] for e in EXAMPLES])
def test_example(name: str, level: int, hand: str, winner: str, value: int) -> None:
    seats = 2 if len(hand.split()) == 2 else 0
    assert won(hand, level, seats) == (winner, value)
