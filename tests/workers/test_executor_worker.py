"""Jobs that go through an executor have deadlines, turns and answers like all others."""

from __future__ import annotations

import asyncio
import math
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from bot.plugins import dask_cluster
from bot.plugins.dask_cluster import DaskCluster, carry
from bot.table.thinking import WorkerThinker
from bot.workers import cluster, process
from bot.workers.cluster import NoCluster, find_cluster
from bot.workers.errors import JobRefused, NoAnswer, OtherVersion, TooSlow, WorkerDied
from bot.workers.pool import Pool
from tests.support.games.random_play import question
from tests.support.waiting import LIMIT_SECONDS, until, wait_until


class Silent(Executor):
    """Takes everything and answers nothing, until it is told to."""

    def __init__(self) -> None:
        self.asked: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked.append(Future())
        return self.asked[-1]


class Joined(DaskCluster):
    """A cluster of one thread of this process, or of another executor."""

    def __init__(self, port: Executor | None = None) -> None:
        super().__init__("tcp://nowhere:8786")
        self._port = port or ThreadPoolExecutor(1)
        self.trouble, self.threads, self.workers = None, 1, 1

    @property
    def up(self) -> bool:
        return self.trouble is None


async def test_a_job_goes_through_the_port_and_comes_back() -> None:
    with ThreadPoolExecutor(1) as port:
        pool = Pool("test", 0, threads=2, port=port)
        assert await pool.run(math.sqrt, 9.0, deadline=5) == 3
        with pytest.raises(ValueError, match="math domain"):
            await pool.run(math.sqrt, -1.0, deadline=5)
        assert (pool.counts.done, pool.counts.failed) == (1, 1)
        await pool.close()


async def test_what_takes_too_long_is_given_up_there_too() -> None:
    port = Silent()
    pool = Pool("test", 0, port=port)
    with pytest.raises(TooSlow):
        await pool.run(math.sqrt, 9.0, deadline=0.05)
    await until(port.asked[0].cancelled)
    later = asyncio.ensure_future(pool.run(math.sqrt, 9.0, deadline=5))
    await until(lambda: len(port.asked) == 2)
    port.asked[1].set_result(3.0)
    assert await later == 3
    pool.kill()


async def test_what_the_port_gives_up_is_no_answer() -> None:
    port = Silent()
    pool = Pool("test", 0, port=port)
    asked = asyncio.ensure_future(pool.run(math.sqrt, 9.0, deadline=5))
    await until(lambda: port.asked)
    port.asked[0].cancel()
    with pytest.raises(WorkerDied):
        await asked
    pool.kill()


async def test_no_more_wait_at_the_port_than_it_has_places() -> None:
    port = Silent()
    pool = Pool("test", 0, threads=2, port=port, most_waiting=3)
    every = [asyncio.ensure_future(pool.run(math.sqrt, 9.0, deadline=5)) for _ in range(9)]
    await until(lambda: len(port.asked) == 2)
    assert pool.waiting == 1
    pool.kill()
    lost = await asyncio.gather(*every, return_exceptions=True)
    assert all(isinstance(each, NoAnswer) for each in lost)
    assert sum(isinstance(each, JobRefused) for each in lost) == 6


def test_work_ends_its_process_when_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    codes: list[int] = []

    def leave(code: int) -> None:
        codes.append(code)
        ended.set()

    monkeypatch.setattr(process, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(os, "_exit", leave)
    assert process.within(60, math.sqrt, 9.0) == 3
    assert process.within(0.01, ended.wait, 10.0)
    assert codes == [process.SLOW]


def test_a_worker_of_another_version_does_nothing() -> None:
    with pytest.raises(OtherVersion):
        carry("0.0.0", b"is not even read")


def test_a_cluster_hands_values_and_errors_on() -> None:
    joined = Joined()
    assert joined.submit(math.sqrt, 9.0).result(5) == 3
    with pytest.raises(ValueError, match="math domain"):
        joined.submit(math.sqrt, -1.0).result(5)
    assert joined.submit(int, "11", base=2).result(5) == 3


@pytest.mark.parametrize("trouble", [OSError("gone"), ZeroDivisionError()])
def test_what_the_cluster_itself_loses_is_no_answer(trouble: Exception) -> None:
    port = Silent()
    joined = Joined(port)
    lost, cancelled, dropped = (joined.submit(math.sqrt, 9.0) for _ in range(3))
    port.asked[0].set_exception(trouble)
    port.asked[1].cancel()
    port.asked[1].set_running_or_notify_cancel()
    for each in (lost, cancelled):
        with pytest.raises(WorkerDied):
            each.result(5)
    assert dropped.cancel()
    assert port.asked[2].cancelled()


def test_a_cluster_that_is_away_refuses_at_once() -> None:
    with pytest.raises(JobRefused):
        DaskCluster("tcp://127.0.0.1:9").submit(math.sqrt, 9.0)


def test_a_missing_library_is_one_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    joined = DaskCluster("tcp://127.0.0.1:9")
    with pytest.raises(NoCluster) as found:
        joined.connect()
    assert found.value.kind == "missing"
    assert not joined.up


def test_dask_is_found_as_a_plug_in() -> None:
    assert isinstance(find_cluster("tcp://127.0.0.1:9"), DaskCluster)


def test_without_a_plug_in_a_cluster_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "entry_points", lambda **_: ())
    found = find_cluster("tcp://127.0.0.1:9")
    found.keep()
    with pytest.raises(NoCluster) as trouble:
        found.connect()
    assert trouble.value.kind == "missing"
    with pytest.raises(JobRefused):
        found.submit(math.sqrt, 9.0)


def test_who_keeps_looking_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Away, then there, then away again: each is noticed without anybody asking."""
    there = threading.Event()

    def join(self: DaskCluster) -> None:
        if not there.is_set():
            self.trouble = NoCluster("away")
            raise self.trouble
        self.trouble = None

    monkeypatch.setattr(dask_cluster, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(DaskCluster, "_look", join)
    joined = DaskCluster("tcp://127.0.0.1:9")
    joined.keep()
    assert joined.trouble is not None
    there.set()
    wait_until(lambda: joined.trouble is None)
    there.clear()
    wait_until(lambda: joined.trouble is not None)
    joined.shutdown()


async def test_an_opponent_thinks_in_the_cluster() -> None:
    thinker = WorkerThinker(0, cluster=Joined())
    game, level, seen, actions = question()
    assert await thinker.choose(game, level, seen, actions) in actions
    assert thinker.thoughts.counts.done == 0
    assert await thinker.analyze(math.sqrt, 9.0) == 3
    assert thinker.analyzers.counts.done == 0
    assert await thinker.run(math.sqrt, 9.0) == 3
    assert thinker.makers.counts.done == 1
    assert await thinker.draw(math.sqrt, 9.0) == 3
    assert thinker.films.counts.done == 1
    await thinker.close()


async def test_what_the_cluster_does_not_answer_soon_is_thought_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.table.thinking.HEDGE_SECONDS", 0.05)
    thinker = WorkerThinker(0, cluster=Joined(Silent()))
    game, level, seen, actions = question()
    assert await asyncio.wait_for(thinker.choose(game, level, seen, actions), LIMIT_SECONDS) in actions
    assert thinker.thoughts.counts.done == 1
    await thinker.close()


@pytest.mark.parametrize("trouble", [None, NoCluster("away")])
async def test_where_the_cluster_is_lost_work_is_done_here(trouble: NoCluster | None) -> None:
    class Lost(Joined):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise JobRefused("it has just gone away")

    joined = Lost()
    joined.trouble = trouble
    thinker = WorkerThinker(0, cluster=joined)
    game, level, seen, actions = question()
    assert await thinker.choose(game, level, seen, actions) in actions
    assert await thinker.analyze(math.sqrt, 9.0) == 3
    await thinker.close()


async def test_an_opponent_that_breaks_in_the_cluster_is_not_asked_again() -> None:
    thinker = WorkerThinker(0, cluster=Joined())
    with pytest.raises(ValueError, match="math domain"):
        await thinker.advise(math.sqrt, -1.0)
    assert thinker.thoughts.counts.failed == 0
    await thinker.close()
