"""Sprites kept on disk between starts, so that a fresh process paints as fast as an old one.

Only what is printed on cards, tiles and signs is kept, never a word of a person or a state of a game:
painters say so when they register. A file is named by a hash of what it shows, in a folder named by a
hash of all that draws it, so nothing in it is ever out of date. Whatever is broken or foreign there is
drawn again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import struct
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Final

import msgspec
from PIL import __version__ as pillow
from PIL import features

NOWHERE: Final = "-"
"""What a setting says when nothing is to be kept."""
MOST_BYTES: Final = 48 * 2**20
LARGEST: Final = 2**22
"""No file of ours is as large as this."""
STALE_SECONDS: Final = 14 * 86_400
"""A folder of other drawings, untouched for so long, is of a version that nobody runs any more."""
_HEAD: Final = struct.Struct(">4sI")
_MARK: Final = b"VSP1"
_PREFIX: Final = "sprites-"


def user_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where this system keeps what can be made again.

    Raises:
        RuntimeError: nobody is at home here.
    """
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "valence" / "cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "valence"
    given = environment.get("XDG_CACHE_HOME", "")
    # the rule of the XDG: a path that is not absolute counts as none
    return (Path(given) if given.startswith("/") else Path.home() / ".cache") / "valence"


def fingerprint(roots: Iterable[Path]) -> str:
    """A hash of all that has a say in how a sprite looks: code and data in these folders, and Pillow."""
    found = hashlib.blake2b(digest_size=12)
    found.update(f"{pillow} {features.version('freetype2')} {sys.byteorder}".encode())
    for root in roots:
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(f"{path.relative_to(root)}\0".encode())
                found.update(path.read_bytes())
    return found.hexdigest()


def stable(value: object) -> str:
    """A value in words that are the same in every process; `repr` of a set is not."""
    if isinstance(value, tuple | list):
        return f"({','.join(map(stable, value))})"
    if isinstance(value, frozenset | set):
        return f"{{{','.join(sorted(map(stable, value)))}}}"
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if is_dataclass(value) and not isinstance(value, type):
        inside = ",".join(stable(getattr(value, field.name)) for field in fields(value))
        return f"{type(value).__name__}({inside})"
    if isinstance(value, msgspec.Struct):
        inside = ",".join(stable(getattr(value, name)) for name in value.__struct_fields__)
        return f"{type(value).__name__}({inside})"
    return repr(value)


class SpriteCache:
    """A folder of small files, of at most so many bytes together. Nothing here ever raises OSError."""

    def __init__(self, root: Path, version: str, *, most_bytes: int = MOST_BYTES) -> None:
        self._folder = root / f"{_PREFIX}{version}"
        self._room, self._open = 0, False
        self.read = 0
        self.written = 0
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _ours(root) and _ours(self._folder):
                os.utime(self._folder)
                self._room = most_bytes - sum(map(_size, os.scandir(self._folder)))
                self._open = True  # also where it is full
                self._tidy(root)
        except OSError:
            self._room = 0  # no such place: sprites are drawn anew in each process

    @property
    def room(self) -> int:
        """How many bytes may still be put there by this process; none once a write has failed."""
        return max(0, self._room)

    def get(self, key: object) -> bytes | None:
        """What was put there under this key, if it is there and whole."""
        if not self._open:
            return None
        try:
            with self._path(key).open("rb") as file:
                head = file.read(_HEAD.size)
                data = file.read(LARGEST)
            mark, check = _HEAD.unpack(head)
        except (OSError, struct.error):
            return None
        if mark != _MARK or zlib.crc32(data) != check:
            return None
        self.read += 1
        return data

    def put(self, key: object, data: bytes) -> None:
        """Keep it, unless it is full. Whoever reads meanwhile finds all of it or nothing."""
        size = len(data) + _HEAD.size
        if not self._open or size > min(self._room, LARGEST):
            return
        try:
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_HEAD.pack(_MARK, zlib.crc32(data)) + data)
                Path(name).replace(self._path(key))
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError:
            self._room = 0  # a full or read-only disk: what is there can still be read
            return
        self._room -= size
        self.written += 1

    def _path(self, key: object) -> Path:
        return self._folder / hashlib.blake2b(stable(key).encode(), digest_size=16).hexdigest()

    def _tidy(self, root: Path) -> None:
        """Remove what earlier versions have left, and what somebody was writing when it was killed."""
        before = time.time() - STALE_SECONDS
        for entry in os.scandir(root):
            old = entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False)
            if old and entry.stat().st_mtime < before:
                shutil.rmtree(entry.path, ignore_errors=True)
        for entry in os.scandir(self._folder):
            with contextlib.suppress(OSError):  # another painter may have given it its name just now
                if entry.name.startswith(".new-") and entry.stat().st_mtime < before:
                    Path(entry.path).unlink()


def _size(entry: os.DirEntry[str]) -> int:
    """How many bytes a file has; none where another process has just given it its name."""
    try:
        return entry.stat().st_size
    except FileNotFoundError:
        return 0


def _ours(folder: Path) -> bool:
    """Whether nobody else could have put something there; in a shared folder somebody might have."""
    if not hasattr(os, "geteuid"):
        return True
    found = folder.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022
