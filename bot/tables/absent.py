"""Seats that keep a table without a turn clock waiting: after a day an opponent may hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from bot.store import games as store
from bot.store.database import Database
from bot.store.games import Change
from bot.tables.ports import Clock, Refused
from bot.tables.table import Table, changes
from bot.tables.turns import MISSED
from engine.game import Seat

PATIENCE_MS: Final = 86_400_000
"""For so long a table waits for somebody, before anybody may let an opponent play on."""


async def let_opponent_play(table: Table, by: int, database: Database, clock: Clock) -> list[Seat]:
    """Let the Steady opponent hold the seats that have kept the table waiting for a day, until their owners
    press; those seats. `by` asks for it: nobody waits for themselves.

    Raises:
        Refused: the table has a clock, which sees to that, or nobody is that late.
        StoreError: it could not be read or stored.
    """
    table.must_be("live")
    if table.stored.terms.clock:
        raise Refused("has_clock", table=table.id)
    decisions = {
        seat: table.decisions[seat]
        for seat in table.waiting()
        if table.sitters[seat].user_id not in (None, by) and not table.away(seat)
    }
    if not decisions:
        raise Refused("waits_for_nobody", table=table.id)
    times = await database.read_at_once(lambda c: store.entry_times(c, table.id, set(decisions.values())))
    # nothing tells when the cards were dealt; what changed last beside the game was no earlier
    since = {seat: times.get(number, table.stored.touched_at) for seat, number in decisions.items()}
    late = {s: number for s, number in decisions.items() if clock.now() - since[s] >= PATIENCE_MS}
    if not late:
        raise Refused("nobody_late", table=table.id, at=(min(since.values()) + PATIENCE_MS) // 1000)
    await _hold(table, late)
    return sorted(late)


@changes
async def _hold(table: Table, late: Mapping[Seat, int]) -> None:
    """Their owners count as away, unless they have decided meanwhile."""
    table.must_be("live")
    state = table.state
    if state is None or any(table.decisions[seat] != number for seat, number in late.items()):
        raise Refused("waits_for_nobody", table=table.id)
    terms = replace(table.stored.terms, missed={**table.stored.terms.missed, **dict.fromkeys(late, MISSED)})
    same = [] if table.asleep else [seat for seat in state.to_act() if seat not in late]
    wanted = table.deadlines_of(state, same, terms=terms)
    await table.keep(Change({"terms": terms, "asleep_at": 0, "why": ""}, deadlines=wanted))
