"""A table made from its rows without a database behind it: it shows nothing and stores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from bot.store.database import Database
from bot.store.games import Entry, Sitter, Stored, StoredGame
from bot.store.snapshots import Snapshot
from bot.store.terms import Terms
from bot.table.table import Table
from bot.table.table_context import TableContext
from engine.fair import Commitment
from engine.game import Game
from engine.setups import Kind

FAIR = Commitment(bytes(range(32)), bytes(range(32, 64)))


def a_table(
    game: Game[Any, Any],
    kind: Kind,
    journal: Sequence[Entry],
    snapshot: Snapshot | None = None,
    *,
    sitters: Sequence[Sitter] = (),
    fair: Commitment = FAIR,
) -> Table:
    """A live table made from its rows, that shows nothing and is not stored; people sit there, unless other
    `sitters` are given."""
    context = TableContext.alone(cast("Database", None))
    stored = StoredGame(
        id=1,
        game=game.key,
        version=game.version,
        phase="live",
        options=dict(kind.options),
        terms=Terms(),
        guild_id=1,
        channel_id=1,
        host_id=1,
        seed=fair.seed,
        nonce=fair.nonce,
        created_at=0,
    )
    people = [Sitter(f"person {seat}", user_id=seat + 1, entropy=seat + 1) for seat in range(kind.seats)]
    return Table(context, Stored(stored, list(sitters) or people, list(journal), (), snapshot))
