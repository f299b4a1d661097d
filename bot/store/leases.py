"""Leases: which process may write. Every write checks, in its own transaction, that it still holds its own.

Nothing here compares clocks: who wants the lease of somebody else waits until its row has stood still
for as long as a lease lasts, by its own monotonic clock.

A process that has all servers holds one lease, of part 0. Where servers are divided among processes
(`bot.store.shards`), each shard is a part with a lease of its own, and the row of part 0 says into how many
they are divided: who holds it cannot hold a shard, and nobody holds shards of different divisions. Each write
checks that row as well.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from bot.store.models import ClockRow, GameRow, HeartbeatRow, LeaseRow, table_of
from bot.store.shards import ALL, Shards

_LEASES, _HEARTBEAT = table_of(LeaseRow), table_of(HeartbeatRow)
_GAMES, _CLOCKS = table_of(GameRow), table_of(ClockRow)

# every write asks whether it may, and every beat renews: these are put together once, which takes longer than
# SQLite does
_EPOCHS = select(_LEASES.c.part, _LEASES.c.holder, _LEASES.c.epoch).order_by(_LEASES.c.part)
# most processes have one part: a list as a parameter takes half of asking
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
"""The part of a process that has all servers; or the row that says how they are divided."""
_DIVIDED = "shards/"


class Lease(msgspec.Struct, frozen=True):
    """A row of leases. `until` is by the holder's wall clock, `at` is table time; both in milliseconds."""

    part: int
    holder: str
    epoch: int
    until: int
    at: int


def read(connection: Connection) -> tuple[Lease, ...]:
    """The leases as they stand, by part."""
    return tuple(Lease(**row._mapping) for row in connection.execute(_ALL))


def in_the_way(rows: Iterable[Lease], shards: Shards = ALL) -> tuple[Lease, ...]:
    """The leases of others that must be given back, or stand still, before a process may have its shards."""
    of = {row.part: row for row in rows}
    top = of.pop(EVERYTHING, None)
    if top is None:
        return ()
    if top.holder == _division(shards):
        found = [row for part, row in of.items() if part - 1 in shards.ids]
    else:
        found = list(of.values()) if top.holder.startswith(_DIVIDED) else [top]
    return tuple(row for row in found if row.holder)


def divided(rows: Iterable[Lease]) -> int:
    """Into how many shards the servers are divided; 0 where one process has them all."""
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
    """Take the leases for these shards, each with its next epoch, where they still stand as they were seen;
    empty where they do not. `at` is the table time where nobody ever had a lease.

    On PostgreSQL this waits for writes of the old holder that are on their way to their commit.
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
    """The table time from which one process goes on with these shards, None for all of a division.

    Each part has its own, which stood still while nobody held it: deadlines of those that are behind are
    put off, so that nobody's clock loses what was no time for its table.
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
    """Hold the leases until then; also those that ran out, if nobody took them. Empty where somebody did."""
    if not held(connection, mine):
        return ()
    holders = {lease.holder for lease in mine if not lease.holder.startswith(_DIVIDED)}
    whose = {"my_parts": [lease.part for lease in mine], "my_names": list(holders)}
    connection.execute(_RENEW, {**whose, "until_then": until, "at_time": at})
    return tuple(
        msgspec.structs.replace(lease, until=until, at=at) if lease.holder in holders else lease
        for lease in mine
    )


def give_back(connection: Connection, holder: str, at: int | None = None) -> None:
    """Leave whatever this holder has to whoever waits; harmless where it has nothing (any more).

    `at` is the table time, None where it never began to run.
    """
    time = {} if at is None else {"at": at}
    connection.execute(update(_LEASES).where(_LEASES.c.holder == holder).values(holder="", until=0, **time))


def held(connection: Connection, mine: tuple[Lease, ...], *, alone: bool = False) -> bool:
    """Whether the leases are still these; on PostgreSQL they stay so until the transaction ends.

    The lock keeps nobody from renewing, only from taking a lease away; `alone` also waits for all others
    who hold it so.
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
    """When a bot of the release before leases last lived, or None."""
    found = connection.execute(select(_HEARTBEAT.c.at).where(_HEARTBEAT.c.id == 1))
    return found.scalar_one_or_none()
