"""Workers that hang, die, loop or never start: everybody who waits gets an answer, and soon."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from bot.telemetry.trace import Trace, following
from bot.workers import pool as pool_module
from bot.workers.errors import Closed, JobRefused, NoAnswer, TooSlow, WorkerDied
from bot.workers.pool import Pool
from bot.workers.process import give_way
from tests.support.processes.pids import gone
from tests.support.waiting import LIMIT_SECONDS, turns, until, wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def ready() -> None:
    """Its import is the work: this module is loaded before the first job, and not on its time."""


def double(number: int) -> int:
    return 2 * number


def whoami() -> int:
    return os.getpid()


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "awake"


def hold(path: str) -> str:
    """Work until the file is there."""
    wait_until(Path(path).exists)
    return "done"


def touch(path: str) -> str:
    Path(path).touch()
    return "touched"


def hold_in_parts(path: str) -> str:
    """Work in many parts until the file is there."""
    end = time.monotonic() + LIMIT_SECONDS
    while not Path(path).exists() and time.monotonic() < end:
        give_way()
    return "held"


def work_hard(seconds: float) -> str:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return "done"


def loop_for_ever() -> None:
    while True:
        pass


def die() -> None:
    os._exit(7)


def die_once(path: str) -> str:
    try:
        Path(path).touch(exist_ok=False)
    except FileExistsError:
        return "second try"
    os._exit(7)


def complain() -> None:
    raise LookupError("no brush")


class Picky(Exception):
    def __init__(self, one: int, *, two: int) -> None:
        super().__init__(f"{one} {two}")


def complain_unreadably() -> None:
    raise Picky(1, two=2)


def unpicklable() -> Any:
    return lambda: 1


def greedy() -> int:
    return len(bytearray(2**31))


Make = Callable[..., Pool]


@pytest.fixture
async def make() -> AsyncIterator[Make]:
    """Makes pools, and closes them; none may leave a process behind."""
    made: list[Pool] = []

    def one(workers: int = 1, **how: Any) -> Pool:
        how.setdefault("prepare", ready)
        made.append(Pool("test", workers, **how))
        return made[-1]

    yield one
    for pool in made:
        pids = pool.pids
        await pool.close(0.1)
        await until(lambda pids=pids: all(map(gone, pids)))  # type: ignore[misc]


async def test_answers_and_errors(make: Make) -> None:
    pool = make()
    assert await pool.run(double, 4, deadline=5) == 8
    with pytest.raises(LookupError, match="no brush") as raised:
        await pool.run(complain, deadline=5)
    assert "in complain" in raised.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Picky"):
        await pool.run(complain_unreadably, deadline=5)
    with pytest.raises(Exception, match="pickle"):
        await pool.run(unpicklable, deadline=5)
    with pytest.raises(Exception, match="pickle"):
        await pool.run(lambda: 1, deadline=5)
    assert await pool.run(double, 5, deadline=5) == 10
    counts = pool.counts
    assert (counts.done, counts.failed, counts.started, counts.died) == (2, 4, 1, 0)


async def test_a_worker_keeps_within_its_memory(make: Make) -> None:
    pool = make(memory=2**29)
    with pytest.raises(MemoryError):
        await pool.run(greedy, deadline=5)
    assert await pool.run(double, 1, deadline=5) == 2


async def test_work_that_loops_costs_its_worker_only(make: Make) -> None:
    pool = make(2, ahead=1)
    await pool.warm_up()
    looping = asyncio.create_task(pool.run(loop_for_ever, deadline=0.3))
    others = [asyncio.create_task(pool.run(double, n, deadline=5)) for n in range(20)]
    with pytest.raises(TooSlow):
        await asyncio.wait_for(looping, LIMIT_SECONDS)
    assert await asyncio.gather(*others) == [2 * n for n in range(20)]
    assert (pool.counts.slow, pool.counts.died) == (1, 0)


async def test_a_stopped_worker_is_found_out_and_its_job_done_by_another(make: Make) -> None:
    pool = make(ahead=1)
    pid = await pool.run(whoami, deadline=5)
    os.kill(pid, signal.SIGSTOP)
    jobs = [asyncio.create_task(pool.run(double, n, deadline=0.3)) for n in range(5)]
    assert await asyncio.wait_for(asyncio.gather(*jobs), LIMIT_SECONDS) == [0, 2, 4, 6, 8]
    assert gone(pid)
    assert (pool.counts.slow, pool.counts.started) == (1, 2)


async def test_a_stopped_worker_and_more_than_a_pipe_holds(make: Make) -> None:
    """The thread that hands over is stuck in the middle of a job."""
    pool = make()
    os.kill(await pool.run(whoami, deadline=5), signal.SIGSTOP)
    assert await asyncio.wait_for(pool.run(len, bytes(2**22), deadline=0.3), LIMIT_SECONDS) == 2**22


async def test_a_killed_worker_is_replaced_once_for_all_who_wait(make: Make) -> None:
    pool = make()
    pid = await pool.run(whoami, deadline=5)
    jobs = [asyncio.create_task(pool.run(sleep, 0.02, deadline=5)) for _ in range(24)]
    await until(lambda: pool.counts.done)
    os.kill(pid, signal.SIGKILL)
    assert await asyncio.wait_for(asyncio.gather(*jobs), LIMIT_SECONDS) == ["awake"] * 24
    assert (pool.counts.died, pool.counts.started) == (1, 2)


@pytest.mark.long
async def test_a_job_that_kills_is_tried_twice(make: Make, tmp_path: Path) -> None:
    pool = make()
    assert await pool.run(die_once, str(tmp_path / "tried"), deadline=5) == "second try"
    with pytest.raises(WorkerDied):
        await pool.run(die, deadline=5)
    assert await pool.run(double, 2, deadline=5) == 4
    assert pool.counts.died == 3


async def test_workers_that_die_at_their_start_are_not_started_without_end(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.workers.pool.BRAKES", (0.0, 0.01, 0.01, 600.0))
    pool = make(2, prepare=die, wait=600)
    jobs = [asyncio.create_task(pool.run(double, n, deadline=1)) for n in range(50)]
    answers = await asyncio.wait_for(asyncio.gather(*jobs, return_exceptions=True), LIMIT_SECONDS)
    assert {type(answer) for answer in answers} == {JobRefused}
    assert pool.counts.started == 3
    # from here on nobody waits, until a worker has started
    with pytest.raises(JobRefused):
        await asyncio.wait_for(pool.run(double, 1, deadline=1), LIMIT_SECONDS)
    assert pool.counts.started == 3


async def test_a_pool_mends_itself_when_workers_can_start_again(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.workers.pool.BRAKES", (0.0, 0.01))
    block = tmp_path / "blocked"
    block.touch()
    pool = make(prepare=partial(blocked, block))
    with pytest.raises(JobRefused):
        await pool.run(double, 1, deadline=1)
    assert pool.down
    block.unlink()
    await until(lambda: not pool.down)
    assert await pool.run(double, 1, deadline=1) == 2


def blocked(block: Path) -> None:
    if block.exists():
        raise OSError("not yet")


async def test_a_worker_that_hangs_at_its_start_is_given_up(make: Make) -> None:
    pool = make(prepare=loop_for_ever, start=0.3, wait=1)
    with pytest.raises(JobRefused, match="waited"):
        await asyncio.wait_for(pool.run(double, 1, deadline=1), LIMIT_SECONDS)


async def test_a_thousand_jobs_wait_in_bounds_and_in_turn(make: Make) -> None:
    pool = make(2, most_waiting=300, crowd=10**6)
    await pool.warm_up()
    finished: list[str] = []

    async def one(whose: str, urgent: bool) -> None:
        try:
            await pool.run(sleep, 0.0002, deadline=5, whose=whose, urgent=urgent)
        except JobRefused:
            finished.append("refused")
        else:
            finished.append(whose + "!" * urgent)

    crowd = [asyncio.create_task(one("crowd", False)) for _ in range(980)]
    await asyncio.sleep(0)
    assert pool.waiting <= 300
    few = [asyncio.create_task(one("few", False)) for _ in range(10)]
    hurried = [asyncio.create_task(one("crowd", True)) for _ in range(10)]
    await asyncio.wait_for(asyncio.gather(*crowd, *few, *hurried), LIMIT_SECONDS)
    count = Counter(finished)
    assert sum(count.values()) == 1000
    assert (count["crowd!"], count["few"]) == (10, 10)
    assert 280 <= count["crowd"] <= 300
    served = [each for each in finished if each != "refused"]
    assert served.index("few") < 20
    assert max(n for n, each in enumerate(served) if each == "few") < 45
    assert pool.counts.refused == count["refused"] == 1000 - len(served)


async def test_closing_has_a_limit(make: Make) -> None:
    pool = make(2)
    await pool.warm_up()
    hung = asyncio.create_task(pool.run(loop_for_ever, deadline=600))
    waiting = [asyncio.create_task(pool.run(sleep, 600, deadline=600)) for _ in range(3)]
    await until(lambda: pool.busy)
    for pid in pool.pids:
        os.kill(pid, signal.SIGSTOP)
    before = time.monotonic()
    await asyncio.wait_for(pool.close(0.3), LIMIT_SECONDS)
    assert time.monotonic() - before >= 0.3
    answers = await asyncio.gather(hung, *waiting, return_exceptions=True)
    assert {type(answer) for answer in answers} == {Closed}
    with pytest.raises(Closed):
        await pool.run(double, 1, deadline=1)
    await pool.close()


async def test_closing_lets_finish_what_runs(make: Make, tmp_path: Path) -> None:
    pool = make(ahead=0)
    await pool.warm_up()
    running = asyncio.create_task(pool.run(hold, str(tmp_path / "go on"), deadline=20))
    waiting = asyncio.create_task(pool.run(double, 1, deadline=5))
    await until(lambda: (pool.busy, pool.waiting) == (1, 1))
    closing = asyncio.create_task(pool.close(20))
    await turns()
    (tmp_path / "go on").touch()
    await closing
    assert await running == "done"
    with pytest.raises(Closed):
        await waiting


async def test_whoever_gives_up_waits_no_longer(make: Make, tmp_path: Path) -> None:
    pool = make(ahead=0)
    await pool.warm_up()
    running = asyncio.create_task(pool.run(hold, str(tmp_path / "go on"), deadline=20))
    waiting = asyncio.create_task(pool.run(double, 1, deadline=5))
    await until(lambda: (pool.busy, pool.waiting) == (1, 1))
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert pool.waiting == 0
    (tmp_path / "go on").touch()
    assert await running == "done"


async def test_another_worker_comes_for_a_crowd_and_goes_when_it_is_idle(make: Make) -> None:
    pool = make(2, crowd=2, idle=0.2)
    await pool.warm_up()
    few = [asyncio.create_task(pool.run(sleep, 0.01, deadline=5)) for _ in range(3)]
    await asyncio.gather(*few)
    assert pool.counts.started == 1
    jobs = [asyncio.create_task(pool.run(sleep, 0.1, deadline=5)) for _ in range(20)]
    await asyncio.gather(*jobs)
    assert pool.counts.started == 2
    await until(lambda: len(pool.pids) == 1)
    pool._rested(pool._workers[0])  # as its timer would do, were there one
    assert not pool._workers[0].ending, "the last one stays, however idle"
    assert pool.counts.died == 0


async def test_the_last_worker_stays_when_all_have_been_idle_as_long(make: Make) -> None:
    pool = make(2)
    await asyncio.gather(*(asyncio.create_task(pool.run(sleep, 0.1, deadline=5)) for _ in range(2)))
    await until(lambda: pool.alive == 2)
    for worker in list(pool._workers):
        pool._rested(worker)  # their timers ring in the same moment
    await until(lambda: len(pool.pids) == 1)
    started = pool.counts.started
    assert await pool.run(double, 1, deadline=5) == 2
    assert pool.counts.started == started


async def test_a_worker_is_replaced_after_many_jobs(make: Make) -> None:
    pool = make(most_jobs=10)
    pids = set()

    async def another() -> bool:
        pids.add(await pool.run(whoami, deadline=5))
        return len(pids) > 1

    await until(another)
    await until(lambda: len(pool.pids) == 1)
    assert (pool.counts.died, pool.counts.refused) == (0, 0)


@pytest.mark.long
async def test_a_machine_that_stood_still_kills_nobody(make: Make) -> None:
    """Bot and worker stop together, as when a laptop sleeps: the deadline begins anew."""
    pool = make()
    pid = await pool.run(whoami, deadline=5)
    job = asyncio.create_task(pool.run(work_hard, 0.05, deadline=2))
    await until(lambda: pool.busy)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(2.5)  # noqa: ASYNC251 - that is the point
    os.kill(pid, signal.SIGCONT)
    assert await job == "done"
    assert pool.counts.slow == 0


@pytest.mark.long
async def test_threads_stand_in_for_processes(make: Make) -> None:
    pool = make(0)
    assert await pool.run(whoami, deadline=5) == os.getpid()
    slow = asyncio.create_task(pool.run(sleep, 0.5, deadline=0.1))
    with pytest.raises(TooSlow):
        await slow
    assert await pool.run(double, 3, deadline=5) == 6
    with pytest.raises(LookupError):
        await pool.run(complain, deadline=5)


async def test_every_failure_is_of_one_kind() -> None:
    assert all(issubclass(kind, NoAnswer) for kind in (TooSlow, WorkerDied, JobRefused, Closed))
    assert len({kind.why for kind in (TooSlow, WorkerDied, JobRefused, Closed)}) == 4


async def test_workers_end_with_the_bot() -> None:
    """Killed, it cannot tell them; a stopped one hears of it when it goes on, and ends then."""
    code = (
        "import asyncio, os, sys\n"
        "from bot.workers.pool import Pool\n"
        "async def main():\n"
        "    pool = Pool('t', 1)\n"
        "    print(await pool.run(os.getpid, deadline=5), flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    pid = int(await process.stdout.readline())
    assert not gone(pid)
    process.kill()
    await process.wait()
    await until(lambda: gone(pid))


async def test_even_the_first_worker_is_deaf_to_ctrl_c_from_the_start() -> None:
    """It has to be so before its first line runs; the first worker of a process starts a tracker, too."""
    code = (
        "import asyncio, signal\n"
        "from bot.workers.pool import Pool\n"
        "async def main():\n"
        "    work = signal.pthread_sigmask, signal.SIG_BLOCK, ()\n"
        "    assert signal.SIGINT in await Pool('t', 1).run(*work, deadline=5)\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await asyncio.wait_for(process.wait(), LIMIT_SECONDS) == 0


async def test_a_forgotten_pool_does_not_keep_the_bot_from_ending() -> None:
    code = (
        "import asyncio, os, signal\n"
        "from bot.workers.pool import Pool\n"
        "async def main():\n"
        "    os.kill(await Pool('t', 1).run(os.getpid, deadline=5), signal.SIGSTOP)\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await asyncio.wait_for(process.wait(), LIMIT_SECONDS) == 0


async def test_what_can_wait_is_not_overtaken_for_ever(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table whose picture is only redrawn gets it, however many hands are opened meanwhile."""
    monkeypatch.setattr(pool_module, "OVERTAKEN", 0.0)
    order = list[str]()
    pool = make(wait=60)

    def submit(name: str, *, urgent: bool) -> asyncio.Task[object]:
        task = asyncio.create_task(pool.run(double, 1, deadline=5, whose=name, urgent=urgent))
        task.add_done_callback(lambda _: order.append(name))
        return task

    busy = asyncio.create_task(pool.run(hold, str(tmp_path / "go"), deadline=60))
    await until(lambda: pool.busy)
    tasks = [submit("table", urgent=False)]
    await until(lambda: pool.waiting)
    await turns()
    tasks += [submit(f"hand {n}", urgent=True) for n in range(3)]
    await until(lambda: pool.waiting == 4)
    (tmp_path / "go").touch()
    await asyncio.gather(busy, *tasks)
    assert order == ["table", "hand 0", "hand 1", "hand 2"]


async def test_what_is_urgent_stands_behind_nothing_that_can_wait(make: Make, tmp_path: Path) -> None:
    """Of a worker's two places the second is for urgent work alone."""
    pool, gate, order = make(ahead=1), tmp_path / "gate", list[str]()

    def submit(name: str, *, urgent: bool) -> asyncio.Task[object]:
        task = asyncio.create_task(pool.run(double, 1, deadline=5, urgent=urgent))
        task.add_done_callback(lambda _: order.append(name))
        return task

    held = asyncio.create_task(pool.run(hold, str(gate), deadline=5))
    await until(lambda: pool.busy == 1)
    later = [submit(f"later {n}", urgent=False) for n in range(2)]
    await until(lambda: pool.waiting == 2)
    press = submit("press", urgent=True)
    await until(lambda: pool.busy == 2)
    gate.touch()
    await asyncio.gather(held, press, *later)
    assert order == ["press", "later 0", "later 1"]


async def test_work_in_parts_gives_way_to_what_is_behind_it(make: Make, tmp_path: Path) -> None:
    pool, gate = make(ahead=1), tmp_path / "gate"
    long = pool.submit(hold_in_parts, str(gate), deadline=LIMIT_SECONDS, urgent=False)
    await until(lambda: long.begun)
    assert await pool.run(touch, str(gate), deadline=LIMIT_SECONDS) == "touched"
    assert await long.future == "held"


async def test_work_that_overtakes_and_hangs_takes_nothing_along(make: Make, tmp_path: Path) -> None:
    pool, gate = make(ahead=1), tmp_path / "gate"
    long = pool.submit(hold_in_parts, str(gate), deadline=LIMIT_SECONDS, urgent=False)
    await until(lambda: long.begun)
    with pytest.raises(TooSlow):
        await pool.run(loop_for_ever, deadline=0.2)
    gate.touch()
    assert await long.future == "held"


async def test_the_time_of_interrupted_work_begins_anew(make: Make, tmp_path: Path) -> None:
    pool, gate = make(ahead=1), tmp_path / "gate"
    long = pool.submit(hold_in_parts, str(gate), deadline=LIMIT_SECONDS, urgent=False)
    await until(lambda: long.begun)
    before = long.timer
    await pool.run(touch, str(gate), deadline=LIMIT_SECONDS)
    assert before is not None
    assert before.cancelled()
    assert await long.future == "held"


@pytest.mark.parametrize("workers", [0, 1])
async def test_work_that_took_too_long_is_told_under_the_press_that_asked_for_it(
    make: Make, workers: int
) -> None:
    """The second waits for the first, and is begun by whoever hears that the first is done."""
    pool = make(workers)
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        with following(Trace("move")) as first:
            before = asyncio.ensure_future(pool.run(sleep, 0.2, deadline=10))
        with following(Trace("hand")) as second:
            late = asyncio.ensure_future(pool.run(sleep, 5, deadline=0.1))
        await before
        with pytest.raises(TooSlow):
            await late
    (told,) = [line for line in lines if line["event"] == "work took too long"]
    assert first.id != second.id == told["press"]


async def test_the_first_thread_loads_what_all_need(make: Make) -> None:
    """Without worker processes, too, drawn cards are kept on disk, which a worker's first step arranges."""
    loaded = list[str]()
    pool = make(0, threads=3, prepare=lambda: loaded.append("once"))
    assert await asyncio.gather(*(pool.run(double, n, deadline=5) for n in range(9))) == [*range(0, 18, 2)]
    assert loaded == ["once"]


async def test_a_thread_that_cannot_load_is_started_again(make: Make) -> None:
    tries = list[int]()

    def load() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("not just now")

    pool = make(0, prepare=load)
    assert await pool.run(double, 4, deadline=5) == 8
    assert len(tries) == 2
