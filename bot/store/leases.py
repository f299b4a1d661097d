"""The lease: which process may write. Every write checks, in its own transaction, that it still holds it.

Nothing here compares clocks: who wants the lease of somebody else waits until the row has stood still
for as long as a lease lasts, by its own monotonic clock.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, insert, select, update

from bot.store.models import HeartbeatRow, LeaseRow, table_of

_LEASES, _HEARTBEAT = table_of(LeaseRow), table_of(HeartbeatRow)

EVERYTHING = 0
"""The one part that there is: all tables and tournaments."""


class Lease(msgspec.Struct, frozen=True):
    """A row of leases. `until` is by the holder's wall clock, `at` is table time; both in milliseconds."""

    part: int
    holder: str
    epoch: int
    until: int
    at: int


def read(connection: Connection, part: int = EVERYTHING) -> Lease | None:
    """The lease as it stands, or None where nobody ever had one."""
    row = connection.execute(select(_LEASES).where(_LEASES.c.part == part)).first()
    return Lease(**row._mapping) if row else None


def take(connection: Connection, seen: Lease | None, holder: str, until: int, at: int) -> Lease | None:
    """Take the lease that was last seen like this, with the next epoch; None where it has moved since.

    On PostgreSQL this waits for writes of the old holder that are on their way to their commit.
    """
    part = seen.part if seen else EVERYTHING
    locked = select(_LEASES).where(_LEASES.c.part == part).with_for_update()
    row = connection.execute(locked).first()
    now = Lease(**row._mapping) if row else None
    if now != seen:
        return None
    mine = Lease(part, holder, seen.epoch + 1 if seen else 1, until, at)
    if seen is None:
        connection.execute(insert(_LEASES), msgspec.structs.asdict(mine))
    else:
        connection.execute(
            update(_LEASES)
            .where(_LEASES.c.part == part)
            .values(holder=holder, epoch=mine.epoch, until=until, at=at)
        )
    return mine


def renew(connection: Connection, mine: Lease, until: int, at: int) -> Lease | None:
    """Hold the lease until then; also one that ran out, if nobody took it. None where somebody did."""
    done = connection.execute(
        update(_LEASES)
        .where(_LEASES.c.part == mine.part, _LEASES.c.holder == mine.holder, _LEASES.c.epoch == mine.epoch)
        .values(until=until, at=at)
    )
    return msgspec.structs.replace(mine, until=until, at=at) if done.rowcount else None


def give_back(connection: Connection, holder: str, at: int | None = None) -> None:
    """Leave whatever this holder has to whoever waits; harmless where it has nothing (any more).

    `at` is the table time, None where it never began to run.
    """
    time = {} if at is None else {"at": at}
    connection.execute(update(_LEASES).where(_LEASES.c.holder == holder).values(holder="", until=0, **time))


def held(connection: Connection, mine: Lease, *, alone: bool = False) -> bool:
    """Whether the lease is still this one; on PostgreSQL it stays so until the transaction ends.

    The lock keeps nobody from renewing, only from taking the lease away; `alone` also waits for all others
    who hold it so.
    """
    query = select(_LEASES.c.epoch).where(_LEASES.c.part == mine.part, _LEASES.c.holder == mine.holder)
    locked = query.with_for_update() if alone else query.with_for_update(read=True, key_share=True)
    epoch = connection.execute(locked).scalar_one_or_none()
    return epoch == mine.epoch


def last_heartbeat(connection: Connection) -> int | None:
    """When a bot of the release before leases last lived, or None."""
    found = connection.execute(select(_HEARTBEAT.c.at).where(_HEARTBEAT.c.id == 1))
    return found.scalar_one_or_none()
