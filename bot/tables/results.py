"""What a finished game leaves behind: results and ratings."""

from __future__ import annotations

from openskill.models import PlackettLuce
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import people
from bot.store.people import EVERYWHERE, Rating, Result
from bot.tables.table import Table

_MODEL = PlackettLuce()


async def keep_results(connection: AsyncConnection, table: Table, at: int) -> None:
    """Store how each seat ended, and the new ratings of the people where at least two played.

    Opponents never enter ratings: nobody climbs by beating the computer. Who left has lost, however well
    the opponent on that seat did: leaving saves no rating.
    """
    outcome = table.outcome()
    if outcome is None or await people.has_results(connection, table.id):
        return
    hands = outcome.facts.get("hands", [0] * len(outcome.standings))
    left = table.stored.terms.left
    humans = {s: who.user_id for s, who in enumerate(table.sitters) if who.user_id is not None} | left
    # in one order for everybody, or two games that end together would wait for each other
    for user_id, name in sorted((who.user_id, who.name) for who in table.sitters if who.user_id is not None):
        await people.remember(connection, user_id, name, at)
    if table.held_by_one and len(set(humans.values())) == 1:
        # both sides are one person's: the bet says whether it was won, and it counts once
        rank = 1 if outcome.facts.get("bet_won") else 2
        only = [_result(table, 0, humans[0], 1, rank, outcome.standings[0].score, int(hands[0]), at)]
        await people.add_results(connection, only)
        return
    last = len(outcome.standings)
    ended = [
        last if seat in left else standing.rank + outcome.lost
        for seat, standing in enumerate(outcome.standings)
    ]
    played = len(set(humans.values()))
    await people.add_results(
        connection,
        [
            _result(table, seat, humans.get(seat), played, ended[seat], standing.score, int(hands[seat]), at)
            for seat, standing in enumerate(outcome.standings)
        ],
    )
    if len(set(humans.values())) < 2 or len(set(humans.values())) < len(humans):
        return
    ranks = {
        user: last + 1 if seat in left else outcome.standings[seat].rank for seat, user in humans.items()
    }
    scopes = [EVERYWHERE] + ([table.stored.guild_id] if table.stored.guild_id else [])
    for guild_id in scopes:
        await _rate(connection, ranks, guild_id, table.stored.game)


def _result(  # noqa: PLR0917
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


async def _rate(connection: AsyncConnection, ranks: dict[int, int], guild_id: int, game: str) -> None:
    old = await people.ratings(connection, ranks, guild_id, game, lock=True)
    users = list(ranks)
    before = [
        [_MODEL.rating(mu=old[user].mu, sigma=old[user].sigma) if user in old else _MODEL.rating()]
        for user in users
    ]
    after = _MODEL.rate(before, ranks=[float(ranks[user]) for user in users])
    for user, (rating,) in zip(users, after, strict=True):
        games = old[user].games + 1 if user in old else 1
        await people.put_rating(connection, Rating(user, rating.mu, rating.sigma, games), guild_id, game)
