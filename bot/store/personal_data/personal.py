"""Everything stored about one person, exported as its columns declare.

It reveals no card held by another player and no seed of a game; those are in the game's record once it is
over. It does not name the other people at a table.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Table, and_, func, select

from bot.store import folds
from bot.store.games import OPEN_PHASES
from bot.store.models import ClockRow, EntryRow, GameRow, PlayerRow, SeatRow, table_of
from bot.store.models.column_privacy import COLUMNS
from bot.store.personal_data import kept_limits
from bot.store.personal_data.owned_rows import ExportedRow, given, of_person, of_seats, readable, tables_with
from bot.store.personal_data.special_tables import shared_tables

_GAMES, _SEATS, _ENTRIES, _CLOCKS = map(table_of, (GameRow, SeatRow, EntryRow, ClockRow))
_COUNTED: Final = {"players", "results", "board_ratings", "settings"}
"""Tables with an owner that `KeptRows` counts in fields of their own, besides those of shared tables."""


class KeptRows(msgspec.Struct, frozen=True):
    """The amount of data kept about a person, shown to them as numbers."""

    tables: int
    open: int
    results: int
    ratings: int
    reviews: int
    settings: int
    gatherings: int
    """Number of rows of other shared tables, such as tournaments."""
    known: int
    """Whether the person's name is kept."""
    other: int
    """Number of all other rows."""
    limits: int
    """Limits left by an earlier deletion."""

    @property
    def some(self) -> bool:
        """Whether there is anything to delete. Limits do not count, because they stay until they end."""
        return any(msgspec.structs.astuple(replace(self, limits=0)))


def kept(connection: Connection, user_id: int, at: int) -> KeptRows:
    """Count the data kept about a person."""

    def count(table: Table, *where: ColumnElement[bool]) -> int:
        return int(connection.execute(select(func.count()).select_from(table).where(*where)).scalar_one())

    own = {table.name: count(table, of_person(table, user_id)) for table in tables_with("owner")}
    mine = select(_SEATS.c.game_id).where(_SEATS.c.user_id == user_id)
    players = table_of(PlayerRow)
    chosen = connection.execute(select(players.c.prefs).where(players.c.id == user_id)).scalar()
    shared = [(each, each.people.name) for each in shared_tables().values() if each.people is not None]
    counted = _COUNTED.union(people for _, people in shared)
    return KeptRows(
        tables=count(_GAMES, _GAMES.c.id.in_(mine)),
        open=count(_GAMES, _GAMES.c.id.in_(mine), _GAMES.c.phase.in_(OPEN_PHASES)),
        results=own["results"],
        ratings=own["board_ratings"],
        reviews=sum(count(table, of_seats(table, user_id)) for table in tables_with("seat")),
        settings=own["settings"] + bool(chosen),
        gatherings=sum(
            count(each.table, each.of_person(user_id)) for each, _ in shared if each.table is not _GAMES
        ),
        known=own["players"],
        other=sum(number for name, number in own.items() if name not in counted),
        limits=len(kept_limits.of_person(connection, user_id, at)),
    )


def everything(connection: Connection, user_id: int, at: int) -> dict[str, list[ExportedRow]]:
    """Return all rows about a person by table, without other people's data."""
    found = {
        table.name: given(connection, table, of_person(table, user_id)) for table in tables_with("owner")
    }
    for table in (*tables_with("seat"), _CLOCKS):
        found[table.name] = given(connection, table, of_seats(table, user_id))
    for name, shared in shared_tables().items():
        if shared.export is not None:
            found[name] = shared.export(connection, user_id)
    found["entries"] = _moves(connection, user_id)
    found["kept_limits"] = [limit._asdict() for limit in kept_limits.of_person(connection, user_id, at)]
    return {name: found[name] for name in COLUMNS if name in found}


def finished(connection: Connection, user_id: int) -> list[int]:
    """Return the tables at which a person sat to the end of the game, newest first."""
    query = (
        select(_GAMES.c.id)
        .join(_SEATS, _SEATS.c.game_id == _GAMES.c.id)
        .where(_SEATS.c.user_id == user_id, _GAMES.c.phase == "over")
    )
    return list(connection.execute(query.distinct().order_by(_GAMES.c.id.desc())).scalars())


def _moves(connection: Connection, user_id: int) -> list[ExportedRow]:
    """Return the person's moves in games that were closed early, because those have no record."""
    query = (
        select(_ENTRIES.c.game_id, _ENTRIES.c.seq, _ENTRIES.c.kind, _ENTRIES.c.seat, _ENTRIES.c.data)
        .add_columns(_ENTRIES.c.at, _ENTRIES.c.press)
        .join(_GAMES, _GAMES.c.id == _ENTRIES.c.game_id)
        .join(_SEATS, and_(_SEATS.c.game_id == _ENTRIES.c.game_id, _SEATS.c.seat == _ENTRIES.c.seat))
        .where(_SEATS.c.user_id == user_id, _GAMES.c.phase == "cancelled", _ENTRIES.c.kind != "seat")
        .order_by(_ENTRIES.c.game_id, _ENTRIES.c.seq)
    )
    rows = [dict(row) for row in connection.execute(query).mappings()]
    for game_id, own, journal in folds.of_seats(connection, user_id):
        rows += [
            {"game_id": game_id, **dict(zip(folds.LINE, line, strict=True))}
            for line in journal
            if line[2] == own and line[1] != "seat"
        ]
    return [readable(row) for row in sorted(rows, key=lambda row: (row["game_id"], row["seq"]))]
