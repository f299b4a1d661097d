"""The scheduler runs what is due, outlives every error, and reports the state of background loops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.core.errors import Refused
from bot.core.scheduler import ILL_SECONDS, LASTING_RETRY, RETRY, Scheduler
from bot.core.tasks import Tasks
from bot.features.nights.service import Nights
from bot.ops import probes
from bot.store import totals
from bot.store.database import Fenced, StoreError
from bot.table.registry import Tables
from tests.support.processes.schema import upgrade
from tests.support.tables.tables import ManualClock, close_tables, opened_tables, settle
from tests.support.tables.tournaments import Stage
from tests.support.waiting import turns

LOOPS = {"heartbeat", "upkeep", "nights"}
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
    await Nights(tables.database, clock, tables, stage).open()
    await settle(tables)
    yield Place(tables, clock)
    await close_tables(tables)


async def test_all_loops_are_known(place: Place) -> None:
    assert set(place.tables.runtime.scheduler.loops) == LOOPS


@pytest.mark.parametrize("error", ERRORS, ids=["defect", "store"])
@pytest.mark.parametrize("name", sorted(LOOPS))
async def test_a_loop_that_fails_runs_again(place: Place, name: str, error: Exception) -> None:
    loop = place.tables.runtime.scheduler.loops[name]
    work, fails, rounds = loop.work, True, 0

    async def broken() -> float | None:
        nonlocal rounds
        rounds += 1
        if fails:
            raise error
        return await work()

    loop.work = broken
    probe = probes.loops(place.tables.runtime.scheduler, place.clock)
    with capture_logs() as lines:
        while rounds < 3:
            await place.move((loop.retry.longest or loop.retry.first) if rounds else 3600)
    mine = [line for line in lines if line.get("job") == name]
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
    assert set(place.tables.runtime.scheduler.loops) == LOOPS


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

    await upgrade(tmp_path / "v.db")  # a migration counts, too
    monkeypatch.setattr(totals, "catch_up", broken)
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    await settle(tables)
    assert "catch up" in tables.runtime.scheduler.loops
    for _ in range(2):
        clock.move(2 * RETRY.first)
        await settle(tables)
    assert asked >= 3
    assert "catch up" not in tables.runtime.scheduler.loops
    await close_tables(tables)


@pytest.mark.parametrize("broken", ["_put_to_sleep", "_close_sleeping", "_forget_servers"])
async def test_a_defect_in_one_piece_of_upkeep_stops_no_other(
    place: Place, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    upkeep, told = place.tables.runtime.upkeep, []

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


async def test_a_loop_that_hangs_is_ill() -> None:
    clock, tasks = ManualClock(instant_sleep=False), Tasks()
    tasks.open()
    scheduler = Scheduler(clock, tasks.spawn)

    async def hangs() -> float:
        await clock.sleep(10 * ILL_SECONDS)
        return 1.0

    scheduler.keep("hangs", hangs)
    scheduler.keep("takes its time", hangs, longest=20 * ILL_SECONDS)
    await turns(5)
    assert scheduler.ill() == []
    clock.move(ILL_SECONDS)
    assert [loop.id.kind for loop in scheduler.ill()] == ["hangs"]
    clock.move(9 * ILL_SECONDS)
    await turns(5)
    assert scheduler.ill() == []
    await tasks.end()


async def test_a_loop_ends_when_another_process_plays_or_it_has_nothing_left_to_do() -> None:
    clock, tasks, rounds = ManualClock(), Tasks(), list[str]()
    tasks.open()
    scheduler = Scheduler(clock, tasks.spawn)

    async def fenced() -> float:
        rounds.append("fenced")
        raise Fenced

    async def done() -> None:
        rounds.append("done")

    scheduler.keep("fenced", fenced)
    scheduler.keep("done", done)
    for _ in range(3):
        await turns(5)
        clock.move(60)
    assert sorted(rounds) == ["done", "fenced"]
    assert scheduler.loops == {}


class Jobs:
    """Jobs of one kind, on a clock that tests move. `ends` tells how the next runs end."""

    def __init__(self) -> None:
        self.clock, self.tasks = ManualClock(), Tasks()
        self.tasks.open()
        self.scheduler = Scheduler(self.clock, self.tasks.spawn)
        self.scheduler.handle("turn", self._run)
        self.runs: list[int] = []
        self.ends: list[Exception | float | None] = []
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def _run(self, key: int) -> float | None:
        self.runs.append(key)
        await self.may_end.wait()
        end = self.ends.pop(0) if self.ends else None
        if isinstance(end, Exception):
            raise end
        return end

    async def move(self, seconds: float = 0.0) -> int:
        """Let time pass. Return the number of runs so far."""
        self.clock.move(seconds)
        await turns(5)
        return len(self.runs)


async def test_a_job_runs_once_and_is_forgotten() -> None:
    jobs = Jobs()
    jobs.scheduler.add("turn", 1)
    jobs.scheduler.add("turn", 2)
    jobs.scheduler.add("a kind of a newer release", 3)
    await jobs.move()
    assert jobs.runs == [1, 2]
    assert jobs.scheduler.get("turn", 1) is None
    assert jobs.scheduler.loops == {}


async def test_a_job_never_runs_twice_at_a_time() -> None:
    """A row that rings again adds nothing, but a trigger asks for one more run."""
    jobs = Jobs()
    jobs.may_end.clear()
    jobs.scheduler.add("turn", 1)
    await jobs.move()
    jobs.scheduler.add("turn", 1)
    assert await jobs.move() == 1
    for _ in range(3):
        jobs.scheduler.trigger("turn", 1)
    assert await jobs.move() == 1
    jobs.may_end.set()
    assert await jobs.move() == 2
    assert jobs.scheduler.get("turn", 1) is None


async def test_a_job_that_fails_is_tried_again_after_growing_pauses() -> None:
    jobs = Jobs()
    jobs.ends = [StoreError("gone"), Refused("daily_wait"), RuntimeError("a defect")]
    jobs.scheduler.add("turn", 1)
    with capture_logs() as lines:
        await jobs.move()
        for failures in (1, 2, 3):
            jobs.scheduler.add("turn", 1)  # as a row that rings again
            assert await jobs.move(RETRY.pause(failures) - 0.1) == failures
            assert await jobs.move(0.1) == failures + 1
    assert [line["log_level"] for line in lines] == ["warning", "warning", "error"]
    assert jobs.scheduler.get("turn", 1) is None


async def test_what_the_database_rejects_is_seldom_tried_again_unless_something_changes() -> None:
    jobs = Jobs()
    jobs.ends = [StoreError("rejected"), StoreError("rejected")]
    jobs.scheduler.add("turn", 1)
    assert await jobs.move(LASTING_RETRY.first - 1) == 1
    jobs.scheduler.trigger("turn", 1)
    assert await jobs.move() == 2
    assert await jobs.move(LASTING_RETRY.first - 1) == 2
    assert await jobs.move(1) == 3


async def test_a_job_of_a_process_that_was_overtaken_ends() -> None:
    jobs = Jobs()
    jobs.ends = [Fenced("another plays")]
    jobs.scheduler.add("turn", 1)
    assert await jobs.move(LASTING_RETRY.first) == 1
    assert jobs.scheduler.get("turn", 1) is None


async def test_a_loop_is_brought_forward_and_never_put_back() -> None:
    jobs = Jobs()
    jobs.ends = [3600.0, 3600.0]
    jobs.scheduler.keep("upkeep", partial(jobs._run, 0))
    jobs.scheduler.trigger("unknown")
    assert await jobs.move() == 1
    jobs.scheduler.trigger("upkeep", within=60)
    jobs.scheduler.trigger("upkeep", within=600)
    assert await jobs.move(59) == 1
    assert await jobs.move(1) == 2
