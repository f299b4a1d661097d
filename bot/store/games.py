"""Reading and writing games: rows, seats, journals, deadlines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.engine import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import ClockRow, EntryRow, GameRow, HeartbeatRow, SeatRow, table_of
from bot.store.terms import Terms, as_json, terms

_GAMES, _SEATS, _ENTRIES = table_of(GameRow), table_of(SeatRow), table_of(EntryRow)
_CLOCKS, _HEARTBEAT = table_of(ClockRow), table_of(HeartbeatRow)

OPEN_PHASES = ("lobby", "live")


class Sitter(msgspec.Struct, frozen=True):
    """Who sits on a seat: a person (with a user id) or a computer opponent (with a level)."""

    name: str
    user_id: int | None = None
    level: str | None = None
    entropy: int | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person sits here."""
        return self.user_id is not None


class Entry(msgspec.Struct, frozen=True):
    """One line of a journal: `act`, `timeout` (an opponent acted for a slow seat), or `seat`."""

    seq: int
    kind: str
    seat: int
    data: list[Any]
    at: int


class Deadline(msgspec.Struct, frozen=True):
    """Something falls due: `lobby`, `turn` or `remind`. `seat` is -1 where it concerns the table."""

    game_id: int
    kind: str
    seat: int
    due_at: int


class StoredGame(msgspec.Struct, kw_only=True):
    """One game as the database has it, without its journal."""

    id: int = 0
    game: str
    version: int
    phase: str = "lobby"
    options: dict[str, Any]
    terms: Terms
    guild_id: int | None
    channel_id: int
    message_id: int | None = None
    posted_at: int = 0
    host_id: int
    locale: str = "en"
    seed: bytes
    nonce: bytes
    created_at: int
    ended_at: int | None = None
    why: str = ""


_GAME_FIELDS = tuple(name for name in StoredGame.__struct_fields__ if name != "id")
S = TypeVar("S", bound=msgspec.Struct)


def _struct(kind: type[S], row: Row[Any]) -> S:
    mapping = row._mapping
    return kind(**{name: mapping[name] for name in kind.__struct_fields__})


def _game(row: Row[Any]) -> StoredGame:
    game = _struct(StoredGame, row)
    game.terms = terms(game.terms)
    return game


async def create(connection: AsyncConnection, game: StoredGame, sitters: Sequence[Sitter]) -> int:
    """Store a new game with its seats; its id."""
    values = {name: getattr(game, name) for name in _GAME_FIELDS} | {"terms": as_json(game.terms)}
    done = await connection.execute(insert(_GAMES).values(values))
    key = done.inserted_primary_key
    game_id = int(key[0]) if key else 0
    await set_sitters(connection, game_id, sitters)
    return game_id


async def change(connection: AsyncConnection, game_id: int, **values: Any) -> None:
    """Change columns of a game."""
    if "terms" in values:
        values["terms"] = as_json(values["terms"])
    await connection.execute(update(_GAMES).where(_GAMES.c.id == game_id).values(values))


async def set_sitters(connection: AsyncConnection, game_id: int, sitters: Sequence[Sitter]) -> None:
    """Replace the seats of a game."""
    await connection.execute(delete(_SEATS).where(_SEATS.c.game_id == game_id))
    rows = [{"game_id": game_id, "seat": n, **msgspec.structs.asdict(s)} for n, s in enumerate(sitters)]
    if rows:
        await connection.execute(insert(_SEATS), rows)


_APPEND = insert(_ENTRIES)


def _line(game_id: int, entry: Entry) -> dict[str, Any]:
    return {"game_id": game_id, **msgspec.structs.asdict(entry)}


async def append(connection: AsyncConnection, game_id: int, entry: Entry) -> None:
    """Append to the journal.

    Raises:
        sqlalchemy.exc.IntegrityError: the number is taken (`Database.write` makes it a Conflict).
    """
    await connection.execute(_APPEND, _line(game_id, entry))


def append_act(
    connection: Connection, game_id: int, entry: Entry, deadlines: Sequence[Deadline] | None
) -> None:
    """Append an act, and replace the deadlines of the game if they are given; for `write_at_once`.

    Raises:
        sqlalchemy.exc.IntegrityError: the number is taken.
    """
    connection.execute(_APPEND, _line(game_id, entry))
    if deadlines is not None:
        connection.execute(delete(_CLOCKS).where(_CLOCKS.c.game_id == game_id))
        if deadlines:
            connection.execute(insert(_CLOCKS), [msgspec.structs.asdict(each) for each in deadlines])


async def load(connection: AsyncConnection, game_id: int) -> StoredGame | None:
    """One game, or None."""
    row = (await connection.execute(select(_GAMES).where(_GAMES.c.id == game_id))).first()
    return _game(row) if row else None


async def in_phase(connection: AsyncConnection, *phases: str) -> list[StoredGame]:
    """All games in one of these phases, oldest first."""
    found = await connection.execute(select(_GAMES).where(_GAMES.c.phase.in_(phases)).order_by(_GAMES.c.id))
    return [_game(row) for row in found]


async def ended_since(connection: AsyncConnection, guild_id: int, at: int) -> list[StoredGame]:
    """The games of a server that were opened since then and are over or closed, oldest first."""
    query = select(_GAMES).where(
        _GAMES.c.guild_id == guild_id, _GAMES.c.phase.in_(("over", "cancelled")), _GAMES.c.created_at >= at
    )
    return [_game(row) for row in await connection.execute(query.order_by(_GAMES.c.id))]


async def sitters(connection: AsyncConnection, game_id: int) -> list[Sitter]:
    """Who sits at a game, in seat order."""
    found = await connection.execute(
        select(_SEATS).where(_SEATS.c.game_id == game_id).order_by(_SEATS.c.seat)
    )
    return [_struct(Sitter, row) for row in found]


async def journal(connection: AsyncConnection, game_id: int) -> list[Entry]:
    """The whole journal of a game, in order."""
    found = await connection.execute(
        select(_ENTRIES).where(_ENTRIES.c.game_id == game_id).order_by(_ENTRIES.c.seq)
    )
    return [_struct(Entry, row) for row in found]


async def set_deadlines(connection: AsyncConnection, game_id: int, deadlines: Iterable[Deadline]) -> None:
    """Replace the deadlines of a game."""
    await connection.execute(delete(_CLOCKS).where(_CLOCKS.c.game_id == game_id))
    rows = [msgspec.structs.asdict(deadline) for deadline in deadlines]
    if rows:
        await connection.execute(insert(_CLOCKS), rows)


async def deadlines(connection: AsyncConnection, game_id: int) -> list[Deadline]:
    """The deadlines of a game, the next one first."""
    query = select(_CLOCKS).where(_CLOCKS.c.game_id == game_id)
    ordered = query.order_by(_CLOCKS.c.due_at, _CLOCKS.c.seat, _CLOCKS.c.kind)
    return [_struct(Deadline, row) for row in await connection.execute(ordered)]


async def shift_deadlines(connection: AsyncConnection, by: int) -> None:
    """Move every deadline by so many milliseconds: the time the bot was away counts for nobody."""
    await connection.execute(update(_CLOCKS).values(due_at=_CLOCKS.c.due_at + by))


async def beat(connection: AsyncConnection, at: int) -> None:
    """Write down that the bot lives."""
    done = await connection.execute(update(_HEARTBEAT).where(_HEARTBEAT.c.id == 1).values(at=at))
    if done.rowcount == 0:
        await connection.execute(insert(_HEARTBEAT).values(id=1, at=at))


async def last_beat(connection: AsyncConnection) -> int | None:
    """When the bot last lived, or None."""
    found = await connection.execute(select(_HEARTBEAT.c.at).where(_HEARTBEAT.c.id == 1))
    return found.scalar_one_or_none()
