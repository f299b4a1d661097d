"""The engine's only reader of card data."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


class BrokenData(Exception):
    """A data file that cannot be used. The message names the file and says what is wrong."""


@cache
def folder() -> Path:
    """Return the assets folder: the copy inside an installed package, else `assets/` next to the packages.

    The path depends on where this package is installed, never on the current folder.
    """
    packaged = Path(str(resources.files("engine"))).parent / "bot" / "_assets"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parent.parent / "assets"


def load(name: str, kind: type[T], source: bytes | None = None) -> T:
    """Read `cards/<name>` as `kind`.

    Raises:
        BrokenData: the file is missing or not JSON, or a value has the wrong type. The message says where.
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
    """Return the line, from 1, where the `nth` entry (from 0) with this key begins; 1 if there is no such
    entry."""
    needle = f'"{key}"'.encode()
    at = -1
    for _ in range(nth + 1):
        at = raw.find(needle, at + 1)
        if at < 0:
            return 1
    return raw.count(b"\n", 0, at) + 1
