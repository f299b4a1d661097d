"""Blocks between people, and the pauses between the requests that one makes to another.

All functions work on a plain connection. `bot.table.people.contacts` decides what follows from them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, and_, delete, func, or_, select

from bot.store.backend.locks import one_at_a_time
from bot.store.days import DAY_MS
from bot.store.models import BlockRow, RequestRow, table_of
from bot.store.people import put

_BLOCKS, _REQUESTS = table_of(BlockRow), table_of(RequestRow)

MOST_BLOCKED: Final = 100
"""Maximum number of people whom one person can block."""
_MINUTE_MS: Final = 60_000
PAUSES_MS: Final = (2 * _MINUTE_MS, 10 * _MINUTE_MS, 60 * _MINUTE_MS, DAY_MS)
"""Pauses after the first, the second and further requests without a yes, in milliseconds."""
FORGOTTEN_MS: Final = 7 * DAY_MS
"""Milliseconds after the last pause until the requests of a person to another are forgotten."""


def block(connection: Connection, user_id: int, other: int, at: int) -> bool:
    """Put a person on someone's list. Return False if the list is full."""
    one_at_a_time(connection, "blocks", user_id)
    others = connection.execute(select(_BLOCKS.c.blocked_id).where(_BLOCKS.c.blocker_id == user_id))
    known = set(others.scalars())
    if other in known:
        return True
    if len(known) >= MOST_BLOCKED:
        return False
    row = {"blocker_id": user_id, "blocked_id": other, "at": at}
    put(connection, _BLOCKS, ("blocker_id", "blocked_id"), [row])
    return True


def unblock(connection: Connection, user_id: int, other: int) -> None:
    """Take a person off someone's list."""
    connection.execute(delete(_BLOCKS).where(_BLOCKS.c.blocker_id == user_id, _BLOCKS.c.blocked_id == other))


def blocked(connection: Connection, user_id: int, most: int, offset: int = 0) -> tuple[list[int], int]:
    """Return a page of the people whom someone blocked, newest first, and how many there are."""
    mine = _BLOCKS.c.blocker_id == user_id
    total = connection.execute(select(func.count()).select_from(_BLOCKS).where(mine)).scalar_one()
    query = select(_BLOCKS.c.blocked_id).where(mine).order_by(_BLOCKS.c.at.desc(), _BLOCKS.c.blocked_id)
    return list(connection.execute(query.limit(most).offset(offset)).scalars()), total


def blocked_by(connection: Connection, user_id: int, others: Collection[int]) -> set[int]:
    """Return those of these people whom someone has blocked."""
    query = select(_BLOCKS.c.blocked_id).where(_BLOCKS.c.blocker_id == user_id)
    return set(connection.execute(query.where(_BLOCKS.c.blocked_id.in_(others))).scalars())


def blocking(connection: Connection, user_id: int, others: Collection[int]) -> set[int]:
    """Return those of these people who have blocked someone."""
    query = select(_BLOCKS.c.blocker_id).where(_BLOCKS.c.blocked_id == user_id)
    return set(connection.execute(query.where(_BLOCKS.c.blocker_id.in_(others))).scalars())


def apart(connection: Connection, user_id: int, others: Collection[int]) -> set[int]:
    """Return those of these people who are never paired with someone: one of the two has blocked the
    other."""
    return blocked_by(connection, user_id, others) | blocking(connection, user_id, others)


def claim_request(connection: Connection, asker: int, asked: int, now: int) -> int:
    """Count a request of any kind. Return 0, or the time of the next one if it is too early."""
    one_at_a_time(connection, "requests", asker)
    count, until = _requests(connection, asker, asked, now)
    if now < until:
        return until
    _put(connection, asker, asked, count + 1, now + _pause(count + 1))
    return 0


def take_back_request(connection: Connection, asker: int, asked: int, now: int) -> None:
    """Uncount the last request, because it never reached the person."""
    one_at_a_time(connection, "requests", asker)
    count, _ = _requests(connection, asker, asked, now)
    if count > 1:
        _put(connection, asker, asked, count - 1, now)
    else:
        forget_requests(connection, [asker], asked)


def refuse_request(connection: Connection, asker: int, asked: int, now: int) -> None:
    """Begin the pause after a request again: the person has just said no."""
    one_at_a_time(connection, "requests", asker)
    count = max(1, _requests(connection, asker, asked, now)[0])
    _put(connection, asker, asked, count, now + _pause(count))


def forget_requests(connection: Connection, askers: Collection[int], asked: int) -> None:
    """Forget the requests of these people to someone, after a yes."""
    theirs = (_REQUESTS.c.asker_id.in_(askers), _REQUESTS.c.asked_id == asked)
    connection.execute(delete(_REQUESTS).where(*theirs))


def forget_requests_among(connection: Connection, people: Collection[int]) -> None:
    """Forget all requests among these people, because they play together."""
    theirs = and_(_REQUESTS.c.asker_id.in_(people), _REQUESTS.c.asked_id.in_(people))
    connection.execute(delete(_REQUESTS).where(theirs))


def pausing(connection: Connection, asker: int, others: Collection[int], now: int) -> set[int]:
    """Return those of these people whom someone can't ask again yet."""
    query = select(_REQUESTS.c.asked_id).where(_REQUESTS.c.asker_id == asker, _REQUESTS.c.until > now)
    return set(connection.execute(query.where(_REQUESTS.c.asked_id.in_(others))).scalars())


def drop_over(connection: Connection, before: int, most: int) -> int:
    """Remove requests whose pause was over by this time. Return how many."""
    query = select(_REQUESTS.c.asker_id, _REQUESTS.c.asked_id).where(_REQUESTS.c.until <= before).limit(most)
    found = connection.execute(query).all()
    if found:
        these = [and_(_REQUESTS.c.asker_id == asker, _REQUESTS.c.asked_id == asked) for asker, asked in found]
        connection.execute(delete(_REQUESTS).where(or_(*these)))
    return len(found)


def _requests(connection: Connection, asker: int, asked: int, now: int) -> tuple[int, int]:
    """Return how often someone asked in a row, and until when they can't ask again; zeros after a week."""
    mine = (_REQUESTS.c.asker_id == asker, _REQUESTS.c.asked_id == asked)
    row = connection.execute(select(_REQUESTS.c.count, _REQUESTS.c.until).where(*mine)).first()
    return (0, 0) if row is None or row[1] + FORGOTTEN_MS <= now else (row[0], row[1])


def _put(connection: Connection, asker: int, asked: int, count: int, until: int) -> None:
    row = {"asker_id": asker, "asked_id": asked, "count": count, "until": until}
    put(connection, _REQUESTS, ("asker_id", "asked_id"), [row])


def _pause(count: int) -> int:
    return PAUSES_MS[min(count, len(PAUSES_MS)) - 1]
