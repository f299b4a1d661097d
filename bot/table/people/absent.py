"""Players who keep a slow table waiting, and the opponents that may hold their seats meanwhile.

Without a turn clock an opponent may play after a day, with a relaxed clock after half of it. For people who
have left the server, an opponent may play at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.store import games as store
from bot.store.database import Database
from bot.store.days import DAY_MS
from bot.store.games import Change, Deadline
from bot.store.prefs import prefs_of
from bot.table.table import PAUSED, Table, changes
from bot.table.turns import MISSED, at_leisure, clock_deadlines, stops_for_holidays
from engine.game import Seat

PATIENCE_MS: Final = DAY_MS
"""Milliseconds that a table without a clock waits for a player before anyone may let an opponent play."""


async def on_holiday(table: Table, database: Database, clock: Clock) -> dict[Seat, int]:
    """Return until when people whose turn it is are on holiday, by seat, in milliseconds since 1970.

    Tables with a short clock, and those that agreed on it, do not wait for them.

    Raises:
        StoreError: it could not be read.
    """
    waited_for = [seat for seat in table.waiting() if table.sitters[seat].user_id is not None]
    if not waited_for or not stops_for_holidays(table.stored.terms):
        return {}
    holidays = await database.read_at_once(lambda c: _holidays(c, table, waited_for))
    return {seat: until for seat, until in holidays.items() if until > clock.now()}


@changes(quiet=True, waited=False)
async def wait_for_holiday(table: Table, deadline: Deadline, until: int) -> bool:
    """Restart a turn clock that has just run out, to begin at `until`, the end of a holiday.

    `until` is in milliseconds since 1970. Return False if the table no longer has this clock.

    Raises:
        StoreError: it could not be stored.
    """
    if deadline not in table.deadlines:
        return False
    clock = table.stored.terms.clock
    end = table.now() + (until - table.clock_now()) + clock * 1000
    rest = [each for each in table.deadlines if each != deadline]
    deadlines = [*rest, *clock_deadlines(table.id, deadline.seat, end, clock, pinged=False)]
    deadlines.sort(key=lambda each: (each.due_at, each.seat, each.kind))
    await table.keep(Change(deadlines=tuple(deadlines), quiet=True))
    return True


async def let_opponent_play(
    table: Table, by: int, database: Database, clock: Clock, gone: Collection[int] = ()
) -> list[Seat]:
    """Let the Steady opponent play for seats that have kept the table waiting for long. Return these seats.

    It plays until their owners return. `by` asks for it, and is not counted as late, nor is anyone on
    holiday. `gone` are people who have left the server: if there are any, the opponent plays for their seats,
    even if it is not their turn.

    Raises:
        Refused: the table has a short clock, it is paused, or no one is that late.
        StoreError: it could not be read or stored.
    """
    table.must_be("live")
    if table.paused:
        raise Refused(PAUSED)
    abandoned = [seat for user in gone for seat in table.seats_of(user) if not table.away(seat)]
    if abandoned:
        await _hold(table, abandoned)
        return sorted(abandoned)
    if not at_leisure(table.stored.terms):
        raise Refused("has_clock", table=table.id)
    decisions = {
        seat: table.decisions[seat]
        for seat in table.waiting()
        if table.sitters[seat].user_id not in (None, by) and not table.away(seat)
    }
    if not decisions:
        raise Refused("waits_for_nobody", table=table.id)
    holidays = await database.read_at_once(lambda c: _holidays(c, table, decisions))
    decisions = {seat: number for seat, number in decisions.items() if holidays[seat] <= clock.now()}
    if not decisions:
        raise Refused("on_holiday", table=table.id, at=min(holidays.values()) // 1000)
    if table.stored.terms.clock:
        late_at = {seat: clock.now() + _half_left(table, seat) for seat in decisions}
    else:
        numbers = set(decisions.values())
        times = await database.read_at_once(lambda c: store.entry_times(c, table.id, numbers))
        # the time of the deal is not stored, but the table was changed then or later
        since = {seat: times.get(number, table.stored.touched_at) for seat, number in decisions.items()}
        late_at = {seat: max(at, holidays[seat]) + PATIENCE_MS for seat, at in since.items()}
    late = {seat: number for seat, number in decisions.items() if clock.now() >= late_at[seat]}
    if not late:
        raise Refused("nobody_late", table=table.id, at=min(late_at.values()) // 1000)
    await _hold(table, late, late)
    return sorted(late)


def _half_left(table: Table, seat: Seat) -> int:
    """Return the milliseconds until half of a seat's turn clock is over, negative after that.

    No clock runs while the table sleeps, so the time since it fell asleep counts.
    """
    half = table.stored.terms.clock * 500
    if table.asleep:
        return table.stored.asleep_at + half - table.clock_now()
    ends = (each.due_at for each in table.deadlines if (each.kind, each.seat) == ("turn", seat))
    return next(ends, table.now() + 2 * half) - half - table.now()


def _holidays(connection: Connection, table: Table, seats: Iterable[Seat]) -> dict[Seat, int]:
    if not stops_for_holidays(table.stored.terms):
        return dict.fromkeys(seats, 0)
    return {seat: prefs_of(connection, table.sitters[seat].user_id or 0).holiday for seat in seats}


@changes
async def _hold(
    table: Table, seats: Collection[Seat], late: Mapping[Seat, int] = MappingProxyType({})
) -> None:
    """Count the owners of these seats as away, unless a seat in `late` has made this decision meanwhile."""
    table.must_be("live")
    if table.paused:  # paused meanwhile
        raise Refused(PAUSED)
    state = table.state
    if state is None or any(table.decisions[seat] != number for seat, number in late.items()):
        raise Refused("waits_for_nobody", table=table.id)
    before = table.stored.terms
    terms = replace(
        before,
        missed={**before.missed, **dict.fromkeys(seats, MISSED)},
        stand_ins={**before.stand_ins, **dict.fromkeys(seats, table.clock_now())},
    )
    unchanged = [] if table.asleep else [seat for seat in state.to_act() if seat not in seats]
    deadlines = table.deadlines_of(state, unchanged, terms=terms)
    await table.keep(Change({"terms": terms, "asleep_at": 0, "why": ""}, deadlines=deadlines))
