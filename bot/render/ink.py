"""The fixed palette: the byte of each colour, and the bytes between two colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from PIL import Image

from bot.render.colour import RGB, mix
from bot.render.fixed_palette import FIXED
from bot.render.theme import Theme

_STEPS: Final = 33


@dataclass(frozen=True)
class Indices:
    """One fixed palette: `colours` by byte, and `names` with the byte of each colour of the theme."""

    data: bytes
    colours: tuple[RGB, ...]
    names: dict[str, int]
    reference: Image.Image


@cache
def indices(look: Theme) -> Indices:
    """Return the palette of a theme. Raises ValueError if tools/palette.py was not run after a change."""
    data = FIXED[look.name]
    colours = tuple((data[i], data[i + 1], data[i + 2]) for i in range(0, len(data), 3))
    reference = Image.new("P", (1, 1))
    reference.putpalette(data)
    names = {name: colours.index(colour) for name, colour in look.colours.items()}
    return Indices(data, colours, names, reference)


def match(image: Image.Image, look: Theme) -> Image.Image:
    """Return an RGB picture as bytes of the palette (mode L): the nearest colour of each pixel,
    undithered."""
    mapped = image.quantize(palette=indices(look).reference, dither=Image.Dither.NONE)
    return Image.frombytes("L", mapped.size, mapped.tobytes())


@lru_cache(maxsize=1024)
def ramp(look: Theme, ground: int, sign: int) -> bytes:
    """Return, for each coverage from 0 to 255, the byte of the colour between `ground` and `sign`."""
    known = indices(look)
    strip = Image.new("RGB", (_STEPS, 1))
    strip.putdata(
        [mix(known.colours[ground], known.colours[sign], step / (_STEPS - 1)) for step in range(_STEPS)]
    )
    steps = bytearray(match(strip, look).tobytes())
    steps[0], steps[-1] = ground, sign
    return bytes(steps[round(level * (_STEPS - 1) / 255)] for level in range(256))


def in_colour(coverage: Image.Image, table: bytes) -> Image.Image:
    """Apply a table of 256 bytes. Faster than `point`, which rounds each entry of the table first."""
    return Image.frombytes("L", coverage.size, coverage.tobytes().translate(table))
