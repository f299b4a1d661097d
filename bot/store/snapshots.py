"""Snapshots of long games: a position of a while ago, so that only what came after it is replayed.

They only save time. The journal alone says what happened: without a snapshot, or with one that another
source of the rules wrote, the whole of it is replayed and so verified. They hold secrets, as seeds do.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select

from bot.store.models import EntryRow, SnapshotRow, table_of
from engine.packed import source_digest

_SNAPSHOTS, _ENTRIES = table_of(SnapshotRow), table_of(EntryRow)
_KEPT = 2
"""How many are kept of each game: the last one may leave too little to replay."""


class Unusable(ValueError):
    """A snapshot that cannot be read, or lacks what is asked for."""


class Snapshot(msgspec.Struct, frozen=True):
    """The position after an entry of a journal, as `engine.packed` writes it; how many actions led there,
    and by seat the number of the decision that it had before it."""

    seq: int
    acts: int
    decisions: list[int]
    position: bytes


_LAST = select(func.max(_ENTRIES.c.seq)).where(_ENTRIES.c.game_id == bindparam("at_id")).scalar_subquery()
_LATEST = (
    select(*(_SNAPSHOTS.c[name] for name in Snapshot.__struct_fields__))
    .where(
        _SNAPSHOTS.c.game_id == bindparam("at_id"),
        _SNAPSHOTS.c.source == bindparam("at_source"),
        _SNAPSHOTS.c.seq <= _LAST - bindparam("before"),
    )
    .order_by(_SNAPSHOTS.c.seq.desc())
    .limit(1)
)


def latest(connection: Connection, game_id: int, before: int) -> Snapshot | None:
    """The last snapshot of a game that this very source has written so many entries before the end."""
    where = {"at_id": game_id, "at_source": source_digest(), "before": before}
    row = connection.execute(_LATEST, where).first()
    return Snapshot(*row) if row else None


def keep(connection: Connection, game_id: int, snapshot: Snapshot) -> None:
    """Store a snapshot, and forget those that are no longer needed."""
    mine = _SNAPSHOTS.c.game_id == game_id
    earlier = select(_SNAPSHOTS.c.seq).where(mine, _SNAPSHOTS.c.seq < snapshot.seq)
    needed = connection.execute(earlier.order_by(_SNAPSHOTS.c.seq.desc()).limit(_KEPT - 1)).scalars().all()
    connection.execute(delete(_SNAPSHOTS).where(mine, _SNAPSHOTS.c.seq.not_in(needed)))
    values = {"game_id": game_id, "source": source_digest(), **msgspec.structs.asdict(snapshot)}
    connection.execute(insert(_SNAPSHOTS).values(values))


def drop(connection: Connection, game_id: int, *, since: int = 0) -> None:
    """Forget the snapshots of a game, or those of positions after an entry and later ones."""
    mine = (_SNAPSHOTS.c.game_id == game_id, _SNAPSHOTS.c.seq >= since)
    connection.execute(delete(_SNAPSHOTS).where(*mine))
