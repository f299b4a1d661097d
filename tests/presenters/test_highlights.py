"""What one move has brought, drawn large: no number, lane or price below a card is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.presenters import get
from bot.presenters.highlights import WIDTH, fitting
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


def round_of(points: list[int], totals: list[int]) -> Block:
    event = Event("round_over", -1, {"points": points, "totals": totals})
    block: Block | None = get("canasta").highlight([event], None, Look(names=NAMES[: len(points)]))
    assert block is not None
    return block


@pytest.mark.parametrize(
    ("points", "totals"),
    [
        ([44, 56, 111, 142, 87, 82], [289, 206, 165, 248, 299, 297]),
        ([11, 44, 11, 11, 11, 44], [55, 44, 33, 22, 11, 0]),
        ([-144, -44, -4, 5, 44, 144], [-145, 90, 1650, 7, 0, -14]),
        ([144, 44, 4, 0, 4, 44], [-1145, 1320, 1290, 1310, 900, 870]),
    ],
)
def test_the_points_of_six_players_are_whole(points: list[int], totals: list[int]) -> None:
    """Six stand in one line where their totals can be written smaller, in two lines where not."""
    block = round_of(points, totals)
    assert audit(shown(block, Look(names=NAMES))) == []
    told = [item for item in captions(block) if item.string.startswith("→")]
    assert len(told) == len(points)
    assert len({item.size for item in told}) == 1
    assert len({item.rect.y for item in told}) == (2 if min(totals) < -1000 else 1)


def test_all_points_of_a_round_are_of_one_size() -> None:
    """A 1 is narrow: that "+11" would fit larger must not cut "+44"."""
    block = round_of([11, 44, 11, 11, 11, 44], [55, 44, 33, 22, 11, 0])
    assert len({item.size for item in captions(block) if item.string.startswith("+")}) == 1


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
