"""Ratings in the database: updated as games are settled, or recalculated from the results alone.

Everything needed to rate a game is in its results: variant, side and place of each seat, see `judged`. Games
are rated in the order of (ended_at, game_id). Settling keeps to that order (`in_order`), so the boards always
match what `rebuild` makes of the results, to the last bit. Games of deleted people affect other players'
ratings as before, but deleted people have no ratings themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, TypeVar

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, text, update

from bot.store.models import BoardRatingRow, GameRow, ResultRow, RivalRow, TotalRow, VoidRow, table_of
from bot.store.people import EVERYWHERE, StoredResult, put
from bot.store.personal_data import kept_limits
from bot.store.personal_data.privacy import is_nobody
from bot.store.rating_model import RatedGame, Rating, RatingBoard, RatingBook, Rival, Seated, rate
from bot.store.terms import terms
from engine import catalog, levels
from engine.game import Value

_BOARDS, _RIVALS, _VOIDS = table_of(BoardRatingRow), table_of(RivalRow), table_of(VoidRow)
_RESULTS, _GAMES, _TOTALS = table_of(ResultRow), table_of(GameRow), table_of(TotalRow)
_LOCK = 0x56414C
"""Number of the PostgreSQL lock taken to settle a game."""
AT_ONCE = 500
"""Number of rows written per statement."""

Kind = Literal["player", "game"]
T = TypeVar("T")


# -- preparing results for rating -----------------------------------------------------------


def judged(
    results: Sequence[StoredResult],
    options: Mapping[str, Value],
    left: Collection[int],
    *,
    version: int = 0,
    friendly: bool = False,
) -> list[StoredResult]:
    """Return the results of a game with the columns needed for rating; `left` are seats whose player left.

    `version` is that of the rules it was played by, 0 for today's. A game is rated if at least two people
    played for at least two sides, no one held two seats, the deal did not decide it and it was not
    `friendly`. A player who left has lost to everyone, including the opponent that took over their seat.
    Partners are those known before the deal; if partners are hidden, everyone plays for themselves. Deleted
    people are skipped. As a partner, a deleted person counts as the opponent that played on, so that no one
    is rated as one against two.
    """
    partners: tuple[tuple[int, ...], ...] = ()
    by_deal = False
    try:
        game = catalog.get(results[0].game)
    except catalog.UnknownGame:  # the game was removed in a later release
        variant = ""
    else:
        chosen = {**game.defaults(), **options}
        variant, partners = game.variant(chosen), game.partners(len(results), chosen)
        rules = game.at(version) if version in game.versions else game
        by_deal = rules.decided_by_deal(len(results), chosen)
    side_of = {seat: seats[0] for seats in partners for seat in seats}
    people = {
        result.seat: side_of.get(result.seat, result.seat)
        for result in results
        if result.user_id is not None and not is_nobody(result.user_id)
    }
    different = len({result.user_id for result in results if result.seat in people}) == len(people)
    rated = different and len(set(people.values())) >= 2 and not by_deal and not friendly
    behind = len(results) + 1
    found: list[StoredResult] = []
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


def lock_settling(connection: Connection) -> None:
    """Wait until no one else is settling a game, and keep others from starting until this transaction
    ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def in_order(connection: Connection, game_id: int, game: str, users: Iterable[int], at: int) -> int:
    """Return the end time to store for a game: this time, or just after the last game of these people if the
    clocks would put it before that."""
    query = select(_TOTALS.c.last_at, _TOTALS.c.last_game).where(
        _TOTALS.c.user_id.in_(sorted(users)), _TOTALS.c.guild_id == EVERYWHERE, _TOTALS.c.game == game
    )
    last = max(((row.last_at, row.last_game) for row in connection.execute(query)), default=(at, 0))
    return at if (at, game_id) > last else last[0] + (last[1] >= game_id)


def settle(connection: Connection, game_id: int) -> None:
    """Rate a game whose results are stored and counted, unless it does not count."""
    query = select(*_WITH_MET).where(_RESULTS.c.game_id == game_id).order_by(_RESULTS.c.seat)
    rows = connection.execute(query).all()
    for game in _played(rows):
        people = list(game.people())
        _ban_again(connection, people, at=game.at)
        banned = select(_VOIDS.c.target).where(_VOIDS.c.kind == "player", _VOIDS.c.target.in_(people))
        if connection.execute(banned).first() is None:
            book = _of(connection, game)
            if _meet_again(connection, game, book, rows):
                (game,) = _played(connection.execute(query))  # noqa: PLW2901 - reread with the changes just stored
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
_WITH_MET = [*_SEATED, _RESULTS.c.met]


def _played(rows: Iterable[Any]) -> Iterator[RatedGame]:
    """Yield the rated games from their results, which are ordered by game and seat."""
    for game_id, found in groupby((row for row in rows if row.place is not None), lambda row: row.game_id):
        seats = list(found)
        first = seats[0]
        yield RatedGame(
            game_id,
            first.game,
            first.variant,
            first.guild_id,
            first.ended_at,
            tuple(_seated(row) for row in seats),
            tuple(_met(seats)),
        )


def _met(seats: Sequence[Any]) -> Iterator[tuple[int, int, float, int]]:
    """Yield the pairs of a game who met before one of them was deleted."""
    people = {row.seat: who for row in seats if (who := _seated(row).user_id) is not None}
    for row in seats:
        for seat, (heat, at) in (getattr(row, "met", None) or {}).items():
            if row.seat in people and int(seat) in people:
                yield people[row.seat], people[int(seat)], heat, at


def _ban_again(connection: Connection, people: Iterable[int], *, at: int) -> None:
    """Restore the exclusion from ratings of people who were deleted while they were excluded."""
    for who in people:
        kept = kept_limits.take(connection, kept_limits.VOID, "", who, at=at)
        if kept is not None:
            row = {"kind": "player", "target": who, "at": kept.value.get("at", at)}
            put(connection, _VOIDS, ("kind", "target"), [row])


def _meet_again(connection: Connection, game: RatedGame, book: RatingBook, rows: Sequence[Any]) -> bool:
    """Store with the results how often pairs had met before one of them was deleted, so that a rebuild gives
    their games the same weight. Return whether there was such a pair."""
    seat_of = {who: row.seat for row in rows if (who := _seated(row).user_id) is not None}
    met: dict[int, dict[str, tuple[float, int]]] = {}
    for one, other in game.pairs():
        if one < other and (game.game, game.variant, one, other) not in book.rivals:
            subject = met_subject(game.game, game.variant)
            kept = kept_limits.take(connection, kept_limits.MET, subject, one, other, at=game.at)
            if kept is not None:
                heat = (kept.value["heat"], kept.value["at"])
                met.setdefault(seat_of[one], {})[str(seat_of[other])] = heat
    for seat, heats in met.items():
        here = (_RESULTS.c.game_id == game.game_id, _RESULTS.c.seat == seat)
        connection.execute(update(_RESULTS).where(*here).values(met=heats))
    return bool(met)


def met_subject(game: str, variant: str) -> str:
    """Return the subject under which the number of meetings in a variant of a game is kept."""
    return f"{game}/{variant}"


def _seated(row: Any) -> Seated:
    # a row with both: an opponent played on for a deleted person
    who = None if row.level else row.user_id
    return Seated(who, row.level, row.side, row.place, bool(row.won))


def _of(connection: Connection, game: RatedGame) -> RatingBook:
    """Return the current ratings and records of the people in a game."""
    book, people, boards = RatingBook(), sorted(game.people()), game.boards()
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


def _rating_of(row: Any) -> tuple[tuple[RatingBoard, int], Rating]:
    board = RatingBoard(row.game, row.variant, row.season, row.guild_id)
    return (board, row.user_id), Rating(row.mu, row.sigma, row.games, row.wins, row.streak)


def _rival_of(row: Any) -> tuple[tuple[str, str, int, int], Rival]:
    key = (row.game, row.variant, row.user_id, row.other_id)
    return key, Rival(row.games, row.wins, row.losses, row.heat, row.heat_at)


def _rows(book: RatingBook) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
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


def _write(connection: Connection, book: RatingBook) -> None:
    boards, rivals = _rows(book)
    put(connection, _BOARDS, ("user_id", "game", "variant", "season", "guild_id"), boards)
    put(connection, _RIVALS, ("user_id", "other_id", "game", "variant"), rivals)


def _note(connection: Connection, rated: Sequence[tuple[RatedGame, Mapping[int, Rating]]]) -> None:
    """Store the rating after each game in its results."""
    rows = [
        {"of_game": game.game_id, "of_user": who, "new_mu": rating.mu, "new_sigma": rating.sigma}
        for game, after in rated
        for who, rating in after.items()
        if not is_nobody(who)
    ]
    # the sum keeps databases from the index of people: a person has more results than a game has seats
    change = (
        update(_RESULTS)
        .where(_RESULTS.c.game_id == bindparam("of_game"), _RESULTS.c.user_id + 0 == bindparam("of_user"))
        .values(mu=bindparam("new_mu"), sigma=bindparam("new_sigma"))
    )
    for some in _batches(rows):
        connection.execute(change, some)


# -- rebuilding from the results ------------------------------------------------------------


def _batches(rows: Sequence[T]) -> Iterator[list[T]]:
    for first in range(0, len(rows), AT_ONCE):
        yield list(rows[first : first + AT_ONCE])


def _voided(connection: Connection) -> tuple[set[int], set[int]]:
    """Return the people and the games excluded from ratings."""
    found: dict[str, set[int]] = {"player": set(), "game": set()}
    for row in connection.execute(select(_VOIDS.c.kind, _VOIDS.c.target)):
        found[row.kind].add(row.target)
    return found["player"], found["game"]


def _from_results(
    connection: Connection, games: Collection[str] | None, *, met: bool = True
) -> tuple[RatingBook, list[tuple[RatedGame, dict[int, Rating]]]]:
    query = select(*(_WITH_MET if met else _SEATED)).where(_RESULTS.c.place.is_not(None))
    if games is not None:
        query = query.where(_RESULTS.c.game.in_(sorted(games)))
    rows = connection.execute(query.order_by(_RESULTS.c.ended_at, _RESULTS.c.game_id, _RESULTS.c.seat))
    people, voided = _voided(connection)
    book = RatingBook()
    rated = list[tuple[RatedGame, dict[int, Rating]]]()
    for game in _played(rows):
        book.recall(game)  # also for games that do not count: the meetings before them did
        if game.game_id not in voided and people.isdisjoint(game.people()):
            rated.append((game, rate(book, game)))
    return book, rated


def rebuild(connection: Connection, games: Collection[str] | None = None, *, met: bool = True) -> int:
    """Recalculate all ratings, or those of some games, from the results. Return how many games were rated.

    `met`: the schema has that column of the results.
    """
    lock_settling(connection)
    book, rated = _from_results(connection, games, met=met)
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
    """Return how many rows differ from a recalculation: board ratings, records between pairs, and ratings
    stored with results."""
    lock_settling(connection)
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


def catch_up(connection: Connection, *, met: bool = True) -> int:
    """Rate games that a release without boards settled on this database. Return how many.

    Their boards are rebuilt, because these games may have ended before others that were already rated. `met`
    as for `rebuild`.
    """
    columns = [_RESULTS.c[name] for name in StoredResult.__struct_fields__]
    unseen = select(_RESULTS.c.game_id).where(_RESULTS.c.variant.is_(None)).distinct()
    games = [game_id for (game_id,) in connection.execute(unseen.order_by(_RESULTS.c.game_id))]
    found: list[StoredResult] = []
    for some_games in _batches(games):
        query = (
            select(*columns, _GAMES.c.options, _GAMES.c.terms, _GAMES.c.version)
            .join(_GAMES, _GAMES.c.id == _RESULTS.c.game_id)
            .where(_RESULTS.c.game_id.in_(some_games))
            .order_by(_RESULTS.c.game_id, _RESULTS.c.seat)
        )
        for _, of_game in groupby(connection.execute(query), lambda row: row.game_id):
            seats = list(of_game)
            results = [StoredResult(*row[: len(columns)]) for row in seats]
            agreed, version = terms(seats[0].terms), seats[0].version
            left = {} if agreed.friendly else agreed.left
            found += judged(results, seats[0].options, left, version=version, friendly=agreed.friendly)
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
        rebuild(connection, {one.game for one in found}, met=met)
    return len(games)


# -- exclusion from ratings -----------------------------------------------------------------


def games_of(connection: Connection, kind: Kind, target: int) -> tuple[set[str], int]:
    """Return the games in which a person or a table has ratings, and how many tables were rated."""
    where = _RESULTS.c.user_id == target if kind == "player" else _RESULTS.c.game_id == target
    query = select(_RESULTS.c.game, _RESULTS.c.game_id).where(where, _RESULTS.c.place.is_not(None)).distinct()
    found = connection.execute(query).all()
    return {row.game for row in found}, len(found)


def void(connection: Connection, kind: Kind, target: int, at: int) -> None:
    """Exclude all past and future games of a person, or one game, from the ratings. Others get back the
    points they won and lost there."""
    put(connection, _VOIDS, ("kind", "target"), [{"kind": kind, "target": target, "at": at}])
    rebuild(connection, games_of(connection, kind, target)[0])


def unvoid(connection: Connection, kind: Kind, target: int) -> bool:
    """Include the games again, as if they had never been excluded. Return whether anything changed."""
    if kind == "player":  # someone who was deleted may not be back yet
        _ban_again(connection, [target], at=0)
    gone = connection.execute(delete(_VOIDS).where(_VOIDS.c.kind == kind, _VOIDS.c.target == target))
    rebuild(connection, games_of(connection, kind, target)[0])
    return bool(gone.rowcount)
