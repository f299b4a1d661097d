"""When an opponent acts: at its pace, however long it thinks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.thinking import WorkerThinker
from bot.workers.errors import NoAnswer
from tests.support.games.probe import Act
from tests.support.tables.tables import (
    ManualClock,
    close_tables,
    journal_of,
    new_table,
    opened_tables,
    settle,
)
from tests.support.waiting import until

PACE = 5.0


class SlowThinker(WorkerThinker):
    """Thinks for so many seconds of the clock, and takes the last action."""

    def __init__(self, clock: ManualClock, seconds: float) -> None:
        super().__init__(0)
        self._clock = clock
        self._seconds = seconds
        self.asked: list[object] = []

    async def choose(
        self, game: str, level: str, observation: object, actions: Sequence[object], **_: Any
    ) -> object:
        self.asked.append(observation)
        if self._seconds:
            await self._clock.sleep(self._seconds)
        return actions[-1]


async def a_table(file: Path, seconds: float) -> tuple[Tables, ManualClock, Table, SlowThinker]:
    """A person and two opponents of the probe game, who choose a bid together with them."""
    clock = ManualClock(instant_sleep=False)
    thinker = SlowThinker(clock, seconds)
    tables, _, _ = await opened_tables(file, clock, pace=PACE, thinker=thinker)
    table = await new_table(tables, opponents=2)
    await lobby.start(table, 1)
    await settled(tables, table)
    return tables, clock, table, thinker


async def settled(tables: Tables, table: Table) -> None:
    """All that can go on without the clock has gone on: the database has answered again and again."""
    for _ in range(40):
        await journal_of(tables, table)


async def bids(tables: Tables, table: Table) -> int:
    return sum(entry.kind == "act" for entry in await journal_of(tables, table))


async def until_bids(tables: Tables, table: Table, number: int) -> None:
    async def there() -> bool:
        return await bids(tables, table) == number

    await until(there)


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.08])
async def test_how_long_an_opponent_thinks_does_not_show(tmp_path: Path, seconds: float) -> None:
    tables, clock, table, _ = await a_table(tmp_path / "v.db", seconds)
    clock.move(0.09)
    await settled(tables, table)
    assert await bids(tables, table) == 0
    clock.move(0.02)
    await until_bids(tables, table, 2)
    await close_tables(tables)


async def test_an_opponent_in_turn_waits_for_its_pace(tmp_path: Path) -> None:
    tables, clock, table, _ = await a_table(tmp_path / "v.db", 1.0)
    clock.move(2)
    await until_bids(tables, table, 2)
    await table.act(0, None, Act("bid", 0))
    await settled(tables, table)
    assert 0 not in table.waiting()
    seq = table.seq
    clock.move(1.5)
    await settled(tables, table)
    clock.move(PACE - 1.6)
    await settled(tables, table)
    assert table.seq == seq
    clock.move(0.2)
    await until(lambda: table.seq == seq + 1)
    await close_tables(tables)


async def test_an_opponent_thinks_again_about_what_has_changed_meanwhile(tmp_path: Path) -> None:
    """Somebody else bids before its pace is over: it answers what lies there then."""
    tables, clock, table, thinker = await a_table(tmp_path / "v.db", 0.0)
    before = list(thinker.asked)
    assert len(before) == 2
    await table.act(0, None, Act("bid", 0))
    await settled(tables, table)
    clock.move(0.2)
    await until_bids(tables, table, 3)
    assert len(thinker.asked) > 2
    assert not any(seen in before for seen in thinker.asked[2:])
    await close_tables(tables)


class Overwhelmed(WorkerThinker):
    """Has no answer from any level but those that are named."""

    def __init__(self, *answering: str) -> None:
        super().__init__(0)
        self._answering = answering
        self.asked: list[str] = []

    async def choose(
        self, game: str, level: str, observation: object, actions: Sequence[object], **_: Any
    ) -> object:
        self.asked.append(level)
        if level not in self._answering:
            raise NoAnswer
        return actions[-1]


@pytest.mark.parametrize("answering", [("steady",), ()])
async def test_steady_plays_for_an_opponent_that_gives_no_answer(
    tmp_path: Path, answering: tuple[str, ...]
) -> None:
    """And chance where Steady gives none either: the table never stands still."""
    thinker = Overwhelmed(*answering)
    tables, _, _ = await opened_tables(tmp_path / "v.db", thinker=thinker)
    table = await new_table(tables, game="canasta")
    await lobby.add_opponent(table, "sharp", "Robo")
    await lobby.start(table, 1)
    await settle(tables)
    if table.sitters[table.waiting()[0]].user_id == 1:
        while table.sitters[(seat := table.waiting()[0])].user_id == 1:
            await table.act(seat, table.decisions[seat], table.legal[seat][0])
        await settle(tables)
    played = [entry for entry in await journal_of(tables, table) if entry.kind == "act"]
    assert thinker.asked
    assert thinker.asked == ["sharp", "steady"] * (len(thinker.asked) // 2)
    by_opponent = [entry for entry in played if table.sitters[entry.seat].user_id is None]
    assert len(by_opponent) == len(thinker.asked) // 2
    await close_tables(tables)
