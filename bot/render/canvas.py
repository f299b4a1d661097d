"""Paint a scene into bytes of the fixed palette.

The canvas holds one byte per pixel from the start. Flat boxes are fills; text lines and sprites are copies of
bytes prepared for the ground below them. Nothing is ever mapped or blended for the whole picture, which is
why a table takes a few milliseconds.

Column 0 of the canvas is not part of the picture: it holds the filter byte that PNG needs before each row, so
the raw canvas can be compressed as it is.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat
from typing import Final, TypeAlias

from cachetools import LRUCache, cached
from PIL import Image

from bot.render import sprites
from bot.render import text as letters
from bot.render.ink import in_colour, indices, ramp
from bot.render.panels import Shape, ends
from bot.render.scene import (
    Align,
    Anchor,
    Item,
    ItemGroup,
    Line,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    Text,
    Weight,
)
from bot.render.sprites import tile
from bot.render.theme import PALETTES, Theme, theme

_CACHE_BYTES: Final = 24 * 2**20
_SAMPLE: Final = "Ag 1 → 子"
"""A text that needs every face."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A line in its colours. The coverage mask has its own cache, because other colours use it too."""

    pixels: Image.Image
    visible: Image.Image
    left: int
    top: int
    advance: float


Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, as in Pillow."""
_WordKey: TypeAlias = tuple[str, str, int, Weight, int, int]


def _bytes(word: _Word) -> int:
    return 2 * word.pixels.width * word.pixels.height + 400


_words: LRUCache[_WordKey, _Word] = LRUCache(_CACHE_BYTES, getsizeof=_bytes)


@cached(_words, key=lambda _look, key: key, lock=threading.Lock())
def _word(look: Theme, key: _WordKey) -> _Word:
    line, pixels, weight, ground, colour = key[1:]
    drawn = letters.line_mask(line, pixels, weight)
    shown = in_colour(drawn.mask, ramp(look, ground, colour))
    return _Word(shown, drawn.visible, drawn.left, drawn.top, drawn.advance)


class Canvas:
    """A picture being painted. Use `paint`; this class is for animations and special cases.

    `image` writes into `data`, so the result is compressed without a copy.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.look = theme(scene.look.palette, scene.ground)
        self._names = indices(self.look).names
        row = bytearray((0, *repeat(self._names["felt"], scene.width)))
        self._paint_on(row * scene.height)
        self._drawing = {
            Panel: self._panel,
            Sprite: self._sprite,
            Text: self._text,
            Line: self._line,
            ItemGroup: self._group,
        }
        for item in scene.items:
            self._item(item)

    def _paint_on(self, data: bytearray) -> None:
        self.data = data
        self.image = Image.frombuffer("L", (self.scene.width + 1, self.scene.height), data, "raw", "L", 0, 1)
        self.image.readonly = 0  # Pillow copies a buffer that it might share; this one is ours alone

    def over(self, items: Iterable[Item], box: Box) -> Image.Image:
        """Return the palette indices in this box with these items on top. The canvas is unchanged."""
        beneath = self.data
        self._paint_on(bytearray(beneath))
        try:
            for item in items:
                self._item(item)
            return self._part(box)
        finally:
            self._paint_on(beneath)

    def shown(self) -> Image.Image:
        """Return the palette indices of the current picture, in mode L."""
        return self._part((0, 0, self.scene.width, self.scene.height))

    def _part(self, box: Box) -> Image.Image:
        left, top, right, bottom = box
        return self.image.crop((left + 1, top, right + 1, bottom))

    def finished(self) -> Image.Image:
        """Return the current picture, in palette mode."""
        inner = self.shown()
        picture = Image.frombytes("P", inner.size, inner.tobytes())
        picture.putpalette(indices(self.look).data)
        return picture

    def _item(self, item: Item) -> None:
        self._drawing[type(item)](item)  # type: ignore[operator]

    def _group(self, group: ItemGroup) -> None:
        for item in group.items:
            self._item(item)

    def _ground(self, x: int, y: int) -> int:
        """Return the byte at a place. Outside the picture that is the felt."""
        if 0 <= x < self.scene.width and 0 <= y < self.scene.height:
            return self.data[y * (self.scene.width + 1) + x + 1]
        return self._names["felt"]

    def _fill(self, rect: Rect, colour: int) -> None:
        if rect.w > 0 and rect.h > 0:
            self.image.paste(colour, (rect.x + 1, rect.y, rect.right + 1, rect.bottom))

    def _panel(self, panel: Panel) -> None:
        rect = panel.rect
        if rect.w <= 0 or rect.h <= 0:
            return
        radius = min(panel.radius, rect.w // 2, rect.h // 2)
        fill = None if panel.fill is None else self._names[panel.fill]
        outline = self._names[panel.outline] if panel.outline is not None and panel.thickness else None
        # a card that turns over is narrower than its two edges for a moment
        thick = 0 if outline is None else min(panel.thickness, (min(rect.w, rect.h) + 1) // 2)
        shape = Shape(rect.w, radius, self._ground(rect.x, rect.y), fill, outline, thick)
        reach = shape.reach
        if reach:
            top, foot = ends(self.look, shape, rect.h)
            self.image.paste(top.pixels, (rect.x + 1, rect.y), top.mask)
            if foot is not None:
                self.image.paste(foot.pixels, (rect.x + 1, rect.bottom - reach), foot.mask)
        middle = Rect(rect.x, rect.y + reach, rect.w, rect.h - 2 * reach)
        if fill is not None:
            self._fill(middle, fill)
        if outline is not None:
            self._fill(Rect(rect.x, middle.y, thick, middle.h), outline)
            self._fill(Rect(rect.right - thick, middle.y, thick, middle.h), outline)

    def _sprite(self, sprite: Sprite) -> None:
        # The corner of a card is always ground, so it shows what the card lies on.
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
        first = (
            rect.y + cap + ((rect.h - height) // 2 if item.spot is Anchor.MIDDLE else round(pixels * 0.14))
        )
        ground = self._ground(rect.x, rect.y + rect.h // 2)
        colour = self._names[item.colour]
        for number, line in enumerate(lines):
            word = _word(self.look, (self.look.name, line, pixels, item.weight, ground, colour))
            free = rect.w - round(word.advance)
            shift = {Align.LEFT: 0, Align.CENTRE: free // 2, Align.RIGHT: free}[item.align]
            place = (rect.x + shift + word.left + 1, first + number * step + word.top)
            self.image.paste(word.pixels, place, word.visible)


def get_ready() -> None:
    """Open every face at every size, in both palettes, so that the first picture need not wait for them."""
    for palette in PALETTES:
        look = Look(palette=palette)
        for weight in Weight:
            texts = tuple(Text(Rect(0, 0, 900, 100), _SAMPLE, size, weight) for size in Size)
            Canvas(Scene(1280, 100, texts, _SAMPLE, look))


def clear_caches() -> None:
    """Forget the sprites and words of earlier pictures."""
    sprites.clear()
    _word.cache_clear()
    letters.line_mask.cache_clear()


def paint(scene: Scene) -> Image.Image:
    """Return the finished picture of a scene, in palette mode."""
    return Canvas(scene).finished()
