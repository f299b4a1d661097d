"""Measure how fast a press is answered, the database, and a game's rules: `python -m tools bench`."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Callable, Coroutine, Sequence
from time import perf_counter
from typing import Annotated, Any, TypeVar

import typer

from bot.cli import carry_out
from bot.cli.arguments import Choices, Json, Seed, Stop, chosen, suggestion, the_game
from bot.cli.output import as_json, as_table, console
from bot.running import loop_factory
from engine import arena, catalog
from engine.game import AnyGame, AnyState, Value

T = TypeVar("T")
PRESS, PRESSES, STORE, START, PICTURES = "press", "presses", "store", "start", "pictures"
CALLS = 250
"""Number of timed calls per query of the store."""
STORED, LEAST_STORED, PLAYED, DRAWN = 100_000, 1000, 200, 5
"""Default and minimum number of stored games, and of games played to count presses and to draw pictures."""


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def bench(
    what: Annotated[
        str,
        typer.Argument(
            metavar="press|presses|pictures|store|start|GAME",
            help="`press`, `presses`, `pictures`, `store`, `start`, or a game's key.",
        ),
    ],
    *,
    people: Annotated[int, typer.Option("--people", min=2, max=500, help="press: how many people.")] = 50,
    rate: Annotated[float, typer.Option("--rate", min=1, help="press: presses per second.")] = 200,
    game: Annotated[str, typer.Option("--game", help="press: what they play.")] = "atom_duel",
    minutes: Annotated[
        bool,
        typer.Option("--minutes", help="press: each minute by itself, from the start of the bot on."),
    ] = False,
    opponent: Annotated[
        str | None, typer.Option("--opponent", help="press: each sits alone among opponents of this level.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.05, help="How long: press 10, a game 1 per line.")
    ] = None,
    tiles: Annotated[
        int | None, typer.Option("--tiles", min=2, help="A game with a board: how large it is.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", min=1, help="store: how many finished games; presses, pictures: how many are played."
        ),
    ] = None,
    tables: Annotated[int, typer.Option("--tables", min=100, help="start: how many live tables.")] = 100_000,
    database: Annotated[
        str | None, typer.Option("--database", help="store: the URL of an empty database; else SQLite.")
    ] = None,
    floor: Annotated[
        bool,
        typer.Option(
            "--floor",
            help="In turns: a game beside a trivial one; press: the bot beside a bare one of discord.py.",
        ),
    ] = False,
    option: Choices = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Measure the answer to a press, the queries of a large database (each as p50, p95, p99), a start with
    many live tables, the pictures of whole games, or the rules of a game; or count the presses that a turn
    takes."""
    measured = what.strip().lower()
    if measured == PRESS:
        rules = the_game(game)
        if opponent is not None and opponent not in rules.opponents:
            raise Stop(f"there is no opponent {opponent!r}{suggestion(opponent, rules.levels)}")
        if floor:
            if minutes or opponent:
                raise Stop("--floor goes with neither --minutes nor --opponent")
            _press_floor(
                people=people, rate=rate, seconds=seconds or 40, game=rules.key, seed=seed, json=json
            )
            return
        _press(
            people=people,
            rate=rate,
            seconds=seconds or 10,
            game=rules.key,
            seed=seed,
            minutes=minutes,
            opponent=opponent,
            json=json,
        )
    elif measured == STORE:
        if (games or STORED) < LEAST_STORED:
            raise Stop(f"--games: the store is measured with {LEAST_STORED} games at least")
        _store(games=games or STORED, database=database, seed=seed, json=json)
    elif measured == PRESSES:
        _presses(games or PLAYED, seed, json=json)
    elif measured == PICTURES:
        _pictures(games or DRAWN, seed, json=json)
    elif measured == START:
        _start(tables=tables, game=the_game(game).key, seed=seed, json=json)
    elif measured.replace("-", "_") not in catalog.listed():
        known = (PRESS, PRESSES, PICTURES, STORE, START, *catalog.listed())
        raise Stop(f"there is no benchmark {what!r}{suggestion(what, known)}")
    elif tiles is not None:
        _board(the_game(what), tiles, seed, json=json)
    elif floor:
        _floor(the_game(what), option, seconds or 1, seed, json=json)
    else:
        _game(the_game(what), option, seconds or 1, seed, json=json)


def _game(rules: AnyGame, option: Choices, seconds: float, seed: int, *, json: bool) -> None:
    """Measure the rules of a game for each number of seats."""
    options = {**rules.defaults(), **chosen(rules, option)}
    rows = [_line(rules, seats, options, seconds, seed) for seats in rules.seats(options)]
    if json:
        as_json({"game": rules.key, "options": options, "seed": seed, "lines": rows})
        return
    columns = ("seats", "games/s", "actions/s", "per game", "observe µs", "sample µs", "clone µs")
    as_table(f"{rules.title}, random against random", columns, [tuple(row.values()) for row in rows])


def _floor(rules: AnyGame, option: Choices, seconds: float, seed: int, *, json: bool) -> None:
    """Compare the speed of the rules with a trivial game, for each number of seats."""
    from tools.bench.floor import ROUNDS, measure

    options = {**rules.defaults(), **chosen(rules, option)}
    rows = [measure(rules, on, options, seconds=seconds, seed=seed) for on in rules.seats(options)]
    if json:
        as_json({"game": rules.key, "options": options, "seed": seed, "rounds": ROUNDS, "lines": rows})
        return
    columns = ("seats", "actions/s", "Nim's", "per mille", "least", "most")
    as_table(f"{rules.title} beside Nim, CPU time", columns, [tuple(row.values()) for row in rows])


def _board(rules: AnyGame, tiles: int, seed: int, *, json: bool) -> None:
    """Measure Molecular, the only game with a board, on large ones."""
    from tools.bench import molecular

    if rules.key != "molecular":
        raise Stop(f"{rules.title} has no board to measure")
    try:
        figures = molecular.measure(tiles=tiles, seed=seed)
    except ValueError as error:
        raise Stop(str(error)) from error
    if json:
        as_json(figures)
        return
    as_table("", ("figure", "value"), [(name.replace("_", " "), value) for name, value in figures.items()])


def _line(
    rules: AnyGame, seats: int, options: dict[str, Value], seconds: float, seed: int
) -> dict[str, float]:
    """Play games for about this many seconds, then time observations, samples and clones."""
    once = arena.simulate(rules, seats, options, games=20, seed=seed, timer=perf_counter)
    games = max(20, int(seconds * once.games_per_s))
    result = arena.simulate(rules, seats, options, games=games, seed=seed, timer=perf_counter)
    rng = random.Random(f"bench/{seed}")
    states = [_middle(rules, seats, options, number, rng) for number in range(10)]
    seen = [state.observe(0) for state in states]
    return {
        "seats": seats,
        "games_per_s": result.games_per_s,
        "actions_per_s": result.actions_per_s,
        "actions_per_game": result.actions_per_game,
        "observe_us": _each(lambda place: states[place].observe(0), seconds / 10),
        "sample_us": _each(lambda place: rules.sample(seen[place], rng), seconds / 10),
        "clone_us": _each(lambda place: states[place].clone(), seconds / 10),
    }


def _middle(
    rules: AnyGame, seats: int, options: dict[str, Value], number: int, rng: random.Random
) -> AnyState:
    """Return a position from somewhere in a random game."""
    state = rules.deal(rules.setup(seats, arena.key_of(number, 0), **options))
    trail = [state.clone()]
    while waiting := state.to_act():
        state.push(waiting[0], rng.choice(state.legal_actions(waiting[0])))
        trail.append(state.clone())
    return rng.choice(trail[:-1])


def _each(act: Callable[[int], object], seconds: float, places: int = 10) -> float:
    """Return the microseconds per call, from as many calls as fit."""
    calls, start = 0, perf_counter()
    while (spent := perf_counter() - start) < seconds:
        for place in range(places):
            act(place)
        calls += places
    return 1e6 * spent / calls


def _run(measuring: Coroutine[Any, Any, T]) -> T:
    """Measure on the fastest event loop there is: the local Discord runs on it, and its time counts too."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(measuring)


def _press(*, json: bool, **asked: Any) -> None:
    from tools.bench.press import BenchFailed, measure

    try:
        figures = _run(measure(**asked))
    except BenchFailed as error:
        raise Stop(str(error), code=1) from error
    if json:
        as_json(figures)
        return
    kinds, each_minute = figures.pop("kinds", {}), figures.pop("each_minute", [])
    as_table("", ("figure", "value"), [(name.replace("_", " "), value) for name, value in figures.items()])
    for kind, row in kinds.items():
        console().print(f"{kind}: {', '.join(f'{name} {value}' for name, value in row.items())}")
    if each_minute:
        as_table("each minute", tuple(each_minute[0]), [tuple(row.values()) for row in each_minute])


def _press_floor(*, json: bool, **asked: Any) -> None:
    """Print the bot's figures, with and without moving pictures, next to those of a bare bot."""
    from tools.bench.press import BenchFailed, beside_the_floor

    try:
        found = _run(beside_the_floor(**asked))
    except BenchFailed as error:
        raise Stop(str(error), code=1) from error
    if json:
        as_json(found)
        return
    bots = ("bare", "valence", "still")
    measured = ("p50_ms", "p99_ms", "max_ms", "cpu_ms_per_press", "requests_per_press")
    names = ("presses", "failed", "late", *measured)
    rows = [(name.replace("_", " "), *(found[bot].get(name, "") for bot in bots)) for name in names]
    rows += [
        (
            f"{kind}, {name.replace('_', ' ')}",
            *(found[bot]["kinds"].get(kind, {}).get(name, "") for bot in bots),
        )
        for kind in ("walk", "act", "open")
        for name in ("p50_ms", "p95_ms")
    ]
    as_table("", ("figure", *bots), rows)
    for bot, compared in found["times"].items():
        console().print(f"{bot}: {', '.join(f'{name} ×{times}' for name, times in compared.items())}")


def _presses(games: int, seed: int, *, json: bool) -> None:
    from bot import presenters
    from tools.bench.press_counts import count

    found = {key: count(catalog.get(key), games, seed) for key in presenters.offered()}
    if json:
        as_json(found)
        return
    columns = ("per_turn", "median", "most", "turns")
    rows = [(catalog.get(key).title, *(row[name] for name in columns)) for key, row in found.items()]
    as_table("", ("presses", "a turn", "median", "most", "turns"), rows)


def _pictures(games: int, seed: int, *, json: bool) -> None:
    from bot import presenters
    from tools.bench.pictures import measure

    found = {key: measure(catalog.get(key), games, seed) for key in presenters.offered()}
    if json:
        as_json(found)
        return
    rows = []
    for key, row in found.items():
        title = catalog.get(key).title
        for kind in ("still", "moving", "end"):
            figures: dict[str, float] = row[kind]  # type: ignore[assignment]
            names = ("cpu_ms", "cpu_ms_most", "kib", "kib_most")
            rows.append((title, kind, figures["count"], *(figures.get(name, 0) for name in names)))
            title = ""
    columns = ("game", "pictures", "drawn", "CPU ms", "most", "KiB", "most")
    as_table("", columns, rows)


def _store(*, games: int, database: str | None, seed: int, json: bool) -> None:
    from bot.cli.db import in_words
    from tools.bench.store import StoreNotEmpty, measure

    try:
        with in_words():
            figures = measure(games=games, calls=CALLS, seed=seed, url=database)
    except StoreNotEmpty as error:
        raise Stop("the database has games in it; name an empty one") from error
    if json:
        as_json(figures)
        return
    queries = figures.pop("queries")
    as_table("", ("figure", "value"), list(figures.items()))
    columns = ("query", "calls", "p50 ms", "p95 ms", "p99 ms", "most ms")
    as_table("", columns, [(name.replace("_", " "), *row.values()) for name, row in queries.items()])


def _start(*, json: bool, **asked: Any) -> None:
    from tools.bench.press import BenchFailed
    from tools.bench.start import measure

    try:
        figures = asyncio.run(measure(**asked))
    except BenchFailed as error:
        raise Stop(str(error), code=1) from error
    if json:
        as_json(figures)
        return
    starts = {name: figures.pop(name) for name in ("start", "restart")}
    loads = figures.pop("load_ms")
    as_table("", ("figure", "value"), list(figures.items()))
    names = [name for name in starts["start"] if name != "hand_ms"]
    as_table("", ("figure", *starts), [(name, *(row[name] for row in starts.values())) for name in names])
    columns = ("a table loads", "acts", "cpu ms", "p50 ms", "p95 ms", "p99 ms", "worst ms")
    as_table("", columns, [(name, *row.values()) for name, row in loads.items()])


def main(words: Sequence[str]) -> int:
    """Run the benchmark that the words name and return the exit code."""
    return carry_out(app, "bench", words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
