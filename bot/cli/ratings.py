"""`valence ratings`: make ratings anew from the results, let games count for nothing, and measure farming."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Annotated, Final, TypeVar

import typer
from sqlalchemy import Connection

from bot.cli.arguments import MOST_ID, Json, Stop, settings
from bot.cli.db import in_words
from bot.cli.output import as_json, as_table, console
from bot.store import ratings
from bot.store.database import Database
from bot.store.people import EVERYWHERE
from bot.store.rating_model import ALL_TIME, RatedGame, Rating, RatingBoard, RatingBook, Seated, rate
from bot.store.ratings import Kind

HOUR: Final = 3_600_000
PACES: Final = {"minute": HOUR // 60, "hour": HOUR, "day": 24 * HOUR, "week": 7 * 24 * HOUR}
T = TypeVar("T")
Player = Annotated[
    int | None, typer.Option("--player", metavar="ID", min=1, max=MOST_ID, help="All games of this person.")
]
Table = Annotated[
    int | None, typer.Option("--game", metavar="TABLE", min=1, max=MOST_ID, help="The game of this table.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands as a group."""
    group = typer.Typer(help="Ratings, which follow from the results of games.")
    group.command()(rebuild)
    group.command()(void)
    group.command()(unvoid)
    group.command()(farming)
    app.add_typer(group, name="ratings")


def _with(work: Callable[[Connection], T]) -> T:
    async def run() -> T:
        database = Database(settings().async_database_url)
        try:
            await database.check_schema()
            return await database.write_at_once(work)
        finally:
            await database.close()

    with in_words():
        return asyncio.run(run())


def rebuild(
    *, check: Annotated[bool, typer.Option("--check", help="Change nothing; say what differs.")] = False
) -> None:
    """Make all ratings anew from the results.

    They come out as they are, to the last bit. With --check the exit code is 1 where they do not.
    """
    if not check:
        console().print(f"Ratings are made anew from {_with(ratings.rebuild)} games.")
        return
    found = _with(ratings.differences)
    if found:
        raise Stop(f"{found} rows are not what the results say; `valence ratings rebuild` mends them", code=1)
    console().print("All ratings are what the results say.")


def _target(player: int | None, game: int | None) -> tuple[Kind, int]:
    match player, game:
        case int(), None:
            return "player", player
        case None, int():
            return "game", game
    raise Stop("name either a person with --player ID or a table with --game TABLE")


def void(*, player: Player = None, game: Table = None, yes: Yes = False) -> None:
    """Let games count for nothing in ratings: all of a person, those to come too, or a single one.

    Everybody else gets back what they won and lost there. `valence ratings unvoid` takes it back.
    """
    kind, target = _target(player, game)
    _, found = _with(lambda connection: ratings.games_of(connection, kind, target))
    if not found and kind == "game":
        raise Stop(f"table {target} has no rated game")
    if not yes and not typer.confirm(f"Let {found} rated games count for nothing?", default=False):
        raise Stop("nothing was changed", code=1)
    now = int(time.time() * 1000)
    _with(lambda connection: ratings.void(connection, kind, target, now))
    console().print(f"{found} games count for nothing; `valence ratings unvoid` takes it back.")


def unvoid(*, player: Player = None, game: Table = None) -> None:
    """Let games count again, as if they always had."""
    kind, target = _target(player, game)
    if not _with(lambda connection: ratings.unvoid(connection, kind, target)):
        raise Stop("they count already")
    console().print("They count again.")


def farming(
    *,
    games: Annotated[int, typer.Option("--games", min=1, help="So many, all won by one account.")] = 1000,
    json: Json = False,
) -> None:
    """Say how far an account gets that wins game after game against one other."""
    found = _measure(games)
    if json:
        as_json(found)
        return
    columns = ("one game each", "rating", "moved by", "sigma after", "moved, in sigmas")
    as_table(f"{games} games won against one account", columns, [tuple(row.values()) for row in found])


def _measure(games: int) -> list[dict[str, object]]:
    """Return the rating of the winner after this many games, by the time between two of them.

    No chance is involved: the same number of games gives the same figures.
    """
    return [_farmed(name, apart, games) for name, apart in PACES.items()]


def _farmed(name: str, apart: int, games: int) -> dict[str, object]:
    book, on = RatingBook(), RatingBoard("farmed", "", ALL_TIME, EVERYWHERE)
    seats = (Seated(1, None, 0, 1, won=True), Seated(2, None, 1, 2, won=False))
    for number in range(games):
        rate(book, RatedGame(number + 1, "farmed", "", None, number * apart, seats))
    found = book.ratings[on, 1]
    moved = found.mu - Rating().mu
    return {
        "pace": name,
        "rating": f"{found.points}{'' if found.settled else '?'}",
        "moved": found.points - Rating().points,
        "sigma": round(found.sigma, 2),
        "sigmas": round(moved / found.sigma, 2),
    }
