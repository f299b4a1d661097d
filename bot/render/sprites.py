"""Painters: functions that draw one kind of thing, and the cache of their results.

A painter draws with a `Pen` in pixels of the finished picture. The pen draws at three times the size (twice
for the largest sprites) and the result is reduced, which smooths every edge. It is then converted to the
fixed palette for the ground below it and cached, so showing it again only copies bytes.
"""

from __future__ import annotations

import math
import struct
import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from cachetools import LRUCache
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from bot.render import text as letters
from bot.render.colour import RGB, mix
from bot.render.deflate import inflate, quickly
from bot.render.ink import indices, match
from bot.render.scene import Align, Fit, Rect, Sprite, SpriteState, Weight
from bot.render.sprite_cache import SpriteCache
from bot.render.theme import RADIUS_CARD, Theme

SCALE: Final = 3
_LARGE: Final = 400 * 600
_SMALL: Final = 64 * 64
"""Maximum pixels of a sprite kept whole. Copying it in three parts would take longer than using its mask."""
LIFT: Final = 24
"""Distance that a raised sprite moves up, in pixels."""
OUTLINE: Final = 8
"""Thickness of the ring around an outlined sprite, in pixels."""
RIM: Final = 6
"""Width of the rim of a new card, in pixels."""
BADGE: Final = 40
"""Side of the plus on a new card, in pixels."""
_HOT_BYTES: Final = 24 * 2**20
_PACKED_BYTES: Final = 12 * 2**20

Point: TypeAlias = tuple[float, float]
Area: TypeAlias = tuple[float, float, float, float]
"""Left, top, width, height."""
Colour: TypeAlias = str | RGB
"""A theme colour by name, or a mixture made by `Pen.blend`."""
Painter: TypeAlias = "Callable[[Pen, Any], None]"
_painters: dict[str, Painter] = {}
_printed: set[str] = set()


def painter(key: str, *, printed: bool = False) -> Callable[[Painter], Painter]:
    """Register a painter under `game.thing`. It receives a pen and the args of the sprite.

    `printed` means that it draws only the print on cards, tiles and signs: a limited set, without anything of
    a person or of the state of a game. Such sprites are cached on disk between starts.

    Raises ValueError if another function has the same key.
    """

    def register(function: Painter) -> Painter:
        if _painters.setdefault(key, function).__qualname__ != function.__qualname__:
            raise ValueError(f"two painters are called {key!r}")
        _painters[key] = function
        if printed:
            _printed.add(key)
        return function

    return register


class Pen:
    """Draws on one sprite. Positions and lengths are pixels of the finished picture, colours are names."""

    def __init__(self, width: int, height: int, look: Theme) -> None:
        self.width, self.height, self.theme = float(width), float(height), look
        self.radius: float = RADIUS_CARD
        # A very large sprite has no fine detail, and at three times its size would briefly take 30 MiB.
        self.scale = SCALE if width * height <= _LARGE else 2
        self.image = Image.new("RGBA", (width * self.scale, height * self.scale))
        self._draw = ImageDraw.Draw(self.image)
        self._x = self._y = 0.0

    def within(self, x: float, y: float, width: float, height: float) -> Pen:
        """Return a pen for a part of the sprite, with its own origin and size."""
        part = object.__new__(Pen)
        part.width, part.height, part.theme, part.radius = width, height, self.theme, self.radius
        part.scale = self.scale
        part.image, part._draw = self.image, self._draw
        part._x, part._y = self._x + x, self._y + y
        return part

    def _rgba(self, colour: Colour) -> tuple[int, int, int, int]:
        return (*(self.theme[colour] if isinstance(colour, str) else colour), 255)

    def blend(self, low: str, high: str, share: float) -> RGB:
        """Return a colour between two of the theme, for something meant to be faint on its ground."""
        return mix(self.theme[low], self.theme[high], share)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (self._x + x) * self.scale, (self._y + y) * self.scale

    def box(
        self,
        area: Area,
        colour: Colour,
        radius: float = 0,
        corners: tuple[bool, bool, bool, bool] = (True, True, True, True),
    ) -> None:
        """Draw a filled box. `corners` says which ones are round, clockwise from the top left."""
        x, y, width, height = area
        (left, top), (right, bottom) = self._at(x, y), self._at(x + width, y + height)
        box = (left, top, right - 1, bottom - 1)
        if radius:
            self._draw.rounded_rectangle(box, radius * self.scale, fill=self._rgba(colour), corners=corners)
        else:
            self._draw.rectangle(box, fill=self._rgba(colour))

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """Draw a filled circle."""
        x, y = self._at(*centre)
        r = radius * self.scale
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill=self._rgba(colour))

    def arc(self, centre: Point, radius: float, span: Point, colour: Colour, *, thickness: float) -> None:
        """Draw an arc between the two angles of `span` in degrees, clockwise from three o'clock."""
        x, y = self._at(*centre)
        r = (radius + thickness / 2) * self.scale
        self._draw.arc(
            (x - r, y - r, x + r, y + r), *span, fill=self._rgba(colour), width=round(thickness * self.scale)
        )

    def ring(
        self, centre: Point, radius: float, colour: Colour, *, thickness: float, dashes: int = 0
    ) -> None:
        """Draw a circle line centred on `radius`. With `dashes` it consists of that number of
        equal dashes."""
        if not dashes:
            self.arc(centre, radius, (0, 360), colour, thickness=thickness)
            return
        step = 360 / dashes
        for number in range(dashes):
            start = number * step - 90 - step * 0.3
            self.arc(centre, radius, (start, start + step * 0.6), colour, thickness=thickness)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """Draw a filled shape."""
        self._draw.polygon([self._at(x, y) for x, y in points], fill=self._rgba(colour))

    def stroke(
        self,
        points: Sequence[Point],
        colour: Colour,
        thickness: float,
        *,
        closed: bool = False,
        blunt: bool = False,
    ) -> None:
        """Draw a line through the points, with round joints, and round ends unless `blunt`."""
        path = [*points, points[0]] if closed else list(points)
        placed = [self._at(x, y) for x, y in path]
        self._draw.line(placed, fill=self._rgba(colour), width=round(thickness * self.scale))
        r = thickness * self.scale / 2
        for x, y in placed[1:-1] if blunt else placed:
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=self._rgba(colour))

    def rose(self, centre: Point, radius: float, count: int, turn: float = -90) -> list[Point]:
        """Return `count` points evenly spaced on a circle, the first at `turn` degrees."""
        angles = (math.radians(turn + 360 * number / count) for number in range(count))
        cx, cy = centre
        return [(cx + radius * math.cos(angle), cy + radius * math.sin(angle)) for angle in angles]

    def fitting(
        self, string: str, room: float, largest: float, least: float, weight: Weight = Weight.BOLD
    ) -> float:
        """Return the largest type size between `least` and `largest` at which a word fits into `room`."""
        wide = letters.width(string, round(largest * self.scale), weight) / self.scale
        return largest if wide <= room else max(least, largest * room / wide)

    def lines(self, string: str, pixels: float, width: float, weight: Weight = Weight.MEDIUM) -> int:
        """Return the number of lines a text takes without being cut, for a painter that reserves
        the height."""
        return len(
            letters.wrap(string, round(pixels * self.scale), weight, round(width * self.scale), 99).lines
        )

    def text(
        self,
        string: str,
        area: Area,
        pixels: float,
        colour: Colour = "ink",
        *,
        weight: Weight = Weight.BOLD,
        align: Align = Align.CENTRE,
        max_lines: int = 1,
        fit: Fit = Fit.STRICT,
    ) -> float:
        """Write in a box, centred on the height of capitals. Return the width of the widest line."""
        x, y, width, height = area
        size = round(pixels * self.scale)
        room = round(width * self.scale)
        lines = letters.layout(
            string,
            size,
            weight,
            room,
            round(height * self.scale),
            max_lines=max_lines,
            fit=fit,
            scale=self.scale,
        )
        step = round(size * letters.LINE)
        left, top = self._at(x, y)
        base = top + (height * self.scale - step * (len(lines) - 1) + size * letters.CAP) / 2
        widest = 0.0
        for number, line in enumerate(lines):
            mask = letters.line_mask(line, size, weight)
            free = room - mask.advance
            shift = {Align.LEFT: 0.0, Align.CENTRE: free / 2, Align.RIGHT: free}[align]
            place = (round(left + shift) + mask.left, round(base + number * step) + mask.top)
            self.image.paste(self._rgba(colour), place, mask.mask)
            widest = max(widest, mask.advance / self.scale)
        return widest


class Band(NamedTuple):
    """Rows of a sprite from `down` on: `pixels` wherever `mask` is set, or everywhere without a mask."""

    pixels: Image.Image
    mask: Image.Image | None
    down: int


@dataclass(frozen=True, slots=True)
class Tile:
    """A drawn sprite in the fixed palette, at (`dx`, `dy`) from its rect.

    Most rows of a card have no gap. They need no mask, so they take half the memory and are copied faster. A
    small sprite is kept whole.
    """

    bands: tuple[Band, ...]
    dx: int
    dy: int

    @classmethod
    def cut(cls, pixels: Image.Image, mask: Image.Image, solid: tuple[int, int], dx: int, dy: int) -> Tile:
        """Build a tile from the whole pixels and mask. `solid` is the range of rows without a gap."""
        width, height = pixels.size
        first, end = solid
        if first >= end or width * height <= _SMALL:
            return cls((Band(pixels, mask, 0),), dx, dy)
        bands = [Band(pixels.crop((0, first, width, end)), None, first)]
        for top, foot in ((0, first), (end, height)):
            if top < foot:
                part = (0, top, width, foot)
                bands.append(Band(pixels.crop(part), mask.crop(part), top))
        return cls(tuple(bands), dx, dy)


def _solid(mask: Image.Image) -> tuple[int, int]:
    """Return the range of rows without a gap, end exclusive, or (0, 0) if rows with gaps are among them."""
    width, height = mask.size
    data, full = mask.convert("L").tobytes(), b"\xff" * width
    rows = [row for row in range(height) if data.startswith(full, row * width)]
    if not rows or rows[-1] - rows[0] >= len(rows):
        return 0, 0
    return rows[0], rows[-1] + 1


_Key: TypeAlias = tuple[str, tuple[Hashable, ...], int, int, frozenset[SpriteState], str, int]


def _bytes(tile: Tile) -> int:
    return sum(pixels.width * pixels.height * (2 if mask else 1) + 200 for pixels, mask, _ in tile.bands)


@dataclass(frozen=True, slots=True)
class _Packed:
    """A tile as compressed bytes.

    Flat colours shrink to a twentieth, and unpack in a fraction of a millisecond; drawing takes ten. So every
    card of a game stays cached in little memory.
    """

    pixels: bytes
    mask: bytes
    size: tuple[int, int]
    solid: tuple[int, int]
    dx: int
    dy: int

    @classmethod
    def of(cls, pixels: Image.Image, mask: Image.Image, dx: int, dy: int) -> _Packed:
        packed, packed_mask = (quickly(image.tobytes()) for image in (pixels, mask))
        return cls(packed, packed_mask, pixels.size, _solid(mask), dx, dy)

    def to_bytes(self) -> bytes:
        """Return the format on disk."""
        head = _HEAD.pack(*self.size, *self.solid, self.dx, self.dy, len(self.pixels))
        return head + self.pixels + self.mask

    @classmethod
    def from_bytes(cls, data: bytes) -> _Packed:
        width, height, first, end, dx, dy, length = _HEAD.unpack_from(data)
        pixels, mask = data[_HEAD.size : _HEAD.size + length], data[_HEAD.size + length :]
        return cls(pixels, mask, (width, height), (first, end), dx, dy)

    def tile(self) -> Tile:
        pixels = Image.frombytes("L", self.size, inflate(self.pixels))
        mask = Image.frombytes("1", self.size, inflate(self.mask))
        return Tile.cut(pixels, mask, self.solid, self.dx, self.dy)


def _packed_bytes(packed: _Packed) -> int:
    return len(packed.pixels) + len(packed.mask) + 400


_HEAD: Final = struct.Struct(">HHHHhhI")
_disk: SpriteCache | None = None


def keep_on(disk: SpriteCache | None) -> None:
    """Cache printed sprites on this disk cache from now on, or nowhere."""
    global _disk
    _disk = disk


def kept_on() -> SpriteCache | None:
    """Return the disk cache of printed sprites, if there is one."""
    return _disk


_tiles: LRUCache[_Key, Tile] = LRUCache(_HOT_BYTES, getsizeof=_bytes)
_packed: LRUCache[_Key, _Packed] = LRUCache(_PACKED_BYTES, getsizeof=_packed_bytes)
_lock = threading.Lock()


def clear() -> None:
    """Empty the caches of this process, not the one on disk."""
    with _lock:
        _tiles.clear()
        _packed.clear()


def draw(
    key: str, args: tuple[Hashable, ...], width: int, height: int, look: Theme
) -> tuple[Image.Image, float]:
    """Run a painter. Return the picture with transparency at its final size, and its corner radius.

    Raises KeyError if there is no such painter.
    """
    pen = Pen(width, height, look)
    _painters[key](pen, args)
    return pen.image.reduce(pen.scale), pen.radius


def _stripes(width: int, height: int, colour: RGB) -> Image.Image:
    """Return diagonal stripes, for a frozen card."""
    image = Image.new("RGBA", (width * SCALE, height * SCALE))
    pen = ImageDraw.Draw(image)
    for start in range(-height, width, 24):
        a, b = start * SCALE, (start + height) * SCALE
        pen.line(((a, height * SCALE), (b, 0)), fill=(*colour, 255), width=5 * SCALE)
    return image.reduce(SCALE)


def _mark_new(image: Image.Image, look: Theme) -> None:
    """Draw a rim along the inside of a card and a plus in its lower right corner."""
    alpha = image.getchannel("A")
    inside = ImageOps.expand(alpha, RIM, 0).filter(ImageFilter.MinFilter(2 * RIM + 1))
    rim = ImageChops.subtract(alpha, inside.crop((RIM, RIM, RIM + image.width, RIM + image.height)))
    image.paste((*look["accent"], 255), (0, 0), rim)
    side, arm, thick = (length * SCALE for length in (BADGE, BADGE * 3 // 10, 3))
    badge = Image.new("RGBA", (side, side))
    pen, middle = ImageDraw.Draw(badge), side // 2
    pen.rounded_rectangle((0, 0, side - 1, side - 1), 10 * SCALE, fill=(*look["accent"], 255))
    for wide, tall in ((arm, thick), (thick, arm)):
        pen.rectangle(
            (middle - wide, middle - tall, middle + wide, middle + tall), fill=(*look["accent_ink"], 255)
        )
    image.alpha_composite(badge.reduce(SCALE), (image.width - BADGE, image.height - BADGE))


def _finish(sprite: Sprite, look: Theme, ground: RGB) -> _Packed:
    rect, states = sprite.rect, sprite.states
    turned = SpriteState.SIDEWAYS in states
    width, height = (rect.h, rect.w) if turned else (rect.w, rect.h)
    image, radius = draw(sprite.painter, sprite.args, width, height, look)
    if turned:
        image = image.transpose(Image.Transpose.ROTATE_90)
    alpha = image.getchannel("A")
    if SpriteState.HATCHED in states:
        stripes = _stripes(rect.w, rect.h, look["back_line"])
        image.paste(stripes, (0, 0), stripes)
    if SpriteState.DIMMED in states:
        image = Image.blend(image, Image.new("RGBA", image.size, (*ground, 255)), 0.55)
    image.putalpha(alpha)
    if SpriteState.NEW in states:
        _mark_new(image, look)
    dy = -LIFT if SpriteState.RAISED in states else 0
    dx = 0
    if SpriteState.OUTLINED in states:
        size = (rect.w + 2 * OUTLINE, rect.h + 2 * OUTLINE)
        large = Image.new("RGBA", (size[0] * SCALE, size[1] * SCALE))
        ImageDraw.Draw(large).rounded_rectangle(
            (0, 0, large.width - 1, large.height - 1), (radius + OUTLINE) * SCALE, fill=(*look["accent"], 255)
        )
        framed = large.reduce(SCALE)
        framed.alpha_composite(image, (OUTLINE, OUTLINE))
        image, dx, dy = framed, -OUTLINE, dy - OUTLINE
    flat = Image.new("RGB", image.size, ground)
    flat.paste(image, (0, 0), image)
    # Nearly invisible pixels would carry the ground's colour onto the picture below.
    mask = image.getchannel("A").point([0] * 24 + [255] * 232, "1")
    return _Packed.of(match(flat, look), mask, dx, dy)


def tile(sprite: Sprite, look: Theme, ground: int) -> Tile:
    """Return the sprite on a ground (an index of the fixed palette), cached."""
    key = (sprite.painter, sprite.args, sprite.rect.w, sprite.rect.h, sprite.states, look.name, ground)
    with _lock:
        found = _tiles.get(key)
        packed = _packed.get(key) if found is None else None
    if found is not None:
        return found
    if packed is None:
        disk = _disk if sprite.painter in _printed else None
        if disk is not None:
            packed, found = _from_disk(disk, key)
        if packed is None:
            packed = _finish(sprite, look, indices(look).colours[ground])
            if disk is not None:
                disk.put(key, packed.to_bytes())
    if found is None:
        found = packed.tile()
    with _lock:
        if _bytes(found) <= _tiles.maxsize:
            _tiles[key] = found
        if _packed_bytes(packed) <= _packed.maxsize:
            _packed[key] = packed
    return found


def _from_disk(disk: SpriteCache, key: _Key) -> tuple[_Packed, Tile] | tuple[None, None]:
    data = disk.get(key)
    if data is None:
        return None, None
    try:
        packed = _Packed.from_bytes(data)
        return packed, packed.tile()
    except (ValueError, struct.error):
        return None, None


def area(sprite: Sprite) -> Rect:
    """Return the box that a sprite really covers, including its lift and its outline."""
    rect = sprite.rect
    top = LIFT if SpriteState.RAISED in sprite.states else 0
    rect = Rect(rect.x, rect.y - top, rect.w, rect.h)
    return rect.inset(-OUTLINE) if SpriteState.OUTLINED in sprite.states else rect
