"""`valence games`, `simulate` and `arena`: list the games, measure their rules, compare opponents."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from bot.cli import chunks
from bot.cli.arguments import (
    Choices,
    GameKey,
    Json,
    Seats,
    Seed,
    Stop,
    chosen,
    number_of_seats,
    report_refusals,
    suggestion,
    the_game,
)
from bot.cli.executors import Scheduler, named, spread
from bot.cli.external_opponents import PREFIX, load, programs
from bot.cli.output import as_json, as_table, console, progress
from engine import catalog
from engine.ai.register import REGISTERED
from engine.game import AnyGame, Option, format_value
from engine.levels import renamed


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(games)
    app.command()(simulate)
    app.command()(arena)


def _seats(game: AnyGame) -> list[int]:
    """Return every number of seats that some choice of options allows."""
    choices = [{option.key: value} for option in game.options for value in option.values]
    return sorted({seats for choice in [{}, *choices] for seats in game.seats({**game.defaults(), **choice})})


def games(json: Json = False) -> None:
    """List the games with their seats, options and computer opponents."""
    every = [catalog.get(key) for key in catalog.listed()]
    if json:
        as_json(
            [
                {
                    "key": game.key,
                    "title": game.title,
                    "version": game.version,
                    "seats": _seats(game),
                    "options": [
                        {"key": option.key, "values": option.values, "default": option.default}
                        for option in game.options
                    ],
                    "opponents": list(game.opponents),
                }
                for game in every
            ]
        )
        return
    rows = [
        (
            game.key,
            game.title,
            " ".join(map(str, _seats(game))),
            "\n".join(map(_described, game.options)),
            ", ".join(game.opponents),
        )
        for game in every
    ]
    as_table("", ("game", "title", "seats", "options", "opponents"), rows)


def _described(option: Option) -> str:
    values = ", ".join(map(format_value, option.values))
    return f"{option.key} = {format_value(option.default)} (of {values})"


def simulate(
    game: GameKey,
    *,
    games: Annotated[int, typer.Option("--games", min=1, help="Number of games.")] = 1000,
    seats: Seats = None,
    option: Choices = None,
    seed: Seed = 1,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Play random against random: games and actions per second, and how the games end."""
    rules = the_game(game)
    options = chosen(rules, option)
    on = number_of_seats(rules, options, seats)
    with (
        report_refusals(rules),
        spread(scheduler) as (port, width),
        progress(f"{rules.key}, {on} seats") as step,
    ):
        result = chunks.simulate(
            rules, on, options, games=games, seed=seed, port=port, width=width, progress=step
        )
    shares = [won / result.games for won in result.won]
    scores = [score / result.games for score in result.scores]
    if json:
        as_json(
            {
                "game": rules.key,
                "seats": on,
                "options": {**rules.defaults(), **options},
                "seed": seed,
                "games": result.games,
                "seconds": result.seconds,
                "games_per_s": result.games_per_s,
                "actions_per_s": result.actions_per_s,
                "actions_per_game": result.actions_per_game,
                "results": {
                    "win_share": shares,
                    "mean_score": scores,
                    "ties": result.ties,
                    "reasons": dict(result.reasons),
                    "shortest": result.shortest,
                    "longest": result.longest,
                },
            }
        )
        return
    reasons = [f"{reason.replace('_', ' ')}: {count:,}" for reason, count in result.reasons.most_common()]
    out = console()
    out.print(f"{result.games:,} games of {rules.title} on {on} seats in {result.seconds:.2f} s")
    out.print(f"{result.games_per_s:,.0f} games/s, {result.actions_per_s:,.0f} actions/s")
    out.print(
        f"{result.actions_per_game:.1f} actions per game, from {result.shortest:,} to {result.longest:,}"
    )
    out.print(f"{result.ties:,} ties; decided by {', '.join(reasons)}")
    rows = [(seat + 1, f"{100 * shares[seat]:.1f} %", scores[seat]) for seat in range(on)]
    as_table("", ("seat", "wins", "mean score"), rows)


CONTENDER_FIELDS = ("win_share", "ci95", "ms_per_decision", "ms_at_most", "decisions", "forfeits")


def arena(
    game: GameKey,
    *,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            metavar="A,B…",
            help="Opponents by name, or cmd:PROGRAM, with commas between: casual,steady.",
        ),
    ],
    file: Annotated[
        Path | None, typer.Option("--with", metavar="FILE", help="A Python file that registers opponents.")
    ] = None,
    games: Annotated[
        int, typer.Option("--games", min=1, help="Number of games, rounded up to whole deals.")
    ] = 100,
    seats: Seats = None,
    option: Choices = None,
    seed: Seed = 1,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Let computer opponents play each other, each deal from all seats: win shares and thinking times."""
    rules = the_game(game)
    options = chosen(rules, option)
    if file is not None:
        load(file)
    names = _names(rules, players, in_cluster=bool(named(scheduler)))
    most = max(rules.seats({**rules.defaults(), **options}), default=0)
    if len(names) > most:
        raise Stop(
            f"{len(names)} players do not fit; {rules.key} has at most {most} seats with these options"
        )
    if seats is not None and len(names) > number_of_seats(rules, options, seats):
        raise Stop(f"{len(names)} players do not fit on {seats} seats")
    with (
        report_refusals(rules),
        spread(scheduler) as (port, width),
        progress(f"{rules.key}: {', '.join(names)}") as step,
        programs(rules, names) as external,
    ):
        result = chunks.arena(
            rules,
            [(name, external[name]) if name in external else name for name in names],
            options,
            games=games,
            seed=seed,
            timer=perf_counter,
            seats=seats,
            progress=step,
            port=port,
            width=width,
        )
    contenders = result.contenders
    if json:
        columns = {key: [getattr(each, key) for each in contenders] for key in CONTENDER_FIELDS}
        as_json(
            {
                "game": rules.key,
                "seats": result.seats,
                "options": {**rules.defaults(), **options},
                "seed": seed,
                "players": [contender.name for contender in contenders],
                "games": result.games,
                "deals": result.deals,
                **columns,
            }
        )
        return
    rows = [
        (
            contender.name,
            f"{100 * contender.win_share:.1f} %",
            "{:.1f} to {:.1f} %".format(*(100 * end for end in contender.ci95)),
            contender.ms_per_decision,
            contender.ms_at_most,
        )
        for contender in contenders
    ]
    title = f"{rules.title}: {result.deals:,} deals, {result.games:,} games on {result.seats} seats"
    as_table(title, ("player", "wins", "95 % sure", "ms per decision", "at most"), rows)
    for contender in contenders:
        if contender.forfeits:
            console().print(
                f"{contender.name} lost {contender.forfeits:,} games for want of an answer;"
                f" the last: {contender.forfeit}"
            )
    console().print(f"With no difference in strength each would win {100 / len(names):.1f} %.")


def _names(rules: AnyGame, players: str, *, in_cluster: bool) -> list[str]:
    """Return the names of the players, as typed with commas between.

    Raises:
        Stop: the game has no such opponent, or a cluster does not have it.
    """
    words = [word.strip() for word in players.split(",")]
    names = [word if word.startswith(PREFIX) else renamed(word.lower()) for word in words]
    known = [*rules.opponents, *(name for key, name in REGISTERED if key == rules.key)]
    for name in names:
        if name not in known and not name.startswith(PREFIX):
            raise Stop(f"{rules.key} has no opponent {name!r}{suggestion(name, known)}")
        if in_cluster and name not in rules.opponents:
            raise Stop(f"{name} is on this machine alone, and cannot play in a cluster")
    return names
