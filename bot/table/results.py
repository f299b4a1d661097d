"""Results, totals and ratings of finished games."""

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
"""A callback that writes more in the transaction that stores a game's results."""


def keep_results(connection: Connection, table: Table, at: int, also: Sequence[AtEnd] = ()) -> None:
    """Store the result of each seat, and the new ratings of the people if at least two played.

    No one gains rating by beating the computer. In a friendly game, people get the result of the table, and
    people who left get none. In any other game, someone who left, or did not come back before the end, has
    lost, however well the opponent on that seat did. So leaving saves no rating, and takes no win from those
    who stayed (`places`). Practice stores nothing, and a daily deal only a line on its own board. For all
    other games `also` is called, in the same transaction.
    """
    outcome = table.outcome()
    if outcome is not None and table.stored.terms.daily:
        _keep_daily(connection, table, outcome, at)
        return
    if outcome is None or table.stored.terms.practice or is_settled(connection, table):
        return
    for note in also:
        note(connection, table, outcome)
    names = {sitter.user_id: sitter.name for sitter in table.sitters if sitter.user_id is not None}
    hands = outcome.hands or (0,) * len(outcome.standings)
    leavers = passed_over(table)
    humans = {
        s: sitter.user_id for s, sitter in enumerate(table.sitters) if sitter.user_id is not None
    } | leavers
    player_count = len(set(humans.values()))
    if outcome.won is not None and player_count == 1:
        # one person holds all seats, so the game counts once, and rank 1 among them means nothing
        rank = 1 if outcome.won else 2
        result = result_of(table, 0, humans[0], 1, rank, outcome.standings[0].score, hands[0], at)
        _store(connection, table, names, [result], at, leavers)
        return
    results = [
        result_of(
            table,
            seat,
            humans.get(seat),
            player_count,
            place,
            standing.score,
            hands[seat],
            at,
        )
        for seat, (place, standing) in enumerate(
            zip(places(outcome, leavers), outcome.standings, strict=True)
        )
    ]
    _store(connection, table, names, results, at, leavers)


def is_settled(connection: Connection, table: Table) -> bool:
    """Return whether results are stored for anyone besides those who left."""
    return not people.seats_with_results(connection, table.id).keys() <= table.stored.terms.left.keys()


def places(outcome: Outcome, left: Collection[Seat]) -> list[int]:
    """Return the place that counts for each seat. Those who left come last, and everyone behind them moves
    up."""
    ranks = [
        len(outcome.standings) + 1 if seat in left else one.rank for seat, one in enumerate(outcome.standings)
    ]
    counted = [1 + sum(other < rank for other in ranks) for rank in ranks]
    return [len(ranks) if seat in left else place for seat, place in enumerate(counted)]


def winners(table: Table, outcome: Outcome) -> tuple[Seat, ...]:
    """Return the seats that count as winners: if someone left or stayed away, the best of the others."""
    counted = places(outcome, lost_by_absence(table))
    return tuple(seat for seat, place in enumerate(counted) if place == 1) or outcome.winners()


def won_by_absence(table: Table, outcome: Outcome) -> list[Seat]:
    """Return the seats of people who won only because someone else left or stayed away."""
    leavers = passed_over(table)
    if not leavers:
        return []
    best = outcome.winners()
    won = () if len(best) == len(outcome.standings) else best  # if everyone ties, no one has won
    return [
        seat
        for seat, place in enumerate(places(outcome, leavers))
        if place == 1 and seat not in won and table.sitters[seat].user_id is not None
    ]


def passed_over(table: Table) -> dict[Seat, int]:
    """Return the people who come last because they left or stayed away, by seat. Empty if places do not
    count."""
    terms = table.stored.terms
    return {} if terms.practice or terms.daily or terms.friendly else lost_by_absence(table)


def has_stayed_away(table: Table, seat: Seat) -> bool:
    """Return whether a player comes last because they were away from this seat when the game ended."""
    return table.away(seat) and seat in passed_over(table)


def lost_by_absence(table: Table) -> dict[Seat, int]:
    """Return the people who left their seat, or were away from it when the game ended, by seat.

    If another player asked for the computer to take over, they have a day to come back before that counts.
    """
    absent = {
        seat: sitter.user_id
        for seat, sitter in enumerate(table.sitters)
        if sitter.user_id is not None and table.away(seat) and not time_to_return(table, seat)
    }
    return table.stored.terms.left | absent


def time_to_return(table: Table, seat: Seat) -> int:
    """Return until when a person can come back to a seat without losing, in milliseconds since 1970.

    0 if that time is over, or if they missed their turns.
    """
    since = table.stored.terms.stand_ins.get(seat)
    return 0 if since is None or since + DAY_MS <= table.clock_now() else since + DAY_MS


def _store(  # noqa: PLR0917 - what settling knows
    connection: Connection,
    table: Table,
    names: Mapping[int, str],
    results: Sequence[StoredResult],
    at: int,
    leavers: Mapping[Seat, int],
) -> None:
    stored = table.stored
    judged = ratings.judged(
        results, stored.options, leavers, version=stored.version, friendly=stored.terms.friendly
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
    """Store the judged results of one game with everything that follows: names, totals and ratings.

    Results of seats that were left before the end already exist, and are updated. Games are settled one at a
    time, and each gets an end time after all earlier games of its people, so that they are rated in the order
    in which the results are listed.
    """
    ratings.lock_settling(connection)
    game_id, game = results[0].game_id, results[0].game
    users = {result.user_id for result in results if result.user_id is not None}
    ended_at = ratings.in_order(connection, game_id, game, users, results[0].ended_at)
    people.remember(connection, names, at, guild_id=results[0].guild_id, accounts=accounts)
    early = people.seats_with_results(connection, game_id)
    results = [replace(result, ended_at=ended_at) for result in results]
    if new_results := [result for result in results if result.seat not in early]:
        people.add_results(connection, new_results)
    people.change_results(connection, [result for result in results if result.seat in early])
    totals.count(connection, game_id)
    for user_id in sorted({user for user in early.values() if user is not None}):
        totals.recount_person(connection, user_id, game)  # this game now ended after others of theirs
    ratings.settle(connection, game_id)


def catch_up(connection: Connection) -> None:
    """Count and rate the games that an older release has settled on this database."""
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
    """Store how a daily deal ended, dated by its last act, since it may be settled on the next day after a
    stop.

    Practice stores nothing. `at` is the time of a game without acts.
    """
    if table.stored.terms.practice:
        return
    acts = standing(store.journal(connection, table.id))
    moves = sum(each.seat == days.PERSON for each in acts)
    days.finish(connection, table.id, daily_result(outcome, moves), acts[-1].at if acts else at)


def daily_result(outcome: Outcome, moves: int) -> DailyResult:
    """Return the person's result, with the margin by which their score is better than that of the best other
    side.

    A better score gives a positive margin, whether high or low scores win.
    """
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
