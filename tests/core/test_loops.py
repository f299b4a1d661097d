"""Background loops outlive every error and report their state."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.core.loops import ILL_SECONDS, RETRY, Loops
from bot.core.tasks import Tasks
from bot.features.nights.service import Nights
from bot.features.tournaments.service import Tournaments
from bot.ops import probes
from bot.store import totals
from bot.store.database import Fenced, StoreError
from bot.tables.registry import Tables
from tests.support.tables.tables import ManualClock, close_tables, opened_tables, settle
from tests.support.tables.tournaments import Stage
from tests.support.waiting import turns

LOOPS = {"heartbeat", "upkeep", "nights", "ages of tournaments"}
"""Every loop of a bot that has caught up."""
ERRORS = [RuntimeError("a defect"), StoreError("gone", "no answer")]


class Place:
    """A bot with all its loops, on a clock that tests move."""

    def __init__(self, tables: Tables, clock: ManualClock) -> None:
        self.tables, self.clock = tables, clock

    async def move(self, seconds: float) -> None:
        self.clock.move(seconds)
        await settle(self.tables)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    stage: Any = Stage()
    await Tournaments(tables.database, clock, tables, stage).open()
    await Nights(tables.database, clock, tables, stage).open()
    await settle(tables)
    yield Place(tables, clock)
    await close_tables(tables)


async def test_all_loops_are_known(place: Place) -> None:
    assert set(place.tables.loops.running) == LOOPS


@pytest.mark.parametrize("error", ERRORS, ids=["defect", "store"])
@pytest.mark.parametrize("name", sorted(LOOPS))
async def test_a_loop_that_fails_runs_again(place: Place, name: str, error: Exception) -> None:
    loop = place.tables.loops.running[name]
    work, fails, rounds = loop.work, True, 0

    async def broken() -> float | None:
        nonlocal rounds
        rounds += 1
        if fails:
            raise error
        return await work()

    loop.work = broken
    probe = probes.loops(place.tables.loops, place.clock)
    with capture_logs() as lines:
        while rounds < 3:
            await place.move((loop.retry.longest or loop.retry.first) if rounds else 3600)
    mine = [line for line in lines if line.get("loop") == name]
    assert len(mine) == rounds
    assert {line["log_level"] for line in mine} == {"warning" if error is ERRORS[1] else "error"}
    key = name.replace(" ", "_")
    part = await probe()
    assert part.facts[f"{key}_why"] == ("gone" if error is ERRORS[1] else "RuntimeError")
    assert part.well
    with capture_logs():  # each round would print a traceback
        while place.clock.monotonic() - (loop.failing_since or 0) < max(loop.longest, ILL_SECONDS):
            await place.move(60)
    assert not (await probe()).well
    fails = False
    await place.move(loop.retry.longest or loop.retry.first)
    part = await probe()
    assert part.well
    assert f"{key}_why" not in part.facts
    assert part.facts[f"{key}_s"] <= (loop.retry.longest or loop.retry.first)
    assert set(place.tables.loops.running) == LOOPS


async def test_a_start_whose_catching_up_hits_a_defect_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catch_up, fails = totals.catch_up, [RuntimeError("a defect"), StoreError("gone")]
    asked = 0

    def broken(*given: Any) -> Any:
        nonlocal asked
        asked += 1
        if fails:
            raise fails.pop(0)
        return catch_up(*given)

    monkeypatch.setattr(totals, "catch_up", broken)
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    await settle(tables)
    assert "catch up" in tables.loops.running
    for _ in range(2):
        clock.move(2 * RETRY.first)
        await settle(tables)
    assert asked >= 3
    assert "catch up" not in tables.loops.running
    await close_tables(tables)


@pytest.mark.parametrize("broken", ["_put_to_sleep", "_close_sleeping", "_forget_servers"])
async def test_a_defect_in_one_piece_of_upkeep_stops_no_other(
    place: Place, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    upkeep, told = place.tables.upkeep, []

    async def defect(*_: Any, **__: Any) -> None:
        raise RuntimeError(broken)

    async def mornings() -> None:
        told.append("mornings")

    async def retention() -> None:
        told.append("retention")

    monkeypatch.setattr(upkeep, broken, defect)
    monkeypatch.setattr(upkeep, "hourly", [mornings])
    monkeypatch.setattr(upkeep._retention, "round", retention)
    with pytest.raises(RuntimeError, match=broken):
        await upkeep.round()
    assert told == ["mornings", "retention"]
    assert upkeep.due()


async def test_a_loop_that_hangs_is_ill() -> None:
    clock, tasks = ManualClock(instant_sleep=False), Tasks()
    tasks.open()
    loops = Loops(clock, tasks.spawn)

    async def hangs() -> float:
        await clock.sleep(10 * ILL_SECONDS)
        return 1.0

    loops.keep("hangs", hangs)
    loops.keep("takes its time", hangs, longest=20 * ILL_SECONDS)
    await turns(5)
    assert loops.ill() == []
    clock.move(ILL_SECONDS)
    assert [loop.name for loop in loops.ill()] == ["hangs"]
    clock.move(9 * ILL_SECONDS)
    await turns(5)
    assert loops.ill() == []
    await tasks.end()


async def test_a_loop_ends_when_another_process_plays_or_it_has_nothing_left_to_do() -> None:
    clock, tasks, rounds = ManualClock(), Tasks(), list[str]()
    tasks.open()
    loops = Loops(clock, tasks.spawn)

    async def fenced() -> float:
        rounds.append("fenced")
        raise Fenced

    async def done() -> None:
        rounds.append("done")

    loops.keep("fenced", fenced)
    loops.keep("done", done)
    for _ in range(3):
        await turns(5)
        clock.move(60)
    assert sorted(rounds) == ["done", "fenced"]
    assert loops.running == {}
