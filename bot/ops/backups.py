"""Backups of a SQLite file: verified before they count, named by their time, the oldest pruned."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from threading import Event

from bot.ops.integrity import Unproved, in_a_line, is_of_today, must_be_whole, replay
from bot.store.backend import sqlite_backup as copies
from bot.store.database import StoreError

NAME = re.compile(r"valence-\d{8}T\d{6}Z\.db")
"""Pattern of backup names; anything else in the folder is left alone."""
MOST_NAMED = 5
"""Number of files that one line names."""


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
    return sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name) and _date_of(path))


def _date_of(path: Path) -> datetime | None:
    """Return the time in the name of a backup, or None if there is no such time."""
    try:
        return datetime.strptime(path.name, "valence-%Y%m%dT%H%M%SZ.db").replace(tzinfo=UTC)
    except ValueError:
        return None


def age_of(path: Path, now: datetime) -> float:
    """Return the age of a backup in seconds, according to its name; below 0 for a date in the future."""
    taken = _date_of(path)
    return -inf if taken is None else (now - taken).total_seconds()


def ahead_of(folder: Path, now: datetime) -> list[Path]:
    """Return the backups with a date in the future: the clock was wrong when they were taken, or is now."""
    return [path for path in of_folder(folder) if age_of(path, now) < 0]


def prune(folder: Path, keep: int, taken: Path, now: datetime) -> list[Path]:
    """Remove all but `keep` backups: the one just taken, and the newest of the others. Return those removed.

    Backups with a date in the future are not counted and never removed: by that date alone, each backup of
    today would be the oldest.
    """
    ahead = ahead_of(folder, now)
    others = [path for path in of_folder(folder) if path != taken and path not in ahead]
    old = others[: max(0, len(others) - (keep - 1))]
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
            removed = _pruned(folder, keep, target)
            tell(f"{target} is taken and proved{''.join(f' ({note})' for note in notes)}{removed}.")
        stop.wait(every)


def _pruned(folder: Path, keep: int, taken: Path) -> str:
    """Remove old backups and describe the result. A failure to remove one must not stop new backups."""
    now = datetime.now(UTC)
    try:
        gone, ahead = prune(folder, keep, taken, now), ahead_of(folder, now)
    except OSError as error:
        return f"; older ones could not be removed: {error}"
    told = f"; {_names(gone)} removed" if gone else ""
    if ahead:
        told += f"; dated in the future, so neither counted nor removed: {_names(ahead)}"
    return told


def _names(paths: Sequence[Path]) -> str:
    """Return the names of files as one text; only the first few of many."""
    more = f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else ""
    return ", ".join(path.name for path in paths[:MOST_NAMED]) + more
