"""`valence arena --ladder`: each level against the one below, added up over runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import Final

from bot.cli.arguments import Stop, number_of_seats, why_not
from bot.cli.output import as_json, as_table, console
from engine import ladder
from engine.arena import ArenaResult
from engine.game import AnyGame, IllegalSetup, Value

LEAST: Final = 2
"""Seats that a step of the ladder takes."""


def climb(
    game: AnyGame,
    *,
    games: int,
    seats: int | None,
    options: Mapping[str, Value],
    file: Path | None,
    json: bool,
    play: Callable[..., ArenaResult],
) -> None:
    """Play the ladder on from where the file left it, and show it; what was played is kept at once.

    Raises:
        Stop: the file cannot be read or written, or the game cannot be dealt like this.
    """
    kept = _kept(file)
    on = ladder.fewest_seats(game, options) if seats is None else number_of_seats(game, options, seats)
    if on < LEAST:
        raise Stop(f"{game.key} is played alone with these options: there is no ladder to climb")
    today = datetime.now(tz=UTC).date().isoformat()
    try:
        played = ladder.climb(
            game, kept, games=games, seats=on, options=options, date=today, timer=process_time, play=play
        )
        for tally in played:
            kept.append(tally)
            if file is not None:
                with file.open("a", encoding="utf-8") as out:
                    out.write(ladder.line(tally))
            if not json:
                console().print(
                    f"{tally.level} against {tally.against}: {tally.games} more games", style="dim"
                )
    except IllegalSetup as refusal:
        raise why_not(game, refusal) from refusal
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror or error}") from error
    found = [one for one in ladder.totals(kept) if (one.game, one.rules) == (game.key, game.version)]
    _show(game, found, json=json)


def _kept(file: Path | None) -> list[ladder.Tally]:
    if file is None or not file.exists():
        return []
    try:
        return ladder.read(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise Stop(f"{file} holds no ladder: {error}") from error


def _show(game: AnyGame, found: list[ladder.Tally], *, json: bool) -> None:
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
                for tally in found
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
        for tally in found
    ]
    columns = ("step", "seats", "options", "wins", "95 % sure", "games", "ms per decision")
    as_table(f"{game.title}: the ladder", columns, rows)
