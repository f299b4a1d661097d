"""A disk cache of sprites, so that a new process paints as fast as an old one.

Only printed parts of cards, tiles and signs are cached, never people's words or the state of a game: painters
declare this when they register. A file is named by a hash of its contents' description, in a folder named by
a hash of all code and data that draw it, so nothing is ever out of date. Broken or foreign files are drawn
again.
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
"""The setting that turns the disk cache off."""
MOST_BYTES: Final = 48 * 2**20
LARGEST: Final = 2**22
"""Maximum cache file size."""
STALE_SECONDS: Final = 14 * 86_400
"""Seconds without use after which a folder of other drawings is removed: it belongs to an unused version."""
_HEAD: Final = struct.Struct(">4sI")
_MARK: Final = b"VSP1"
_PREFIX: Final = "sprites-"


def user_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder in which this system keeps cached files.

    Raises:
        RuntimeError: the user has no home directory.
    """
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "valence" / "cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "valence"
    given = environment.get("XDG_CACHE_HOME", "")
    # the XDG rule: ignore a path that is not absolute
    return (Path(given) if given.startswith("/") else Path.home() / ".cache") / "valence"


def fingerprint(roots: Iterable[Path]) -> str:
    """Return a hash of all that affects a sprite: code and data in these folders, and Pillow's version."""
    found = hashlib.blake2b(digest_size=12)
    found.update(f"{pillow} {features.version('freetype2')} {sys.byteorder}".encode())
    for root in roots:
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(f"{path.relative_to(root)}\0".encode())
                found.update(path.read_bytes())
    return found.hexdigest()


def stable(value: object) -> str:
    """Return a string for a value that is the same in every process, unlike the `repr` of a set."""
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
    """A folder of small files with a maximum total size. Its methods never raise OSError."""

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
                self._open = True  # even if it is full
                self._tidy(root)
        except OSError:
            self._room = 0  # unusable folder: each process draws its own sprites

    @property
    def room(self) -> int:
        """Bytes this process may still write. Zero after a failed write."""
        return max(0, self._room)

    def get(self, key: object) -> bytes | None:
        """Return the data stored under this key, or None if it is missing or damaged."""
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
        """Store the data, unless the cache is full. Concurrent readers see all of it or nothing."""
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
            self._room = 0  # a full or read-only disk can still be read
            return
        self._room -= size
        self.written += 1

    def _path(self, key: object) -> Path:
        return self._folder / hashlib.blake2b(stable(key).encode(), digest_size=16).hexdigest()

    def _tidy(self, root: Path) -> None:
        """Remove folders of earlier versions, and temporary files of killed processes."""
        before = time.time() - STALE_SECONDS
        for entry in os.scandir(root):
            old = entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False)
            if old and entry.stat().st_mtime < before:
                shutil.rmtree(entry.path, ignore_errors=True)
        for entry in os.scandir(self._folder):
            with contextlib.suppress(OSError):  # another painter may have renamed it just now
                if entry.name.startswith(".new-") and entry.stat().st_mtime < before:
                    Path(entry.path).unlink()


def _size(entry: os.DirEntry[str]) -> int:
    """Return the size of a file in bytes, or 0 if another process has just renamed it."""
    try:
        return entry.stat().st_size
    except FileNotFoundError:
        return 0


def _ours(folder: Path) -> bool:
    """Return whether no one else can write to the folder. In a shared folder someone might."""
    if not hasattr(os, "geteuid"):
        return True
    found = folder.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022
