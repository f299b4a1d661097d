"""PNG with a palette, straight from the canvas."""

from __future__ import annotations

import struct
import zlib
from typing import Final

from bot.render.animate import moving
from bot.render.canvas import Canvas
from bot.render.deflate import deflate
from bot.render.ink import indices
from bot.render.scene import Scene

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return one chunk of a PNG file: length, kind, data, checksum."""
    return b"".join(
        (struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(kind))))
    )


def png(canvas: Canvas) -> bytes:
    """Return the canvas as a PNG file."""
    scene = canvas.scene
    header = struct.pack(">IIBBBBB", scene.width, scene.height, 8, 3, 0, 0, 0)
    return b"".join(
        (
            _SIGNATURE,
            chunk(b"IHDR", header),
            chunk(b"PLTE", indices(canvas.look).data),
            chunk(b"IDAT", deflate(canvas.data)),
            chunk(b"IEND", b""),
        )
    )


def encode(scene: Scene) -> bytes:
    """Paint a scene and return its file: a PNG, or a GIF if it moves. Blocking: call it through `Studio`."""
    return moving(scene) if scene.motion else png(Canvas(scene))
