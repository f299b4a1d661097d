"""Reading boards: who stands where, how somebody's rating went, and against whom.

Everything here reads a few rows by an index, however many people play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Subquery, and_, case, func, literal_column, select

from bot.store import totals
from bot.store.models import BoardRatingRow, PlayerRow, ResultRow, RivalRow, TotalRow, table_of
from bot.store.people import name_in
from bot.store.personal_data.privacy import is_nobody
from bot.store.rating_model import ALL_TIME, Rating, RatingBoard
from engine import levels

_BOARDS, _RIVALS, _RESULTS = table_of(BoardRatingRow), table_of(RivalRow), table_of(ResultRow)
_PLAYERS, _TOTALS = table_of(PlayerRow), table_of(TotalRow)

PLACES = 1000
"""How many places a leaderboard has: it costs the same however many people play."""
LOOKED_AT = 200
"""Number of a person's last games, or of their records against others with most games, that are searched if
nothing is counted as games end."""


class BoardPlace(msgspec.Struct, frozen=True):
    """One line of a leaderboard. Who has the same rating shares a place."""

    place: int
    """From 1; 0 for somebody below the last place of the board."""
    user_id: int
    name: str
    rating: Rating
    known: bool
    """Whether the person has results in the server in which the board is read, or agrees to be named."""
    title: str = ""
    """Which achievement they bear as a title, `game:key`."""


class BoardPage(msgspec.Struct, frozen=True):
    """One page of a leaderboard."""

    page: int
    pages: int
    places: tuple[BoardPlace, ...]
    own: BoardPlace | None
    """Who asks, where they have a place on another page, or none."""


class RivalRecord(NamedTuple):
    """How somebody has done against one other person, in all games and servers."""

    other_id: int
    name: str
    known: bool
    games: int
    wins: int

    @property
    def former(self) -> bool:
        """Whether the other was deleted; a number stands for them that no id of Discord is."""
        return is_nobody(self.other_id)


class Practised(NamedTuple):
    """How somebody has done alone against computer opponents of one level."""

    level: str
    games: int
    wins: int


class GamesDone(NamedTuple):
    """What somebody did in their last games of one kind: games with people and wins where they began, and
    where they did not; the card they played most often, by its key, and how often; and of games with roles,
    which count there instead, games with people and wins by role."""

    began: tuple[int, int] = (0, 0)
    followed: tuple[int, int] = (0, 0)
    favourite: str = ""
    times: int = 0
    roles: Mapping[str, tuple[int, int]] = MappingProxyType({})


_RATING = [_BOARDS.c[name] for name in Rating.__struct_fields__]


def _on(board: RatingBoard) -> Any:
    return and_(*(_BOARDS.c[name] == value for name, value in board._asdict().items()))


def ratings_on(connection: Connection, user_ids: Iterable[int], board: RatingBoard) -> dict[int, Rating]:
    """The ratings that these people have on a board."""
    query = select(_BOARDS.c.user_id, *_RATING).where(_BOARDS.c.user_id.in_(sorted(user_ids)), _on(board))
    return {who: Rating(*numbers) for who, *numbers in connection.execute(query)}


def ratings_of(connection: Connection, user_id: int, guild_id: int) -> dict[tuple[str, str], Rating]:
    """The ratings of all time of a person by game and variant, in one server or `EVERYWHERE`."""
    query = select(_BOARDS.c.game, _BOARDS.c.variant, *_RATING).where(
        _BOARDS.c.user_id == user_id, _BOARDS.c.season == ALL_TIME, _BOARDS.c.guild_id == guild_id
    )
    return {(game, variant): Rating(*numbers) for game, variant, *numbers in connection.execute(query)}


def curve(connection: Connection, user_id: int, game: str, variant: str, most: int) -> tuple[float, ...]:
    """Mu after each of the last games that were rated, the oldest first, over all servers."""
    last = totals.recent_results(_RESULTS.c.user_id == user_id, _RESULTS.c.game == game)
    query = (
        select(last.c.mu)
        .where(last.c.variant == variant, last.c.mu.is_not(None))
        .order_by(last.c.ended_at.desc(), last.c.game_id.desc())
        .limit(most)
    )
    return tuple(mu for (mu,) in connection.execute(query))[::-1]


def _named_here(user_id: Any, here: int) -> Any:
    elsewhere = _TOTALS.alias()
    met = select(elsewhere.c.user_id).where(elsewhere.c.user_id == user_id, elsewhere.c.guild_id == here)
    return met.exists() if here else literal_column("0")


def _title(prefs: object) -> str:
    """Which title somebody bears; see `bot.store.prefs.Prefs.title`."""
    return str(prefs.get("title", "")) if isinstance(prefs, dict) else ""


def _agrees(prefs: object) -> bool:
    """Whether somebody agrees to be named where nobody has met them; see `bot.store.prefs.Prefs.named`."""
    return isinstance(prefs, dict) and prefs.get("named") is True


def records_of(connection: Connection, user_id: int, here: int, most: int) -> list[RivalRecord]:
    """How somebody has done against those they have met most, over all servers."""
    often = (
        select(_RIVALS.c.other_id)
        .where(_RIVALS.c.user_id == user_id)
        .order_by(_RIVALS.c.games.desc(), _RIVALS.c.other_id)
        .limit(LOOKED_AT)
    )
    met_most = (
        select(
            _RIVALS.c.other_id,
            func.sum(_RIVALS.c.games).label("games"),
            func.sum(_RIVALS.c.wins).label("wins"),
        )
        .where(_RIVALS.c.user_id == user_id, _RIVALS.c.other_id.in_(often))
        .group_by(_RIVALS.c.other_id)
        .order_by(func.sum(_RIVALS.c.games).desc(), _RIVALS.c.other_id)
        .limit(most)
        .subquery()
    )
    query = (
        select(
            met_most.c.other_id,
            name_in(here, met_most.c.other_id),
            _PLAYERS.c.prefs,
            _named_here(met_most.c.other_id, here),
            met_most.c.games,
            met_most.c.wins,
        )
        .outerjoin(_PLAYERS, _PLAYERS.c.id == met_most.c.other_id)
        .order_by(met_most.c.games.desc(), met_most.c.other_id)
    )
    return [
        RivalRecord(other, name, bool(met) or _agrees(prefs), int(games), int(wins))
        for other, name, prefs, met, games, wins in connection.execute(query)
    ]


def practised(connection: Connection, user_id: int, guild_id: int) -> list[Practised]:
    """How somebody's last games alone against the computer went, by level, the weakest first; in one server
    or `EVERYWHERE`."""
    last = totals.recent_results(_RESULTS.c.user_id == user_id)
    where = [last.c.guild_id == guild_id] if guild_id else []
    own = (
        select(last.c.game_id, last.c.won)
        .where(last.c.people == 1, last.c.won.is_not(None), *where)
        .order_by(last.c.ended_at.desc(), last.c.game_id.desc())
        .limit(LOOKED_AT)
        .subquery()
    )
    seats = _RESULTS.alias()
    query = select(own.c.game_id, own.c.won, seats.c.level).join(seats, seats.c.game_id == own.c.game_id)
    games: dict[str, dict[int, bool]] = {}
    for game_id, won, level in connection.execute(query.where(seats.c.level.is_not(None))):
        games.setdefault(levels.renamed(level), {})[game_id] = bool(won)
    return [
        Practised(level, len(games[level]), sum(games[level].values()))
        for level in levels.LEVELS
        if level in games
    ]


def done_by(connection: Connection, user_id: int, game: str) -> GamesDone:
    """What somebody did in their last games of one kind, over all servers; cards count also in practice."""
    query = (
        select(_RESULTS.c.people, _RESULTS.c.began, _RESULTS.c.won, _RESULTS.c.cards, _RESULTS.c.role)
        .where(_RESULTS.c.user_id == user_id, _RESULTS.c.game == game, _RESULTS.c.won.is_not(None))
        .order_by(_RESULTS.c.ended_at.desc(), _RESULTS.c.game_id.desc())
        .limit(LOOKED_AT)
    )
    games, wins, played = Counter[str | int](), Counter[str | int](), Counter[str]()
    for people, began, won, cards, role in connection.execute(query):
        played.update(cards or {})
        part = began if role is None else role
        if people >= 2 and part is not None:
            games[part] += 1
            wins[part] += won
    roles = {part: (games[part], wins[part]) for part in games if isinstance(part, str)}
    favourite, times = min(played.items(), key=lambda each: (-each[1], each[0]), default=("", 0))
    return GamesDone((games[1], wins[1]), (games[0], wins[0]), favourite, times, roles)


def best_of(connection: Connection, board: RatingBoard, most: int) -> list[int]:
    """Return the people on a board, the best first."""
    query = select(_BOARDS.c.user_id).where(_on(board)).order_by(_BOARDS.c.sure.desc(), _BOARDS.c.user_id)
    return list(connection.execute(query.limit(min(most, PLACES))).scalars())


def leaderboard(
    connection: Connection,
    board: RatingBoard,
    *,
    rows: int,
    page: int,
    asker: int,
    here: int,
    departed: Collection[int] = (),
) -> BoardPage:
    """A page of a board; the last page for any beyond it.

    Ordered by what is sure of their ratings. Only people with a rated game have a place.
    `here` is the server in which the board is read, 0 for none. People who have `departed` have no place, and
    places are counted without them.
    """
    best = (
        select(_BOARDS.c.user_id, _BOARDS.c.sure)
        .where(_on(board), _BOARDS.c.user_id.not_in(departed))
        .order_by(_BOARDS.c.sure.desc(), _BOARDS.c.user_id)
    )
    first = page * rows
    read = connection.execute(best.offset(first).limit(max(0, min(rows, PLACES - first))))
    shown = [row.user_id for row in read]
    lines = _lines(connection, {*shown, asker}, board, here)
    own = lines.get(asker)
    top = best.limit(PLACES).subquery()
    size, above, above_own, has_place = _standing(connection, top, lines[shown[0]] if shown else None, own)
    pages = max(1, -(-size // rows))
    if page >= pages:  # the board is shorter than it was when the page was asked for
        at = pages - 1
        return leaderboard(connection, board, rows=rows, page=at, asker=asker, here=here, departed=departed)
    places: list[BoardPlace] = []
    for n, user_id in enumerate(shown):
        line = lines[user_id]
        if not places:
            place = above + 1
        elif line.rating.sure == places[-1].rating.sure:
            place = places[-1].place
        else:
            place = first + n + 1
        places.append(msgspec.structs.replace(line, place=place))
    if own is not None:
        own = None if asker in shown else msgspec.structs.replace(own, place=has_place and above_own + 1)
    return BoardPage(page, pages, tuple(places), own)


def _standing(
    connection: Connection, top: Subquery, first: BoardPlace | None, own: BoardPlace | None
) -> tuple[int, int, int, int]:
    """How many places the board has, how many of them are better than each of two lines, and whether (0 or
    1) who asks has one."""

    def better(line: BoardPlace | None) -> Any:
        if line is None:
            return literal_column("0")
        return func.coalesce(func.sum(case((top.c.sure > line.rating.sure, 1), else_=0)), 0)

    asker = own.user_id if own else 0
    mine = func.coalesce(func.sum(case((top.c.user_id == asker, 1), else_=0)), 0)
    found = connection.execute(select(func.count(), better(first), better(own), mine).select_from(top)).one()
    return int(found[0]), int(found[1]), int(found[2]), int(found[3])


def _lines(
    connection: Connection, user_ids: set[int], board: RatingBoard, here: int
) -> dict[int, BoardPlace]:
    query = (
        select(
            _BOARDS.c.user_id,
            name_in(board.guild_id, _BOARDS.c.user_id),
            _PLAYERS.c.prefs,
            _named_here(_BOARDS.c.user_id, here),
            *_RATING,
        )
        .outerjoin(_PLAYERS, _PLAYERS.c.id == _BOARDS.c.user_id)
        .where(_BOARDS.c.user_id.in_(sorted(user_ids)), _on(board))
    )
    return {
        who: BoardPlace(0, who, name, Rating(*numbers), bool(met) or _agrees(prefs), _title(prefs))
        for who, name, prefs, met, *numbers in connection.execute(query)
    }
