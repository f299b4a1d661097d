"""The compound decks: the checked data file, and lookup tables for the rules.

Source: docs/rules/chemistry.md, section 2. An element card is its atomic number, 1 to 54. Every wild card is
WILD, because the law on it has no effect. A compound is its index in the data file, from 0.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import msgspec

from engine import data
from engine.elements import BY_SYMBOL

DATA = "compounds.json"
WILD = 0
BASIC = tuple(range(1, 55))
"""The basic deck: one card of each element from hydrogen to xenon."""
KINDS = len(BASIC) + 1
"""Number of kinds of cards in the draw pile, the wild included."""
COMPOUNDS, ELEMENT_CARDS, LAWS = 24, 24, 6
"""Numbers of cards that make up a deck of 54."""

Point = tuple[str, float, float, float]
"""An atom in a drawing: symbol, x, y (upwards), and closeness to the reader."""

_PART = re.compile(r"([A-Z][a-z]?)(\d*)")
_ION = re.compile(r"([A-Z][a-z]?)(\d?)([+-])")


class Compound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One compound card.

    `elements` counts the atoms in the order of the formula. A molecule has `smiles`, and its drawing in
    `atoms` and `bonds` (two indices into `atoms`, and the order). A salt has `ions` such as Mg2+ instead.
    `equation` is one balanced reaction that forms it.
    """

    formula: str
    name: str
    deck: str
    aliases: tuple[str, ...]
    elements: dict[str, int]
    smiles: str
    ions: tuple[str, ...]
    use: str
    fact: str
    equation: str
    atoms: tuple[Point, ...]
    bonds: tuple[tuple[int, int, int], ...]

    @property
    def size(self) -> int:
        """The number of cards a capture takes."""
        return sum(self.elements.values())


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One deck of 54: its element cards by symbol, and the laws on its wild cards."""

    key: str
    elements: dict[str, int]
    laws: tuple[str, ...]


class Law(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The law on a wild card: its name, discoverer and year, and its statement in one sentence."""

    key: str
    name: str
    by: str
    text: str
    aliases: tuple[str, ...]


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole data file. `radii` are ionic radii in picometres for six neighbours (Shannon)."""

    decks: tuple[Deck, ...]
    radii: dict[str, int]
    compounds: tuple[Compound, ...]
    laws: tuple[Law, ...]


def atoms_of(formula: str) -> dict[str, int]:
    """Return the atoms of a formula without brackets, such as CH3OH.

    Raises:
        ValueError: the formula cannot be read.
    """
    found: Counter[str] = Counter()
    if "".join(part[0] for part in _PART.finditer(formula)) != formula or not formula:
        raise ValueError(f"{formula!r} is no formula")
    for symbol, count in _PART.findall(formula):
        found[symbol] += int(count or 1)
    return dict(found)


def ion_of(ion: str) -> tuple[str, int]:
    """Return symbol and charge of an ion such as Mg2+.

    Raises:
        ValueError: the ion cannot be read.
    """
    match = _ION.fullmatch(ion)
    if match is None:
        raise ValueError(f"{ion!r} is no ion")
    return match[1], int(f"{match[3]}{match[2] or 1}")


def read(source: bytes | None = None) -> Book:
    """Read and check the decks. Tests pass `source` instead of the file.

    Raises:
        BrokenData: names the file, the line and the problem.
    """
    book = data.load(DATA, Book, source)
    raw = (data.folder() / "cards" / DATA).read_bytes() if source is None else source
    for nth, compound in enumerate(book.compounds):
        if problem := _problem(compound, book):
            raise data.BrokenData(f"{DATA}, line {data.line_of(raw, 'formula', nth)}: {problem}")
    laws = [law.key for law in book.laws]
    for nth, deck in enumerate(book.decks):
        have = sum(compound.deck == deck.key for compound in book.compounds)
        problem = ""
        if (have, sum(deck.elements.values())) != (COMPOUNDS, ELEMENT_CARDS):
            problem = f"{deck.key!r} has {have} compounds and {sum(deck.elements.values())} element cards"
        elif len(deck.laws) != LAWS or not set(deck.laws) <= set(laws):
            problem = f"{deck.key!r} needs {LAWS} laws of the list"
        if problem:
            raise data.BrokenData(f"{DATA}, line {data.line_of(raw, 'laws', nth)}: {problem}")
    for law in book.laws:
        if not (law.name and law.by and law.text):
            raise data.BrokenData(f"{DATA}: the law {law.key!r} lacks words")
    return book


def _problem(compound: Compound, book: Book) -> str:
    """Return what is wrong with a compound, or an empty string."""
    formula = compound.formula
    deck = next((deck for deck in book.decks if deck.key == compound.deck), None)
    try:
        if atoms_of(formula) != compound.elements:
            return f"{formula} does not have the elements {compound.elements}"
        ions = [ion_of(ion) for ion in compound.ions]
    except ValueError as error:
        return str(error)
    drawn = Counter(symbol for symbol, *_ in compound.atoms or ions)
    if drawn != Counter(compound.elements):
        return f"{formula} is drawn with {dict(drawn)}"
    if sum(charge for _, charge in ions):
        return f"the charges of {formula} do not cancel"
    if any(book.radii.get(ion, 0) <= 0 for ion in compound.ions):
        return f"{formula} has an ion without a radius"
    if bool(compound.smiles) == bool(compound.ions):
        return f"{formula} needs either SMILES or ions"
    if any(max(first, second) >= len(compound.atoms) for first, second, _ in compound.bonds):
        return f"{formula} has a bond to no atom"
    if deck is None:
        return f"{formula} is in no deck"
    if any(deck.elements.get(symbol, 0) < count for symbol, count in compound.elements.items()):
        return f"the deck cannot make {formula}"
    if not (compound.name and compound.use and compound.fact and compound.equation):
        return f"{formula} lacks words"
    if sum(one.formula == formula for one in book.compounds) > 1:
        return f"{formula} stands there twice"
    return ""


BOOK = read()
"""The decks of the data file."""

BY_FORMULA = {compound.formula: number for number, compound in enumerate(BOOK.compounds)}

NEEDS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple(sorted((BY_SYMBOL[symbol].z, count) for symbol, count in compound.elements.items()))
    for compound in BOOK.compounds
)
"""Atoms of each compound as (atomic number, count), ascending."""

SIZES = tuple(compound.size for compound in BOOK.compounds)
"""Number of cards a capture takes, by compound."""

CHOICES = ("both", *(deck.key for deck in BOOK.decks))
"""The values of the option that selects the decks."""


def decks(choice: str) -> tuple[Deck, ...]:
    """Return the decks selected by a value of that option."""
    return tuple(deck for deck in BOOK.decks if choice in ("both", deck.key))


@cache
def compounds(choice: str) -> tuple[int, ...]:
    """The compounds of those decks."""
    keys = {deck.key for deck in decks(choice)}
    return tuple(number for number, compound in enumerate(BOOK.compounds) if compound.deck in keys)


@cache
def draw_cards(choice: str, *, basic: bool) -> tuple[int, ...]:
    """The cards of the draw pile, ascending: elements and wilds, and the basic deck if asked for."""
    cards = list(BASIC) if basic else []
    for deck in decks(choice):
        cards += [WILD] * len(deck.laws)
        for symbol, count in deck.elements.items():
            cards += [BY_SYMBOL[symbol].z] * count
    return tuple(sorted(cards))
