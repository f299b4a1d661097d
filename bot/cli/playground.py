"""`valence playground`: a local Discord in the browser, and the bot in it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

import bot

DATABASE = "valence.db"


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(playground)


def bot_command() -> tuple[str, ...]:
    """What starts the bot, unmodified, in a process of its own."""
    return (sys.executable, "-P", "-m", "bot", "run")


def environment(folder: Path) -> dict[str, str]:
    """The bot's environment: this very copy of it, and a database beside what the playground keeps."""
    home = str(Path(bot.__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    database = f"sqlite:///{(folder.resolve() / DATABASE).as_posix()}"
    return {**os.environ, "PYTHONPATH": path, "DATABASE_URL": database}


def playground(
    *,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=0, max=65535, help="Else that of the last time; 0 takes any that is free."
        ),
    ] = None,
    alone: Annotated[bool, typer.Option("--alone", help="Without the bot; point your own at it.")] = False,
    folder: Annotated[Path, typer.Option("--folder", help="Where address, messages and games last.")] = Path(
        ".playground"
    ),
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew: forget what lies in the folder.")
    ] = False,
) -> int:
    """Start a local Discord and the bot in it, and print the address of its page. No token, no network."""
    from playground import run

    def clear() -> None:
        for path in folder.glob(f"{DATABASE}*"):
            path.unlink()

    command = None if alone else bot_command()
    code: int = run(
        command,
        port=port,
        folder=folder,
        fresh=clear if fresh else None,
        environment=environment(folder),
    )
    return code
