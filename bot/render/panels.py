"""Flat boxes with round corners, prepared for the ground below them.

Only the rows at the top and foot of a box have corners. They are painted once and cached, so any box is two
copies and one to three fills.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Final, NamedTuple

from cachetools import LRUCache, cached
from PIL import Image, ImageDraw

from bot.render.ink import in_colour, ramp
from bot.render.text import VISIBLE
from bot.render.theme import Theme

_CACHE_BYTES: Final = 4 * 2**20


class Rows(NamedTuple):
    """Some rows of a box: the pixels to copy, and the mask of the visible ones."""

    pixels: Image.Image
    mask: Image.Image


class Ends(NamedTuple):
    """The rows of a box that have corners. `foot` is None if `top` is the whole box."""

    top: Rows
    foot: Rows | None


class Shape(NamedTuple):
    """The appearance of a box, in pixels and in bytes of the fixed palette.

    `ground` is the colour below it. `fill` is None for an outline only, `outline` is None for a fill only.
    """

    width: int
    radius: int
    ground: int
    fill: int | None
    outline: int | None
    thickness: int

    @property
    def reach(self) -> int:
        """Number of rows that the corners and the outline take at the top or the foot."""
        return max(self.radius, 0 if self.outline is None else self.thickness)


@lru_cache(maxsize=256)
def _corner(radius: int, thickness: int) -> Image.Image:
    """Return the coverage of the top left corner of a round box, or with `thickness` of its outline."""
    fine = 4
    image = Image.new("L", (radius * fine, radius * fine))
    pen = ImageDraw.Draw(image)
    size = 2 * radius * fine
    pen.ellipse((0, 0, size - 1, size - 1), fill=255)
    if 0 < thickness < radius:
        edge = thickness * fine
        pen.ellipse((edge, edge, size - 1 - edge, size - 1 - edge), fill=0)
    return image.reduce(fine)


class PanelBox:
    """A whole box of some height on its ground, painted part by part."""

    def __init__(self, look: Theme, shape: Shape, height: int) -> None:
        self.look, self.shape, self.height = look, shape, height
        self.pixels = Image.new("L", (shape.width, height), shape.ground)
        self.mask = Image.new("1", (shape.width, height))
        if shape.fill is not None:
            self._round(0, shape.fill)
            inner = height - 2 * shape.radius
            self._flat(0, shape.radius, shape.width, inner, shape.fill)
            self._flat(shape.radius, 0, shape.width - 2 * shape.radius, height, shape.fill)
        if shape.outline is not None:
            self._outline(shape.outline, shape.thickness)

    def _outline(self, colour: int, thick: int) -> None:
        self._round(thick, colour)
        width, height, radius = self.shape.width, self.height, self.shape.radius
        across, down = width - 2 * radius, height - 2 * radius
        self._flat(radius, 0, across, thick, colour)
        self._flat(radius, height - thick, across, thick, colour)
        self._flat(0, radius, thick, down, colour)
        self._flat(width - thick, radius, thick, down, colour)

    def _flat(self, x: int, y: int, w: int, h: int, colour: int) -> None:
        if w > 0 and h > 0:
            self.pixels.paste(colour, (x, y, x + w, y + h))
            self.mask.paste(1, (x, y, x + w, y + h))

    def _round(self, thickness: int, colour: int) -> None:
        radius = self.shape.radius
        if not radius:
            return
        mask = _corner(radius, thickness)
        (ground,) = self.pixels.crop((0, 0, 1, 1)).tobytes()
        table = ramp(self.look, ground, colour)
        flip, flop = Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.FLIP_TOP_BOTTOM
        right, foot = self.shape.width - radius, self.height - radius
        for place, part in (
            ((0, 0), mask),
            ((right, 0), mask.transpose(flip)),
            ((right, foot), mask.transpose(flip).transpose(flop)),
            ((0, foot), mask.transpose(flop)),
        ):
            seen = part.point(VISIBLE, "1")
            self.pixels.paste(in_colour(part, table), place, seen)
            self.mask.paste(1, place, seen)

    def rows(self, first: int, end: int) -> Rows:
        """Return some of its rows, ready to copy."""
        part = (0, first, self.shape.width, end)
        return Rows(self.pixels.crop(part), self.mask.crop(part))


def _bytes(found: Ends) -> int:
    return sum(2 * rows.pixels.width * rows.pixels.height + 200 for rows in found if rows is not None)


_ends: LRUCache[tuple[str, Shape, int], Ends] = LRUCache(_CACHE_BYTES, getsizeof=_bytes)


@cached(_ends, key=lambda look, shape, height: (look.name, shape, height), lock=threading.Lock())
def _of_height(look: Theme, shape: Shape, height: int) -> Ends:
    box, reach = PanelBox(look, shape, height), shape.reach
    if height < 2 * reach:
        return Ends(box.rows(0, height), None)
    return Ends(box.rows(0, reach), box.rows(reach, height))


def ends(look: Theme, shape: Shape, height: int) -> Ends:
    """Return the rows with corners of a box of that height, cached.

    All boxes taller than both ends together share the same rows.
    """
    return _of_height(look, shape, min(height, 2 * shape.reach))
