"""Everything stored about one person, exported as its columns declare.

It reveals no card held by another player and no seed of a game; those are in the game's record once it is
over. It does not name the other people at a table.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Table, Text, and_, cast, func, or_, select

from bot.store import folds
from bot.store.games import OPEN_PHASES
from bot.store.models import (
    ClockRow,
    EntrantRow,
    EntryRow,
    GameRow,
    PlayerRow,
    SeatRow,
    TournamentRow,
    table_of,
)
from bot.store.models.column_privacy import COLUMNS
from bot.store.personal_data import kept_limits
from bot.store.personal_data.owned_rows import of_person, of_seats, tables_with
from bot.store.terms import terms

_GAMES, _SEATS, _ENTRIES, _CLOCKS = map(table_of, (GameRow, SeatRow, EntryRow, ClockRow))
_TOURNAMENTS, _ENTRANTS = table_of(TournamentRow), table_of(EntrantRow)
_EXACT: Final = 2**53
"""The largest number every JSON reader reads exactly; larger ids are written as text."""
_COUNTED: Final = {"players", "results", "board_ratings", "seats", "entrants", "settings"}
"""Tables with an owner that `KeptRows` counts in fields of their own."""
Row = dict[str, Any]


class KeptRows(msgspec.Struct, frozen=True):
    """The amount of data kept about a person, shown to them as numbers."""

    tables: int
    open: int
    results: int
    ratings: int
    reviews: int
    settings: int
    tournaments: int
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
    entered = select(_ENTRANTS.c.tournament_id).where(_ENTRANTS.c.user_id == user_id)
    return KeptRows(
        tables=count(_GAMES, _GAMES.c.id.in_(mine)),
        open=count(_GAMES, _GAMES.c.id.in_(mine), _GAMES.c.phase.in_(OPEN_PHASES)),
        results=own["results"],
        ratings=own["board_ratings"],
        reviews=sum(count(table, of_seats(table, user_id)) for table in tables_with("seat")),
        settings=own["settings"] + bool(chosen),
        tournaments=count(
            _TOURNAMENTS, or_(_TOURNAMENTS.c.id.in_(entered), _TOURNAMENTS.c.host_id == user_id)
        ),
        known=own["players"],
        other=sum(number for name, number in own.items() if name not in _COUNTED),
        limits=len(kept_limits.of_person(connection, user_id, at)),
    )


def everything(connection: Connection, user_id: int, at: int) -> dict[str, list[Row]]:
    """Return all rows about a person by table, without other people's data."""
    found = {
        table.name: _rows(connection, table, of_person(table, user_id)) for table in tables_with("owner")
    }
    for table in (*tables_with("seat"), _CLOCKS):
        found[table.name] = _rows(connection, table, of_seats(table, user_id))
    found["games"] = _games(connection, user_id)
    found["tournaments"] = _tournaments(connection, user_id)
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


def _rows(connection: Connection, table: Any, where: ColumnElement[bool]) -> list[Row]:
    columns = [table.c[name] for name, held in COLUMNS[table.name].items() if held.given == "given"]
    query = select(*columns).where(where).order_by(*table.primary_key.columns)
    return [readable(dict(row)) for row in connection.execute(query).mappings()]


def _games(connection: Connection, user_id: int) -> list[Row]:
    seated = select(_SEATS.c.game_id).where(_SEATS.c.user_id == user_id)
    named = cast(_GAMES.c.terms, Text).contains(str(user_id))  # perhaps invited but never came
    where = or_(_GAMES.c.id.in_(seated), _GAMES.c.host_id == user_id, named)
    rows = _rows(connection, _GAMES, where)
    more = select(_GAMES.c.id, _GAMES.c.host_id, _GAMES.c.terms).where(where)
    own = {row.id: row for row in connection.execute(more)}
    for row in rows:
        agreed = terms(own[row["id"]].terms)
        row["host"] = own[row["id"]].host_id == user_id
        row["terms"] = {
            "clock": agreed.clock,
            "autopass": agreed.autopass.get(user_id, 0),
            "quiet": user_id in agreed.quiet,
            "invited": user_id in (*agreed.invited, *agreed.guests),
            "held": user_id in agreed.held,
            "knocks": any(knock.user == user_id for knock in agreed.knocks),
            "waiting": any(each.user == user_id for each in agreed.waiting),
            "sits_again": user_id in agreed.order,
            "left": [seat for seat, user in agreed.left.items() if user == user_id],
            "forfeit": agreed.forfeit == user_id,
            "closed_by": agreed.closed_by == user_id,
            "asked": agreed.asked is not None and user_id in agreed.asked.people,
            "while_away": agreed.while_away.get(user_id, ()),
            "house_rules": agreed.house_rules,
        }
    return rows


def _tournaments(connection: Connection, user_id: int) -> list[Row]:
    entered = select(_ENTRANTS.c.tournament_id).where(_ENTRANTS.c.user_id == user_id)
    where = or_(_TOURNAMENTS.c.id.in_(entered), _TOURNAMENTS.c.host_id == user_id)
    rows = _rows(connection, _TOURNAMENTS, where)
    more = select(_TOURNAMENTS.c.id, _TOURNAMENTS.c.host_id, _TOURNAMENTS.c.bracket).where(where)
    own = {row.id: row for row in connection.execute(more)}
    for row in rows:
        bracket = own[row["id"]].bracket or {}
        row["host"] = own[row["id"]].host_id == user_id
        players = list(bracket.get("players", ()))
        row["seed"] = players.index(str(user_id)) + 1 if str(user_id) in players else None
        row["reports"] = [entry[:2] for entry in bracket.get("log", ()) if str(user_id) in entry]
    return rows


def _moves(connection: Connection, user_id: int) -> list[Row]:
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


def readable(value: Any) -> Any:
    """Return a value with ids as text wherever a JSON reader would round them."""
    if isinstance(value, dict):
        return {key: readable(one) for key, one in value.items()}
    if isinstance(value, list):
        return [readable(one) for one in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT:
        return str(value)
    return value
