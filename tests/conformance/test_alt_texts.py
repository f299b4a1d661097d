"""What a picture says, its alt text says too: who cannot see it, or reads hands in words, decides by that.

Words and numbers that stand in a picture have to stand in its alt text. What need not is listed below by its
key: labels of what the alt text names in another way, and what only fills room.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import pytest

from bot.locales import FALLBACK
from bot.render.scene import Item, ItemGroup, Scene, Text
from engine.chemistry.deck import BOOK
from tests.support.discord.keys import patterns
from tools.contact_sheet.tables import kinds_in, shown

ELSEWHERE: Final = {
    "chemistry": {
        "picture": ("ready", "ready_for", "needs", "held", "more", "more_runs", "on_pile", "scores"),
    },
    "atom": {"picture": ("points", "multiple", "cards_left")},
    "molecular": {"picture": ("unripe", "worth", "worth_less", "held_counters", "more", "scores")},
    "duel52": {"hand": ("empty", "unseen"), "picture": ("pile", "alone")},
}
"""By table and part of it: strings whose matter the alt text tells in words of its own, or not at all."""
LAWS: Final = "|".join(f".*: {re.escape(law.text)}" for law in BOOK.laws)
"""What fills the room beside the piles while nothing is to be claimed."""
TABLE: Final = {"compound_capture": "chemistry", "canasta": "chemistry", "chemistry_battle": "chemistry"}
KEYS: Final = ("compound_capture", "canasta", "chemistry_battle", "duel52", "atom", "molecular", "atom_duel")


def texts(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, ItemGroup):
            yield from texts(item.items)
        elif isinstance(item, Text):
            yield item.string


def missed(scene: Scene, elsewhere: str) -> list[str]:
    """The texts of a picture with a word or a number that its alt text has not."""
    alt, found = re.findall(r"[\da-z]+", scene.alt.lower()), []
    for text in (part for one in texts(scene.items) for part in one.replace("\xa0", " ").split(" · ")):
        said = re.findall(r"[a-z]{3,}|\d+", text.lower())
        told = all(any(word.startswith(one) for word in alt) for one in said)
        if not told and not re.fullmatch(elsewhere, text):
            found.append(text)
    return found


@pytest.mark.long
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("key", KEYS)
def test_what_a_picture_says_stands_in_its_alt_text(key: str, locale: str) -> None:
    """While the game goes on; in Chinese the numbers and signs of it, of the table and one hand."""
    table = TABLE.get(key, key)
    some = ELSEWHERE.get(table, {})
    known = [patterns(f"{table}.{name}", keys, locale) for name, keys in some.items()]
    elsewhere = "|".join((*known, patterns("table", ("unwritten",), locale), LAWS))
    wrong, met = dict[str, str](), 0
    for one in shown(key, kinds_in(key, "zh-CN"), locale=locale):
        if one.phase == "over" or (locale != FALLBACK and one.viewer not in (None, 0)):
            continue
        scene = one.scene()
        met += 1
        assert not scene.alt.endswith("…"), f"{one} is cut"
        for text in missed(scene, elsewhere):
            wrong.setdefault(re.sub(r"\d+", "#", text), f"{one}: {text!r} is not in {scene.alt!r}")
    assert not wrong, "\n".join(wrong.values())
    assert met > 15
