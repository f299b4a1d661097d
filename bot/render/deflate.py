"""DEFLATE for pictures: by Intel's ISA-L where there is a build of it for the processor, else by zlib.

ISA-L takes a seventh of zlib's time for a picture of ours, and the file is no larger (`bench/press.md`).
"""

from __future__ import annotations

import zlib
from types import ModuleType
from typing import Final

from typing_extensions import Buffer

LEVEL: Final = 1
THOROUGH: Final = 6
BUDGET: Final = 96 * 1024
"""Above this many bytes the slower compression is worth its few milliseconds."""


def _fastest() -> ModuleType:
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib
    return isal_zlib


_FAST: Final = _fastest()


class Damaged(ValueError):
    """This is no DEFLATE."""


def quickly(data: Buffer) -> bytes:
    """Compress in the format of zlib, for what is soon unpacked again."""
    packed: bytes = _FAST.compress(data, LEVEL)
    return packed


def deflate(data: Buffer) -> bytes:
    """Compress for a picture: quick, since each is sent once or twice; a large one more thoroughly."""
    packed = quickly(data)
    return packed if len(packed) <= BUDGET else zlib.compress(data, THOROUGH)


def inflate(data: bytes) -> bytes:
    """What was compressed, by whichever of the two.

    Raises:
        Damaged: it is cut short, or was never compressed.
    """
    try:
        unpacked: bytes = _FAST.decompress(data)
    except _FAST.error as error:
        raise Damaged(str(error)) from error
    return unpacked
