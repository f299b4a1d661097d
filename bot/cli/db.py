"""`valence db`: bring the database up to date, check it, copy it, restore it, move it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Annotated, Any, TypeVar

import typer

from bot.cli.arguments import Json, Stop, complain, settings
from bot.cli.output import as_json, console, progress
from bot.locales import words
from bot.store.backend.urls import BadUrl, DatabasePlace, place
from bot.store.database import StoreError

T = TypeVar("T")
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
LONGEST = 365 * UNITS["d"]
"""How rarely backups may be taken, in seconds."""
AWAY = "DATABASE_URL names another file than the bot's, or this was typed in another folder"


def add_to(app: typer.Typer) -> None:
    """Add these commands as a group."""
    group = typer.Typer(help="The database that DATABASE_URL names.")
    group.command()(upgrade)
    group.command()(check)
    group.command()(backup)
    group.command()(restore)
    group.command()(move)
    app.add_typer(group, name="db")


def _why(found: StoreError | BadUrl) -> str:
    from bot.ops.startup import store_words  # only a failure pays for the import of discord.py

    return store_words(found)


@contextmanager
def in_words() -> Iterator[None]:
    """Turn what the store or a URL cannot do into one line."""
    try:
        yield
    except StoreError as found:
        raise Stop(_why(found), code=1) from found
    except BadUrl as found:
        raise Stop(_why(found)) from found


def _wait_for(act: Coroutine[object, object, T]) -> T:
    """Run it to its end, and let the driver's thread come to its own, or it would complain on stderr."""

    async def both() -> T:
        try:
            return await act
        except StoreError:
            await asyncio.sleep(0.1)
            raise

    return asyncio.run(both())


def _where() -> DatabasePlace:
    return place(settings().database_url)


def _the_file(instead: str) -> Path:
    """The SQLite file that DATABASE_URL names; stops where it names a server, and says what to use there."""
    with in_words():
        where = _where()
    if not where.sqlite:
        raise Stop(f"this is for a SQLite database; for PostgreSQL use {instead}")
    return where.file


def _say(line: str) -> None:
    console().print(line, soft_wrap=True)


def upgrade() -> None:
    """Bring the database to the schema of this version; one that is there is left as it is."""
    from bot.store.backend import migrate

    with in_words():
        where = _where()
        _wait_for(migrate.upgrade(settings().database_url, tell=_say))
    _say(f"{where.shown} is up to date.")


def check(json: Json = False) -> None:
    """Say whether this version can use the database as it is, and whether a SQLite file is whole.

    Exit code 1 where it cannot, or is not.
    """
    from bot.ops.integrity import damage
    from bot.store.backend import migrate
    from bot.store.models import SCHEMA

    with in_words():
        where = _where()
        told: dict[str, Any] = {"database": where.shown}
        try:
            told["revision"] = _wait_for(migrate.check(settings().database_url))
            found = damage(where.file) if where.sqlite else []
        except StoreError as trouble:
            if not json:
                raise
            as_json({**told, "usable": False, "problem": trouble.kind})
            raise typer.Exit(1) from trouble
    if found and json:
        as_json({**told, "usable": False, "problem": "damaged", "damage": found})
        raise typer.Exit(1)
    if found:
        raise Stop(f"{where.shown} is damaged: {'; '.join(found)}. {words('en')('doctor.disk.mend')}", code=1)
    if json:
        as_json({**told, "usable": True})
        return
    later = ", of a newer version, on which this one runs" if told["revision"] > SCHEMA else ""
    _say(f"{where.shown} is as it should be (revision {told['revision']}{later}).")


def _seconds(text: str) -> float:
    found = re.fullmatch(r"(\d{1,6})([smhd])", text.strip().lower())
    if not found or not 0 < (seconds := int(found[1]) * UNITS[found[2]]) <= LONGEST:
        raise Stop(f"--every cannot be {text!r}; it is written like 30m, 6h or 1d, at most 365d")
    return seconds


def backup(
    target: Annotated[
        Path,
        typer.Argument(metavar="FILE|FOLDER", help="Where the copy goes; with --every the folder for them."),
    ],
    *,
    every: Annotated[str, typer.Option("--every", help="Take one now and then so often: 30m, 6h, 1d.")] = "",
    keep: Annotated[int, typer.Option("--keep", min=1, help="With --every: how many are kept.")] = 14,
) -> None:
    """Copy a SQLite database, also while the bot uses it, and prove the copy: whole, and its games replay.

    With --every it goes on until it is stopped.
    """
    file = _the_file("pg_dump")
    if every:
        _keep_on(file, target, _seconds(every), keep)
        return
    from bot.ops.backups import backup as take
    from bot.ops.integrity import Unproved

    if not file.exists():
        raise Stop(f"{file} is not there; {AWAY}", code=1)
    if target.exists():
        raise Stop(f"{target} is there already; name a file that is not")
    if not os.access(target.parent, os.W_OK):
        raise Stop(f"the folder of {target} is not there, or may not be written to")
    with in_words():
        try:
            notes = take(file, target)
        except Unproved as why:
            raise Stop(f"no backup was taken, for it was not sound: {why}", code=1) from why
    _say(f"{file} is copied to {target}, and the copy is proved.")
    for note in notes:
        _say(f"Note: {note}.")


def _keep_on(file: Path, folder: Path, every: float, keep: int) -> None:
    from bot.ops import backups

    if folder.exists() and not folder.is_dir():
        raise Stop(f"{folder} is a file; with --every name a folder")
    stop = Event()
    before = {sign: signal.signal(sign, lambda *_: stop.set()) for sign in (signal.SIGTERM, signal.SIGINT)}

    def failed(error: Exception) -> None:
        why = _why(error) if isinstance(error, StoreError) else str(error)
        complain(f"no backup was taken: {why}")

    try:
        backups.run(file, folder, every=every, keep=keep, stop=stop, tell=_say, complain=failed)
    except OSError as error:
        raise Stop(f"{folder} cannot be used: {error.strerror}", code=1) from error
    finally:
        for sign, handler in before.items():
            signal.signal(sign, handler)


def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    rest_anyway: Annotated[
        bool, typer.Option("--rest-anyway", help="Also where open games do not replay; they rest then.")
    ] = False,
) -> None:
    """Put a backup in the place of the SQLite database; the bot must be stopped. The old file is kept.

    The backup is proved first: whole, of a known version, and its games replay.
    """
    from bot.ops import integrity as proof
    from bot.ops import restore as restoring

    target = _the_file("pg_restore or psql")
    if not source.is_file():
        raise Stop(f"{source} is not there")
    if target.exists() and source.samefile(target):
        raise Stop(f"{source} is the database itself; name a backup")
    with in_words():
        try:
            with progress("games") as step:
                ready = restoring.prepare(
                    source,
                    target,
                    lease_seconds=settings().lease_seconds,
                    told=lambda done: step(done, done) if step else None,
                )
            try:
                _agreed(ready, rest_anyway=rest_anyway, yes=yes, source=source)
                aside = restoring.exchange(ready)
            except BaseException:
                restoring.give_up(ready)
                raise
        except proof.Unproved as why:
            raise Stop(f"{source} is not restored: {why}", code=1) from why
        except restoring.HeldDatabase as held:
            raise Stop(_who(held), code=1) from held
    old = f" The old one is kept as {aside}." if aside else ""
    _say(f"{target} is restored from {source}.{old}")


def _who(held: Any, then: str = "then restore") -> str:
    if name := held.holder.name:
        return f"the bot {name} lives on this database; stop it, {then}"
    return f"the database is in use; stop the bot, and whatever else has the file open, {then}"


def _agreed(ready: Any, *, rest_anyway: bool, yes: bool, source: Path) -> None:
    """Say what is in the backup, and go on only where that is wanted."""
    from bot.ops.integrity import in_a_line

    games = ready.replayed
    upgraded = f", of schema {ready.revision}"
    _say(f"{source} is whole{upgraded}: {games.live} open games, {games.closed} finished.")
    if resting := games.resting:
        if not rest_anyway:
            line = f"{len(resting)} open games do not replay here: {in_a_line(resting)}"
            raise Stop(f"{line}. Restore with the version that made them, or with --rest-anyway", code=1)
        _say(f"{len(resting)} open games will rest: {in_a_line(resting)}.")
    if not yes and not typer.confirm(f"Put it in the place of {ready.target}?", default=False):
        raise Stop("nothing was changed", code=1)


def move(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="The SQLite file to move from.")],
) -> None:
    """Copy a SQLite database into the empty PostgreSQL that DATABASE_URL names; the bot must be stopped.

    All of it or nothing is there afterwards, and its games are replayed. The file stays as it is.
    """
    from bot.ops import integrity as proof
    from bot.ops import migrate_to_postgres as moving
    from bot.ops import restore as restoring

    with in_words():
        where = _where()
    if where.sqlite:
        raise Stop("DATABASE_URL names where to move to; set it to a PostgreSQL")
    if not source.is_file():
        raise Stop(f"{source} is not there")
    with in_words():
        try:
            moved = moving.move(source, settings().database_url, lease_seconds=settings().lease_seconds)
        except proof.Unproved as why:
            raise Stop(f"{source} is not moved: {why}", code=1) from why
        except restoring.HeldDatabase as held:
            raise Stop(_who(held, "then move"), code=1) from held
        except moving.NotEmpty as full:
            raise Stop(f"{where.shown} is not empty: {full}", code=1) from full
    games = moved.replayed
    found = f"{moved.rows} rows, {games.live} open games, {games.closed} finished"
    _say(f"{source} is moved to {where.shown}: {found}.")
    if games.faults:
        _say(f"{len(games.faults)} games do not replay, as before: {proof.in_a_line(games.faults)}.")
