"""Backups of a SQLite file: proved before they count, named by their time, the oldest pruned."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from bot.proof import Unproved, in_a_line, is_of_today, must_be_whole, replay
from bot.store import copies
from bot.store.database import StoreError

NAME = re.compile(r"valence-\d{8}T\d{6}Z\.db")
"""What a backup is called; anything else in the folder is left alone."""


def backup(source: Path, target: Path) -> list[str]:
    """Copy a SQLite file, also one in use, and prove the copy; what is worth telling about it.

    Nothing stands at `target` unless the copy is whole and plays as far as the source does.

    Raises:
        StoreError: one of the files cannot be used.
        Unproved: the copy is not what it should be.
    """
    notes: list[str] = []

    def prove(copy: Path) -> None:
        must_be_whole(copy)
        if not is_of_today(copy):
            notes.append("it is of another version's schema, so its games were not replayed")
            return
        if broken := replay(copy).resting:
            # a game that does not replay in the source either is no fault of the copy
            there = {fault.table for fault in replay(source).resting}
            if lost := tuple(fault for fault in broken if fault.table not in there):
                raise Unproved(f"games that go on in the original do not replay in it: {in_a_line(lost)}")
            notes.append(f"games that do not replay, here as in the original: {in_a_line(broken)}")

    copies.copy(source, target, prove=prove)
    return notes


def name_at(moment: datetime) -> str:
    """The name of a backup that is taken now."""
    return f"valence-{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}.db"


def of_folder(folder: Path) -> list[Path]:
    """The backups in a folder, the oldest first."""
    return sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))


def age_of(path: Path, now: datetime) -> float:
    """How old a backup is by its name, in seconds."""
    taken = datetime.strptime(path.name, "valence-%Y%m%dT%H%M%SZ.db").replace(tzinfo=UTC)
    return (now - taken).total_seconds()


def prune(folder: Path, keep: int) -> list[Path]:
    """Remove all but the newest so many backups; those removed."""
    old = of_folder(folder)[:-keep]
    for path in old:
        path.unlink(missing_ok=True)  # somebody may have been quicker
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
    """Take a backup now and every so many seconds, until told to stop.

    One that fails is complained of and leaves nothing behind; the older ones stay then.

    Raises:
        OSError: the folder cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for left in folder.glob("valence-*.db.part*"):  # of a run that was killed
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
    """Which backups were removed, in words; an old one that stays must not keep new ones from being taken."""
    try:
        gone = prune(folder, keep)
    except OSError as error:
        return f"; older ones could not be removed: {error}"
    return f"; {', '.join(path.name for path in gone)} removed" if gone else ""
