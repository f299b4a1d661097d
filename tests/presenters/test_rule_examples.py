"""What the examples of the rules claim is what the rules do."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bot import presenters
from bot.presenters.chemistry.rules import CANASTA, CAPTURE
from bot.presenters.molecular.rules import PAGES
from engine.atom.plays import Rung, beats, rung, shape
from engine.chemistry.deck import BOOK
from engine.molecular.cards import BOX, GROUP, TILE
from engine.playing_cards import RANK_OF, SEVEN, parse
from tests.engine.atom_duel.positions import won


@pytest.mark.parametrize(
    ("hand", "level", "seats", "winner", "value"),
    [
        ("Np Pd Ca", 1, 3, "A", 93),
        ("Au B Pb", 1, 3, "C", 82),
        ("As Es", 2, 2, "A", 99),
        ("As Es Db", 2, 3, "C", 105),
        ("B U Au", 4, 3, "A", 92),
        ("Mn Lu Pd", 5, 3, "B", 71),
        ("Co Bh Ta", 6, 3, "A", 100),
        ("N Au", 7, 2, "A", 7),
        ("Fe/magnet Pt", 7, 2, "A", 26),
    ],
)
def test_the_hands_of_atom_duel(hand: str, level: int, seats: int, winner: str, value: float) -> None:
    assert won(hand, level, seats) == (winner, value)
    examples = " ".join(page.example for page in presenters.get("atom_duel").rules("en"))
    assert f" {value}" in examples


@pytest.mark.parametrize("spec", [spec for spec in (CAPTURE | CANASTA).values() if "→" in spec])
def test_atoms_make_their_compound(spec: str) -> None:
    given, made = spec.rstrip("*").split(" → ")
    atoms = Counter(given.split(" + "))
    wild = atoms.pop("wild", 0)
    needed = Counter(next(one.elements for one in BOOK.compounds if one.formula == made))
    assert (needed - atoms).total() == wild
    assert not atoms - needed


def test_sets_of_atom_beat_each_other_as_shown() -> None:
    def stand(cards: str, blade: int) -> Rung:
        played = shape(tuple(parse(card) for card in cards.split(",")), 3)
        assert played is not None
        return rung(played, blade)

    atom = stand("3d,3d,3d", SEVEN)
    assert beats(atom, stand("7s", SEVEN))
    assert beats(atom, stand("4d,4c,4s,4h", SEVEN))
    assert not beats(stand("4d,4c,4s,4h", SEVEN), stand("7s", SEVEN))
    assert beats(stand("Qh,Qs", SEVEN), stand("9s,9d", SEVEN))
    assert not beats(stand("Ts,Th,Tc", SEVEN), stand("9s,9d", SEVEN))
    assert RANK_OF[parse("7s")] == SEVEN


def test_groups_and_tiles_of_molecular_are_worth_what_is_said() -> None:
    page = {each.title: each for each in presenters.get("molecular").rules("en")}["Functional groups"]
    assert page.scene is not None
    for name in PAGES["groups"].split():
        assert f": {BOX.groups[GROUP[name]].base})" in page.scene.alt
    bonds = [sum(BOX.tiles[TILE[name]].edges) for name in PAGES["begin"].split()]
    first = presenters.get("molecular").rules("en")[0].scene
    assert first is not None
    assert [int(found) for found in re.findall(r"\(\w: (\d)\)", first.alt)] == bonds
