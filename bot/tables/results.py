"""What a finished game leaves behind: results, totals and ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openskill.models import PlackettLuce
from sqlalchemy import Connection

from bot.store import people, totals
from bot.store.people import EVERYWHERE, Rating, Result
from bot.tables.table import Table

_MODEL = PlackettLuce()


def keep_results(connection: Connection, table: Table, at: int) -> None:
    """Store how each seat ended, and the new ratings of the people where at least two played.

    Opponents never enter ratings: nobody climbs by beating the computer. Who left has lost, however well
    the opponent on that seat did: leaving saves no rating. Practice leaves nothing behind.
    """
    outcome = table.outcome()
    if outcome is None or table.stored.terms.practice or people.has_results(connection, table.id):
        return
    names = {who.user_id: who.name for who in table.sitters if who.user_id is not None}
    hands = outcome.hands or (0,) * len(outcome.standings)
    left = table.stored.terms.left
    humans = {s: who.user_id for s, who in enumerate(table.sitters) if who.user_id is not None} | left
    played = len(set(humans.values()))
    if outcome.won is not None and played == 1:
        # all seats are one person's, so it counts once, and rank 1 among them says nothing
        rank = 1 if outcome.won else 2
        only = _result(table, 0, humans[0], 1, rank, outcome.standings[0].score, hands[0], at)
        store_results(connection, names, [only], {}, at)
        return
    last = len(outcome.standings)
    results = [
        _result(
            table,
            seat,
            humans.get(seat),
            played,
            last if seat in left else standing.rank,
            standing.score,
            hands[seat],
            at,
        )
        for seat, standing in enumerate(outcome.standings)
    ]
    ranks = {
        user: last + 1 if seat in left else outcome.standings[seat].rank for seat, user in humans.items()
    }
    rated = ranks if played == len(humans) >= 2 else {}
    store_results(connection, names, results, rated, at)


def store_results(
    connection: Connection,
    names: Mapping[int, str],
    results: Sequence[Result],
    ranks: Mapping[int, int],
    at: int,
) -> None:
    """Store the results of one game with all that follows: names, totals, and ratings by these ranks.

    Two games of the same people may end at once: the totals make the second wait for the first, before
    it reads a rating that the first is about to change.
    """
    people.remember(connection, names, at)
    people.add_results(connection, results)
    totals.count(connection, results[0].game_id)
    if not ranks:
        return
    for guild_id in [EVERYWHERE] + ([results[0].guild_id] if results[0].guild_id else []):
        _rate(connection, ranks, guild_id, results[0].game)


def _result(  # noqa: PLR0917 - the columns of a row
    table: Table, seat: int, user_id: int | None, played: int, rank: int, score: float, hands: int, at: int
) -> Result:
    return Result(
        game_id=table.id,
        seat=seat,
        user_id=user_id,
        level=table.sitters[seat].level if user_id is None else None,
        guild_id=table.stored.guild_id,
        game=table.stored.game,
        people=played,
        rank=rank,
        score=score,
        hands=hands,
        ended_at=at,
    )


def _rate(connection: Connection, ranks: Mapping[int, int], guild_id: int, game: str) -> None:
    old = people.ratings(connection, ranks, guild_id, game, lock=True)
    users = list(ranks)
    before = [
        [_MODEL.rating(mu=old[user].mu, sigma=old[user].sigma) if user in old else _MODEL.rating()]
        for user in users
    ]
    after = _MODEL.rate(before, ranks=[float(ranks[user]) for user in users])
    new = []
    for user, (rating,) in zip(users, after, strict=True):
        games = old[user].games + 1 if user in old else 1
        new.append(Rating(user, rating.mu, rating.sigma, games))
    people.put_ratings(connection, new, guild_id, game)
