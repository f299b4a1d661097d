"""Results of rated games that end early, because players left or the table was closed.

A player who leaves has lost, regardless of what happens later. That result is stored as they leave. If only
people of one side remain, the game is decided at that moment and continues just for fun. If several sides
remain, the others get their results at the end, or when the table closes without an outcome.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.store import people, ratings, totals
from bot.store.people import StoredResult
from bot.table.people.friendly_games import is_friendly
from bot.table.results import result_of, store_results
from bot.table.table import Table
from bot.table.table_kinds import is_decided_by_deal
from engine.game import Seat


def players(table: Table) -> dict[Seat, int]:
    """Return everyone who holds a seat or has left one, by seat."""
    seated = {seat: sitter.user_id for seat, sitter in enumerate(table.sitters) if sitter.user_id is not None}
    return seated | table.stored.terms.left


def sides(table: Table, seats: Collection[Seat]) -> set[Seat]:
    """Return the first seat of each side among these seats, as far as sides are known before the deal."""
    options = {**table.game.defaults(), **table.stored.options}
    first_seats = {
        seat: side[0] for side in table.game.partners(len(table.sitters), options) for seat in side
    }
    return {first_seats.get(seat, seat) for seat in seats}


def is_rated(table: Table) -> bool:
    """Return whether the game changes ratings. Friendly games do not."""
    return can_be_rated(table) and not is_friendly(table)


def can_be_rated(table: Table) -> bool:
    """Return whether the game can be rated.

    Several people must play on at least two sides, and the deal alone must not decide who wins. Practice and
    daily deals are never rated.
    """
    terms, everyone = table.stored.terms, players(table)
    if terms.practice or terms.daily or is_decided_by_deal(table):
        return False
    return len(set(everyone.values())) > 1 and len(sides(table, everyone)) > 1


def keep_losses(connection: Connection, table: Table, left: Mapping[Seat, int], at: int) -> None:
    """Store that these people have lost by leaving. Ratings wait for the results of the others."""
    ratings.lock_settling(connection)
    ended_at = ratings.in_order(connection, table.id, table.game.key, set(left.values()), at)
    people.add_results(
        connection,
        [replace(row, side=None, place=None, ended_at=ended_at) for row in _results(table, left, left, at)],
    )
    totals.count(connection, table.id)


def decide(connection: Connection, table: Table, left: Mapping[Seat, int], at: int) -> None:
    """Store the results of a game without an outcome: people who left have lost, the others have won.

    Computer opponents have no result.
    """
    names = {sitter.user_id: sitter.name for sitter in table.sitters if sitter.user_id is not None}
    store_results(connection, names, _results(table, players(table), left, at), at, accounts=table.accounts)


def _results(
    table: Table, seats: Mapping[Seat, int], leavers: Collection[Seat], at: int
) -> list[StoredResult]:
    everyone = players(table)
    player_count, last = len(set(everyone.values())), len(table.sitters)
    results = [
        result_of(table, seat, everyone.get(seat), player_count, last if seat in leavers else 1, 0, 0, at)
        for seat in range(len(table.sitters))
    ]
    judged = ratings.judged(results, table.stored.options, leavers, version=table.stored.version)
    return [result for result in judged if result.seat in seats]
