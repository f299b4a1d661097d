"""Everything that the tables know of one person, as `bot.store.privacy.COLUMNS` says it is given.

Nothing of it tells a card that somebody else holds, nor the seed of a game: those come in its record, when it
is over. Of the other people at a table it names nobody.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, Text, and_, cast, func, or_, select, tuple_

from bot.store import folds
from bot.store.games import OPEN_PHASES
from bot.store.models import (
    AchievementRow,
    BoardRatingRow,
    ClockRow,
    DailyResultRow,
    EntrantRow,
    EntryRow,
    GameRow,
    GuessRow,
    HouseRulesRow,
    NightAnswerRow,
    NightRow,
    PlayerRow,
    RatingRow,
    ResultRow,
    ReviewRow,
    RivalRow,
    SeatRow,
    SeekerRow,
    SettingRow,
    TotalRow,
    TournamentRow,
    VoidRow,
    table_of,
)
from bot.store.people import PERSON
from bot.store.privacy import COLUMNS
from bot.store.terms import terms

_GAMES, _SEATS, _ENTRIES, _CLOCKS = map(table_of, (GameRow, SeatRow, EntryRow, ClockRow))
_RESULTS, _REVIEWS = table_of(ResultRow), table_of(ReviewRow)
_TOURNAMENTS, _ENTRANTS = table_of(TournamentRow), table_of(EntrantRow)
_EXACT: Final = 2**53
"""Up to here every reader of JSON takes a number for what it is; ids beyond it are given as text."""
_BY_USER: Final = {
    "players": table_of(PlayerRow).c.id,
    "results": _RESULTS.c.user_id,
    "board_ratings": table_of(BoardRatingRow).c.user_id,
    "rivals": table_of(RivalRow).c.user_id,
    "ratings": table_of(RatingRow).c.user_id,
    "totals": table_of(TotalRow).c.user_id,
    "daily_results": table_of(DailyResultRow).c.user_id,
    "achievements": table_of(AchievementRow).c.user_id,
    "guesses": table_of(GuessRow).c.user_id,
    "house_rules": table_of(HouseRulesRow).c.saved_by,
    "seekers": table_of(SeekerRow).c.user_id,
    "night_answers": table_of(NightAnswerRow).c.user_id,
    "nights": table_of(NightRow).c.host_id,
    "seats": _SEATS.c.user_id,
    "entrants": _ENTRANTS.c.user_id,
}
_COUNTED: Final = {"players", "results", "board_ratings", "seats", "entrants"}
"""Those of them that `Kept` has numbers of their own for."""
Row = dict[str, Any]


class Kept(msgspec.Struct, frozen=True):
    """How much is kept of a person, in numbers, for the screen that says so."""

    tables: int
    open: int
    results: int
    ratings: int
    reviews: int
    settings: int
    tournaments: int
    known: int
    """Whether their name is kept."""
    other: int
    """Everything else, in rows."""


def kept(connection: Connection, user_id: int) -> Kept:
    """How much is kept of a person."""

    def count(table: Table, *where: ColumnElement[bool]) -> int:
        return int(connection.execute(select(func.count()).select_from(table).where(*where)).scalar_one())

    mine = select(_SEATS.c.game_id).where(_SEATS.c.user_id == user_id)
    ratings, settings, voids = table_of(BoardRatingRow), table_of(SettingRow), table_of(VoidRow)
    players = table_of(PlayerRow)
    chosen = connection.execute(select(players.c.prefs).where(players.c.id == user_id)).scalar()
    entered = select(_ENTRANTS.c.tournament_id).where(_ENTRANTS.c.user_id == user_id)
    other = [count(_BY_USER[name].table, _BY_USER[name] == user_id) for name in _BY_USER.keys() - _COUNTED]
    seats = select(_SEATS.c.game_id, _SEATS.c.seat).where(_SEATS.c.user_id == user_id)
    return Kept(
        tables=count(_GAMES, _GAMES.c.id.in_(mine)),
        open=count(_GAMES, _GAMES.c.id.in_(mine), _GAMES.c.phase.in_(OPEN_PHASES)),
        results=count(_RESULTS, _RESULTS.c.user_id == user_id),
        ratings=count(ratings, ratings.c.user_id == user_id),
        reviews=count(_REVIEWS, tuple_(_REVIEWS.c.game_id, _REVIEWS.c.seat).in_(seats)),
        settings=count(settings, settings.c.scope == PERSON, settings.c.scope_id == user_id) + bool(chosen),
        tournaments=count(
            _TOURNAMENTS, or_(_TOURNAMENTS.c.id.in_(entered), _TOURNAMENTS.c.host_id == user_id)
        ),
        known=count(players, players.c.id == user_id),
        other=sum(other) + count(voids, voids.c.kind == "player", voids.c.target == user_id),
    )


def everything(connection: Connection, user_id: int) -> dict[str, list[Row]]:
    """All rows about a person by table, without what is not theirs."""
    found = {name: _rows(connection, column.table, column == user_id) for name, column in _BY_USER.items()}
    settings = table_of(SettingRow)
    own = and_(settings.c.scope == PERSON, settings.c.scope_id == user_id)
    found["settings"] = _rows(connection, settings, own)
    voids = table_of(VoidRow)
    found["voids"] = _rows(connection, voids, and_(voids.c.kind == "player", voids.c.target == user_id))
    mine = select(_SEATS.c.game_id, _SEATS.c.seat).where(_SEATS.c.user_id == user_id)
    found["reviews"] = _rows(connection, _REVIEWS, tuple_(_REVIEWS.c.game_id, _REVIEWS.c.seat).in_(mine))
    found["clocks"] = _rows(connection, _CLOCKS, tuple_(_CLOCKS.c.game_id, _CLOCKS.c.seat).in_(mine))
    found["games"] = _games(connection, user_id)
    found["tournaments"] = _tournaments(connection, user_id)
    found["entries"] = _moves(connection, user_id)
    return {name: found[name] for name in COLUMNS if name in found}


def finished(connection: Connection, user_id: int) -> list[int]:
    """The tables at which a person sat to the end of the game, the newest first."""
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
    named = cast(_GAMES.c.terms, Text).contains(str(user_id))  # invited, perhaps, and never came
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
            "sits_again": user_id in agreed.order,
            "left": [seat for seat, user in agreed.left.items() if user == user_id],
            "forfeit": agreed.forfeit == user_id,
            "asked": agreed.asked is not None and user_id in agreed.asked.people,
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
    """The moves in games that were closed before their end: they have no record."""
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
    """A value with ids as text, where a reader of JSON would round them."""
    if isinstance(value, dict):
        return {key: readable(one) for key, one in value.items()}
    if isinstance(value, list):
        return [readable(one) for one in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT:
        return str(value)
    return value
