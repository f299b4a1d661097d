"""What tests ask of scenes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.render.scene import Group, Item


def every_item(items: Iterable[Item]) -> Iterator[Item]:
    """The items of a scene in paint order, those in groups in the place of their group."""
    for item in items:
        if isinstance(item, Group):
            yield from every_item(item.items)
        else:
            yield item
