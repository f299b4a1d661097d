"""`valence tables`: which tables do not replay and why; waking one, closing one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, TypeVar

import typer

from bot import presenters
from bot.cli.arguments import MOST_ID, Json, Stop, settings
from bot.cli.db import in_words
from bot.cli.output import as_json, as_table, console
from bot.store import games as store
from bot.store import queries, unfolded
from bot.store.database import Database
from bot.store.games import Change, Whereabouts
from bot.table.storage import resting
from bot.table.storage.rebuild import read_table

T = TypeVar("T")
MOST_FINISHED = 50
Number = Annotated[int, typer.Argument(metavar="TABLE", min=1, max=MOST_ID, help="The number of the table.")]


@dataclass(frozen=True, slots=True)
class FoundTable:
    """One table that does not replay: why it was laid to rest, and what replaying it here and now says."""

    table: int
    game: str
    phase: str
    since: str
    why: str
    here: str


def add_to(app: typer.Typer) -> None:
    """Add these commands as a group."""
    group = typer.Typer(help="Tables that rest because they could not be replayed.")
    group.command("list")(list_)
    group.command()(revive)
    group.command()(close)
    app.add_typer(group, name="tables")


def _with(act: Callable[[Database], Awaitable[T]]) -> T:
    async def run() -> T:
        database = Database(settings().async_database_url)
        try:
            await database.check_schema()
            return await act(database)
        finally:
            await database.close()

    with in_words():
        return asyncio.run(run())


async def _problem(database: Database, table_id: int) -> str:
    """Why this version cannot replay a table; nothing where it can."""
    try:
        table = await read_table(database, table_id)
        presenters.get(table.game.key)
    except presenters.NoPresenter as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it is what was asked for
        return resting.reason_of(error)
    return ""


async def _place(database: Database, table_id: int) -> Whereabouts:
    place = await database.read_at_once(lambda connection: store.place(connection, table_id))
    if place is None:
        raise Stop(f"there is no table {table_id}")
    if place.phase not in store.OPEN_PHASES:
        raise Stop(f"table {table_id} is closed already ({place.phase})")
    return place


def _since(place: Whereabouts) -> str:
    return datetime.fromtimestamp(place.touched_at / 1000, UTC).isoformat(timespec="minutes")


def list_(*, json: Json = False) -> None:
    """List the tables that rest, with the reason of then and of now; and finished games that do not replay,
    the newest fifty."""

    async def look(database: Database) -> list[FoundTable]:
        found = []
        for table_id in await database.read_at_once(queries.resting):
            place = await database.read_at_once(partial(store.place, game_id=table_id))
            if place is None or not place.resting or place.phase not in store.OPEN_PHASES:
                continue  # it has gone on, or closed, just now
            here = await _problem(database, table_id) or "replays; revived at the next start"
            found.append(FoundTable(place.id, place.game, place.phase, _since(place), place.resting, here))
        left = await database.read_at_once(lambda connection: unfolded.newest(connection, MOST_FINISHED))
        for table_id, each in left.items():
            over = await database.read_at_once(partial(store.place, game_id=table_id))
            if over is not None:
                again = "each new version tries it again"
                found.append(FoundTable(table_id, each.game, over.phase, _since(over), each.why, again))
        return found

    rows = _with(look)
    if json:
        as_json([asdict(row) for row in rows])
    elif not rows:
        console().print("No table rests.")
    else:
        columns = ("table", "game", "phase", "last touched (UTC)", "laid to rest", "here")
        as_table("", columns, [tuple(asdict(row).values()) for row in rows])


def revive(table: Number) -> None:
    """Let a table go on that replays again; a bot that runs takes it up at the next press."""

    async def wake(database: Database) -> None:
        place = await _place(database, table)
        if not place.resting:
            raise Stop(f"table {table} does not rest")
        if problem := await _problem(database, table):
            raise Stop(f"table {table} cannot be replayed by this version: {problem}", code=1)
        await database.write_at_once(lambda connection: store.mark_resting(connection, table, ""))

    _with(wake)
    console().print(f"Table {table} goes on.")


def close(table: Number, *, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Close a table for good; its journal is kept."""

    async def end(database: Database) -> None:
        place = await _place(database, table)
        now = int(datetime.now(UTC).timestamp() * 1000)
        columns = {"phase": "cancelled", "why": "operator", "ended_at": now, "resting": ""}
        change = Change(columns, deadlines=())
        await database.write_at_once(lambda connection: store.keep(connection, place, change, now))

    _with(lambda database: _place(database, table))
    if not yes:
        typer.confirm(f"Close table {table} for everybody? The game can't be resumed.", abort=True)
    _with(end)
    console().print(f"Table {table} is closed.")
