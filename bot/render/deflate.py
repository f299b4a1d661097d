"""DEFLATE for pictures: by Intel's ISA-L if there is a build for the processor, else by zlib.

For our pictures ISA-L takes a seventh of zlib's time without making larger files (`research/press.md`).
"""

from __future__ import annotations

import zlib
from types import ModuleType
from typing import Final

from typing_extensions import Buffer

LEVEL: Final = 1
THOROUGH: Final = 6
BUDGET: Final = 96 * 1024
"""Size in bytes above which the slower compression is worth its few milliseconds."""


def _fastest() -> ModuleType:
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib
    return isal_zlib


_FAST: Final = _fastest()


class Damaged(ValueError):
    """The data is not valid DEFLATE."""


def quickly(data: Buffer) -> bytes:
    """Compress in zlib format, for data that is soon unpacked again."""
    packed: bytes = _FAST.compress(data, LEVEL)
    return packed


def deflate(data: Buffer) -> bytes:
    """Compress a picture: quickly, because each is sent once or twice; a large one more thoroughly."""
    packed = quickly(data)
    return packed if len(packed) <= BUDGET else zlib.compress(data, THOROUGH)


def inflate(data: bytes) -> bytes:
    """Decompress data from either compressor.

    Raises:
        Damaged: the data is truncated or not compressed.
    """
    try:
        unpacked: bytes = _FAST.decompress(data)
    except _FAST.error as error:
        raise Damaged(str(error)) from error
    return unpacked
