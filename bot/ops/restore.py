"""Replacing a SQLite database by a backup.

First a copy of the backup is verified next to the database. Then the files are renamed: the copy becomes
NAME.restoring, the old file and its write-ahead log move aside, and the copy takes the database's name. As
long as NAME.restoring exists no bot starts (`Database.check_schema`). So a power cut in the middle leaves
nothing that only looks like a database, and the restore can be run again.

SQLite would apply a leftover write-ahead log to any file that has the name. That is why copying a backup over
a database corrupts it. Changes that could not be folded in, as on a full disk, are only in the log. To
keep the two together, files moved aside are named after the modification time of NAME.restoring, and a
repeated restore uses the same time.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.ops.integrity import bring_up, must_be_whole, replay
from bot.ops.replay_check import ReplayReport
from bot.store.backend import sqlite_backup as copies
from bot.store.backend.file_lock import Holder, holder_of
from bot.store.database import restoring, trouble


class HeldDatabase(Exception):
    """A bot uses the database."""

    def __init__(self, holder: Holder) -> None:
        super().__init__("a bot lives")
        self.holder = holder


@dataclass(frozen=True, slots=True)
class Ready:
    """A verified copy waiting next to the database, with information about its contents."""

    target: Path
    copy: Path
    revision: str
    """The schema that the backup had; the copy has the current one."""
    replayed: ReplayReport


def prepare(
    file: Path, target: Path, *, lease_seconds: float, told: Callable[[int], object] = lambda _done: None
) -> Ready:
    """Copy a backup to its destination, upgrade it to the current schema, and verify it.

    Neither the backup nor the database is changed. If a bot was killed, this waits until its lease has
    expired.

    Raises:
        Held: a bot uses the database.
        Unproved: the backup is damaged, not ours, or newer than this version.
        StoreError: a file cannot be read or written.
    """
    target = target.resolve()
    if holder := holder_of(target, seconds=lease_seconds):
        raise HeldDatabase(holder)
    copy = target.with_name(f"{target.name}.restore-copy")
    try:
        copies.fresh(copy)
        shutil.copyfile(file, copy)
        wal = file.with_name(f"{file.name}-wal")
        if wal.is_file():  # the copy of a file in use, made together with its log
            shutil.copyfile(wal, copy.with_name(f"{copy.name}-wal"))
        must_be_whole(copy, thorough=True)
        revision = bring_up(copy)
        replayed = replay(copy, closed=True, told=told)
        copies.make_one_file(copy)
    except BaseException as error:
        copies.remove(copy)
        if isinstance(error, OSError | sqlite3.Error):
            raise trouble(error) from error
        raise
    return Ready(target, copy, revision, replayed)


def give_up(ready: Ready) -> None:
    """Remove the copy; the database is as it was."""
    copies.remove(ready.copy)


def exchange(ready: Ready, now: datetime | None = None) -> Path | None:
    """Replace the database by the copy. Return the path of the old database, if there was one.

    Raises:
        Held: a bot has started meanwhile; nothing has changed.
        StoreError: the files cannot be renamed; run the restore again.
    """
    target, marker = ready.target, restoring(ready.target)
    folder = target.parent
    try:
        cut = marker.exists()
        moment = marker.stat().st_mtime if cut else (now or datetime.now(UTC)).timestamp()
        os.utime(ready.copy, (moment, moment))
        aside = _aside(target, moment)
        if cut and target.exists() and aside.exists():  # another file has taken its place since
            aside = _aside(target, (now or datetime.now(UTC)).timestamp())
        ready.copy.replace(marker)
        copies.sync(folder)
        # now no bot can start; one that started just before holds the file open
        if holder := holder_of(target, seconds=0):
            marker.replace(ready.copy)
            raise HeldDatabase(holder)
        kept = target.exists() or aside.exists()
        with suppress(FileNotFoundError):
            # the old file's log moves with it, because the last writes may only be there
            target.with_name(f"{target.name}-wal").rename(aside.with_name(f"{aside.name}-wal"))
        with suppress(FileNotFoundError):
            target.rename(aside)
        for suffix in copies.BESIDE:
            target.with_name(target.name + suffix).unlink(missing_ok=True)
        copies.sync(folder)
        marker.replace(target)
        copies.sync(folder)
    except OSError as error:
        raise trouble(error) from error
    return aside if kept else None


def _aside(target: Path, moment: float) -> Path:
    """Return the new path of the old file."""
    when = datetime.fromtimestamp(moment, UTC)
    return target.with_name(f"{target.name}.before-restore-{when:%Y%m%dT%H%M%SZ}")
