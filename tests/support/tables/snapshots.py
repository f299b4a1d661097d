"""Tables that write snapshots: started, played, and loaded again from them."""

from __future__ import annotations

import random
from pathlib import Path

from bot.store import games as store
from bot.store.games import Stored
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table import RECENT_EVENTS, Table
from tests.support.tables.tables import close_tables, new_table, opened_tables, the_table


async def begun(tables: Tables, game: str, people: int, **options: int) -> Table:
    table = await new_table(tables, game=game, people=[*range(1, people + 1)], **options)
    await lobby.start(table, 1)
    return table


async def play(table: Table, rng: random.Random, most: int) -> None:
    """So many actions, fewer if the game ends."""
    for _ in range(most):
        if not table.waiting():
            return
        seat = rng.choice(table.waiting())
        await table.act(seat, table.decisions[seat], rng.choice(table.legal[seat]))


async def rows(tables: Tables, table_id: int) -> Stored:
    found = await tables.database.read_at_once(
        lambda c: store.whole(c, table_id, after_snapshot=RECENT_EVENTS)
    )
    assert found is not None
    return found


def seen(table: Table) -> tuple[object, ...]:
    assert table.state is not None
    return table.state.fingerprint(), table.seq, table.acts, table.decisions, table.legal, list(table.recent)


async def again(path: Path, tables: Tables) -> tuple[Tables, Table]:
    await close_tables(tables)
    tables, _, _ = await opened_tables(path)
    return tables, await the_table(tables)
