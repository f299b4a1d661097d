"""Snapshots of long games: an earlier position, so that only the entries after it are replayed.

They only save time; the journal alone defines what happened. Without a snapshot, or if a different version of
the rules source wrote it, the whole journal is replayed and thereby verified. Snapshots hold secrets, as
seeds do.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select

from bot.store.models import EntryRow, SnapshotRow, table_of
from engine.game import AnyState
from engine.packed import pack, packs, source_digest

_SNAPSHOTS, _ENTRIES = table_of(SnapshotRow), table_of(EntryRow)
_KEPT = 2
"""Snapshots kept per game. With only one, too few entries might follow it."""
EVERY = 64
"""Number of actions between two snapshots."""


class Unusable(ValueError):
    """A snapshot that cannot be read, or lacks the requested data."""


class Snapshot(msgspec.Struct, frozen=True):
    """The position after a journal entry, as `engine.packed` writes it, with the number of actions before it
    and each seat's decision number before it."""

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


def due(state: AnyState, seq: int, acts: int, decisions: Sequence[int]) -> Snapshot | None:
    """Return the snapshot of a position that is to be stored with the next action, or None.

    It depends on the number of actions alone, so a table that leaves memory after each of them has the same
    snapshots as one that stays.
    """
    if not acts or acts % EVERY or not packs(state):
        return None
    return Snapshot(seq, acts, list(decisions), pack(state))


def latest(connection: Connection, game_id: int, before: int) -> Snapshot | None:
    """Return a game's last snapshot by this same rules source that at least `before` entries follow."""
    where = {"at_id": game_id, "at_source": source_digest(), "before": before}
    row = connection.execute(_LATEST, where).first()
    return Snapshot(*row) if row else None


def keep(connection: Connection, game_id: int, snapshot: Snapshot) -> None:
    """Store a snapshot, and delete those no longer needed."""
    mine = _SNAPSHOTS.c.game_id == game_id
    earlier = select(_SNAPSHOTS.c.seq).where(mine, _SNAPSHOTS.c.seq < snapshot.seq)
    needed = connection.execute(earlier.order_by(_SNAPSHOTS.c.seq.desc()).limit(_KEPT - 1)).scalars().all()
    connection.execute(delete(_SNAPSHOTS).where(mine, _SNAPSHOTS.c.seq.not_in(needed)))
    values = {"game_id": game_id, "source": source_digest(), **msgspec.structs.asdict(snapshot)}
    connection.execute(insert(_SNAPSHOTS).values(values))


def drop(connection: Connection, game_id: int, *, since: int = 0) -> None:
    """Delete all snapshots of a game, or those at or after an entry."""
    mine = (_SNAPSHOTS.c.game_id == game_id, _SNAPSHOTS.c.seq >= since)
    connection.execute(delete(_SNAPSHOTS).where(*mine))
