"""Leases decide which process may write. Every write checks in its own transaction that its lease is still
held.

Clocks of different processes are never compared. A process that wants another's lease waits, by its own
monotonic clock, until the row has not changed for a full lease duration.

A process that serves all servers holds one lease, for part 0. When servers are divided among processes
(`bot.store.shards`), each shard is a part with its own lease, and the row of part 0 records the number of
shards. The holder of part 0 cannot hold a shard, and shards of different divisions are never held at the same
time. Each write checks the row of part 0 as well.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from bot.store.models import ClockRow, GameRow, HeartbeatRow, LeaseRow, table_of
from bot.store.shards import ALL, Shards

_LEASES, _HEARTBEAT = table_of(LeaseRow), table_of(HeartbeatRow)
_GAMES, _CLOCKS = table_of(GameRow), table_of(ClockRow)

# every write checks its lease and every heartbeat renews it, so these statements are built once: building
# them takes longer than SQLite takes to run them
_EPOCHS = select(_LEASES.c.part, _LEASES.c.holder, _LEASES.c.epoch).order_by(_LEASES.c.part)
# most processes have one part, and a list parameter would account for half the time of the check
_OF_ONE = _EPOCHS.where(_LEASES.c.part == bindparam("my_part"))
_OF_SOME = _EPOCHS.where(_LEASES.c.part.in_(bindparam("my_parts", expanding=True)))
_ALL = select(_LEASES).order_by(_LEASES.c.part)
_RENEW = (
    update(_LEASES)
    .where(
        _LEASES.c.part.in_(bindparam("my_parts", expanding=True)),
        _LEASES.c.holder.in_(bindparam("my_names", expanding=True)),
    )
    .values(until=bindparam("until_then"), at=bindparam("at_time"))
)
_HELD = tuple(query.with_for_update(read=True, key_share=True) for query in (_OF_ONE, _OF_SOME))
_HELD_ALONE = tuple(query.with_for_update() for query in (_OF_ONE, _OF_SOME))

EVERYTHING = 0
"""Part number of a process that serves all servers, or of the row that records how they are divided."""
_DIVIDED = "shards/"


class Lease(msgspec.Struct, frozen=True):
    """A row of leases. `until` is by the holder's wall clock, `at` is table time; both in milliseconds."""

    part: int
    holder: str
    epoch: int
    until: int
    at: int


def read(connection: Connection) -> tuple[Lease, ...]:
    """Return the current leases, ordered by part."""
    return tuple(Lease(**row._mapping) for row in connection.execute(_ALL))


def in_the_way(rows: Iterable[Lease], shards: Shards = ALL) -> tuple[Lease, ...]:
    """Return the leases of others that must be released, or stop changing, before a process can take its
    shards."""
    of = {row.part: row for row in rows}
    top = of.pop(EVERYTHING, None)
    if top is None:
        return ()
    if top.holder == _division(shards):
        found = [row for part, row in of.items() if part - 1 in shards.ids]
    else:
        found = list(of.values()) if top.holder.startswith(_DIVIDED) else [top]
    return tuple(row for row in found if row.holder)


def shard_count(rows: Iterable[Lease]) -> int:
    """Return the number of shards the servers are divided into, or 0 if one process serves them all."""
    names = [row.holder for row in rows if row.part == EVERYTHING]
    return sum(int(name.removeprefix(_DIVIDED)) for name in names if name.startswith(_DIVIDED))


def _division(shards: Shards) -> str:
    return "" if shards.whole else f"{_DIVIDED}{shards.count}"


def take(
    connection: Connection,
    seen: tuple[Lease, ...],
    holder: str,
    *,
    until: int,
    at: int,
    shards: Shards = ALL,
) -> tuple[Lease, ...]:
    """Take the leases for these shards, each with its next epoch, if they are unchanged since `seen`.

    Return an empty tuple if they changed. `at` is the table time to start from if no lease existed before. On
    PostgreSQL this waits until pending writes of the old holder are committed.
    """
    rows = tuple(Lease(**row._mapping) for row in connection.execute(_ALL.with_for_update()))
    of = {row.part: row for row in rows}
    top = of.get(EVERYTHING)
    before = next((row for row in seen if row.part == EVERYTHING), None)
    moved = in_the_way(rows, shards) != in_the_way(seen, shards)
    if moved or (top and (top.epoch, top.holder)) != (before and (before.epoch, before.holder)):
        return ()
    if shards.whole:
        time = _one_time(connection, top, of, None) if top else at
        mine = Lease(EVERYTHING, holder, top.epoch + 1 if top else 1, until, time)
        _put(connection, mine, fresh=top is None)
        connection.execute(delete(_LEASES).where(_LEASES.c.part != EVERYTHING))
        return (mine,)
    if top is None or top.holder != _division(shards):
        time = _one_time(connection, top, of, None) if top else at
        fresh, top = top is None, Lease(EVERYTHING, _division(shards), top.epoch + 1 if top else 1, 0, time)
        _put(connection, top, fresh=fresh)
        connection.execute(delete(_LEASES).where(_LEASES.c.part != EVERYTHING))
        of = {}
    time = _one_time(connection, top, of, shards)
    found = [top]
    for part in (shard + 1 for shard in shards.ids):
        old = of.get(part)
        found.append(Lease(part, holder, old.epoch + 1 if old else 1, until, time))
        _put(connection, found[-1], fresh=old is None)
    return tuple(found)


def _put(connection: Connection, lease: Lease, *, fresh: bool) -> None:
    if fresh:
        connection.execute(insert(_LEASES), msgspec.structs.asdict(lease))
    else:
        values = msgspec.structs.asdict(lease)
        connection.execute(update(_LEASES).where(_LEASES.c.part == values.pop("part")).values(values))


def _one_time(connection: Connection, top: Lease, of: dict[int, Lease], shards: Shards | None) -> int:
    """Return the table time from which one process continues these shards; None means all shards of a
    division.

    Each part has its own table time, which stops while no process holds the part. Deadlines of parts that are
    behind are postponed, so that no player's clock loses time during which their table was stopped.
    """
    if shards is None:
        if not top.holder.startswith(_DIVIDED):
            return top.at
        count = int(top.holder.removeprefix(_DIVIDED))
        shards = Shards(count, tuple(range(count)))
    times = {shard: of[shard + 1].at if shard + 1 in of else top.at for shard in shards.ids}
    latest = max(times.values())
    for shard, at in times.items():
        if at < latest:
            theirs = select(_GAMES.c.id).where(Shards(shards.count, (shard,)).where(_GAMES.c.guild_id))
            connection.execute(
                update(_CLOCKS)
                .where(_CLOCKS.c.game_id.in_(theirs))
                .values(due_at=_CLOCKS.c.due_at + (latest - at))
            )
    return latest


def renew(connection: Connection, mine: tuple[Lease, ...], until: int, at: int) -> tuple[Lease, ...]:
    """Renew the leases, even expired ones if no one took them. Return an empty tuple if someone did."""
    if not are_held(connection, mine):
        return ()
    holders = {lease.holder for lease in mine if not lease.holder.startswith(_DIVIDED)}
    whose = {"my_parts": [lease.part for lease in mine], "my_names": list(holders)}
    connection.execute(_RENEW, {**whose, "until_then": until, "at_time": at})
    return tuple(
        msgspec.structs.replace(lease, until=until, at=at) if lease.holder in holders else lease
        for lease in mine
    )


def give_back(connection: Connection, holder: str, at: int | None = None) -> None:
    """Release all leases of this holder. Does nothing if it has none.

    `at` is the table time, or None if table time never started running.
    """
    time = {} if at is None else {"at": at}
    connection.execute(update(_LEASES).where(_LEASES.c.holder == holder).values(holder="", until=0, **time))


def are_held(connection: Connection, mine: tuple[Lease, ...], *, alone: bool = False) -> bool:
    """Return whether these leases are still held. On PostgreSQL they stay held until the transaction ends.

    The lock does not block renewals; it only keeps others from taking a lease. `alone` also waits for every
    other transaction that holds this lock.
    """
    parts = [lease.part for lease in mine]
    of_one, of_some = _HELD_ALONE if alone else _HELD
    if len(parts) == 1:
        rows = connection.execute(of_one, {"my_part": parts[0]})
    else:
        rows = connection.execute(of_some, {"my_parts": parts})
    found = {(row.part, row.holder, row.epoch) for row in rows}
    return found == {(lease.part, lease.holder, lease.epoch) for lease in mine}


def last_heartbeat(connection: Connection) -> int | None:
    """Return when a bot of the last release without leases last wrote its heartbeat, or None."""
    found = connection.execute(select(_HEARTBEAT.c.at).where(_HEARTBEAT.c.id == 1))
    return found.scalar_one_or_none()
