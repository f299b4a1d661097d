"""Shorter turn clocks for games that have stalled."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from bot.store.games import OPEN_PHASES, Change, Deadline
from bot.table.news import untold, with_news
from bot.table.table import Table, changes
from bot.table.turns import clock_deadlines


@changes
async def shorten_clock(table: Table, seconds: int) -> None:
    """Give a table a turn clock of this many seconds, unless it has a shorter one.

    Clocks that are running end by then, and in a lobby, so does the time to join.

    Raises:
        StoreError: it could not be stored.
    """
    clock = table.stored.terms.clock
    if table.phase not in OPEN_PHASES or table.outcome() is not None or 0 < clock <= seconds:
        return
    columns: dict[str, object] = {"terms": replace(table.stored.terms, clock=seconds)}
    if table.phase == "lobby":
        end = table.now() + seconds * 1000
        lobby = tuple(replace(each, due_at=min(each.due_at, end)) for each in table.deadlines)
        await table.keep(Change(columns, deadlines=lobby))
        return
    if not table.paused:  # a game that its players paused continues with the new clock
        columns |= {"asleep_at": 0, "why": ""}
        await table.keep(Change(columns, deadlines=_hurried(table, table.waiting(), seconds)))
        return
    await table.keep(Change(columns))


def _hurried(table: Table, waiting: Iterable[int], seconds: int) -> tuple[Deadline, ...]:
    """Return the deadlines of a table with this turn clock for the seats in `waiting`."""
    state = table.state
    terms = replace(table.stored.terms, clock=seconds)
    if table.asleep and state is not None:
        return table.deadlines_of(state, terms=terms)
    ends = {each.seat: each.due_at for each in table.deadlines if each.kind == "turn"}
    busy = {each.seat for each in table.deadlines if each.kind == "opponent"}
    deadlines = [each for each in table.deadlines if each.kind in ("opponent", "settle", "pass")]
    for seat in waiting:
        if seat not in busy and table.sitters[seat].user_id is not None:
            end = table.now() + seconds * 1000
            deadlines += clock_deadlines(table.id, seat, min(ends.get(seat, end), end), seconds, pinged=True)
    return with_news(deadlines, untold(table.deadlines))
