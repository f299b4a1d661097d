"""Backups of a SQLite file: verified before they count, named by their time, the oldest pruned."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from bot.ops.integrity import Unproved, in_a_line, is_of_today, must_be_whole, replay
from bot.store.backend import sqlite_backup as copies
from bot.store.database import StoreError

NAME = re.compile(r"valence-\d{8}T\d{6}Z\.db")
"""Pattern of backup names; anything else in the folder is left alone."""


def backup(source: Path, target: Path) -> list[str]:
    """Copy a SQLite file, even one in use, and verify the copy. Return notes for the operator.

    `target` exists afterwards only if the copy is complete and its games replay as far as the source's do.

    Raises:
        StoreError: one of the files cannot be used.
        Unproved: the copy fails a check.
    """
    notes: list[str] = []

    def prove(copy: Path) -> None:
        must_be_whole(copy)
        if not is_of_today(copy):
            notes.append("it is of another version's schema, so its games were not replayed")
            return
        if broken := replay(copy).resting:
            # a game that does not replay in the source either is not the copy's fault
            there = {fault.table for fault in replay(source).resting}
            if lost := tuple(fault for fault in broken if fault.table not in there):
                raise Unproved(f"games that go on in the original do not replay in it: {in_a_line(lost)}")
            notes.append(f"games that do not replay, here as in the original: {in_a_line(broken)}")

    copies.copy(source, target, prove=prove)
    return notes


def name_at(moment: datetime) -> str:
    """Return the name of a backup taken at this time."""
    return f"valence-{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}.db"


def of_folder(folder: Path) -> list[Path]:
    """Return the backups in a folder, oldest first."""
    return sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))


def age_of(path: Path, now: datetime) -> float:
    """Return the age of a backup in seconds, according to its name."""
    taken = datetime.strptime(path.name, "valence-%Y%m%dT%H%M%SZ.db").replace(tzinfo=UTC)
    return (now - taken).total_seconds()


def prune(folder: Path, keep: int) -> list[Path]:
    """Remove all but the newest `keep` backups. Return those removed."""
    old = of_folder(folder)[:-keep]
    for path in old:
        path.unlink(missing_ok=True)  # another process may have removed it first
    return old


def run(
    source: Path,
    folder: Path,
    *,
    every: float,
    keep: int,
    stop: Event,
    tell: Callable[[str], object],
    complain: Callable[[Exception], object],
) -> None:
    """Take a backup now and at this interval in seconds, until `stop` is set.

    A failed backup is passed to `complain` and leaves nothing behind; older backups are kept then.

    Raises:
        OSError: the folder cannot be created.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for left in folder.glob("valence-*.db.part*"):  # left over from a killed run
        left.unlink()
    while not stop.is_set():
        target = folder / name_at(datetime.now(UTC))
        try:
            notes = backup(source, target)
        except (StoreError, Unproved, OSError) as error:
            complain(error)
        else:
            removed = _pruned(folder, keep)
            tell(f"{target} is taken and proved{''.join(f' ({note})' for note in notes)}{removed}.")
        stop.wait(every)


def _pruned(folder: Path, keep: int) -> str:
    """Remove old backups and describe the result. A failure to remove one must not stop new backups."""
    try:
        gone = prune(folder, keep)
    except OSError as error:
        return f"; older ones could not be removed: {error}"
    return f"; {', '.join(path.name for path in gone)} removed" if gone else ""
