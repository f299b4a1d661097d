"""What can be looked up: elements, compounds, and the laws on the wild cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from bot.presenters.base import CardEntry, Page
from bot.presenters.chemistry.cards import WILD_COLOUR
from bot.presenters.chemistry.painters import BORDER
from bot.presenters.chemistry.words import GROUND, Voice, equation, formula, ions_text, law_of
from bot.presenters.elements.page import element_page
from bot.presenters.elements.painters import Face
from bot.render.blocks import Piece
from bot.render.pages.card_page import CardKind, Mark, card_page
from bot.render.parts import alt_text
from bot.render.scene import Look, Rect, Scene, Sprite
from bot.render.theme import theme
from engine.chemistry.deck import BASIC, BOOK, WILD, Compound, Law
from engine.chemistry.observation import Observation
from engine.elements import BY_SYMBOL, ELEMENTS
from engine.game import Value


class Contents(NamedTuple):
    """The cards of a game: atomic numbers of its elements, and whether it has compounds and wild cards."""

    elements: tuple[int, ...]
    compounds: bool = True


EVERY: Final = Contents(BASIC)
ELEMENTS_ALONE: Final = Contents(BASIC, compounds=False)
IN_COMPOUNDS: Final = Contents(
    tuple(sorted({BY_SYMBOL[symbol].z for deck in BOOK.decks for symbol in deck.elements}))
)
MOST_LISTED = 24
_LAW = "law-"
DRAWING: Final = (640, 560)
"""How wide and how high the drawing of a compound is on its page, in pixels."""
EMBLEM: Final = 480
"""Side of the star of a wild card on its page, in pixels."""
_SHEET_CARD, _ACROSS = (192, 264), 6


def cards(contents: Contents, locale: str) -> tuple[CardEntry, ...]:
    """All cards: compounds first, then elements, then laws."""
    voice = Voice(Look(locale=locale))
    found = [
        _compound_card(one, number, voice) for number, one in enumerate(BOOK.compounds) if contents.compounds
    ]
    found += [_element_card(z, voice) for z in contents.elements]
    found += [_law_card(law, voice) for law in BOOK.laws if contents.compounds]
    return tuple(found)


def _compound_card(one: Compound, number: int, voice: Voice) -> CardEntry:
    aliases = (one.formula, formula(one.formula), *one.aliases, *voice.list(f"alias.{one.formula}"))
    tags = (voice("tag.compound"), voice(f"tag.{one.deck}"))
    return CardEntry(one.formula, _compound_title(number, voice), tuple(dict.fromkeys(aliases)), tags)


def _compound_title(number: int, voice: Voice) -> str:
    one = BOOK.compounds[number]
    return voice("page.compound_title", compound=voice.compound_name(one), formula=formula(one.formula))


def _element_card(z: int, voice: Voice) -> CardEntry:
    symbol = ELEMENTS[z - 1].symbol
    aliases = (symbol, str(z), *voice.list(f"alias.{symbol}"))
    return CardEntry(f"z{z}", _element_title(z, voice), aliases, (voice("tag.element"), voice.category(z)))


def _element_title(z: int, voice: Voice) -> str:
    return voice("page.element_title", element=voice.element(z), symbol=ELEMENTS[z - 1].symbol, z=z)


def _law_card(law: Law, voice: Voice) -> CardEntry:
    return CardEntry(law_key(law), voice.law_name(law), law.aliases, (voice("tag.wild"),))


def law_key(law: Law) -> str:
    """The key of a law."""
    return _LAW + law.key.replace("_", "-")


def _keys(compounds: Iterable[int], elements: Iterable[int]) -> tuple[str, ...]:
    """The keys of compounds, named by their places in the deck, and of elements."""
    return (*(BOOK.compounds[number].formula for number in compounds), *(f"z{z}" for z in elements))


def at_hand(seen: Observation) -> tuple[str, ...]:
    """The compounds that lie open, the law that the table shows if a wild card is held, then the elements
    held."""
    if seen.viewer is None:
        return ()
    law = (law_key(law_of(seen.decks, seen.round)),) if WILD in seen.hand else ()
    return (*_keys(seen.row, ()), *law, *_keys((), sorted(set(seen.hand) - {WILD})))


def in_view(seen: Observation) -> tuple[str, ...]:
    """The cards at hand with the compounds that lie open, and the top of the discard pile."""
    top = seen.discard[-1:] if seen.discard[-1:] != (WILD,) else ()
    return (*(at_hand(seen) or _keys(seen.row, ())), *_keys((), top))


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
    said = voice("alt.sheet", list=voice.listed(BOOK.compounds[number].formula for number in numbers))
    size = 32 + _ACROSS * (width + 16), 32 + rows * (height + 16)
    return Scene(*size, tuple(items), alt_text(said), look, GROUND)


def card(contents: Contents, key: str, look: Look, _options: Mapping[str, Value] | None = None) -> Page:
    """The page of a card.

    Raises:
        KeyError: the game has no such card.
    """
    voice = Voice(look)
    if key.startswith("z") and key[1:].isdecimal() and int(key[1:]) in contents.elements:
        return _element_page(int(key[1:]), voice, compounds=contents.compounds)
    for number, one in enumerate(BOOK.compounds):
        if contents.compounds and key == one.formula:
            return _compound_page(number, voice)
    for law in BOOK.laws:
        if contents.compounds and key == law_key(law):
            return _law_page(law, voice)
    raise KeyError(key)


def _compound_page(number: int, voice: Voice) -> Page:
    one = BOOK.compounds[number]
    cards = " ".join(symbol for symbol, count in one.elements.items() for _ in range(count))
    lines = [
        voice("page.give", n=one.size, cards=cards),
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
    counts = voice.listed(f"{count} {symbol}" for symbol, count in one.elements.items())
    said = voice("alt.compound", compound=name, formula=one.formula, kind=kind, atoms=counts)
    colour = BORDER[one.deck]
    mark = Mark("chemistry.mark", (one.deck, theme(look.palette).on(colour)))
    return card_page(
        formula(one.formula),
        CardKind(kind, colour, (mark,)),
        alt_text(said, use),
        look,
        art=Piece(*DRAWING, lambda at: (Sprite("chemistry.structure", (number,), at),)),
        note=name,
        text=use,
        ground=GROUND,
    )


def _element_page(z: int, voice: Voice, *, compounds: bool) -> Page:
    element, text = ELEMENTS[z - 1], ""
    inside = [formula(one.formula) for one in BOOK.compounds if element.symbol in one.elements]
    if compounds and inside:
        shown = voice.listed(inside[:MOST_LISTED]) + (" …" if len(inside) > MOST_LISTED else "")
        text = voice("page.inside", formulas=shown)
    return Page(_element_title(z, voice), text, element_scene(z, voice.look))


def element_scene(z: int, look: Look) -> Scene:
    """An element card, large."""
    voice = Voice(look)
    name, category = voice.element(z), voice.category(z)
    symbol = ELEMENTS[z - 1].symbol
    shells = "-".join(map(str, ELEMENTS[z - 1].shells))
    said = voice("alt.element", element=name, symbol=symbol, z=z, category=category, shells=shells)
    return element_page(Face(z, name=name), category, said, look, ground=GROUND)


def _law_page(law: Law, voice: Voice) -> Page:
    deck = next(deck for deck in BOOK.decks if law.key in deck.laws)
    text = voice("page.law", deck=voice(f"page.{deck.key}"))
    return Page(voice.law_name(law), text, law_scene(law, voice.look))


def law_scene(law: Law, look: Look) -> Scene:
    """A wild card, large, with its law."""
    voice = Voice(look)
    name, text = voice.law_name(law), voice.law_text(law)
    return card_page(
        name,
        CardKind(voice("page.wild"), WILD_COLOUR),
        voice("alt.law", law=name, by=voice.law_by(law), text=text),
        look,
        art=Piece(EMBLEM, EMBLEM, lambda at: (Sprite("chemistry.emblem", (), at),)),
        note=voice.law_by(law),
        text=text,
        ground=GROUND,
    )
