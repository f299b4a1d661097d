"""`valence achievements`: make them anew from the finished games."""

from __future__ import annotations

import asyncio

import typer

from bot.cli.arguments import settings
from bot.cli.db import in_words
from bot.cli.output import console
from bot.store.database import Database
from bot.table.game_statistics import Recounted, recount


def add_to(app: typer.Typer) -> None:
    """Add this command as a group, which may grow."""
    group = typer.Typer(help="Achievements, which follow from finished games.")
    group.callback()(_achievements)
    group.command()(rebuild)
    app.add_typer(group, name="achievements")


def _achievements() -> None:
    """Achievements, which follow from finished games."""


def rebuild() -> None:
    """Make all achievements anew: each finished game is played again.

    Run it once after the upgrade that brings them, so that the games of before count; the bot may run.
    """

    async def run() -> Recounted:
        database = Database(settings().async_database_url)
        try:
            await database.check_schema()
            return await recount(database)
        finally:
            await database.close()

    with in_words():
        found = asyncio.run(run())
    console().print(f"Achievements are made anew from {found.games} games.")
    if found.lost:
        console().print(f"{len(found.lost)} games do not replay under this version and give none.")
