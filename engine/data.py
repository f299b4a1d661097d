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
        BrokenData: the file is missing, is not JSON, or a value has the wrong type; says the line.
    """
    path = folder() / "cards" / name
    try:
        raw = path.read_bytes() if source is None else source
    except OSError as error:
        raise BrokenData(f"{name}: {error.strerror or error}") from error
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise BrokenData(f"{name}, line {_line_of(raw, str(error))}: {error}") from error


def line_of(raw: bytes, key: str, nth: int) -> int:
    """The line, from 1, where the `nth` (from 0) entry with this key begins; 1 if there is none."""
    needle = f'"{key}"'.encode()
    at = -1
    for _ in range(nth + 1):
        at = raw.find(needle, at + 1)
        if at < 0:
            return 1
    return raw.count(b"\n", 0, at) + 1


def _line_of(raw: bytes, message: str) -> int:
    """The line a decoder's message speaks of: by byte offset, or by the path `$.cards[n].field`."""
    words = message.replace("(", " ").replace(")", " ").split()
    if "byte" in words:
        offset = words[words.index("byte") + 1]
        if offset.isdigit():
            return raw.count(b"\n", 0, int(offset)) + 1
    if "`$.cards[" in message:
        index = message.split("`$.cards[", 1)[1].split("]", 1)[0]
        if index.isdigit():
            return _nth_object_line(raw, int(index))
    return 1


def _nth_object_line(raw: bytes, index: int) -> int:
    """The line on which the object `cards[index]` begins, counting braces outside strings."""
    start = raw.find(b'"cards"')
    depth, seen, in_string, escaped = 0, -1, False, False
    line = raw.count(b"\n", 0, max(start, 0)) + 1
    for byte in raw[max(start, 0) :]:
        char = chr(byte)
        if char == "\n":
            line += 1
        if in_string:
            escaped, in_string = (not escaped and char == "\\"), escaped or char != '"'
            continue
        if char == '"':
            in_string = True
        elif char == "{":
            depth += 1
            if depth == 1:
                seen += 1
                if seen == index:
                    return line
        elif char == "}":
            depth -= 1
    return line
