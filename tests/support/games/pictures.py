"""What tests ask of scenes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.render.parts import BADGE, CORNER, CORNER_SHARE
from bot.render.scene import BASE_WIDTH, Item, ItemGroup, Rect, Scene


def every_item(items: Iterable[Item]) -> Iterator[Item]:
    """The items of a scene in paint order, those in groups in the place of their group."""
    for item in items:
        if isinstance(item, ItemGroup):
            yield from every_item(item.items)
        else:
            yield item


def in_corner(scene: Scene) -> list[Item]:
    """What lies where the ALT badge may cover it."""
    width, height = scene.width * CORNER // BASE_WIDTH, max(BADGE, round(scene.height * CORNER_SHARE))
    corner = Rect(0, scene.height - height, width, height)
    return [item for item in every_item(scene.items) if item.rect.overlaps(corner)]
