"""The poster of all games: an emblem and a name each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.render import layout
from bot.render.parts import INNER, MARGIN
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Item,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Spot,
    Sprite,
    Text,
    Weight,
)
from bot.render.theme import RADIUS_CARD

_COLUMNS: Final = 4
_TILE: Final = 372
_EMBLEM: Final = 216
"""Heights of a tile and of the emblem in it, in pixels."""
_GAP: Final = 16


@dataclass(frozen=True, slots=True)
class PosterTile:
    """One game: its name, and the sprite that stands for it (painter, args, width over height)."""

    name: str
    painter: str
    args: tuple[Hashable, ...]
    shape: float


def poster_scene(tiles: Sequence[PosterTile], alt: str, look: Look) -> Scene:
    """All games at a glance; the last line of tiles stands in the middle."""
    items: list[Item] = []
    y = MARGIN
    wide = (INNER - _GAP * (_COLUMNS - 1)) // _COLUMNS
    for start in range(0, len(tiles), _COLUMNS):
        line = tiles[start : start + _COLUMNS]
        places = layout.spread(Rect(MARGIN, y, INNER, _TILE), len(line), wide, _TILE, gap=_GAP)
        for place, tile in zip(places, line, strict=True):
            items += _tile(place, tile)
        y += _TILE + _GAP
    return Scene(BASE_WIDTH, y - _GAP + MARGIN, tuple(items), alt, look)


def _tile(area: Rect, tile: PosterTile) -> list[Item]:
    width = min(round(_EMBLEM * tile.shape), area.w - 2 * _GAP)
    emblem = Rect(area.x + (area.w - width) // 2, area.y + 20, width, _EMBLEM)
    name = Rect(area.x + 8, emblem.bottom + 10, area.w - 16, area.bottom - emblem.bottom - 20)
    return [
        Panel(area, "panel", RADIUS_CARD),
        Sprite(tile.painter, tile.args, emblem),
        Text(name, tile.name, Size.BODY, Weight.BOLD, align=Align.CENTRE, max_lines=2, spot=Spot.MIDDLE),
    ]
