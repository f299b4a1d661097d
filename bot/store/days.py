"""The deals of days: the secret of each, who played it, how they came out.

A day is one of UTC, written as in `2026-11-22`. The seed of a deal is drawn before its day begins, and only
such a deal is ever played; it is secret until the day is over for everybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select, update

from bot.store.models import DailyResultRow, DayRow, GameRow, PlayerRow, table_of
from bot.store.prefs import prefs_of
from engine.fair import Commitment

_GAMES = table_of(GameRow)
_DAYS, _RESULTS, _PLAYERS = table_of(DayRow), table_of(DailyResultRow), table_of(PlayerRow)

AHEAD: Final = 7
"""Deals are drawn so many days ahead, so that a bot that stood still for some days has those it promised."""
LOOKED_AT: Final = 1000
"""So many of the best of a day are looked at for whom a board may name."""
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
_BEST = (_RESULTS.c.rank, _RESULTS.c.margin.desc(), _RESULTS.c.moves, _RESULTS.c.user_id)
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
    """The best on a day's deal and how many have played it to the end; named are those who began it in the
    server `here`, who asks, and who agrees to be named everywhere."""
    query = (
        select(_RESULTS.c.user_id, _RESULTS.c.guild_id, *_DONE)
        .where(_RESULTS.c.day == day, _RESULTS.c.game == game, _RESULTS.c.ended_at.is_not(None))
        .order_by(*_BEST)
        .limit(LOOKED_AT)
    )
    rows = [(user_id, guild, Done(*numbers)) for user_id, guild, *numbers in connection.execute(query)]
    shown = list(
        islice(
            (
                (user_id, done)
                for user_id, guild, done in rows
                if user_id == asker or (here and guild == here) or prefs_of(connection, user_id).named
            ),
            most,
        )
    )
    return _placed(shown, _names(connection, [user_id for user_id, _ in shown])), len(rows)


def board_of_server(
    connection: Connection, day: str, game: str, guild_id: int, most: int
) -> tuple[list[Place], int]:
    """The best among those who began a day's deal in this server, and how many of them have finished it."""
    mine = (
        _RESULTS.c.day == day,
        _RESULTS.c.game == game,
        _RESULTS.c.guild_id == guild_id,
        _RESULTS.c.ended_at.is_not(None),
    )
    among = int(connection.execute(select(func.count()).select_from(_RESULTS).where(*mine)).scalar_one())
    best = select(_RESULTS.c.user_id, *_DONE).where(*mine).order_by(*_BEST).limit(most)
    shown = [(user_id, Done(*numbers)) for user_id, *numbers in connection.execute(best)]
    return _placed(shown, _names(connection, [user_id for user_id, _ in shown])), among


def _names(connection: Connection, user_ids: Iterable[int]) -> dict[int, str]:
    query = select(_PLAYERS.c.id, _PLAYERS.c.name).where(_PLAYERS.c.id.in_(list(user_ids)))
    return {row.id: row.name for row in connection.execute(query)}


def _placed(rows: list[tuple[int, Done]], names: dict[int, str]) -> list[Place]:
    found: list[Place] = []
    for at, (user_id, done) in enumerate(rows, 1):
        worth = (done.rank, done.margin, done.moves)
        last = found[-1] if found else None
        same = last is not None and (last.done.rank, last.done.margin, last.done.moves) == worth
        found.append(Place(last.place if same and last else at, user_id, names.get(user_id, ""), done))
    return found


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
