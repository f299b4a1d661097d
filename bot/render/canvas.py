"""From a scene to bytes of the fixed palette.

The canvas holds one byte per pixel from the start: flat boxes are fills, text lines and sprites are
copies of bytes prepared for the ground on which they lie. Nothing is ever mapped or blended for the
whole picture, which is why a table takes a few milliseconds.

Column 0 of the canvas is not part of the picture: it holds the filter byte that PNG wants before each
row, so the raw canvas is already what gets compressed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Final, TypeAlias

from cachetools import LRUCache, cached
from PIL import Image, ImageDraw

from bot.render import text as letters
from bot.render.ink import indices, ramp
from bot.render.scene import (
    Align,
    Group,
    Item,
    Line,
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
from bot.render.sprites import tile
from bot.render.theme import PALETTES, Theme, theme

_CACHE_BYTES: Final = 8 * 2**20
_SAMPLE: Final = "Ag 1 → 子"
"""A text that needs every face."""


@lru_cache(maxsize=256)
def _corner(radius: int, thickness: int) -> Image.Image:
    """Coverage of the top left corner of a round box, or of its outline when `thickness` is given."""
    fine = 4
    image = Image.new("L", (radius * fine, radius * fine))
    pen = ImageDraw.Draw(image)
    size = 2 * radius * fine
    pen.ellipse((0, 0, size - 1, size - 1), fill=255)
    if 0 < thickness < radius:
        edge = thickness * fine
        pen.ellipse((edge, edge, size - 1 - edge, size - 1 - edge), fill=0)
    return image.reduce(fine)


_Pair: TypeAlias = tuple[Image.Image, Image.Image]


@lru_cache(maxsize=1024)
def _corners(look: Theme, radius: int, thickness: int, ground: int, colour: int) -> tuple[_Pair, ...]:
    """The four corners clockwise from the top left, as bytes and masks."""
    mask = _corner(radius, thickness)
    flip, flop = Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.FLIP_TOP_BOTTOM
    turned = (mask, mask.transpose(flip), mask.transpose(flip).transpose(flop), mask.transpose(flop))
    table = ramp(look, ground, colour)
    return tuple((_in_colour(part, table), part.point(letters.VISIBLE, "1")) for part in turned)


def _in_colour(coverage: Image.Image, table: bytes) -> Image.Image:
    """What `point` makes of it, which rounds each of the 256 numbers of a table before it begins."""
    return Image.frombytes("L", coverage.size, coverage.tobytes().translate(table))


@dataclass(frozen=True, slots=True)
class _Word:
    pixels: Image.Image
    line: letters.LineMask


_WordKey: TypeAlias = tuple[str, str, int, Weight, int, int]


def _bytes(word: _Word) -> int:
    return word.pixels.width * word.pixels.height + 300


_words: LRUCache[_WordKey, _Word] = LRUCache(_CACHE_BYTES, getsizeof=_bytes)


@cached(_words, key=lambda _look, key: key, lock=threading.Lock())
def _word(look: Theme, key: _WordKey) -> _Word:
    line, pixels, weight, ground, colour = key[1:]
    drawn = letters.line_mask(line, pixels, weight)
    return _Word(_in_colour(drawn.mask, ramp(look, ground, colour)), drawn)


class Canvas:
    """One picture while it is painted. Use `paint`; this class is for animations and odd cases.

    `image` writes into `data`, so that what was painted is compressed without a copy.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.look = theme(scene.look.palette, scene.ground)
        self._names = indices(self.look).names
        row = bytearray((0, *repeat(self._names["felt"], scene.width)))
        self.data = row * scene.height
        self.image = Image.frombuffer("L", (len(row), scene.height), self.data, "raw", "L", 0, 1)
        self.image.readonly = 0  # Pillow takes a copy of what may be somebody else's; this is nobody else's
        self._drawing = {
            Panel: self._panel,
            Sprite: self._sprite,
            Text: self._text,
            Line: self._line,
            Group: self._group,
        }
        for item in scene.items:
            self._item(item)

    def over(self, items: Iterable[Item]) -> Image.Image:
        """The picture with these on top of it, as a frame of an animation; the canvas stays as it is."""
        beneath, self.image = self.image, self.image.copy()
        try:
            for item in items:
                self._item(item)
            return self.finished()
        finally:
            self.image = beneath

    def finished(self) -> Image.Image:
        """The picture as it is now, in palette mode."""
        inner = self.image.crop((1, 0, self.scene.width + 1, self.scene.height))
        picture = Image.frombytes("P", inner.size, inner.tobytes())
        picture.putpalette(indices(self.look).data)
        return picture

    def _item(self, item: Item) -> None:
        self._drawing[type(item)](item)  # type: ignore[operator]

    def _group(self, group: Group) -> None:
        for item in group.items:
            self._item(item)

    def _ground(self, x: int, y: int) -> int:
        """The byte that lies at a place now; outside the picture, the felt."""
        if 0 <= x < self.scene.width and 0 <= y < self.scene.height:
            found = self.image.getpixel((x + 1, y))
            if isinstance(found, int):
                return found
        return self._names["felt"]

    def _fill(self, rect: Rect, colour: int) -> None:
        if rect.w > 0 and rect.h > 0:
            self.image.paste(colour, (rect.x + 1, rect.y, rect.right + 1, rect.bottom))

    def _place_corners(self, rect: Rect, radius: int, thickness: int, colour: int) -> None:
        pairs = _corners(self.look, radius, thickness, self._ground(rect.x, rect.y), colour)
        right, bottom = rect.right - radius, rect.bottom - radius
        places = ((rect.x, rect.y), (right, rect.y), (right, bottom), (rect.x, bottom))
        for (x, y), (pixels, mask) in zip(places, pairs, strict=True):
            self.image.paste(pixels, (x + 1, y), mask)

    def _panel(self, panel: Panel) -> None:
        rect = panel.rect
        radius = min(panel.radius, rect.w // 2, rect.h // 2)
        if panel.fill is not None:
            colour = self._names[panel.fill]
            if radius:
                self._place_corners(rect, radius, 0, colour)
                self._fill(Rect(rect.x, rect.y + radius, radius, rect.h - 2 * radius), colour)
                self._fill(Rect(rect.right - radius, rect.y + radius, radius, rect.h - 2 * radius), colour)
            self._fill(Rect(rect.x + radius, rect.y, rect.w - 2 * radius, rect.h), colour)
        if panel.outline is not None and panel.thickness:
            # a card that turns over is narrower than its two edges for a moment
            thick = min(panel.thickness, (min(rect.w, rect.h) + 1) // 2)
            colour = self._names[panel.outline]
            if radius:
                self._place_corners(rect, radius, thick, colour)
            across, down = rect.w - 2 * radius, rect.h - 2 * radius
            self._fill(Rect(rect.x + radius, rect.y, across, thick), colour)
            self._fill(Rect(rect.x + radius, rect.bottom - thick, across, thick), colour)
            self._fill(Rect(rect.x, rect.y + radius, thick, down), colour)
            self._fill(Rect(rect.right - thick, rect.y + radius, thick, down), colour)

    def _sprite(self, sprite: Sprite) -> None:
        # The corner of a card is always ground: look there for what it lies on.
        drawn = tile(sprite, self.look, self._ground(sprite.rect.x, sprite.rect.y))
        left, top = sprite.rect.x + drawn.dx + 1, sprite.rect.y + drawn.dy
        for band in drawn.bands:
            self.image.paste(band.pixels, (left, top + band.down), band.mask)

    def _line(self, line: Line) -> None:
        rect, colour = line.rect, self._names[line.colour]
        if not line.dash:
            self._fill(rect, colour)
            return
        across = rect.w >= rect.h
        for offset in range(0, max(rect.w, rect.h), 2 * line.dash):
            if across:
                part = Rect(rect.x + offset, rect.y, min(line.dash, rect.w - offset), rect.h)
            else:
                part = Rect(rect.x, rect.y + offset, rect.w, min(line.dash, rect.h - offset))
            self._fill(part, colour)

    def _text(self, item: Text) -> None:
        rect, pixels = item.rect, self.scene.points(item.size)
        if not item.string:
            return
        lines = letters.layout(
            item.string, pixels, item.weight, rect.w, rect.h, max_lines=item.max_lines, fit=item.fit
        )
        step = round(pixels * letters.LINE)
        cap = round(pixels * letters.CAP)
        height = (len(lines) - 1) * step + cap
        first = rect.y + cap + ((rect.h - height) // 2 if item.spot is Spot.MIDDLE else round(pixels * 0.14))
        ground = self._ground(rect.x, rect.y + rect.h // 2)
        colour = self._names[item.colour]
        for number, line in enumerate(lines):
            word = _word(self.look, (self.look.name, line, pixels, item.weight, ground, colour))
            drawn = word.line
            free = rect.w - round(drawn.advance)
            shift = {Align.LEFT: 0, Align.CENTRE: free // 2, Align.RIGHT: free}[item.align]
            place = (rect.x + shift + drawn.left + 1, first + number * step + drawn.top)
            self.image.paste(word.pixels, place, drawn.visible)


def get_ready() -> None:
    """Open every face at every size, in both palettes: the first picture need not wait for that."""
    for palette in PALETTES:
        look = Look(palette=palette)
        for weight in Weight:
            texts = tuple(Text(Rect(0, 0, 900, 100), _SAMPLE, size, weight) for size in Size)
            Canvas(Scene(1280, 100, texts, _SAMPLE, look))


def paint(scene: Scene) -> Image.Image:
    """The finished picture of a scene, in palette mode."""
    return Canvas(scene).finished()
