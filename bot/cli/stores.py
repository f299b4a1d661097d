"""`valence db`: bring the database up to date, check it, copy it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.cli.asking import Json, Stop, settings
from bot.cli.showing import as_json, console
from bot.locales import words
from bot.store.database import StoreTrouble

T = TypeVar("T")


def add_to(app: typer.Typer) -> None:
    """Add these commands as a group."""
    group = typer.Typer(help="The database that DATABASE_URL names.")
    group.command()(upgrade)
    group.command()(check)
    group.command()(backup)
    app.add_typer(group, name="db")


@contextmanager
def in_words() -> Iterator[None]:
    """Turn what the store or a URL cannot do into one line."""
    say = words("en")
    try:
        yield
    except StoreTrouble as found:
        key = f"doctor.store.{found.kind}"
        raise Stop(say(key) if key in say else f"the database cannot be used: {found}", code=1) from found
    except (ArgumentError, ModuleNotFoundError) as error:
        raise Stop("DATABASE_URL is not understood; it starts with sqlite:/// or postgresql://") from error


def _wait_for(act: Coroutine[Any, Any, T]) -> T:
    """Run it to its end, and let the driver's thread come to its own, or it would complain on stderr."""

    async def both() -> T:
        try:
            return await act
        except StoreTrouble:
            await asyncio.sleep(0.1)
            raise

    return asyncio.run(both())


def _where() -> str:
    """The database, without its password."""
    return make_url(settings().database_url).render_as_string(hide_password=True)


def upgrade() -> None:
    """Bring the database to the schema of this version; one that is there is left as it is."""
    from bot.store import migrate

    with in_words():
        where = _where()
        _wait_for(migrate.upgrade(settings().database_url))
    console().print(f"{where} is up to date.", soft_wrap=True)


def check(json: Json = False) -> None:
    """Say whether this version can use the database as it is. Exit code 1 where it cannot."""
    from bot.store import migrate

    with in_words():
        where = _where()
        try:
            revision = _wait_for(migrate.check(settings().database_url))
        except StoreTrouble as found:
            if not json:
                raise
            as_json({"database": where, "usable": False, "problem": found.kind})
            raise typer.Exit(1) from found
    if json:
        as_json({"database": where, "usable": True, "revision": revision})
        return
    console().print(f"{where} is as it should be (revision {revision}).", soft_wrap=True)


def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; must not exist yet.")],
) -> None:
    """Copy a SQLite database into a file, also while the bot uses it."""
    from bot.store import migrate

    if target.exists():
        raise Stop(f"{target} is there already; name a file that is not")
    with in_words():
        where = _where()
        if not where.startswith("sqlite"):
            raise Stop("only a SQLite database is copied like this; for PostgreSQL use pg_dump")
        migrate.backup(settings().database_url, target)
    console().print(f"{where} is copied to {target}.", soft_wrap=True)
