"""Play each level of a game against the level below and against Steady: `python -m tools ladder`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import process_time
from typing import Annotated, Final

import typer

from bot.cli import carry_out, chunks
from bot.cli.arguments import (
    Choices,
    GameKey,
    Json,
    Seats,
    Stop,
    chosen,
    number_of_seats,
    report_refusals,
    the_game,
)
from bot.cli.executors import Scheduler, spread
from bot.cli.output import as_json, as_table, console
from engine import ladder
from engine.game import AnyGame

FEWEST_SEATS: Final = 2
"""Seats that two levels need to meet."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def climb(
    game: GameKey,
    *,
    append: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue the ladder in this file, and add to it.")
    ] = None,
    games: Annotated[
        int, typer.Option("--games", min=1, help="Games per step, including those in the file.")
    ] = 100,
    seats: Seats = None,
    option: Choices = None,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Play each level against the level below and against Steady. Every batch is stored at once."""
    rules = the_game(game)
    options = chosen(rules, option)
    tallies = _read(append)
    on = ladder.fewest_seats(rules, options) if seats is None else number_of_seats(rules, options, seats)
    if on < FEWEST_SEATS:
        raise Stop(f"{rules.key} is played alone with these options: there is no ladder to climb")
    today = datetime.now(tz=UTC).date().isoformat()
    with report_refusals(rules), spread(scheduler) as (port, width):
        play = partial(chunks.arena, port=port, width=width)
        for tally in ladder.climb(
            rules, tallies, games=games, seats=on, options=options, date=today, timer=process_time, play=play
        ):
            tallies.append(tally)
            _append(append, tally)
            if not json:
                console().print(
                    f"{tally.level} against {tally.against}: {tally.games} more games", style="dim"
                )
    current = (rules.key, rules.version)
    totals = [each for each in ladder.totals(tallies) if (each.game, each.rules) == current]
    _show(rules, totals, json=json)


def _read(file: Path | None) -> list[ladder.Tally]:
    if file is None or not file.exists():
        return []
    try:
        return ladder.read(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise Stop(f"{file} holds no ladder: {error}") from error


def _append(file: Path | None, tally: ladder.Tally) -> None:
    if file is None:
        return
    try:
        with file.open("a", encoding="utf-8") as out:
            out.write(ladder.line(tally))
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror or error}") from error


def _show(game: AnyGame, totals: Sequence[ladder.Tally], *, json: bool) -> None:
    if json:
        as_json(
            [
                {
                    "game": tally.game,
                    "level": tally.level,
                    "against": tally.against,
                    "seats": tally.seats,
                    "options": tally.options,
                    "games": tally.games,
                    "share": round(tally.share, 3),
                    "ci95": [round(end, 3) for end in tally.ci95],
                    "ms_per_decision": round(tally.ms_per_decision, 2),
                    "date": tally.date,
                }
                for tally in totals
            ]
        )
        return
    rows = [
        (
            f"{tally.level} against {tally.against}",
            tally.seats,
            " ".join(f"{key}={value}" for key, value in tally.options.items()),
            f"{100 * tally.share:.1f} %",
            "{:.1f} to {:.1f} %".format(*(100 * end for end in tally.ci95)),
            tally.games,
            tally.ms_per_decision,
        )
        for tally in totals
    ]
    columns = ("step", "seats", "options", "wins", "95 % sure", "games", "ms per decision")
    as_table(f"{game.title}: the ladder", columns, rows)


def main(words: Sequence[str]) -> int:
    """Run the command that the words name and return the exit code."""
    return carry_out(app, "ladder", words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
