"""Limits that outlive the deletion of a person, stored under digests that do not identify anyone.

Without them deletion would be a way around every limit: play the daily deal twice, get rid of a ban, win
rated games against the same person as if for the first time. A row has a keyed digest of the limit and the
person (or pair) it applies to. Someone who knows an id and has the database can test for one limit, but no
row leads to an id, a name, or another limit of the same person. Rows are deleted when the limit ends, or when
the bot meets the person again and can store the limit with their id.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, or_, select

from bot.store.models import KeptLimitRow, SettingRow, table_of
from bot.store.people import get_setting, inserting, put

_LIMITS, _SETTINGS = table_of(KeptLimitRow), table_of(SettingRow)

HOLIDAY: Final = "holiday"
"""Days of holiday used up in a year."""
MET: Final = "met"
"""Recent meetings of two people in a variant of a game, for the weight of their rated games. All other kinds
limit one person."""
VOID: Final = "void"
"""The games of a person do not count in ratings."""
FOR_GOOD: Final = 0

_OWNER, _KEY = ("bot", 0), "limits_key"


class KeptLimit(NamedTuple):
    """A limit of one person."""

    kind: str
    subject: str
    value: Mapping[str, Any]
    until: int
    """Milliseconds since 1970, or `FOR_GOOD`."""


def keep(connection: Connection, limits: Sequence[tuple[KeptLimit, tuple[int, ...]]]) -> None:
    """Store limits, each for a person, or for a pair in either order."""
    if limits:
        key = _made_key(connection)
        rows = [
            {"digest": _digest(key, limit.kind, limit.subject, people), **limit._asdict()}
            for limit, people in limits
        ]
        put(connection, _LIMITS, ("digest",), rows)


def find(connection: Connection, kind: str, subject: str, *people: int, at: int) -> KeptLimit | None:
    """Return the limit of a person or a pair, unless it has ended by this time."""
    if (key := _key(connection)) is None:
        return None
    query = select(_LIMITS.c.kind, _LIMITS.c.subject, _LIMITS.c.value, _LIMITS.c.until).where(
        _LIMITS.c.digest == _digest(key, kind, subject, people), _holds(at)
    )
    row = connection.execute(query).first()
    return None if row is None else KeptLimit(*row)


def take(connection: Connection, kind: str, subject: str, *people: int, at: int) -> KeptLimit | None:
    """Return a limit as `find` does, and remove its row: the caller now stores the limit with the id."""
    found = find(connection, kind, subject, *people, at=at)
    if found is not None and (key := _key(connection)) is not None:
        connection.execute(delete(_LIMITS).where(_LIMITS.c.digest == _digest(key, kind, subject, people)))
    return found


def of_person(connection: Connection, user_id: int, at: int) -> list[KeptLimit]:
    """Return the limits of one person. Limits of pairs are not included: finding one takes both ids."""
    things = select(_LIMITS.c.kind, _LIMITS.c.subject).where(_LIMITS.c.kind != MET).distinct()
    found = [find(connection, kind, subject, user_id, at=at) for kind, subject in connection.execute(things)]
    return sorted(limit for limit in found if limit is not None)


def drop_over(connection: Connection, before: int, most: int) -> int:
    """Remove limits that ended before this time. Return how many."""
    over = select(_LIMITS.c.digest).where(_LIMITS.c.until > FOR_GOOD, _LIMITS.c.until <= before).limit(most)
    return connection.execute(delete(_LIMITS).where(_LIMITS.c.digest.in_(over))).rowcount


def end_of_year(year: int) -> int:
    """Return the time at which a year (UTC) is over."""
    return int(datetime(year + 1, 1, 1, tzinfo=UTC).timestamp()) * 1000


def _holds(at: int) -> Any:
    return or_(_LIMITS.c.until == FOR_GOOD, _LIMITS.c.until > at)


def _digest(key: bytes, kind: str, subject: str, people: tuple[int, ...]) -> str:
    text = "\n".join(("valence/limit/1", kind, subject, *map(str, sorted(people))))
    return hmac.digest(key, text.encode(), "sha256").hex()


def _key(connection: Connection) -> bytes | None:
    """Return the key of this installation, or None before the first deletion."""
    match get_setting(connection, *_OWNER, _KEY):
        case {"key": str(text)}:
            return bytes.fromhex(text)
    return None


def _made_key(connection: Connection) -> bytes:
    """Return the key, drawn once: the first process to need it draws it for all."""
    if (key := _key(connection)) is not None:
        return key
    row = {"scope": _OWNER[0], "scope_id": _OWNER[1], "key": _KEY, "value": {"key": secrets.token_hex(32)}}
    drawn = inserting(connection.dialect.name, _SETTINGS).values(row)
    connection.execute(drawn.on_conflict_do_nothing())
    key = _key(connection)
    if key is None:  # pragma: no cover - the row was just put there
        raise LookupError(_KEY)
    return key
