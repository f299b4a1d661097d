"""The rules of every game: pages that fit a phone, each with an example and its cards."""

from __future__ import annotations

import pytest

from bot import presenters
from bot.render.check import faults
from bot.render.scene import Item, Scene, Size, Text
from bot.views.rules import rule_screens
from bot.views.screens import SHORT

GAMES = (
    "atom_duel",
    "duel52",
    "atom",
    "chemistry_battle",
    "compound_capture",
    "canasta",
    "molecular",
)
DETAILS = {"rulings", "decided", "details", "hints", "laws", "deck", "cards of level"}
"""Words in the titles of pages that only collect what is rare, or list cards: no example."""
IN_PARTS = {
    "Level 7 · Unique powers",
    "How a hand is counted",
    "Ties",
    "The last round of level 7",
    "Powers: 8 to ace",
    "Variant: Triangles",
    "Variant: Teams",
    "Five players · 五人原子",
    "五人原子 · Five players",
}
"""What takes more than one screen of a phone."""
LOCALES = ("en", "zh-CN")


def texts(items: tuple[Item, ...]) -> list[Text]:
    return [item for item in items if isinstance(item, Text)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("locale", LOCALES)
def test_every_page_has_an_example_and_its_cards(game: str, locale: str) -> None:
    pages = presenters.get(game).rules(locale)
    told = [page for page in pages if page.example]
    assert len(told) >= 4
    assert all(page.scene for page in told)
    if locale == "en":
        plain = [page.title.lower() for page in pages if not page.example]
        assert [title for title in plain if not any(word in title for word in DETAILS)] == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("locale", LOCALES)
def test_a_page_is_one_screen_of_a_phone(game: str, locale: str) -> None:
    found = rule_screens(game, locale)
    assert all(len(screen.text) <= SHORT for screen in found)
    numbers = [screen.number for screen in found]
    several = {screen.page.title for screen in found if numbers.count(screen.number) > 1}
    assert {screen.page.title for screen in found if screen.page.example} & several <= IN_PARTS


def corner(scene: Scene) -> list[Item]:
    """What lies at the lower left, where Discord lays its badge."""
    return [
        item
        for item in scene.items
        if item.rect.x < 0.2 * scene.width and item.rect.bottom > 0.88 * scene.height + 1
    ]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("locale", LOCALES)
def test_the_pictures_of_examples_are_sound(game: str, locale: str) -> None:
    for page in presenters.get(game).rules(locale):
        if page.scene is not None:
            assert faults(page.scene) == [], page.title


@pytest.mark.parametrize("game", GAMES)
def test_examples_are_large_and_leave_the_corner_free(game: str) -> None:
    shown = 0
    for page in presenters.get(game).rules("en"):
        scene = page.scene
        # other pictures begin with what they show, an example with its headline
        if scene is None or not isinstance(head := scene.items[0], Text):
            continue
        if not scene.alt.startswith(f"{head.string}:"):
            continue
        shown += 1
        assert corner(scene) == [], page.title
        assert all(text.size >= Size.CLEAR for text in texts(scene.items)), page.title
    assert shown >= 3
