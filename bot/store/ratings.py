"""Ratings in the database: moved as games are settled, made anew from the results alone.

What a game needs to be rated stands in its results: variant, side and place of each seat, see `judged`. They
are rated in the order of (ended_at, game_id). Settling keeps to that order (`in_order`), so the boards are
always what `rebuild` makes of the results, to the last bit. What somebody played before they were deleted
moves the others as it did; they have no ratings themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, TypeVar

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, text, update

from bot.store.models import BoardRatingRow, GameRow, ResultRow, RivalRow, TotalRow, VoidRow, table_of
from bot.store.people import EVERYWHERE, Result, put
from bot.store.privacy import is_nobody
from bot.store.rating import Board, Book, Played, Rating, Rival, Seated, rate
from bot.store.terms import terms
from engine import catalog, levels
from engine.game import Value

_BOARDS, _RIVALS, _VOIDS = table_of(BoardRatingRow), table_of(RivalRow), table_of(VoidRow)
_RESULTS, _GAMES, _TOTALS = table_of(ResultRow), table_of(GameRow), table_of(TotalRow)
_LOCK = 0x56414C
"""The number of the lock of PostgreSQL that whoever settles a game takes."""
AT_ONCE = 500
"""So many rows are written with one statement."""

Kind = Literal["player", "game"]
T = TypeVar("T")


# -- what a game needs to be rated ----------------------------------------------------------


def judged(results: Sequence[Result], options: Mapping[str, Value], left: Collection[int]) -> list[Result]:
    """The results of a game with all that ratings go by; `left` are the seats whose people left it.

    A game is rated where two people or more played for two sides or more, and nobody held two seats. Who left
    has lost to everybody, the opponent on their seat included. Partners are those who are known before the
    deal; where they are hidden, everybody plays for themselves. Who was deleted is passed over; as a partner
    they are the opponent that played on, so that nobody is rated as one against two.
    """
    partners: tuple[tuple[int, ...], ...] = ()
    try:
        game = catalog.get(results[0].game)
    except catalog.UnknownGame:  # of a release that had more games
        variant = ""
    else:
        chosen = {**game.defaults(), **options}
        variant, partners = game.variant(chosen), game.partners(len(results), chosen)
    side_of = {seat: seats[0] for seats in partners for seat in seats}
    people = {
        result.seat: side_of.get(result.seat, result.seat)
        for result in results
        if result.user_id is not None and not is_nobody(result.user_id)
    }
    different = len({result.user_id for result in results if result.seat in people}) == len(people)
    rated = different and len(set(people.values())) >= 2
    behind = len(results) + 1
    found: list[Result] = []
    for result in results:
        side = side_of.get(result.seat, result.seat)
        deleted = result.user_id is not None and result.seat not in people
        held_on = deleted and side in people.values()
        counts = rated and (held_on or not deleted)
        found.append(
            msgspec.structs.replace(
                result,
                level=levels.STEADY if rated and held_on else result.level,
                variant=variant,
                side=side if counts else None,
                place=(behind if result.seat in left else result.rank) if counts else None,
            )
        )
    return found


# -- settling -------------------------------------------------------------------------------


def one_at_a_time(connection: Connection) -> None:
    """Wait until nobody else settles a game, and let nobody begin before this transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def in_order(connection: Connection, game_id: int, game: str, users: Iterable[int], at: int) -> int:
    """When a game is to have ended: at this time, or just after the last one of these people, where clocks
    say that it was before."""
    query = select(_TOTALS.c.last_at, _TOTALS.c.last_game).where(
        _TOTALS.c.user_id.in_(sorted(users)), _TOTALS.c.guild_id == EVERYWHERE, _TOTALS.c.game == game
    )
    last = max(((row.last_at, row.last_game) for row in connection.execute(query)), default=(at, 0))
    return at if (at, game_id) > last else last[0] + (last[1] >= game_id)


def settle(connection: Connection, game_id: int) -> None:
    """Rate a game whose results are in and have been counted, where it counts."""
    query = select(*_SEATED).where(_RESULTS.c.game_id == game_id).order_by(_RESULTS.c.seat)
    for game in _played(connection.execute(query)):
        people = list(game.people())
        banned = select(_VOIDS.c.target).where(_VOIDS.c.kind == "player", _VOIDS.c.target.in_(people))
        if connection.execute(banned).first() is None:
            book = _of(connection, game)
            after = rate(book, game)
            _write(connection, book)
            _note(connection, [(game, after)])


_SEATED = [
    _RESULTS.c[name]
    for name in (
        *("game_id", "seat", "user_id", "level", "guild_id", "game"),
        *("variant", "side", "place", "won", "ended_at"),
    )
]


def _played(rows: Iterable[Any]) -> Iterator[Played]:
    """The games that are rated, of their results by game and seat."""
    for game_id, found in groupby((row for row in rows if row.place is not None), lambda row: row.game_id):
        seats = list(found)
        first = seats[0]
        yield Played(
            game_id,
            first.game,
            first.variant,
            first.guild_id,
            first.ended_at,
            tuple(_seated(row) for row in seats),
        )


def _seated(row: Any) -> Seated:
    # with both, an opponent played on for somebody who was deleted
    who = None if row.level else row.user_id
    return Seated(who, row.level, row.side, row.place, bool(row.won))


def _of(connection: Connection, game: Played) -> Book:
    """What is known of the people of a game."""
    book, people, boards = Book(), sorted(game.people()), game.boards()
    query = select(_BOARDS).where(
        _BOARDS.c.user_id.in_(people),
        _BOARDS.c.game == game.game,
        _BOARDS.c.variant == game.variant,
        _BOARDS.c.season.in_(sorted({board.season for board in boards})),
        _BOARDS.c.guild_id.in_(sorted({board.guild_id for board in boards})),
    )
    book.ratings.update(_rating_of(row) for row in connection.execute(query))
    query = select(_RIVALS).where(
        _RIVALS.c.user_id.in_(people),
        _RIVALS.c.other_id.in_(people),
        _RIVALS.c.game == game.game,
        _RIVALS.c.variant == game.variant,
    )
    book.rivals.update(_rival_of(row) for row in connection.execute(query))
    return book


def _rating_of(row: Any) -> tuple[tuple[Board, int], Rating]:
    board = Board(row.game, row.variant, row.season, row.guild_id)
    return (board, row.user_id), Rating(row.mu, row.sigma, row.games, row.wins, row.streak)


def _rival_of(row: Any) -> tuple[tuple[str, str, int, int], Rival]:
    key = (row.game, row.variant, row.user_id, row.other_id)
    return key, Rival(row.games, row.wins, row.losses, row.heat, row.heat_at)


def _rows(book: Book) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    boards = [
        {
            "user_id": who,
            **board._asdict(),
            **msgspec.structs.asdict(rating),
            "sure": rating.sure,
        }
        for (board, who), rating in book.ratings.items()
        if not is_nobody(who)
    ]
    rivals = [
        {"user_id": one, "other_id": other, "game": game, "variant": variant, **msgspec.structs.asdict(rival)}
        for (game, variant, one, other), rival in book.rivals.items()
        if not is_nobody(one)
    ]
    return boards, rivals


def _write(connection: Connection, book: Book) -> None:
    boards, rivals = _rows(book)
    put(connection, _BOARDS, ("user_id", "game", "variant", "season", "guild_id"), boards)
    put(connection, _RIVALS, ("user_id", "other_id", "game", "variant"), rivals)


def _note(connection: Connection, rated: Sequence[tuple[Played, Mapping[int, Rating]]]) -> None:
    """Put the rating after each game into its results."""
    rows = [
        {"of_game": game.game_id, "of_user": who, "new_mu": rating.mu, "new_sigma": rating.sigma}
        for game, after in rated
        for who, rating in after.items()
        if not is_nobody(who)
    ]
    change = (
        update(_RESULTS)
        .where(_RESULTS.c.game_id == bindparam("of_game"), _RESULTS.c.user_id == bindparam("of_user"))
        .values(mu=bindparam("new_mu"), sigma=bindparam("new_sigma"))
    )
    for some in _batches(rows):
        connection.execute(change, some)


# -- from the results alone -----------------------------------------------------------------


def _batches(rows: Sequence[T]) -> Iterator[list[T]]:
    for first in range(0, len(rows), AT_ONCE):
        yield list(rows[first : first + AT_ONCE])


def _voided(connection: Connection) -> tuple[set[int], set[int]]:
    """The people and the games that count for nothing."""
    found: dict[str, set[int]] = {"player": set(), "game": set()}
    for row in connection.execute(select(_VOIDS.c.kind, _VOIDS.c.target)):
        found[row.kind].add(row.target)
    return found["player"], found["game"]


def _from_results(
    connection: Connection, games: Collection[str] | None
) -> tuple[Book, list[tuple[Played, dict[int, Rating]]]]:
    query = select(*_SEATED).where(_RESULTS.c.place.is_not(None))
    if games is not None:
        query = query.where(_RESULTS.c.game.in_(sorted(games)))
    rows = connection.execute(query.order_by(_RESULTS.c.ended_at, _RESULTS.c.game_id, _RESULTS.c.seat))
    people, voided = _voided(connection)
    book = Book()
    counted = (
        game for game in _played(rows) if game.game_id not in voided and people.isdisjoint(game.people())
    )
    return book, [(game, rate(book, game)) for game in counted]


def rebuild(connection: Connection, games: Collection[str] | None = None) -> int:
    """Make all ratings anew from the results, or those of some games; how many games were rated."""
    one_at_a_time(connection)
    book, rated = _from_results(connection, games)
    for table in (_BOARDS, _RIVALS):
        connection.execute(delete(table) if games is None else delete(table).where(table.c.game.in_(games)))
    nothing = update(_RESULTS).where(_RESULTS.c.mu.is_not(None)).values(mu=None, sigma=None)
    connection.execute(nothing if games is None else nothing.where(_RESULTS.c.game.in_(games)))
    for table, rows in zip((_BOARDS, _RIVALS), _rows(book), strict=True):
        for some in _batches(rows):
            connection.execute(insert(table), some)
    _note(connection, rated)
    return len(rated)


def differences(connection: Connection) -> int:
    """How many rows are not what the results say, of boards, of how people met, and of ratings noted with
    results."""
    one_at_a_time(connection)
    book, rated = _from_results(connection, None)
    boards = dict(_rating_of(row) for row in connection.execute(select(_BOARDS)))
    rivals = dict(_rival_of(row) for row in connection.execute(select(_RIVALS)))
    query = select(_RESULTS.c.game_id, _RESULTS.c.user_id, _RESULTS.c.mu, _RESULTS.c.sigma)
    noted = {
        (row.game_id, row.user_id): (row.mu, row.sigma)
        for row in connection.execute(query.where(_RESULTS.c.mu.is_not(None)))
    }
    right = {
        (game.game_id, who): (rating.mu, rating.sigma)
        for game, after in rated
        for who, rating in after.items()
        if not is_nobody(who)
    }
    made = {key: rating for key, rating in book.ratings.items() if not is_nobody(key[1])}
    met = {key: rival for key, rival in book.rivals.items() if not is_nobody(key[2])}
    return _unlike(boards, made) + _unlike(rivals, met) + _unlike(noted, right)


def _unlike(kept: Mapping[Any, object], made: Mapping[Any, object]) -> int:
    return sum(1 for key in kept.keys() | made.keys() if kept.get(key) != made.get(key))


def catch_up(connection: Connection) -> int:
    """Rate what a release without boards has settled on this database; how many games that were.

    Their boards are made anew, since those games may have ended before others that were rated.
    """
    columns = [_RESULTS.c[name] for name in Result.__struct_fields__]
    unseen = select(_RESULTS.c.game_id).where(_RESULTS.c.variant.is_(None)).distinct()
    games = [game_id for (game_id,) in connection.execute(unseen.order_by(_RESULTS.c.game_id))]
    found: list[Result] = []
    for some_games in _batches(games):
        query = (
            select(*columns, _GAMES.c.options, _GAMES.c.terms)
            .join(_GAMES, _GAMES.c.id == _RESULTS.c.game_id)
            .where(_RESULTS.c.game_id.in_(some_games))
            .order_by(_RESULTS.c.game_id, _RESULTS.c.seat)
        )
        for _, of_game in groupby(connection.execute(query), lambda row: row.game_id):
            seats = list(of_game)
            results = [Result(*row[: len(columns)]) for row in seats]
            found += judged(results, seats[0].options, terms(seats[0].terms).left)
    change = (
        update(_RESULTS)
        .where(_RESULTS.c.game_id == bindparam("of_game"), _RESULTS.c.seat == bindparam("of_seat"))
        .values(variant=bindparam("new_variant"), side=bindparam("new_side"), place=bindparam("new_place"))
    )
    for some in _batches(found):
        rows = [
            {
                "of_game": one.game_id,
                "of_seat": one.seat,
                "new_variant": one.variant,
                "new_side": one.side,
                "new_place": one.place,
            }
            for one in some
        ]
        connection.execute(change, rows)
    if found:
        rebuild(connection, {one.game for one in found})
    return len(games)


# -- what does not count --------------------------------------------------------------------


def games_of(connection: Connection, kind: Kind, target: int) -> tuple[set[str], int]:
    """The games that have ratings of a person, or of one table, and how many of them were rated."""
    where = _RESULTS.c.user_id == target if kind == "player" else _RESULTS.c.game_id == target
    query = select(_RESULTS.c.game, _RESULTS.c.game_id).where(where, _RESULTS.c.place.is_not(None)).distinct()
    found = connection.execute(query).all()
    return {row.game for row in found}, len(found)


def void(connection: Connection, kind: Kind, target: int, at: int) -> None:
    """Let all games of a person, those to come too, or one game, count for nothing; others get back what they
    won and lost there."""
    put(connection, _VOIDS, ("kind", "target"), [{"kind": kind, "target": target, "at": at}])
    rebuild(connection, games_of(connection, kind, target)[0])


def unvoid(connection: Connection, kind: Kind, target: int) -> bool:
    """Let them count again, as if they always had; whether anything changed."""
    gone = connection.execute(delete(_VOIDS).where(_VOIDS.c.kind == kind, _VOIDS.c.target == target))
    rebuild(connection, games_of(connection, kind, target)[0])
    return bool(gone.rowcount)
