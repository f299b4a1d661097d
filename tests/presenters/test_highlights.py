"""What one move has brought, drawn large: no number, lane or price below a card is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.presenters import get
from bot.presenters.highlight import WIDTH, fitting
from bot.render.blocks import Block, frozen
from bot.render.check import audit
from bot.render.parts import text_width
from bot.render.scene import Look, Rect, Scene, Size, Text, Weight
from engine.duel52.notation import read
from engine.game import Event

NAMES = ("Ada", "Ben", "Cleo", "Dmitri", "Eva", "Finn")
LOCALES = pytest.mark.parametrize("locale", ["en", "zh-CN"])


def shown(block: Block | None, look: Look) -> Scene:
    assert block is not None
    return frozen(block, "Cards.", look)


def captions(block: Block) -> list[Text]:
    """The words below the cards, and those on them that are no sprite."""
    return [item for item in block.items(Rect(0, 0, WIDTH, block.height(WIDTH))) if isinstance(item, Text)]


@LOCALES
@pytest.mark.parametrize("cards", [1, 4, 5, 6, 7, 12])
def test_the_lane_of_the_card_just_laid_is_named_in_full(cards: int, locale: str) -> None:
    row = ",".join(["8s", "8h", "9s", "9h", "Ts", "Th", "Js", "Jh", "Qs", "Qh", "Ks", "Kh"][:cards])
    seen = read(f"standard A3 -|-|{row}/-|-|- hands=2s/2h pile=2d2c").observe(None)
    look = Look(names=NAMES[:2], locale=locale)
    laid = seen.row(0, 2)[-1].unit
    block = get("duel52").highlight([Event("play", 0, {"lane": 2, "unit": laid})], seen, look)
    assert audit(shown(block, look)) == []


def test_the_largest_size_at_which_all_strings_fit() -> None:
    sizes = (Size.TITLE, Size.CLEAR, Size.BODY)
    strings = ["→ 165", "→ 7"]
    wide = [text_width("→ 165", size, Weight.BOLD) for size in sizes]
    assert [fitting(strings, sizes, room) for room in wide] == list(sizes)
    assert [fitting(strings, sizes, room - 1) for room in wide] == [*sizes[1:], None]
    assert all(larger > smaller for larger, smaller in pairwise(wide))
