"""`valence doctor`: look at everything that can be wrong, and say how to mend it."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.cli.arguments import Json, settings
from bot.cli.output import as_json, console


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(doctor)
    app.command()(health)


def doctor(
    *,
    offline: Annotated[bool, typer.Option("--offline", help="Do not ask Discord.")] = False,
    json: Json = False,
) -> None:
    """Check token, database, games, pictures and Discord; exit code 1 where something is wrong."""
    from bot.ops.doctor import examine
    from bot.ops.health_check import HealthAnswer

    # a bot in thousands of servers is told of them by the hundred
    with console().status("Looking at everything; where there are thousands of servers it takes minutes."):
        findings = examine(settings(), online=not offline)
    if json:
        as_json(findings)
    else:
        signs = {
            HealthAnswer.WELL: ("ok", "green"),
            HealthAnswer.CARE: ("note", "yellow"),
            HealthAnswer.WRONG: ("wrong", "red"),
        }
        out = console()
        for finding in findings:
            sign, colour = signs[finding.health]
            out.print(f"{sign:>5}", style=colour, end="  ")
            out.print(f"{finding.part}: {finding.words}", soft_wrap=True)
    if any(finding.health is HealthAnswer.WRONG for finding in findings):
        raise typer.Exit(1)


def health() -> None:
    """Ask the bot that runs beside whether it is well; exit code 1 where it is not, or is not there."""
    from bot.ops.health_check import check

    raise typer.Exit(check())
