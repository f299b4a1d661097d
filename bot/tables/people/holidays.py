"""Holidays: while somebody is away on purpose, a relaxed clock waits for them."""

from __future__ import annotations

from bot.store.games import Change, Deadline
from bot.tables.table import Table, changes
from bot.tables.turns import clock_deadlines


@changes(quiet=True, waited=False)
async def wait_for_holiday(table: Table, deadline: Deadline, until: int) -> bool:
    """Let the turn clock that has just run out begin anew when a holiday ends, at that time of day in
    milliseconds; False where the clock is no longer the table's.

    Raises:
        StoreError: it could not be stored.
    """
    if deadline not in table.deadlines:
        return False
    clock = table.stored.terms.clock
    end = table.now() + (until - table.clock_now()) + clock * 1000
    rest = [each for each in table.deadlines if each != deadline]
    wanted = [*rest, *clock_deadlines(table.id, deadline.seat, end, clock, pinged=False)]
    wanted.sort(key=lambda each: (each.due_at, each.seat, each.kind))
    await table.keep(Change(deadlines=tuple(wanted), quiet=True))
    return True
