"""What can be looked up: elements, compounds, and the laws on the wild cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from bot.presenters.base import Card, Page
from bot.presenters.chemistry.words import Voice, equation, formula, ions_text
from bot.presenters.elements.painters import Face
from bot.render.parts import alt_text
from bot.render.scene import Look, Rect, Scene, Sprite
from engine.chemistry.deck import BASIC, BOOK, Compound, Law
from engine.elements import BY_SYMBOL, ELEMENTS

Elements: TypeAlias = tuple[int, ...]
"""Atomic numbers of the element cards of a game."""

EVERY: Elements = BASIC
IN_COMPOUNDS: Elements = tuple(
    sorted({BY_SYMBOL[symbol].z for deck in BOOK.decks for symbol in deck.elements})
)
MOST_LISTED = 24
_CARD = Rect(32, 32, 800, 1120)
_LAW = "law-"
_SHEET_CARD, _ACROSS = (192, 264), 6


def cards(locale: str, elements: Elements, *, compounds: bool) -> tuple[Card, ...]:
    """All cards: compounds first, then elements, then laws."""
    voice = Voice(Look(locale=locale))
    found = [_compound_card(one, number, voice) for number, one in enumerate(BOOK.compounds) if compounds]
    found += [_element_card(z, voice) for z in elements]
    found += [_law_card(law, voice) for law in BOOK.laws if compounds]
    return tuple(found)


def _compound_card(one: Compound, number: int, voice: Voice) -> Card:
    aliases = (one.formula, formula(one.formula), *one.aliases, *voice.list(f"alias.{one.formula}"))
    tags = (voice("tag.compound"), voice(f"tag.{one.deck}"))
    return Card(one.formula, _compound_title(number, voice), tuple(dict.fromkeys(aliases)), tags)


def _compound_title(number: int, voice: Voice) -> str:
    one = BOOK.compounds[number]
    return voice("page.compound_title", compound=voice.compound_name(one), formula=formula(one.formula))


def _element_card(z: int, voice: Voice) -> Card:
    symbol = ELEMENTS[z - 1].symbol
    aliases = (symbol, str(z), *voice.list(f"alias.{symbol}"))
    return Card(f"z{z}", _element_title(z, voice), aliases, (voice("tag.element"), voice.category(z)))


def _element_title(z: int, voice: Voice) -> str:
    return voice("page.element_title", element=voice.element(z), symbol=ELEMENTS[z - 1].symbol, z=z)


def _law_card(law: Law, voice: Voice) -> Card:
    return Card(law_key(law), voice.law_name(law), law.aliases, (voice("tag.wild"),))


def law_key(law: Law) -> str:
    """The key of a law."""
    return _LAW + law.key.replace("_", "-")


def keys(compounds: Iterable[int], elements: Iterable[int]) -> tuple[str, ...]:
    """The keys of compounds, named by their places in the deck, and of elements."""
    return (*(BOOK.compounds[number].formula for number in compounds), *(f"z{z}" for z in elements))


def overview(look: Look, tag: str = "") -> Page | None:
    """All compounds, or those of a tag; None for a tag that no compound has."""
    voice = Voice(look)
    found = enumerate(_compound_card(one, n, voice) for n, one in enumerate(BOOK.compounds))
    shown = [n for n, held in found if not tag or tag in held.tags]
    if not shown:
        return None
    return Page(voice("page.sheet"), "", sheet_scene(shown, look))


def sheet_scene(numbers: Sequence[int], look: Look) -> Scene:
    """Compound cards side by side, as they lie on the table."""
    voice, (width, height) = Voice(look), _SHEET_CARD
    items = []
    for at, number in enumerate(numbers):
        row, column = divmod(at, _ACROSS)
        place = Rect(24 + column * (width + 16), 24 + row * (height + 16), width, height)
        items.append(Sprite("chemistry.compound", (number,), place))
    rows = -(-len(numbers) // _ACROSS)
    said = voice("alt.sheet", list=", ".join(BOOK.compounds[number].formula for number in numbers))
    return Scene(32 + _ACROSS * (width + 16), 32 + rows * (height + 16), tuple(items), alt_text(said), look)


def card(key: str, look: Look, elements: Elements, *, compounds: bool) -> Page:
    """The page of a card.

    Raises:
        KeyError: the game has no such card.
    """
    voice = Voice(look)
    if key.startswith("z") and key[1:].isdecimal() and int(key[1:]) in elements:
        return _element_page(int(key[1:]), voice, compounds=compounds)
    for number, one in enumerate(BOOK.compounds):
        if compounds and key == one.formula:
            return _compound_page(number, voice)
    for law in BOOK.laws:
        if compounds and key == law_key(law):
            return _law_page(law, voice)
    raise KeyError(key)


def _compound_page(number: int, voice: Voice) -> Page:
    one = BOOK.compounds[number]
    cards = " ".join(symbol for symbol, count in one.elements.items() for _ in range(count))
    lines = [
        voice(f"page.kind_{one.deck}", n=one.size, cards=cards),
        voice("page.use", use=voice.use(one)),
        voice("page.fact", fact=voice.fact(one)),
        voice("page.equation", equation=equation(one.equation)),
    ]
    if one.ions:
        lines.insert(1, voice("page.ions", ions=ions_text(one)))
    return Page(_compound_title(number, voice), "\n".join(lines), compound_scene(number, voice.look))


def compound_scene(number: int, look: Look) -> Scene:
    """A compound card, large."""
    voice, one = Voice(look), BOOK.compounds[number]
    name, use, kind = voice.compound_name(one), voice.use(one), voice(f"page.{one.deck}")
    sprite = Sprite("chemistry.compound_portrait", (number, name, use, kind), _CARD)
    counts = ", ".join(f"{count} {symbol}" for symbol, count in one.elements.items())
    said = voice("alt.compound", compound=name, formula=one.formula, kind=kind, atoms=counts)
    return Scene(864, 1184, (sprite,), alt_text(said, use), look)


def _element_page(z: int, voice: Voice, *, compounds: bool) -> Page:
    element = ELEMENTS[z - 1]
    category = voice.category(z)
    shells = "-".join(map(str, element.shells))
    lines = [voice("page.element", category=category[:1].upper() + category[1:], z=z, shells=shells)]
    inside = [formula(one.formula) for one in BOOK.compounds if element.symbol in one.elements]
    if compounds and inside:
        shown = ", ".join(inside[:MOST_LISTED]) + (" …" if len(inside) > MOST_LISTED else "")
        lines.append(voice("page.inside", formulas=shown))
    return Page(_element_title(z, voice), "\n".join(lines), element_scene(z, voice.look))


def element_scene(z: int, look: Look) -> Scene:
    """An element card, large."""
    voice = Voice(look)
    name, category = voice.element(z), voice.category(z)
    sprite = Sprite("atom_duel.portrait", (Face(z, name=name), category, ()), _CARD)
    symbol = ELEMENTS[z - 1].symbol
    said = voice("alt.element", element=name, symbol=symbol, z=z, category=category)
    return Scene(864, 1184, (sprite,), said, look)


def _law_page(law: Law, voice: Voice) -> Page:
    deck = next(deck for deck in BOOK.decks if law.key in deck.laws)
    text = voice("page.law", text=voice.law_text(law), by=law.by, deck=voice(f"page.{deck.key}"))
    return Page(voice.law_name(law), text, law_scene(law, voice.look))


def law_scene(law: Law, look: Look) -> Scene:
    """A wild card, large, with its law."""
    voice = Voice(look)
    args = (voice.law_name(law), law.by, voice.law_text(law), voice("page.wild"))
    said = voice("alt.law", law=args[0], by=law.by, text=args[2])
    return Scene(864, 1184, (Sprite("chemistry.wild_portrait", args, _CARD),), said, look)
