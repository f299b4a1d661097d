"""The rules of every game: pages that fit a phone, each with an example and its cards."""

from __future__ import annotations

import re

import pytest

from bot import presenters
from bot.features.lookups.rules_messages import AROUND, SHORT, rule_screens
from bot.locales import FALLBACK, catalogue
from bot.presenters.base import Page
from bot.render.check import faults
from bot.render.scene import Item, Scene, Size, Text
from bot.ui import screen_space as phone
from tests.support.discord.keys import patterns
from tests.support.discord.wording import RULEBOOK_GAMES

DETAILS = {"rulings", "decided", "details", "tips", "laws", "deck", "sheet"}
"""Words in the keys of pages that only collect what is rare, or list cards: no example."""
PARTS, LEAST = 3, 240
"""In so many parts a page that has an example may be shown, where it is longer than a phone's
screen; and a part may be so high, in pixels, however high its picture is."""
LOCALES = ("en", "zh-CN")


def key_of(page: Page, locale: str) -> str:
    """Below which key the title of a page stands."""
    titles = (
        key for key in catalogue(FALLBACK) if re.search(r"\.rules\.\w+_title$|\.option\.level_\d$", key)
    )
    for key in titles:
        table, name = key.rsplit(".", 1)
        if re.fullmatch(patterns(table, (name,), locale), page.title):
            return key
    raise AssertionError(page.title)


def texts(items: tuple[Item, ...]) -> list[Text]:
    return [item for item in items if isinstance(item, Text)]


@pytest.mark.parametrize("game", RULEBOOK_GAMES)
@pytest.mark.parametrize("locale", LOCALES)
def test_every_page_has_an_example_and_its_cards(game: str, locale: str) -> None:
    pages = presenters.get(game).rules(locale)
    told = [page for page in pages if page.example]
    assert len(told) >= 4
    assert all(page.scene for page in told)
    plain = [key_of(page, locale) for page in pages if not page.example]
    assert [key for key in plain if DETAILS.isdisjoint(key.rpartition(".")[2].split("_"))] == []


@pytest.mark.parametrize("game", RULEBOOK_GAMES)
@pytest.mark.parametrize("locale", LOCALES)
def test_a_page_is_one_screen_of_a_phone(game: str, locale: str) -> None:
    found = rule_screens(game, locale)
    assert all(len(screen.text) <= SHORT for screen in found)
    numbers = [screen.number for screen in found]
    told = {screen.number for screen in found if screen.page.example}
    assert all(numbers.count(number) <= PARTS for number in told)
    for screen in found:
        picture = phone.picture_height(screen.page.scene) if screen.page.scene else 0
        assert phone.words_height(screen.text) <= max(phone.room_beside(AROUND, picture), LEAST)


def corner(scene: Scene) -> list[Item]:
    """What lies at the lower left, where Discord lays its badge."""
    return [
        item
        for item in scene.items
        if item.rect.x < 0.2 * scene.width and item.rect.bottom > 0.88 * scene.height + 1
    ]


@pytest.mark.long
@pytest.mark.parametrize("game", RULEBOOK_GAMES)
@pytest.mark.parametrize("locale", LOCALES)
def test_the_pictures_of_examples_are_sound(game: str, locale: str) -> None:
    for page in presenters.get(game).rules(locale):
        if page.scene is not None:
            assert faults(page.scene) == [], page.title


@pytest.mark.parametrize("game", RULEBOOK_GAMES)
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
