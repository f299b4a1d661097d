"""GIF files made of tiles: each frame stores only the rectangle that changes.

Pillow compresses the tiles. Its own writer of animations copies and compares whole frames, which took ten
times as long for our pictures.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from PIL import Image, ImageChops
from PIL.GifImagePlugin import getdata

from bot.render.ink import in_colour
from bot.workers.process import give_way

_COLOURS: Final = 256
_SIGNATURE: Final = b"GIF89a"
_GLOBAL_PALETTE: Final = 0b1111_0111
"""Flags of the header: a common palette of 256 colours, 8 bits each."""
_FOR_EVER: Final = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_END: Final = b";"
_KEEP: Final = 1
"""Disposal method: the next frame is drawn over this one."""
_UNCHANGED: Final = b"\xff" + bytes(255)
"""Table from differences of palette indices to a mask of equal pixels."""


@dataclass(frozen=True, slots=True)
class GifFrame:
    """A rectangle of palette indices (mode L), drawn over the frame before, and the milliseconds it is shown.

    The first frame is the whole picture.
    """

    image: Image.Image
    milliseconds: int
    left: int = 0
    top: int = 0
    transparent: int | None = None
    """Palette index that keeps the pixel of the frame before."""


def gif(frames: Sequence[GifFrame], palette: bytes, *, loop: bool = False) -> bytes:
    """Return these frames as a GIF. `palette` holds three bytes for each colour.

    A frame that changes nothing extends the time of the one before.
    """
    first = frames[0]
    picture, tiles = first.image.copy(), [first]
    for frame in frames[1:]:
        if (tile := _difference(picture, frame)) is None:
            tiles[-1] = replace(tiles[-1], milliseconds=tiles[-1].milliseconds + frame.milliseconds)
        else:
            tiles.append(tile)
            picture.paste(frame.image, (frame.left, frame.top))
    size = struct.pack("<HHBBB", *first.image.size, _GLOBAL_PALETTE, 0, 0)
    parts = [_SIGNATURE, size, palette.ljust(3 * _COLOURS, b"\0")]
    if loop:
        parts.append(_FOR_EVER)
    for tile in tiles:
        give_way()
        options = {} if tile.transparent is None else {"transparency": tile.transparent}
        place = (tile.left, tile.top)
        parts += getdata(tile.image, place, duration=tile.milliseconds, disposal=_KEEP, **options)
    return b"".join((*parts, _END))


def _difference(picture: Image.Image, frame: GifFrame) -> GifFrame | None:
    """Return the part of a frame that differs from the picture below it, or None if nothing does."""
    right, bottom = frame.left + frame.image.width, frame.top + frame.image.height
    difference = ImageChops.difference(picture.crop((frame.left, frame.top, right, bottom)), frame.image)
    if (changed := difference.getbbox()) is None:
        return None
    image = frame.image.crop(changed)
    used = image.tobytes()
    free = next((index for index in reversed(range(_COLOURS)) if index not in used), None)
    if free is not None:
        image.paste(free, mask=in_colour(difference.crop(changed), _UNCHANGED))
    return GifFrame(image, frame.milliseconds, frame.left + changed[0], frame.top + changed[1], free)
