"""The card data: what the source says of it, and what is said of a broken file."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import data
from engine.atom_duel import cards
from engine.elements import BY_SYMBOL, ELEMENTS, element

RAW = (Path(data.folder()) / "cards" / cards.DATA).read_bytes()


def of(power: str) -> set[int]:
    return {card.z for card in cards.DECK.cards if power in card.powers}


@pytest.mark.rule("atom_duel", 30, "1.1", "2.1")
def test_what_the_source_says_of_the_cards() -> None:
    assert of("scientist") | of("laboratory") == set(range(96, 119))
    assert not of("scientist") & of("laboratory")
    assert len(of("stopper")) == 4
    assert {25, 46} <= of("alloy")
    noble = {card.z for card in cards.DECK.cards if card.category == "noble gas"}
    assert noble == {2, 10, 18, 36, 54, 86, 118} == set(cards.of_unique("noble_gas"))
    assert sum(card.unique is not None for card in cards.DECK.cards) == 25
    assert sum(card.category == "transition metal" for card in cards.DECK.cards) == 38
    plain = [c.symbol for c in cards.DECK.cards if not {*c.powers} - {"radioactive"} and not c.unique]
    assert len(plain) == 25
    assert {"Lu", "Po"} <= {*plain}


@pytest.mark.rule("atom_duel", "2.2")
def test_six_cards_announce_at_the_top_level_and_one_at_level_five() -> None:
    def announcing(level: int) -> list[str]:
        return [cards.BY_Z[z].symbol for z in cards.CARDS if cards.TABLES[level].choices[z]]

    assert announcing(7) == announcing(6) == ["Ti", "Cr", "Fe", "Ni", "Nd", "W"]
    assert announcing(5) == ["Cr"]
    assert not announcing(4)


@pytest.mark.rule("atom_duel", "3.6")
@pytest.mark.parametrize(
    ("level", "bits"),
    [
        (1, 0),
        (2, cards.SCIENTIST | cards.LABORATORY | cards.ANTI_SCIENTIST | cards.ANTI_LABORATORY),
        (4, cards.RADIOACTIVE | cards.STOPPER),
        (5, cards.ALLOY | cards.JOIN),
        (6, cards.MAGNET | cards.CARBIDE),
        (7, cards.CARBON | cards.PRASEODYMIUM | cards.NITROGEN | cards.OXYGEN | cards.POTASSIUM),
    ],
)
def test_a_level_brings_in_its_powers_and_keeps_the_earlier_ones(level: int, bits: int) -> None:
    def all_bits(upto: int) -> int:
        table = cards.TABLES[upto]
        union = 0
        for z in cards.CARDS:
            for value in (table.bits[z], *table.announced[z].values()):
                union |= value
        return union & ~(cards.NOBLE | cards.IMMUNE | cards.METAL)

    assert all_bits(level) & bits == bits
    if level > 1:
        assert all_bits(level - 1) & bits == 0


def line(needle: str) -> int:
    return RAW[: RAW.index(needle.encode())].count(b"\n") + 1


IRON = '{"z": 26, "symbol": "Fe", "powers": ["alloy", "magnet"]'
BROKEN = [
    ("an unknown power", IRON, IRON.replace("magnet", "magnetic"), "'magnetic'"),
    ("a power too many", IRON, IRON.replace('"magnet"', '"magnet", "laser"'), "could announce 3"),
    ("a power twice", IRON, IRON.replace('"magnet"', '"alloy"'), "twice"),
    ("a wrong symbol", IRON, IRON.replace("Fe", "Ir"), "element 26 is Fe"),
    ("a wrong number", IRON, IRON.replace("26", "62"), "card 62 where 26 belongs"),
    (
        "a wrong count",
        '"key": "carbide", "level": 6, "cards": 5',
        '"key": "carbide", "level": 6, "cards": 6',
        "5 cards",
    ),
    ("an unknown rule", '{"key": "stopper"', '{"key": "stop"', "no rule knows the power 'stop'"),
    ("a wrong level", '"key": "laser", "level": 3', '"key": "laser", "level": 9', "level 9"),
    (
        "a wrong ring",
        '"symbol": "Tc", "powers": ["radioactive"], "ring": "pink"',
        '"symbol": "Tc", "powers": ["radioactive"], "ring": null',
        "ring None",
    ),
    ("an unknown unique power", '"unique": "plus_5"', '"unique": "plus_6"', "'plus_6'"),
]


@pytest.mark.parametrize(("name", "old", "new", "says"), BROKEN, ids=[b[0] for b in BROKEN])
def test_a_broken_file_is_named_with_its_line(name: str, old: str, new: str, says: str) -> None:
    broken = RAW.replace(old.encode(), new.encode(), 1)
    with pytest.raises(data.BrokenData) as caught:
        cards.read(broken)
    message = str(caught.value)
    assert message.startswith(f"atom_duel.json, line {line(old)}: ")
    assert says in message


@pytest.mark.parametrize(
    ("new", "says"),
    [
        (IRON.replace("26", '"26"'), "Expected `int`, got `str` - at `$.cards[25].z`"),
        (IRON.replace('"z"', '"age": 3, "z"'), "unknown field `age` - at `$.cards[25]`"),
    ],
)
def test_a_value_of_the_wrong_type_is_named_with_its_path(new: str, says: str) -> None:
    with pytest.raises(data.BrokenData) as caught:
        cards.read(RAW.replace(IRON.encode(), new.encode(), 1))
    assert str(caught.value).startswith("atom_duel.json: ")
    assert says in str(caught.value)


def test_missing_cards_and_texts_are_named() -> None:
    lines = RAW.split(b"\n")
    og = next(i for i, text in enumerate(lines) if b'"symbol": "Og"' in text)
    short = b"\n".join(lines[:og] + lines[og + 1 :]).replace(b"},\n  ]", b"}\n  ]")
    with pytest.raises(data.BrokenData, match=r"line \d+: "):
        cards.read(short)
    text = cards.DECK.uniques[0].text.encode()
    with pytest.raises(data.BrokenData, match=rf"line {line(text.decode())}: 'pass_left' has no text"):
        cards.read(RAW.replace(text, b"", 1))
    why = b', "magnet": "iron"'
    with pytest.raises(data.BrokenData, match=rf"line {line(IRON)}: Fe has no ground for 'magnet'"):
        cards.read(RAW.replace(why, b"", 1))


def test_the_elements() -> None:
    assert [e.z for e in ELEMENTS] == list(range(1, 119))
    assert all(sum(e.shells) == e.z for e in ELEMENTS)
    assert len(BY_SYMBOL) == len({e.name for e in ELEMENTS}) == 118
    # the outer shells that break the simple rule
    assert BY_SYMBOL["Cu"].shells == (2, 8, 18, 1)
    assert BY_SYMBOL["Pd"].shells == (2, 8, 18, 18)
    assert BY_SYMBOL["Au"].shells == (2, 8, 18, 32, 18, 1)
    assert BY_SYMBOL["U"].shells == (2, 8, 18, 32, 21, 9, 2)
    assert BY_SYMBOL["Lr"].shells == (2, 8, 18, 32, 32, 8, 3)
    # an element weighs more than its protons; only protium has no neutron
    assert all(e.weight > e.z for e in ELEMENTS)
    assert element(80).symbol == "Hg"
    for wrong in (0, 119):
        with pytest.raises(ValueError, match=str(wrong)):
            element(wrong)
