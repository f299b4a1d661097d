"""When the position of a table is kept as a snapshot; see `bot.store.snapshots`."""

from __future__ import annotations

from collections.abc import Sequence

from bot.store.snapshots import Snapshot
from engine.game import AnyState
from engine.packed import pack, packs

EVERY = 64
"""How many actions lie between two snapshots."""


def due(state: AnyState, seq: int, acts: int, decisions: Sequence[int]) -> Snapshot | None:
    """The snapshot of a position that is to be stored with the next action, or None.

    Which ones are depends on the count of actions alone, so a table that leaves memory after each of them
    has the same as one that stays.
    """
    if not acts or acts % EVERY or not packs(state):
        return None
    return Snapshot(seq, acts, list(decisions), pack(state))
