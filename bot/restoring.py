"""Putting a backup in the place of a SQLite database.

A copy of the backup is proved first, beside the database. Then the names change: the copy is called
NAME.restoring, the old file and its write-ahead log step aside, the copy takes the name. As long as
NAME.restoring is there no bot starts (`Database.check_schema`), so a power cut in the middle leaves nothing
that looks like a database and is none; the restore is then run again. SQLite would play a write-ahead log
that stayed behind into whatever file has the name: that is how copying a backup over a database corrupts it.
What could not be folded in, as on a full disk, stands in the log alone; so that the two are not parted, what
steps aside is named after the time of NAME.restoring, which a restore that is run again takes over.
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

from bot.proof import bring_up, must_be_whole, replay
from bot.store import copies
from bot.store.database import restoring, trouble
from bot.store.holder import Holder, holder_of
from bot.tables.proving import Replayed


class Held(Exception):
    """A bot lives on the database."""

    def __init__(self, holder: Holder) -> None:
        super().__init__("a bot lives")
        self.holder = holder


@dataclass(frozen=True, slots=True)
class Ready:
    """A proved copy that waits beside the database, and what is in it."""

    target: Path
    copy: Path
    revision: str
    """The schema that the backup had; the copy has today's."""
    replayed: Replayed


def prepare(
    file: Path, target: Path, *, lease_seconds: float, told: Callable[[int], object] = lambda _done: None
) -> Ready:
    """Copy a backup to where it is to be used, bring it to today's schema, and prove it.

    The backup itself is not changed, nor is the database. After a bot that was killed this waits as long as
    its lease lasts.

    Raises:
        Held: a bot lives on the database.
        Unproved: the backup is damaged, not ours, or newer than this version.
        StoreError: a file cannot be read or written.
    """
    target = target.resolve()
    if holder := holder_of(target, seconds=lease_seconds):
        raise Held(holder)
    copy = target.with_name(f"{target.name}.restore-copy")
    try:
        copies.fresh(copy)
        shutil.copyfile(file, copy)
        wal = file.with_name(f"{file.name}-wal")
        if wal.is_file():  # a copy of a file in use, taken with what belongs to it
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
    """Put the copy in the place of the database; where the old one is kept, if there was one.

    Raises:
        Held: a bot has come to life meanwhile; nothing has changed.
        StoreError: the files cannot be renamed; run the restore again.
    """
    target, marker = ready.target, restoring(ready.target)
    folder = target.parent
    try:
        cut = marker.exists()
        moment = marker.stat().st_mtime if cut else (now or datetime.now(UTC)).timestamp()
        os.utime(ready.copy, (moment, moment))
        aside = _aside(target, moment)
        if cut and target.exists() and aside.exists():  # another file has come into its place since
            aside = _aside(target, (now or datetime.now(UTC)).timestamp())
        ready.copy.replace(marker)
        copies.sync(folder)
        # from here on no bot starts; one that was quicker than we holds the file open
        if holder := holder_of(target, seconds=0):
            marker.replace(ready.copy)
            raise Held(holder)
        kept = target.exists() or aside.exists()
        with suppress(FileNotFoundError):
            # with the old file goes its log: what was written last stands there alone
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
    """What the old file is called from then on."""
    when = datetime.fromtimestamp(moment, UTC)
    return target.with_name(f"{target.name}.before-restore-{when:%Y%m%dT%H%M%SZ}")
