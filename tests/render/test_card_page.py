"""The page of a card: clear on a phone, its corner free, its parts in their order."""

from __future__ import annotations

import pytest

from bot.presenters.elements.page import signed
from bot.render.blocks import Piece
from bot.render.check import audit, unclear
from bot.render.colour import contrast
from bot.render.pages.card_page import CardKind, Fact, card_page, on_table
from bot.render.parts import CORNER, CORNER_SHARE
from bot.render.scene import Item, ItemGroup, Look, Panel, Scene, Sprite, Text
from bot.render.theme import PALETTES, theme

LOOK = Look()
KIND = CardKind("transition metal", "transition metal", (signed("crown", "transition metal", LOOK),))
LONG = "In a hand of two cards it beats a transition metal instead, whatever the numbers are. " * 4


def fact(text: str = LONG, *, active: bool = True) -> Fact:
    return Fact(signed("crown", "accent", LOOK, active=active), "accent", "Magnet", text, active=active)


def art(width: int, tall: int) -> Piece:
    return Piece(width, tall, lambda at: (Sprite("elements.sign", ("crown", "ink", "paper"), at),))


def flat(items: tuple[Item, ...]) -> list[Item]:
    return [one for item in items for one in (flat(item.items) if isinstance(item, ItemGroup) else [item])]


def things(scene: Scene) -> list[Item]:
    return [item for item in flat(scene.items) if not isinstance(item, Panel)]


PAGES = {
    "name alone": card_page("Iron", KIND, "alt", LOOK),
    "beside": card_page("Iron", KIND, "alt", LOOK, art=art(520, 520), number="26", note="2 · 8 · 14 · 2"),
    "above": card_page("Iron", KIND, "alt", LOOK, art=art(900, 300), text=LONG),
    "facts": card_page("Iron", KIND, "alt", LOOK, art=art(300, 300), facts=(fact(), fact(active=False))),
    "table": card_page("A rather long name of a card " * 2, KIND, "alt", LOOK, art=on_table(art(320, 448))),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_clear_on_a_phone_and_its_corner_free(name: str) -> None:
    page = PAGES[name]
    assert audit(page) == []
    assert unclear(page) == set()
    low = page.height * (1 - CORNER_SHARE)
    assert [one for one in things(page) if one.rect.x < CORNER and one.rect.bottom > low] == []


@pytest.mark.parametrize("palette", PALETTES)
def test_what_does_not_count_now_can_be_read_as_well(palette: str) -> None:
    """Whoever looks a card up wants to know what it does, at whatever level that wakes."""
    colours, said = theme(palette), [one for one in things(PAGES["facts"]) if isinstance(one, Text)]
    pale = {one.string for one in said if contrast(colours[one.colour], colours["paper"]) < 4.5}
    assert pale - {KIND.name} == set()  # that stands in the foot, on its own colour


def test_a_wide_drawing_stands_below_the_name_and_a_narrow_one_beside_it() -> None:
    for name, beside in (("above", False), ("beside", True)):
        drawing = next(one for one in things(PAGES[name]) if isinstance(one, Sprite))
        title = next(one for one in things(PAGES[name]) if isinstance(one, Text) and one.string == "Iron")
        assert (title.rect.x > drawing.rect.right) is beside
        assert (title.rect.bottom <= drawing.rect.y) is not beside


def test_what_does_not_count_now_has_a_softer_name_and_a_pale_sign() -> None:
    awake, asleep = (
        one for one in things(PAGES["facts"]) if isinstance(one, Text) and one.string == "Magnet"
    )
    assert (awake.colour, asleep.colour) == ("ink", "ink_soft")
    signs = {one.args for one in things(PAGES["facts"]) if isinstance(one, Sprite)}
    assert fact(active=False).mark.args in signs
