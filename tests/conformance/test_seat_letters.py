"""Letters of seats: wherever a picture shows one, the picture or the words beside it show the name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from bot.render.parts import unnamed_seats
from bot.render.scene import Item, ItemGroup, Panel, Text
from bot.render.theme import seat_colour, seat_letter
from engine import catalog
from tools.contact_sheet import tables

NAMES = ("Mira", "Marie-Anne the Great of Nowhere", "小明", "Olaf", "🦊🦊", "Ağaoğlu", "Cyrus", "Tobias")


def letters_of(items: tuple[Item, ...], seats: int) -> Iterator[int]:
    """The seats whose letters stand on their colours."""
    for item in items:
        if isinstance(item, ItemGroup):
            yield from letters_of(item.items, seats)
    for below, above in pairwise(items):
        if isinstance(below, Panel) and isinstance(above, Text) and below.rect == above.rect:
            for seat in range(seats):
                if (below.fill, above.string) == (seat_colour(seat), seat_letter(seat)):
                    yield seat


def texts_of(items: tuple[Item, ...]) -> Iterator[str]:
    """What is written in a picture."""
    for item in items:
        if isinstance(item, ItemGroup):
            yield from texts_of(item.items)
        elif isinstance(item, Text):
            yield item.string


@pytest.mark.long
@pytest.mark.parametrize("game", catalog.listed())
def test_each_letter_comes_with_its_name(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "NAMES", NAMES)
    seen = 0
    for one in tables.shown(game, tables.kinds_in(game, "zh-CN")):
        scene = one.scene()
        told = "\n".join(texts_of(scene.items))
        if one.viewer is not None:
            told += "\n".join(one.look.name(seat) for seat in unnamed_seats(scene, one.look.names))
        for seat in set(letters_of(scene.items, len(one.look.names))):
            seen += 1
            assert one.look.name(seat) in told, (str(one), seat_letter(seat))
    assert seen or game == "probe"
