"""Copies of a SQLite file: complete even while the bot writes, private to its user, and synced to disk."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from bot.store.database import StoreError, trouble

BESIDE = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps next to a file in use."""


def copy(
    source: Path,
    target: Path,
    *,
    replace: bool = False,
    prove: Callable[[Path], object] = lambda _copy: None,
) -> None:
    """Copy a SQLite file, even one in use, to `target`, which appears complete or not at all.

    `prove` checks the copy before it gets its name; if it raises, no copy is left.

    Raises:
        StoreError: `source` is missing or not a database, or `target` cannot be written or, without
            `replace`, already exists.
    """
    if not source.is_file():
        raise StoreError("gone", str(source))
    if target.exists() and not replace:
        raise StoreError("there", str(target))
    part = target.with_name(f"{target.name}.part")
    try:
        fresh(part)
        with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(part)) as writing:
            reading.backup(writing)
        make_one_file(part)
        prove(part)
        make_one_file(part)
        part.replace(target)
        sync(target.parent)
    except (sqlite3.Error, OSError) as error:
        raise trouble(error) from error
    finally:
        remove(part)


def make_one_file(file: Path) -> None:
    """Fold the write-ahead log into a SQLite file, so that it may be renamed, and wait for the disk.

    A file in WAL mode would get companion files as soon as it is opened.
    """
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    sync(file)


def fresh(file: Path) -> None:
    """Create an empty file that only its owner may read, replacing any existing one."""
    remove(file)
    os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def remove(file: Path) -> None:
    """Remove a SQLite file and its companion files, if they exist."""
    for each in (file, *(file.with_name(file.name + suffix) for suffix in BESIDE)):
        with suppress(FileNotFoundError):
            each.unlink()


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows cannot sync folders
    handle = os.open(path, os.O_RDONLY if path.is_dir() or os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
