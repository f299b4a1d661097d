"""The command line: one module for each group of commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import Annotated

import typer
from typer.exceptions import TyperException

from bot.cli import (
    achievements,
    arena,
    db,
    doctor,
    pictures,
    play,
    playground,
    printing,
    ratings,
    record,
    tables,
)
from bot.cli.arguments import Stop, complain
from engine.data import BrokenData

WRONG_INPUT = 2
"""The exit code for input that cannot be used."""

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _tell_version(asked: bool) -> None:
    if asked:
        try:
            number = metadata.version("valence")
        except metadata.PackageNotFoundError:
            number = "(a checkout that is not installed)"
        typer.echo(f"valence {number}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_tell_version, help="Say the version.")
    ] = False,
) -> None:
    """Valence turns a Discord channel into a card table."""


@app.command()
def run(
    *,
    rest_anyway: Annotated[
        bool,
        typer.Option("--rest-anyway", help="Start even if many tables can't be replayed; they rest."),
    ] = False,
) -> int:
    """Start the bot on Discord (needs DISCORD_TOKEN); what `python -m bot` does as well."""
    from bot.running import run as start

    return start(rest_anyway=rest_anyway)


for group in (
    achievements,
    playground,
    arena,
    play,
    pictures,
    printing,
    record,
    db,
    tables,
    ratings,
    doctor,
):
    group.add_to(app)


def main(words: Sequence[str]) -> int:
    """Run a `valence` command and return its exit code."""
    return carry_out(app, "valence", words)


def carry_out(commands: typer.Typer, name: str, words: Sequence[str]) -> int:
    """Run a command and return its exit code. Wrong input is one line on stderr and 2, never a traceback."""
    try:
        code = commands(args=list(words), prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        where = getattr(getattr(error, "ctx", None), "command_path", name)
        complain(f"{error.format_message().rstrip('.')}; see {where} --help")
        return WRONG_INPUT
    except Stop as stop:
        complain(str(stop))
        return stop.code
    except BrokenData as error:
        complain(str(error))
        return 1
    except typer.Abort:  # the end of the input
        complain("stopped")
        return 130
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0
