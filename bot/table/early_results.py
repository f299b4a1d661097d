"""Results of rated games that are left or closed before their end.

Whoever leaves has lost, whatever happens later: that result is stored with their leaving. If only people of
one side remain, the game is decided at that moment, and what follows is for fun. If several sides remain, the
others get their results at the end, or when the table closes without one.
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
    here = {seat: who.user_id for seat, who in enumerate(table.sitters) if who.user_id is not None}
    return here | table.stored.terms.left


def sides(table: Table, seats: Collection[Seat]) -> set[Seat]:
    """Return the first seat of each side that has one of these seats, as far as sides are known before the
    deal."""
    options = {**table.game.defaults(), **table.stored.options}
    first = {seat: some[0] for some in table.game.partners(len(table.sitters), options) for seat in some}
    return {first.get(seat, seat) for seat in seats}


def is_rated(table: Table) -> bool:
    """Return whether the game changes ratings: it can, and is not friendly."""
    return can_be_rated(table) and not is_friendly(table)


def can_be_rated(table: Table) -> bool:
    """Return whether the game is one of several people on at least two sides, is not decided by the deal,
    and has no rules of its own for who leaves."""
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
    """Store the results of a game that has no outcome: people who left have lost, the others have won.

    Computer opponents have no result.
    """
    names = {who.user_id: who.name for who in table.sitters if who.user_id is not None}
    store_results(connection, names, _results(table, players(table), left, at), at, accounts=table.accounts)


def _results(table: Table, whose: Mapping[Seat, int], left: Collection[Seat], at: int) -> list[StoredResult]:
    everyone = players(table)
    played, last = len(set(everyone.values())), len(table.sitters)
    every = [
        result_of(table, seat, everyone.get(seat), played, last if seat in left else 1, 0, 0, at)
        for seat in range(len(table.sitters))
    ]
    judged = ratings.judged(every, table.stored.options, left, version=table.stored.version)
    return [result for result in judged if result.seat in whose]
