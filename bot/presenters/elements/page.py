"""The page of an element's card, in every game that has the elements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.presenters.elements.painters import Face
from bot.render.blocks import Piece
from bot.render.pages.card_page import CardKind, Fact, Mark, card_page
from bot.render.scene import Look, Scene, Sprite
from bot.render.theme import theme
from engine.elements import ELEMENTS

ATOM: Final = 520
"""Side of the drawing of the atom, in pixels."""


def signed(key: str, colour: str, look: Look, *, active: bool = True) -> Mark:
    """A sign to stand on its colour; a pale one on pale paper."""
    if not active:
        return Mark("elements.sign", (key, "ink_faint", "paper_low"))
    return Mark("elements.sign", (key, theme(look.palette).on(colour), colour))


def element_page(
    shown: Face, kind: str, alt: str, look: Look, facts: Iterable[Fact] = (), *, ground: str = "felt"
) -> Scene:
    """An element's card, large: its number, its name, its atom, its family, and what it does."""
    return card_page(
        shown.name,
        CardKind(kind, shown.category, (signed(shown.category, shown.category, look),)),
        alt,
        look,
        art=Piece(ATOM, ATOM, lambda at: (Sprite("elements.atom", (shown,), at),)),
        number=str(shown.z),
        note=" · ".join(map(str, ELEMENTS[shown.z - 1].shells)),
        facts=facts,
        ground=ground,
    )
