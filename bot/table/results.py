"""What a finished game leaves behind: results, totals and ratings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.store import days, people, ratings, totals
from bot.store import games as store
from bot.store.days import DAY_MS, DailyResult
from bot.store.people import StoredResult
from bot.table.journal import standing
from bot.table.table import Table
from engine.game import Outcome, Seat

AtEnd: TypeAlias = Callable[[Connection, Table, Outcome], None]
"""Notes something else in the transaction that stores the results of a game."""


def keep_results(connection: Connection, table: Table, at: int, also: Sequence[AtEnd] = ()) -> None:
    """Store how each seat ended, and the new ratings of the people if at least two played.

    No one climbs by beating the computer. In a friendly game people have the result of the table, and people
    who left have none. In any other, someone who left, or did not come back before the end, has lost, however
    well the opponent on that seat did: leaving saves no rating, and takes no win from who stayed (`places`).
    Practice leaves nothing behind, and the deal of a day a line on its own board. `also` is called for rated
    games, in the same transaction.
    """
    outcome = table.outcome()
    if outcome is not None and table.stored.terms.daily:
        _keep_daily(connection, table, outcome, at)
        return
    if outcome is None or table.stored.terms.practice or is_settled(connection, table):
        return
    for note in also:
        note(connection, table, outcome)
    names = {who.user_id: who.name for who in table.sitters if who.user_id is not None}
    hands = outcome.hands or (0,) * len(outcome.standings)
    left = passed_over(table)
    humans = {s: who.user_id for s, who in enumerate(table.sitters) if who.user_id is not None} | left
    played = len(set(humans.values()))
    if outcome.won is not None and played == 1:
        # all seats are one person's, so it counts once, and rank 1 among them says nothing
        rank = 1 if outcome.won else 2
        only = result_of(table, 0, humans[0], 1, rank, outcome.standings[0].score, hands[0], at)
        _store(connection, table, names, [only], at, left)
        return
    results = [
        result_of(
            table,
            seat,
            humans.get(seat),
            played,
            place,
            standing.score,
            hands[seat],
            at,
        )
        for seat, (place, standing) in enumerate(zip(places(outcome, left), outcome.standings, strict=True))
    ]
    _store(connection, table, names, results, at, left)


def is_settled(connection: Connection, table: Table) -> bool:
    """Return whether the results of more than those who left are stored."""
    return not people.seats_with_results(connection, table.id).keys() <= table.stored.terms.left.keys()


def places(outcome: Outcome, left: Collection[Seat]) -> list[int]:
    """By seat: the place that counts. Those who left come last, and whoever was behind them moves up."""
    ranks = [
        len(outcome.standings) + 1 if seat in left else one.rank for seat, one in enumerate(outcome.standings)
    ]
    counted = [1 + sum(other < rank for other in ranks) for rank in ranks]
    return [len(ranks) if seat in left else place for seat, place in enumerate(counted)]


def winners(table: Table, outcome: Outcome) -> tuple[Seat, ...]:
    """The seats that count as having won: where somebody left or stayed away, the best of the others."""
    counted = places(outcome, lost_by_absence(table))
    return tuple(seat for seat, place in enumerate(counted) if place == 1) or outcome.winners()


def won_by_absence(table: Table, outcome: Outcome) -> list[Seat]:
    """The seats of people who have won since somebody else left or stayed away, not by how the game ended."""
    left = passed_over(table)
    if not left:
        return []
    best = outcome.winners()
    won = () if len(best) == len(outcome.standings) else best  # where all share it nobody has won
    return [
        seat
        for seat, place in enumerate(places(outcome, left))
        if place == 1 and seat not in won and table.sitters[seat].user_id is not None
    ]


def passed_over(table: Table) -> dict[Seat, int]:
    """By seat: who comes last for having left or stayed away; nobody where places do not count."""
    terms = table.stored.terms
    return {} if terms.practice or terms.daily or terms.friendly else lost_by_absence(table)


def has_stayed_away(table: Table, seat: Seat) -> bool:
    """Return whether someone comes last because they were away from this seat when the game ended."""
    return table.away(seat) and seat in passed_over(table)


def lost_by_absence(table: Table) -> dict[Seat, int]:
    """Return who has left each seat, or was away when the game ended.

    If someone asked for the computer to take over, the person has a day to come back before that counts.
    """
    away = {
        seat: who.user_id
        for seat, who in enumerate(table.sitters)
        if who.user_id is not None and table.away(seat) and not time_to_return(table, seat)
    }
    return table.stored.terms.left | away


def time_to_return(table: Table, seat: Seat) -> int:
    """Return until when a person can come back to a seat without losing, in milliseconds since 1970; 0 if
    that time is over, or they missed their turns."""
    since = table.stored.terms.stand_ins.get(seat)
    return 0 if since is None or since + DAY_MS <= table.clock_now() else since + DAY_MS


def _store(  # noqa: PLR0917 - what settling knows
    connection: Connection,
    table: Table,
    names: Mapping[int, str],
    results: Sequence[StoredResult],
    at: int,
    left: Mapping[Seat, int],
) -> None:
    stored = table.stored
    judged = ratings.judged(
        results, stored.options, left, version=stored.version, friendly=stored.terms.friendly
    )
    store_results(connection, names, judged, at, accounts=table.accounts)


def store_results(
    connection: Connection,
    names: Mapping[int, str],
    results: Sequence[StoredResult],
    at: int,
    *,
    accounts: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """Store the judged results of one game with all that follows: names, totals and ratings.

    Those of seats that were left before the end are there already, and are changed.
    Games are settled one at a time, and each is said to have ended after all others of its people: so the
    order in which they are rated is the one that the results tell.
    """
    ratings.lock_settling(connection)
    game_id, game = results[0].game_id, results[0].game
    users = {result.user_id for result in results if result.user_id is not None}
    ended_at = ratings.in_order(connection, game_id, game, users, results[0].ended_at)
    people.remember(connection, names, at, guild_id=results[0].guild_id, accounts=accounts)
    early = people.seats_with_results(connection, game_id)
    results = [replace(result, ended_at=ended_at) for result in results]
    if fresh := [result for result in results if result.seat not in early]:
        people.add_results(connection, fresh)
    people.change_results(connection, [result for result in results if result.seat in early])
    totals.count(connection, game_id)
    for user_id in sorted({user for user in early.values() if user is not None}):
        totals.recount_person(connection, user_id, game)  # this game now ended later than others of theirs
    ratings.settle(connection, game_id)


def catch_up(connection: Connection) -> None:
    """Count and rate what an older release has settled on this database."""
    totals.catch_up(connection)
    ratings.catch_up(connection)


def result_of(  # noqa: PLR0917 - the columns of a row
    table: Table, seat: int, user_id: int | None, played: int, rank: int, score: float, hands: int, at: int
) -> StoredResult:
    """Return the result of a seat, to be judged by `bot.store.ratings.judged`."""
    level = table.sitters[seat].level if user_id is None else None
    return StoredResult(
        game_id=table.id,
        seat=seat,
        user_id=user_id,
        level=level and table.game.level_in(level, len(table.sitters), table.stored.options),
        guild_id=table.stored.guild_id,
        game=table.stored.game,
        people=played,
        rank=rank,
        score=score,
        hands=hands,
        ended_at=at,
    )


def _keep_daily(connection: Connection, table: Table, outcome: Outcome, at: int) -> None:
    """Note how the game that counts has ended, with its last act: it may be settled on the next day, after
    trouble or a stop. Practice leaves nothing behind. `at`: the time of a game without acts."""
    if table.stored.terms.practice:
        return
    acts = standing(store.journal(connection, table.id))
    moves = sum(each.seat == days.PERSON for each in acts)
    days.finish(connection, table.id, daily_result(outcome, moves), acts[-1].at if acts else at)


def daily_result(outcome: Outcome, moves: int) -> DailyResult:
    """How the person has done: by how much their score is better than that of the best other side, whichever
    way scores go in this game."""
    own = outcome.standings[days.PERSON]
    others = [
        one
        for seat, one in enumerate(outcome.standings)
        if seat != days.PERSON and (own.team < 0 or one.team != own.team)
    ]
    best = min(others, key=lambda one: one.rank, default=own)
    ranked = sorted(outcome.standings, key=lambda one: one.rank)
    sign = 1 if ranked[0].score >= ranked[-1].score else -1
    return DailyResult(own.rank, own.score, sign * (own.score - best.score) + 0.0, moves)
