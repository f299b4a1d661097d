"""`valence games`, `simulate` and `arena`: what there is, how fast the rules are, who is stronger."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from bot.cli import chunks as in_parts
from bot.cli.arguments import (
    Choices,
    GameKey,
    Json,
    Seats,
    Seed,
    Stop,
    chosen,
    number_of_seats,
    suggestion,
    the_game,
    why_not,
)
from bot.cli.executors import Scheduler, named, spread
from bot.cli.external_opponents import PREFIX, load, programs
from bot.cli.ladder import climb
from bot.cli.output import as_json, as_table, console, progress
from engine import arena as machine
from engine import catalog
from engine.ai.register import REGISTERED
from engine.game import AnyGame, IllegalAction, IllegalSetup, Option, format_value
from engine.levels import renamed


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(games)
    app.command()(simulate)
    app.command()(arena)


def _seats(game: AnyGame) -> list[int]:
    """Every number of seats that some choice of options allows."""
    found = set(game.seats(game.defaults()))
    for option in game.options:
        for value in option.values:
            found.update(game.seats({**game.defaults(), option.key: value}))
    return sorted(found)


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
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1000,
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
    try:
        with spread(scheduler) as (port, width), progress(f"{rules.key}, {on} seats") as step:
            result = in_parts.simulate(
                rules, on, options, games=games, seed=seed, port=port, width=width, progress=step
            )
    except IllegalSetup as refusal:
        raise why_not(rules, refusal) from refusal
    except machine.Endless as error:
        raise Stop(str(error), code=1) from error
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
    out = console()
    out.print(f"{result.games:,} games of {rules.title} on {on} seats in {result.seconds:.2f} s")
    out.print(f"{result.games_per_s:,.0f} games/s, {result.actions_per_s:,.0f} actions/s")
    out.print(
        f"{result.actions_per_game:.1f} actions per game, from {result.shortest:,} to {result.longest:,}"
    )
    out.print(f"{result.ties:,} ties; decided by {', '.join(_counts(result))}")
    rows = [(seat + 1, f"{100 * shares[seat]:.1f} %", scores[seat]) for seat in range(on)]
    as_table("", ("seat", "wins", "mean score"), rows)


def _name(word: str) -> str:
    return word if word.startswith(PREFIX) else renamed(word.lower())


def _counts(result: machine.SimulationResult) -> list[str]:
    return [f"{reason.replace('_', ' ')}: {count:,}" for reason, count in result.reasons.most_common()]


def arena(
    game: GameKey,
    *,
    players: Annotated[
        str | None,
        typer.Option(
            "--players", metavar="A,B…", help="Opponents by name, or cmd:PROGRAM, with commas between."
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--with", metavar="FILE", help="A Python file that registers opponents.")
    ] = None,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Each level against the one below, and against the steady one.")
    ] = False,
    append: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --ladder: go on from what this file holds, and add to it."),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", min=1, help="How many games; rounded up to whole deals.")
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
    if ladder:
        if players is not None or file is not None:
            raise Stop("--ladder has the levels of the game play; leave --players and --with out")
        with spread(scheduler) as (port, width):
            play = partial(in_parts.arena, port=port, width=width)
            climb(rules, games=games, seats=seats, options=options, file=append, json=json, play=play)
        return
    if append is not None:
        raise Stop("--append keeps a ladder; say --ladder too, or leave it out")
    if players is None:
        raise Stop("say who plays, for example --players casual,steady, or --ladder")
    if file is not None:
        load(file)
    names = [_name(word.strip()) for word in players.split(",")]
    known = [*rules.opponents, *(name for key, name in REGISTERED if key == rules.key)]
    for name in names:
        if name not in known and not name.startswith(PREFIX):
            raise Stop(f"{rules.key} has no opponent {name!r}{suggestion(name, known)}")
        if named(scheduler) and name not in rules.opponents:
            raise Stop(f"{name} is on this machine alone, and cannot play in a cluster")
    most = max(rules.seats({**rules.defaults(), **options}), default=0)
    if len(names) > most:
        raise Stop(
            f"{len(names)} players do not fit; {rules.key} has at most {most} seats with these options"
        )
    if seats is not None and len(names) > number_of_seats(rules, options, seats):
        raise Stop(f"{len(names)} players do not fit on {seats} seats")
    try:
        with (
            spread(scheduler) as (port, width),
            progress(f"{rules.key}: {', '.join(names)}") as step,
            programs(rules, names) as foreign,
        ):
            result = in_parts.arena(
                rules,
                [(name, foreign[name]) if name in foreign else name for name in names],
                options,
                games=games,
                seed=seed,
                timer=perf_counter,
                seats=seats,
                progress=step,
                port=port,
                width=width,
            )
    except IllegalSetup as refusal:
        raise why_not(rules, refusal) from refusal
    except IllegalAction as refusal:
        raise Stop(f"an opponent broke a rule: {refusal.rule} {refusal.facts}", code=1) from refusal
    except machine.Endless as error:
        raise Stop(str(error), code=1) from error
    contenders = result.contenders
    if json:
        as_json(
            {
                "game": rules.key,
                "seats": result.seats,
                "options": {**rules.defaults(), **options},
                "seed": seed,
                "players": [contender.name for contender in contenders],
                "games": result.games,
                "deals": result.deals,
                "win_share": [contender.win_share for contender in contenders],
                "ci95": [contender.ci95 for contender in contenders],
                "ms_per_decision": [contender.ms_per_decision for contender in contenders],
                "ms_at_most": [contender.ms_at_most for contender in contenders],
                "decisions": [contender.decisions for contender in contenders],
                "forfeits": [contender.forfeits for contender in contenders],
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
