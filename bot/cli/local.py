"""`valence playground`: a local Discord in the browser, and the bot in it."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

import bot


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(playground)


def bot_command() -> tuple[str, ...]:
    """What starts the bot, unmodified, in a process of its own."""
    return (sys.executable, "-P", "-m", "bot", "run")


def environment(folder: Path) -> dict[str, str]:
    """The bot's environment: this very copy of it, and a database that lasts as long as the playground."""
    home = str(Path(bot.__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    database = f"sqlite:///{(folder / 'valence.db').as_posix()}"
    return {**os.environ, "PYTHONPATH": path, "DATABASE_URL": database}


def playground(
    *,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any that is free.")] = 0,
    alone: Annotated[bool, typer.Option("--alone", help="Without the bot; point your own at it.")] = False,
) -> int:
    """Start a local Discord and the bot in it, and print the address of its page. No token, no network."""
    from playground import run

    with tempfile.TemporaryDirectory(prefix="valence-", ignore_cleanup_errors=True) as folder:
        code: int = run(None if alone else bot_command(), port=port, environment=environment(Path(folder)))
    return code
