"""Cache of the tables that were used recently. All other tables are only rows."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakValueDictionary

from cachetools import TTLCache

from bot.table.table import Table

WARM_SECONDS = 15 * 60
WARM_BYTES = 64 * 2**20
TABLE_BYTES, ACTION_BYTES, EVENT_BYTES = 7_000, 100, 750
"""Estimated memory of a table with its position, of a legal action and of a recent event. Close enough for
every game from the first deal to the end; `python -m tools.bench.memory` measures it."""


def weight(table: Table) -> int:
    """Return the estimated memory of a table in bytes."""
    actions = sum(len(legal) for legal in table.legal)
    return TABLE_BYTES + ACTION_BYTES * actions + EVENT_BYTES * len(table.recent)


class TableCache:
    """Cache with one `Table` per number as long as anyone holds it. It is limited in minutes and bytes."""

    def __init__(
        self,
        monotonic: Callable[[], float],
        *,
        seconds: float = WARM_SECONDS,
        most_bytes: int = WARM_BYTES,
    ) -> None:
        # callers that work with a table hold it, and no second copy may be loaded meanwhile
        self._held: WeakValueDictionary[int, Table] = WeakValueDictionary()
        self.hits = self.missed = 0
        """Number of requests for tables that were in memory, and for those that were not."""
        self._warm: TTLCache[int, Table] = TTLCache(most_bytes, seconds, timer=monotonic, getsizeof=weight)

    def get(self, table_id: int) -> Table | None:
        """Return the table if it is in memory."""
        return self._held.get(table_id)

    def touch(self, table: Table) -> Table:
        """Keep a table in memory for a while longer. Return it."""
        self._held[table.id] = table
        if weight(table) <= self._warm.maxsize:
            self._warm[table.id] = table
        return table

    def sweep(self) -> None:
        """Release the tables that no one has used for a while."""
        self._warm.expire()

    def values(self) -> list[Table]:
        """Return all tables in memory, including those that only others hold."""
        return list(self._held.values())

    def clear(self) -> None:
        """Release all tables."""
        self._warm.clear()

    def __len__(self) -> int:
        return len(self._warm)
