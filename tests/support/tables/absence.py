"""Tables whose players go away, on holiday, or let their clock run out."""

from __future__ import annotations

from pathlib import Path

from bot.store.prefs import Prefs, put_prefs
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table import Table
from tests.support.tables.tables import (
    ManualClock,
    Notebook,
    close_tables,
    journal_of,
    new_table,
    opened_tables,
    settle,
)

CLOCK = 600


class World:
    """Tables whose clock a test moves, and that can be stopped and started."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tables: Tables
        self.clock: ManualClock | None = None
        self.notes: Notebook

    async def open(self) -> None:
        self.tables, self.clock, self.notes = await opened_tables(self.path, self.clock)

    async def restart(self) -> None:
        await close_tables(self.tables)
        await self.open()

    async def pass_by(self, seconds: float) -> None:
        """Let time pass; what opponents do takes no time."""
        assert self.clock is not None
        self.clock.move(seconds)
        await settle(self.tables)

    async def missed(self, table: Table, times: int = 1) -> None:
        """Let the turn clock run out so many times."""
        for _ in range(times):
            seqs = table.seq
            await self.pass_by(CLOCK + 1)
            assert table.seq > seqs

    async def kinds(self, table: Table) -> list[str]:
        return [f"{entry.kind}{entry.seat}" for entry in await journal_of(self.tables, table)]


async def dealt(world: World, clock: int, *people: int) -> Table:
    """A table of three rounds that has begun, with so many seconds per turn."""
    table = await new_table(world.tables, people=people, terms=Terms(clock=clock), rounds=3)
    await lobby.start(table, people[0])
    return table


async def goes_on_holiday(world: World, user_id: int, days: int) -> int:
    """Until when, in milliseconds."""
    assert world.clock is not None
    until = world.clock.now() + days * 86_400_000
    prefs = Prefs(holiday=until)
    await world.tables.database.write_at_once(lambda c: put_prefs(c, user_id, f"person {user_id}", prefs, 1))
    return until


async def lives_in(world: World, user_id: int, zone: str, *, at_night: bool = False) -> None:
    """Name the time zone of a person, and whether they want reminders at night."""
    prefs = Prefs(zone=zone, at_night=at_night)
    await world.tables.database.write_at_once(lambda c: put_prefs(c, user_id, f"person {user_id}", prefs, 1))
