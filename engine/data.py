"""The engine's one reader of card data."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


class BrokenData(Exception):
    """A data file that cannot be used; the message names the file and what is wrong in it."""


@cache
def folder() -> Path:
    """Where assets lie: the copy inside an installed package, else `assets/` beside the packages.

    It is found from this package's own place, never from the current folder.
    """
    packaged = Path(str(resources.files("engine"))).parent / "bot" / "_assets"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parent.parent / "assets"


def load(name: str, kind: type[T], source: bytes | None = None) -> T:
    """Read `cards/<name>` as `kind`.

    Raises:
        BrokenData: the file is missing, is not JSON, or a value has the wrong type; says where.
    """
    path = folder() / "cards" / name
    try:
        raw = path.read_bytes() if source is None else source
    except OSError as error:
        raise BrokenData(f"{name}: {error.strerror or error}") from error
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise BrokenData(f"{name}: {error}") from error


def line_of(raw: bytes, key: str, nth: int) -> int:
    """The line, from 1, where the `nth` (from 0) entry with this key begins; 1 if there is none."""
    needle = f'"{key}"'.encode()
    at = -1
    for _ in range(nth + 1):
        at = raw.find(needle, at + 1)
        if at < 0:
            return 1
    return raw.count(b"\n", 0, at) + 1
