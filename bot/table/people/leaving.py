"""Leaving and closing a running game. If the game is rated, both have a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.errors import Refused
from bot.store import games as store
from bot.store.database import Database
from bot.store.games import ACTS, Change, Entry, Sitter
from bot.store.terms import Terms
from bot.table.early_results import decide, is_rated, keep_losses, players, sides
from bot.table.journal import standing
from bot.table.news import ENDED, with_news
from bot.table.results import lost_by_absence, time_to_return
from bot.table.table import Table, changes
from engine.game import Seat

Closing = Literal["free", "ask", "wins", "outside"]
"""Effect of closing a table: no results; the others must agree; everyone else is away and has lost; or the
person who closes it does not sit there."""


@changes
async def leave_game(table: Table, user_id: int, level: str, name: str) -> None:
    """Leave a running game. An opponent takes each of the person's seats, and the person has lost.

    If only people of one side remain at a rated table, they have won. When the last person leaves, the table
    closes.
    """
    table.must_be("live")
    if table.outcome() is not None:
        raise Refused("over")
    seats = table.seats_of(user_id)
    if not seats or table.state is None:
        raise Refused("not_seated")
    # the entropy stays with the seat, because the deal depends on it
    sitters = [
        Sitter(name, level=level, entropy=s.entropy) if s.user_id == user_id else s for s in table.sitters
    ]
    at, leavers = table.clock_now(), dict.fromkeys(seats, user_id)
    # a decided game continues for fun, and leaving it costs nothing
    all_leavers = table.stored.terms.left | ({} if table.stored.terms.decided else leavers)
    remaining = {seat: who.user_id for seat, who in enumerate(sitters) if who.user_id is not None}
    rated = is_rated(table) and not table.stored.terms.decided
    decided = rated and 1 in (len(sides(table, remaining)), len(set(remaining.values())))

    def also(connection: Connection) -> None:
        if decided:
            decide(connection, table, all_leavers, at)
        elif rated:
            keep_losses(connection, table, leavers, at)

    terms = replace(
        table.stored.terms,
        left=all_leavers,
        missed={s: n for s, n in table.stored.terms.missed.items() if s not in seats},
        stand_ins={s: at for s, at in table.stored.terms.stand_ins.items() if s not in seats},
        decided=table.stored.terms.decided or decided,
    )
    if not remaining:
        await table.end("cancelled", "everybody_left", also=also, terms=terms)
        return
    news = table.news(ENDED) if decided else []
    people = list(remaining.values())
    host = table.stored.host_id if table.stored.host_id in people else people[0]
    entries = [Entry(table.seq + n, "seat", seat, [name, level], at) for n, seat in enumerate(seats, 1)]
    unchanged = [s for s in table.state.to_act() if s not in seats]
    deadlines = table.with_news()
    if not table.asleep:
        deadlines = table.deadlines_of(table.state, unchanged, sitters=sitters, terms=terms)
    deadlines = with_news(deadlines, news)
    await table.keep(Change({"host_id": host, "terms": terms}, sitters, deadlines, entries, also=also))


@changes
async def forfeit(table: Table, user_id: int) -> None:
    """Leave a match of a tournament. The match is lost, and the table closes.

    Raises:
        Refused: the game has not begun or is over, or the person does not play there.
        StoreError: it could not be stored.
    """
    table.must_be("live")
    if table.outcome() is not None:
        raise Refused("over")
    seats = table.seats_of(user_id)
    if not seats:
        raise Refused("not_seated")
    leavers = dict.fromkeys(seats, user_id)
    await end_early(table, "forfeit", leavers, knows=seats[0], forfeit=user_id)


async def counts_already(table: Table, database: Database) -> bool:
    """Return whether a game is rated and everyone in it has moved. From then on, it ends with a result.

    Raises:
        StoreError: the journal could not be read.
    """
    if table.phase != "live" or table.stored.terms.decided or not is_rated(table):
        return False
    acts = standing(await database.read_at_once(lambda c: store.journal(c, table.id)))
    return {entry.seat for entry in acts if entry.kind in ACTS} >= players(table).keys()


async def close_match(table: Table, database: Database) -> bool:
    """Close the table of a match that was decided elsewhere. Return whether its game continues instead.

    A game that counts already continues outside the tournament, so that no decision about the match can
    throw it away.

    Raises:
        Refused: it is over.
        StoreError: the journal could not be read, or the change not stored.
    """
    if not await counts_already(table, database):
        await table.cancel("decided")
        return False
    await leave_tournament(table)
    return True


@changes
async def leave_tournament(table: Table) -> None:
    """Turn a match into an ordinary game, outside the tournament.

    Raises:
        Refused: the game is not running.
        StoreError: it could not be stored.
    """
    table.must_be("live")
    terms = replace(table.stored.terms, tournament=0, match="")
    await table.keep(Change({"terms": terms}))


async def closing(table: Table, user_id: int, database: Database, *, moderates: bool = False) -> Closing:
    """Return the effect if this person closes the table.

    Raises:
        Refused: it is the table of a match, which ends with the match or the tournament; the others can still
            come back; or the game counts already, and the person neither sits there nor `moderates`.
        StoreError: the journal could not be read.
    """
    if table.stored.terms.tournament:
        raise Refused("close_match")
    if not await counts_already(table, database):
        return "free"
    if not table.seats_of(user_id):
        if not moderates:
            raise Refused("close_counts", table=table.id)
        return "outside"
    others = [user for user in table.people() if user != user_id]
    if not all(table.is_absent(user) for user in others):
        return "ask"
    until = max((time_to_return(table, seat) for user in others for seat in table.seats_of(user)), default=0)
    if until:
        raise Refused("close_waits", at=until // 1000)
    return "wins"


@changes
async def close(table: Table, user_id: int, database: Database, *, moderates: bool = False) -> None:
    """Close a table for good. The caller checks that this person has permission.

    Those who left a rated game have lost it. If the only person who is there closes it, those who are away
    have lost too.

    Raises:
        Refused: as `closing`; it is over, or the others must agree.
        StoreError: the journal could not be read, or the change not stored.
    """
    if table.phase not in store.OPEN_PHASES or table.outcome() is not None:
        raise Refused("over")
    meaning = await closing(table, user_id, database, moderates=moderates)
    if meaning == "ask":
        raise Refused("close_asks")
    losers = lost_by_absence(table) if meaning == "wins" else table.stored.terms.left
    knows = next(iter(table.seats_of(user_id)), -1)
    await end_early(table, "closed", losers, knows=knows, closed_by=user_id)


@changes
async def forget(table: Table, why: str) -> None:
    """Close a table that no one has used for a long time. Those who left a rated game have lost it.

    Raises:
        Refused: it is over.
    """
    if table.phase not in store.OPEN_PHASES or table.outcome() is not None:
        raise Refused("over")
    await end_early(table, why, table.stored.terms.left, knows=None)


async def end_early(
    table: Table,
    why: str,
    left: Mapping[Seat, int],
    *,
    knows: Seat | None,
    closed_by: int = 0,
    forfeit: int = 0,
) -> None:
    """Close a table without an outcome, and store the results if someone has lost. Only within a change.

    `knows` is as for `Table.end`.
    """
    before, at = table.stored.terms, table.clock_now()
    decided = bool(left) and table.phase == "live" and not before.decided and is_rated(table)
    terms: Terms = replace(
        before,
        asked=None,
        left=dict(left),
        decided=before.decided or decided,
        closed_by=closed_by,
        forfeit=forfeit,
    )

    def also(connection: Connection) -> None:
        if decided:
            decide(connection, table, left, at)

    await table.end("cancelled", why, also=also, knows=knows, terms=terms)
