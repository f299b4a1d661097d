"""The poster of all games, with one emblem each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.render.parts import CORNER, MARGIN
from bot.render.scene import BASE_WIDTH, Item, Look, Rect, Scene, Sprite

_EMBLEM: Final = 190
_GAP: Final = 18
"""Height of an emblem and the space between two, in pixels."""


@dataclass(frozen=True, slots=True)
class PosterTile:
    """One game: the sprite that represents it (painter, args, width divided by height)."""

    painter: str
    args: tuple[Hashable, ...]
    shape: float


def poster_scene(tiles: Sequence[PosterTile], alt: str, look: Look) -> Scene:
    """Return the emblems of all games in one row, in the order of the list below it.

    The row is so low that it starts to the right of the corner covered by an ALT badge.
    """
    widths = [round(_EMBLEM * tile.shape) for tile in tiles]
    inner = BASE_WIDTH - CORNER - MARGIN
    room = inner - _GAP * (len(tiles) - 1)
    scale = min(1.0, room / max(1, sum(widths)))
    height = round(_EMBLEM * scale)
    wide = sum(round(width * scale) for width in widths) + _GAP * (len(tiles) - 1)
    items, x = list[Item](), CORNER + (inner - wide) // 2
    for tile, width in zip(tiles, widths, strict=True):
        place = Rect(x, MARGIN, round(width * scale), height)
        items.append(Sprite(tile.painter, tile.args, place))
        x = place.right + _GAP
    return Scene(BASE_WIDTH, height + 2 * MARGIN, tuple(items), alt, look)
