"""Daily deals: their secrets, players and results.

A day is a UTC day, written like `2026-11-22`. The seed of a deal is drawn before its day begins and stays
secret until the day is over for everyone. If a day has no deal at all, as on the day of the first start, its
deals are drawn when the bot starts, before anyone can play them. A deal drawn later than the others of its
day is never played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.store import people
from bot.store.models import DailyResultRow, DayRow, GameRow, PlayerRow, table_of
from bot.store.people import name_in
from bot.store.terms import says
from engine.fair import Commitment
from engine.game import Seat

_GAMES = table_of(GameRow)
_DAYS, _RESULTS, _PLAYERS = table_of(DayRow), table_of(DailyResultRow), table_of(PlayerRow)

AHEAD: Final = 7
"""Days in advance that deals are drawn, so that a bot that was down for some days still has the promised
deals."""
PERSON: Final[Seat] = 0
"""The seat of the person who plays a daily deal."""
DAY_MS: Final = 86_400_000
GRACE_MS: Final = 3 * 3_600_000
"""Milliseconds after the end of a day in which a game begun on that day may still be finished."""
MISSED_MS: Final = DAY_MS // 2
"""Milliseconds of a day that the bot must miss for it to be a day without service."""
MOST_DOWN: Final = 400
"""Maximum number of days without service that are remembered."""
_SERVICE: Final = ("daily", 0, "service")
"""The setting that holds them."""


def day_of(at: int) -> str:
    """Return the day of a time, in UTC.

    >>> day_of(1_795_305_600_000)
    '2026-11-22'
    """
    return datetime.fromtimestamp(at // 1000, UTC).date().isoformat()


def shifted(day: str, days: int) -> str:
    """Return the day that is this many days later.

    >>> shifted("2026-02-28", 1), shifted("2026-03-01", -1)
    ('2026-03-01', '2026-02-28')
    """
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def begins_at(day: str) -> int:
    """Return when a day begins, in milliseconds."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1000


def counts_until(day: str) -> int:
    """Return until when results of a day's deals count, in milliseconds: some hours after its end, so that
    a game begun before midnight is not lost."""
    return begins_at(shifted(day, 1)) + GRACE_MS


def is_over(day: str, at: int) -> bool:
    """Return whether no result of a day's deals counts any more. From then on its seed is public."""
    return at >= counts_until(day)


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
    """Draw the missing deals of the coming days, and those of today if today has none at all."""
    today = day_of(at)
    has_some = connection.execute(select(_DAYS.c.game).where(_DAYS.c.day == today).limit(1)).first()
    days = [shifted(today, ahead) for ahead in range(1 if has_some else 0, AHEAD + 1)]
    drawn = {tuple(row) for row in connection.execute(_DRAWN, {"days": days})}
    for day in days:
        for game in games:
            if (day, game) not in drawn:
                fair = Commitment.fresh()
                row = {"day": day, "game": game, "seed": fair.seed, "nonce": fair.nonce, "made_at": at}
                connection.execute(insert(_DAYS).values(row))


def deal_of(connection: Connection, day: str, game: str) -> Commitment | None:
    """Return the secret of a deal, or None unless it was drawn in time."""
    query = select(_DAYS.c.seed, _DAYS.c.nonce).where(_in_time(day), _DAYS.c.game == game)
    found = connection.execute(query).first()
    return None if found is None else Commitment(found.seed, found.nonce)


def ready(connection: Connection, day: str) -> frozenset[str]:
    """Return the games that have a deal on this day, drawn in time."""
    return frozenset(connection.execute(select(_DAYS.c.game).where(_in_time(day))).scalars())


def _in_time(day: str) -> ColumnElement[bool]:
    """Select the deals of a day that were drawn before it, or else with the first of that day."""
    first = select(func.min(_DAYS.c.made_at)).where(_DAYS.c.day == day).scalar_subquery()
    return and_(_DAYS.c.day == day, or_(_DAYS.c.made_at < begins_at(day), _DAYS.c.made_at == first))


def commitments(connection: Connection, day: str) -> dict[str, str]:
    """Return the commitments of a day's deals by game. They reveal nothing about the cards."""
    query = select(_DAYS.c.game, _DAYS.c.seed, _DAYS.c.nonce).where(_DAYS.c.day == day)
    return {row.game: Commitment(row.seed, row.nonce).digest for row in connection.execute(query)}


# -- results ---------------------------------------------------------------------------------


class DailyResult(NamedTuple):
    """A result on a daily deal: rank against the computer, points, lead over the best other side, and
    decisions made."""

    rank: int
    score: float
    margin: float
    moves: int


class DailyPlace(NamedTuple):
    """A line of a day's board. Ties share a place."""

    place: int
    user_id: int
    name: str
    done: DailyResult


class Begun(NamedTuple):
    """A game started on a daily deal. `done` is set if it ended in time."""

    game_id: int
    done: DailyResult | None


_DONE = [_RESULTS.c[name] for name in DailyResult._fields]
_WORTH = (_RESULTS.c.rank, _RESULTS.c.margin.desc(), _RESULTS.c.moves)
"""The order of a board."""
MOST_SEARCHED: Final = 1000
"""Number of the best results of a day that are searched for people who agreed to be named everywhere."""


def begin(
    connection: Connection, day: str, game: str, *, user_id: int, game_id: int, guild_id: int | None
) -> None:
    """Record the table at which a person plays the daily deal. Each person has one table per deal."""
    key = {"day": day, "game": game, "user_id": user_id}
    connection.execute(insert(_RESULTS).values(**key, game_id=game_id, guild_id=guild_id))


def begun(connection: Connection, day: str, user_id: int) -> dict[str, Begun]:
    """Return the daily deals a person started on this day, by game."""
    query = select(_RESULTS.c.game, _RESULTS.c.game_id, _RESULTS.c.ended_at, *_DONE).where(
        _RESULTS.c.user_id == user_id, _RESULTS.c.day == day
    )
    return {
        game: Begun(game_id, None if ended_at is None else DailyResult(*numbers))
        for game, game_id, ended_at, *numbers in connection.execute(query)
    }


def finish(connection: Connection, game_id: int, done: DailyResult, at: int) -> None:
    """Record the result of the game at this table. Results after `counts_until` and repeats are ignored."""
    change = update(_RESULTS).where(
        _RESULTS.c.game_id == game_id, _RESULTS.c.ended_at.is_(None), _RESULTS.c.day >= day_of(at - GRACE_MS)
    )
    connection.execute(change.values(**done._asdict(), ended_at=at))


def left_open(connection: Connection, before: str, most: int) -> list[int]:
    """Return readable tables of earlier days at which a game is still in progress."""
    return list(connection.execute(_LEFT_OPEN, {"before": before, "most": most}).scalars())


def best_of_server(connection: Connection, day: str, game: str, guild_id: int, most: int) -> list[int]:
    """Return the people who finished a daily deal that they began in this server, the best first."""
    query = select(_RESULTS.c.user_id).where(*_of_server(day, game, guild_id))
    return list(connection.execute(query.order_by(*_WORTH, _RESULTS.c.user_id).limit(most)).scalars())


def board(
    connection: Connection,
    day: str,
    game: str,
    *,
    here: int,
    asker: int,
    most: int,
    departed: Collection[int] = (),
) -> tuple[list[DailyPlace], int]:
    """Return the best results on a daily deal that may be shown, and how many people finished it.

    The board shows those who started the deal in the server `here`, the asker, and people who agreed to be
    named everywhere, if they are among the best `MOST_SEARCHED`. People who have `departed` from the server
    are not shown as its members. Places count everyone. An asker who is not among the top entries is added
    last.
    """
    where = (_RESULTS.c.day == day, _RESULTS.c.game == game, _RESULTS.c.ended_at.is_not(None))
    order = (*_WORTH, _RESULTS.c.user_id)
    top = select(_RESULTS.c.user_id).where(*where).order_by(*order)
    best = top.limit(MOST_SEARCHED).subquery()
    named = select(best.c.user_id).join(_PLAYERS, _PLAYERS.c.id == best.c.user_id)
    candidates = [named.where(says(_PLAYERS.c.prefs, "named", value=True))]
    if here:
        members = (_RESULTS.c.guild_id == here, _RESULTS.c.user_id.not_in(departed))
        candidates.append(top.where(*members).limit(most))
    users = {asker}.union(*(connection.execute(each).scalars() for each in candidates))
    lines = select(_RESULTS.c.user_id, name_in(here, _RESULTS.c.user_id), *_DONE)
    found = connection.execute(lines.where(*where, _RESULTS.c.user_id.in_(sorted(users))))
    results = [(who, name, DailyResult(*numbers)) for who, name, *numbers in found]
    results.sort(key=lambda each: (each[2].rank, -each[2].margin, each[2].moves, each[0]))
    shown = results[:most] + [each for each in results[most:] if each[0] == asker]
    places: dict[tuple[int, float, int], int] = {}
    for _, _, done in shown:
        worth = (done.rank, done.margin, done.moves)
        if worth not in places:
            places[worth] = 1 + _better(connection, where, *worth)
    return [
        DailyPlace(places[done.rank, done.margin, done.moves], who, name, done) for who, name, done in shown
    ], _among(connection, where)


def _better(
    connection: Connection, where: Iterable[ColumnElement[bool]], rank: int, margin: float, moves: int
) -> int:
    """Count the results that are better than one of this worth. Each part is a range of the index."""
    same_rank = _RESULTS.c.rank == rank
    return (
        _among(connection, (*where, _RESULTS.c.rank < rank))
        + _among(connection, (*where, same_rank, _RESULTS.c.margin > margin))
        + _among(connection, (*where, same_rank, _RESULTS.c.margin == margin, _RESULTS.c.moves < moves))
    )


def board_of_server(
    connection: Connection, day: str, game: str, guild_id: int, *, most: int, departed: Collection[int] = ()
) -> tuple[list[DailyPlace], int]:
    """Return the best results of those who started a daily deal in this server, and how many of them finished
    it. People who have `departed` from the server are left out."""
    where = (*_of_server(day, game, guild_id), _RESULTS.c.user_id.not_in(departed))
    place = func.rank().over(order_by=_WORTH).label("place")
    ranked = select(place, _RESULTS.c.user_id, *_DONE).where(*where).subquery()
    done = (ranked.c[name] for name in DailyResult._fields)
    lines = select(ranked.c.place, ranked.c.user_id, name_in(guild_id, ranked.c.user_id), *done)
    found = connection.execute(lines.order_by(ranked.c.place, ranked.c.user_id).limit(most))
    places = [DailyPlace(place, who, name, DailyResult(*numbers)) for place, who, name, *numbers in found]
    return places, _among(connection, where)


def _of_server(day: str, game: str, guild_id: int) -> tuple[ColumnElement[bool], ...]:
    return (
        _RESULTS.c.day == day,
        _RESULTS.c.game == game,
        _RESULTS.c.guild_id == guild_id,
        _RESULTS.c.ended_at.is_not(None),
    )


def _among(connection: Connection, where: Iterable[ColumnElement[bool]]) -> int:
    return int(connection.execute(select(func.count()).select_from(_RESULTS).where(*where)).scalar_one())


def streak(connection: Connection, user_id: int, today: str) -> int:
    """Return how many days in a row a person has finished a daily deal, up to today or yesterday.

    Days without service count neither for nor against it.
    """
    query = (
        select(_RESULTS.c.day)
        .where(_RESULTS.c.user_id == user_id, _RESULTS.c.ended_at.is_not(None), _RESULTS.c.day <= today)
        .distinct()
        .order_by(_RESULTS.c.day.desc())
    )
    excused = {today, *_service(connection).down}
    expected, length = today, 0
    for (day,) in connection.execute(query):
        while expected > day and expected in excused:
            expected = shifted(expected, -1)
        if day != expected:
            break
        length, expected = length + 1, shifted(day, -1)
    return length


# -- service ---------------------------------------------------------------------------------


class _Service(msgspec.Struct, frozen=True):
    """When the bot was seen running last, in milliseconds, and the days on which it was away for long."""

    seen_at: int = 0
    down: tuple[str, ...] = ()


def note_service(connection: Connection, at: int) -> None:
    """Record that the bot runs. Days of which it has missed half or more count as days without service, and
    so do days of whose grace it has missed half or more: deals begun in time could not be finished."""
    known, today = _service(connection), day_of(at)
    down = [day for day in known.down if day <= today]  # a clock that was ahead has noted days to come
    if known.seen_at and at - known.seen_at >= GRACE_MS // 2:
        day = max(shifted(today, -MOST_DOWN), shifted(day_of(known.seen_at), -1))
        while day <= today:
            begin, end = begins_at(day), begins_at(shifted(day, 1))
            missed = min(end, at) - max(begin, known.seen_at)
            of_grace = min(counts_until(day), at) - max(end, known.seen_at)
            if (missed >= MISSED_MS or of_grace >= GRACE_MS // 2) and day not in down:
                down.append(day)
            day = shifted(day, 1)
    kept = msgspec.to_builtins(_Service(at, tuple(down[-MOST_DOWN:])))
    people.put_setting(connection, *_SERVICE, kept)


def _service(connection: Connection) -> _Service:
    found = people.get_setting(connection, *_SERVICE)
    return _Service() if found is None else msgspec.convert(found, _Service)
