"""The deals of days: the secret of each, who played it, how they came out.

A day is one of UTC, written as in `2026-11-22`. The seed of a deal is drawn before its day begins, and only
such a deal is ever played; it is secret until the day is over for everybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Subquery,
    bindparam,
    false,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.store.models import DailyResultRow, DayRow, GameRow, PlayerRow, table_of
from bot.store.terms import says
from engine.fair import Commitment

_GAMES = table_of(GameRow)
_DAYS, _RESULTS, _PLAYERS = table_of(DayRow), table_of(DailyResultRow), table_of(PlayerRow)

AHEAD: Final = 7
"""Deals are drawn so many days ahead, so that a bot that stood still for some days has those it promised."""
DAY_MS: Final = 86_400_000


def day_of(at: int) -> str:
    """The day of a time, in UTC.

    >>> day_of(1_795_305_600_000)
    '2026-11-22'
    """
    return datetime.fromtimestamp(at // 1000, UTC).date().isoformat()


def shifted(day: str, days: int) -> str:
    """The day so many days later.

    >>> shifted("2026-02-28", 1), shifted("2026-03-01", -1)
    ('2026-03-01', '2026-02-28')
    """
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def begins_at(day: str) -> int:
    """When a day begins, in milliseconds."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1000


def is_over(day: str, at: int) -> bool:
    """Whether a day is over everywhere at this time; from then on its seed is no secret."""
    return day_of(at) > day


_DRAWN = select(_DAYS.c.day, _DAYS.c.game).where(_DAYS.c.day.in_(bindparam("days", expanding=True)))
_LEFT_OPEN = (
    select(_RESULTS.c.game_id)
    .join(_GAMES, _GAMES.c.id == _RESULTS.c.game_id)
    .where(
        _GAMES.c.phase == "live",
        _GAMES.c.resting == "",
        _RESULTS.c.day < bindparam("before"),
        _RESULTS.c.ended_at.is_(None),
    )
    .limit(bindparam("most"))
)


def draw(connection: Connection, games: Collection[str], at: int) -> None:
    """Draw what is not drawn yet of the deals of the days to come; those of today are never drawn late."""
    days = [shifted(day_of(at), ahead) for ahead in range(1, AHEAD + 1)]
    drawn = {tuple(row) for row in connection.execute(_DRAWN, {"days": days})}
    for day in days:
        for game in games:
            if (day, game) not in drawn:
                fair = Commitment.fresh()
                row = {"day": day, "game": game, "seed": fair.seed, "nonce": fair.nonce, "made_at": at}
                connection.execute(insert(_DAYS).values(row))


def deal_of(connection: Connection, day: str, game: str) -> Commitment | None:
    """The secret of a deal, if it was drawn before its day began."""
    query = select(_DAYS.c.seed, _DAYS.c.nonce, _DAYS.c.made_at)
    found = connection.execute(query.where(_DAYS.c.day == day, _DAYS.c.game == game)).first()
    if found is None or found.made_at >= begins_at(day):
        return None
    return Commitment(found.seed, found.nonce)


def ready(connection: Connection, day: str) -> frozenset[str]:
    """The games that have a deal on this day: those whose deal was drawn before it."""
    query = select(_DAYS.c.game).where(_DAYS.c.day == day, _DAYS.c.made_at < begins_at(day))
    return frozenset(connection.execute(query).scalars())


def commitments(connection: Connection, day: str) -> dict[str, str]:
    """What the deals of a day are committed to, by game; nothing of it tells a card."""
    query = select(_DAYS.c.game, _DAYS.c.seed, _DAYS.c.nonce).where(_DAYS.c.day == day)
    return {row.game: Commitment(row.seed, row.nonce).digest for row in connection.execute(query)}


# -- how people did -------------------------------------------------------------------------


class Done(NamedTuple):
    """How somebody did on the deal of a day: the place against the computer, the points, by how much they
    were better than those of the best other side, and how many decisions it took."""

    rank: int
    score: float
    margin: float
    moves: int


class Place(NamedTuple):
    """A line of a day's board; who did as well shares a place."""

    place: int
    user_id: int
    name: str
    done: Done


class Begun(NamedTuple):
    """The game that somebody has begun on a day's deal; `done` once it ended on that day."""

    game_id: int
    done: Done | None


_DONE = [_RESULTS.c[name] for name in Done._fields]
_WORTH = (_RESULTS.c.rank, _RESULTS.c.margin.desc(), _RESULTS.c.moves)
"""The order of a board."""


def begin(
    connection: Connection, day: str, game: str, *, user_id: int, game_id: int, guild_id: int | None
) -> None:
    """Note the table at which somebody plays the deal of a day; there is one."""
    key = {"day": day, "game": game, "user_id": user_id}
    connection.execute(insert(_RESULTS).values(**key, game_id=game_id, guild_id=guild_id))


def begun(connection: Connection, day: str, user_id: int) -> dict[str, Begun]:
    """What somebody has begun on a day, by game."""
    query = select(_RESULTS.c.game, _RESULTS.c.game_id, _RESULTS.c.ended_at, *_DONE).where(
        _RESULTS.c.user_id == user_id, _RESULTS.c.day == day
    )
    return {
        game: Begun(game_id, None if ended_at is None else Done(*numbers))
        for game, game_id, ended_at, *numbers in connection.execute(query)
    }


def finish(connection: Connection, game_id: int, done: Done, at: int) -> None:
    """Note how the game at this table ended; what ends after its day does not count, and nothing twice."""
    change = update(_RESULTS).where(
        _RESULTS.c.game_id == game_id, _RESULTS.c.ended_at.is_(None), _RESULTS.c.day == day_of(at)
    )
    connection.execute(change.values(**done._asdict(), ended_at=at))


def left_open(connection: Connection, before: str, most: int) -> list[int]:
    """The tables of days before this one at which a game still goes on, and that can be read."""
    return list(connection.execute(_LEFT_OPEN, {"before": before, "most": most}).scalars())


def board(
    connection: Connection, day: str, game: str, *, here: int, asker: int, most: int
) -> tuple[list[Place], int]:
    """The best on a day's deal whom a board may name, and how many have played it to the end. Named are those
    who began it in the server `here`, who asks, and who agrees to be named everywhere; their places count
    everybody. Who asks and is behind the others comes last."""
    where = (_RESULTS.c.day == day, _RESULTS.c.game == game, _RESULTS.c.ended_at.is_not(None))
    lines, ranked = _lines(where)
    known = (says(_PLAYERS.c.prefs, "named", value=True), ranked.c.guild_id == here if here else false())
    mine = ranked.c.user_id == asker
    found = _places(connection, lines.where(or_(mine, *known)).limit(most))
    if asker not in {place.user_id for place in found}:
        found += _places(connection, lines.where(mine))
    return found, _among(connection, where)


def board_of_server(
    connection: Connection, day: str, game: str, guild_id: int, most: int
) -> tuple[list[Place], int]:
    """The best among those who began a day's deal in this server, and how many of them have finished it."""
    where = (
        _RESULTS.c.day == day,
        _RESULTS.c.game == game,
        _RESULTS.c.guild_id == guild_id,
        _RESULTS.c.ended_at.is_not(None),
    )
    return _places(connection, _lines(where)[0].limit(most)), _among(connection, where)


def _lines(where: Iterable[ColumnElement[bool]]) -> tuple[Select[Any], Subquery]:
    """The lines of a board of these results, the best first; the results, each with its place among them."""
    place = func.rank().over(order_by=_WORTH).label("place")
    ranked = select(place, _RESULTS.c.user_id, _RESULTS.c.guild_id, *_DONE).where(*where).subquery()
    done = (ranked.c[name] for name in Done._fields)
    query = select(ranked.c.place, ranked.c.user_id, func.coalesce(_PLAYERS.c.name, ""), *done)
    joined = query.outerjoin(_PLAYERS, _PLAYERS.c.id == ranked.c.user_id)
    return joined.order_by(ranked.c.place, ranked.c.user_id), ranked


def _places(connection: Connection, lines: Select[Any]) -> list[Place]:
    return [Place(place, who, name, Done(*done)) for place, who, name, *done in connection.execute(lines)]


def _among(connection: Connection, where: Iterable[ColumnElement[bool]]) -> int:
    return int(connection.execute(select(func.count()).select_from(_RESULTS).where(*where)).scalar_one())


def streak(connection: Connection, user_id: int, today: str) -> int:
    """On how many days in a row somebody has played a day's deal to the end, up to today or yesterday."""
    query = (
        select(_RESULTS.c.day)
        .where(_RESULTS.c.user_id == user_id, _RESULTS.c.ended_at.is_not(None), _RESULTS.c.day <= today)
        .distinct()
        .order_by(_RESULTS.c.day.desc())
    )
    wanted, length = today, 0
    for (day,) in connection.execute(query):
        if not length and day == shifted(today, -1):
            wanted = day
        if day != wanted:
            break
        length, wanted = length + 1, shifted(day, -1)
    return length
