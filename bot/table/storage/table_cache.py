"""The tables in memory: those that were touched a little while ago. All others are rows alone."""

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
    """About how many bytes of memory a table takes."""
    actions = sum(len(legal) for legal in table.legal)
    return TABLE_BYTES + ACTION_BYTES * actions + EVENT_BYTES * len(table.recent)


class TableCache:
    """One `Table` for each number, as long as anybody holds it; bounded in minutes and in bytes."""

    def __init__(
        self,
        monotonic: Callable[[], float],
        *,
        seconds: float = WARM_SECONDS,
        most_bytes: int = WARM_BYTES,
    ) -> None:
        # whoever works with a table holds it: nobody may load a second one beside it
        self._held: WeakValueDictionary[int, Table] = WeakValueDictionary()
        self.hits = self.missed = 0
        """How often somebody asked for a table that was here, and for one that was not."""
        self._warm: TTLCache[int, Table] = TTLCache(most_bytes, seconds, timer=monotonic, getsizeof=weight)

    def get(self, table_id: int) -> Table | None:
        """The table, if it is in memory."""
        return self._held.get(table_id)

    def touch(self, table: Table) -> Table:
        """Keep it for a while from now on."""
        self._held[table.id] = table
        if weight(table) <= self._warm.maxsize:
            self._warm[table.id] = table
        return table

    def sweep(self) -> None:
        """Let go of what nobody has touched for long."""
        self._warm.expire()

    def values(self) -> list[Table]:
        """All tables that are in memory, whoever holds them."""
        return list(self._held.values())

    def clear(self) -> None:
        """Let go of everything."""
        self._warm.clear()

    def __len__(self) -> int:
        return len(self._warm)
