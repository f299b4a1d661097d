"""A pool of workers that a hung or dying one cannot stop.

Why not a library: `concurrent.futures` knows neither deadlines nor turns, and one dead process breaks its
whole pool. Pebble has deadlines, but counts them from the moment a worker takes the job up: one that was
stopped while idle was never found out, closing waited three seconds for it, and a worker that died at its
start broke the pool for good (version 5.2.3; its hand-over took as long as that of the standard library).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import structlog

from bot.workers.errors import Closed, JobRefused, NoAnswer, TooSlow, WorkerDied
from bot.workers.executor_worker import ExecutorWorker
from bot.workers.process_worker import ProcessKind, ProcessWorker
from bot.workers.queue import FairQueue
from bot.workers.worker import Job, Worker

log = structlog.get_logger(__name__)

MOST_WAITING = 512
WAIT_SECONDS = 15.0
"""How long a job may wait for a worker."""
OVERTAKEN = 1 / 3
"""Share of that time after which a job that can wait counts as urgent. Otherwise the picture of a table gets
no turn while hands are opened faster than they are painted."""
START_SECONDS = 30.0
"""How long a worker may take to start."""
IDLE_SECONDS = 300.0
"""After how long without work a worker ends that is not the last."""
MOST_JOBS = 20_000
"""The number of jobs after which a worker is replaced, so that no leak grows for ever."""
MEMORY = 2**30
CLOSING_SECONDS = 2.0
DEATHS = 2
"""How many workers may die or hang with one job."""
BRAKES = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before the next start, by how many workers in a row ended without having done anything."""
DOWN_AFTER = 3
"""The number of those after which nothing waits any more until a worker has started."""
ABSENT_SECONDS = 0.5
"""A timer that rings this much too late says that this process itself stood still."""


@dataclass(slots=True)
class Counts:
    """What happened in a pool since its start."""

    done: int = 0
    """Jobs that returned a value."""
    failed: int = 0
    """Jobs whose work raised an error."""
    slow: int = 0
    """Deadlines that passed; each cost a worker."""
    died: int = 0
    """Workers that ended by themselves."""
    refused: int = 0
    """Jobs that got no turn: too much waited, they waited too long, or no worker could be started."""
    started: int = 0
    """Workers started."""


class Pool:
    """Calls functions in worker processes; everything here belongs to one event loop.

    With `workers` = 0 there are `threads` threads instead, which cannot be killed. A worker more is
    started when all are busy and more than `crowd` jobs wait; those above `keep` end when they have been
    idle. `ahead` urgent jobs are handed over before their turn, so that a worker need not wait for the loop.
    With a `port` the jobs go through that executor instead, at most `threads` at a time.
    """

    def __init__(
        self,
        name: str,
        workers: int,
        *,
        threads: int = 1,
        prepare: Callable[[], object] | None = None,
        memory: int = MEMORY,
        ahead: int = 0,
        crowd: int = 0,
        keep: int = 1,
        idle: float = IDLE_SECONDS,
        most_jobs: int = MOST_JOBS,
        most_waiting: int = MOST_WAITING,
        wait: float = WAIT_SECONDS,
        start: float = START_SECONDS,
        port: Executor | None = None,
    ) -> None:
        self.name = name
        self.counts = Counts()
        self._kind = ProcessKind(prepare, memory) if workers else None
        self._prepare = None if workers or port is not None else prepare
        """What the first thread does before its first job: all share what it loads."""
        self._port = port
        self.most = workers or threads
        """The most workers at a time; may change."""
        self._room = 1 + ahead if workers else 1
        self._crowd = crowd if workers else 0
        self._keep = keep
        self._idle, self._most_jobs, self._wait, self._start_limit = idle, most_jobs, wait, start
        self._queue: FairQueue[Job] = FairQueue(most_waiting)
        self._workers: list[Worker] = []
        self._failures = 0
        self._brake: asyncio.TimerHandle | None = None
        self._closed = False
        self._changed: asyncio.Event | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop that it belongs to, from the first job on."""

    @property
    def waiting(self) -> int:
        """How many jobs wait for their turn."""
        return len(self._queue)

    @property
    def busy(self) -> int:
        """How many jobs are with a worker."""
        return sum(len(worker.jobs) for worker in self._workers)

    @property
    def backlog(self) -> int:
        """Number of jobs that wait for their turn or behind another job of their worker."""
        return self.waiting + sum(max(0, len(worker.jobs) - 1) for worker in self._workers)

    @property
    def alive(self) -> int:
        """How many workers are ready for work."""
        return sum(worker.ready for worker in self._workers)

    @property
    def down(self) -> bool:
        """Whether workers cannot be started at present."""
        return self._failures >= DOWN_AFTER and not self.alive

    @property
    def pids(self) -> list[int]:
        """The worker processes."""
        return [worker.pid for worker in self._workers if isinstance(worker, ProcessWorker) and worker.pid]

    # -- jobs ---------------------------------------------------------------------------------

    def submit(
        self,
        work: Callable[..., object],
        *args: object,
        deadline: float,
        whose: Hashable = None,
        urgent: bool = True,
    ) -> Job:
        """Put a job into the queue. Its future always gets an answer; cancelling it gives up its turn.

        `deadline`: seconds that the work may take; `whose`: on whose behalf, for fair turns. The future
        raises NoAnswer when there is none, and whatever the work raised.
        """
        loop = self._belong()
        job = Job(work, args, deadline, whose, urgent, loop.create_future())
        # an error that every waiter was cancelled before is nobody's surprise
        job.future.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self._closed:
            self._fail(job, Closed("the workers have been closed"))
        elif self.down:
            self._refuse(job, "no worker can be started at present")
        else:
            job.future.add_done_callback(lambda _: self._forget(job))
            if urgent:
                job.timer = loop.call_later(self._wait, self._waited, job)
            else:
                job.timer = loop.call_later(self._wait * OVERTAKEN, self._overtaken, job)
            gone = self._queue.put(job)
            if gone is not None:
                self._refuse(gone, "too much waits already")
            self._go_on()
        return job

    async def run(
        self,
        work: Callable[..., object],
        *args: object,
        deadline: float,
        whose: Hashable = None,
        urgent: bool = True,
    ) -> object:
        """Call a function in a worker; it and its arguments must pickle.

        Raises:
            NoAnswer: there is none; the kinds are in `bot.workers.errors`.
            Exception: whatever the function raises.
        """
        return await self.submit(work, *args, deadline=deadline, whose=whose, urgent=urgent).future

    def expedite(self, job: Job) -> None:
        """A job that may still wait has become urgent."""
        self._queue.expedite(job)
        self._go_on()

    async def warm_up(self) -> None:
        """Start one worker now, and return when it is ready or could not be started."""
        if self._kind is None or self._closed:
            return
        self._belong()
        if not self._workers:
            self._start()
        self._changed = self._changed or asyncio.Event()
        while not self.alive and self._workers and not self._closed:
            self._changed.clear()
            await self._changed.wait()

    def _belong(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        if self.loop is not None and self.loop is not loop:
            raise RuntimeError("a pool belongs to one event loop")
        self.loop = loop
        return loop

    def _forget(self, job: Job) -> None:
        if self._queue.remove(job) and job.timer is not None:
            job.timer.cancel()

    def _overtaken(self, job: Job) -> None:
        """Let a job that others went ahead of take its turn among the urgent ones."""
        if self.loop is not None:
            job.timer = self.loop.call_later(self._wait * (1 - OVERTAKEN), self._waited, job)
            self.expedite(job)

    def _waited(self, job: Job) -> None:
        if self._queue.remove(job):
            self._refuse(job, f"it waited {self._wait:g} seconds")

    def _refuse(self, job: Job, why: str) -> None:
        self.counts.refused += 1
        self._fail(job, JobRefused(f"{self.name}: {why}"))

    def _fail(self, job: Job, error: NoAnswer) -> None:
        if job.timer is not None:
            job.timer.cancel()
        if not job.future.done():
            job.future.set_exception(error)

    # -- workers ------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Hand over what can be handed over, and start another worker where that is called for."""
        while self._queue and (worker := self._free()) is not None:
            if worker.jobs and not self._queue.urgent:
                break  # ahead of its turn it would stand before the urgent one that comes next
            job = self._queue.take()
            if job is None or job.future.done():
                continue
            if worker.timer is not None:
                worker.timer.cancel()
                worker.timer = None
            if job.timer is not None:
                job.timer.cancel()
            worker.give(job)
            if len(worker.jobs) == 1:
                self._time(worker, job)
        staying = self._staying()
        starting = any(not worker.ready for worker in self._workers)
        if len(self._queue) > (self._crowd if staying else 0) and not starting and staying < self.most:
            self._start()

    def _staying(self) -> int:
        """How many workers there are that have not been told to end."""
        return sum(not worker.ending for worker in self._workers)

    def _free(self) -> Worker | None:
        """The ready worker with the least to do, if it has room."""
        ready = [worker for worker in self._workers if worker.ready and not worker.ending]
        best = min(ready, key=lambda worker: len(worker.jobs), default=None)
        return best if best is not None and len(best.jobs) < self._room else None

    def _time(self, worker: Worker, job: Job) -> None:
        """The worker takes this job up now."""
        if self.loop is not None:
            due = self.loop.time() + job.deadline
            job.timer = self.loop.call_at(due, self._overdue, worker, job, due, context=job.context)

    def _start(self, replaces: Worker | None = None) -> bool:
        if self._brake is not None or self.loop is None or self._closed:
            return False
        name = f"{self.name}-{self.counts.started}"
        worker: Worker
        if self._port is not None:
            worker = ExecutorWorker(name, self, self.loop, self._port)
        elif self._kind is not None:
            worker = ProcessWorker(name, self, self.loop, self._kind)
        else:
            worker = Worker(name, self, self.loop, self._prepare)
        worker.replaces = replaces
        self.counts.started += 1
        self._workers.append(worker)
        worker.timer = self.loop.call_later(self._start_limit, self._lose, worker)
        worker.start()
        return True

    def worker_ready(self, worker: Worker) -> None:
        """A worker has started."""
        if worker not in self._workers:
            return
        worker.ready, self._prepare = True, None
        if worker.timer is not None:
            worker.timer.cancel()
            worker.timer = None
        if worker.replaces is not None:
            self._retire(worker.replaces)
        self._tell_change()
        self._go_on()
        self._rest(worker)

    def job_overtakes(self, worker: Worker, job: Job) -> None:
        """A worker has interrupted its job for this one. Afterwards the other job has its full time again."""
        if worker not in self._workers:
            return
        interrupted = worker.jobs[1]
        if interrupted.timer is not None:
            interrupted.timer.cancel()
        self._time(worker, job)

    def job_done(self, worker: Worker, job: Job, fine: bool, value: Any) -> None:
        """A worker has an answer."""
        if worker not in self._workers or not worker.jobs or worker.jobs[0] is not job:
            return  # it came after its worker had been given up
        worker.jobs.popleft()
        worker.done += 1
        self._failures = 0
        if job.timer is not None:
            job.timer.cancel()
        if fine:
            self.counts.done += 1
        else:
            self.counts.failed += 1
        if not job.future.done():
            if fine:
                job.future.set_result(value)
            else:
                job.future.set_exception(value)
        if worker.jobs:
            self._time(worker, worker.jobs[0])
        if worker.done >= self._most_jobs and not worker.replaced and self._kind is not None:
            worker.replaced = self._start(replaces=worker)
        self._tell_change()
        if not self._closed:
            self._go_on()
        self._rest(worker)

    def _rest(self, worker: Worker) -> None:
        """A worker with nothing to do ends after a while, unless it is to be kept."""
        if worker.jobs or self._kind is None or self.loop is None or self._closed:
            return
        if worker.ending or self._staying() <= self._keep or worker.timer is not None:
            return
        worker.timer = self.loop.call_later(self._idle, self._rested, worker)

    def _rested(self, worker: Worker) -> None:
        worker.timer = None
        if worker in self._workers and not worker.jobs and self._staying() > self._keep:
            self._retire(worker)

    def _retire(self, worker: Worker) -> None:
        """Let a worker finish what it has been given, and end."""
        if worker in self._workers and not worker.ending:
            worker.end()

    def worker_lost(self, worker: Worker) -> None:
        """A worker has ended."""
        if worker in self._workers:
            if not worker.ending:
                self.counts.died += 1
                log.warning("worker died", pool=self.name, jobs=worker.done, starting=not worker.ready)
            self._lose(worker)

    def _overdue(self, worker: Worker, job: Job, due: float) -> None:
        """The time of a job is up: its worker is ended, and another one started for the others."""
        loop = self.loop
        if loop is None or worker not in self._workers or not worker.jobs or worker.jobs[0] is not job:
            return
        if loop.time() - due > ABSENT_SECONDS:
            self._time(worker, job)  # the bot itself stood still, and the answer may be here
            return
        self.counts.slow += 1
        log.warning("work took too long", pool=self.name, seconds=job.deadline, begun=job.begun)
        if job.begun:
            worker.jobs.popleft()
            self._fail(job, TooSlow(f"{self.name}: no answer after {job.deadline:g} seconds"))
        self._lose(worker, blameless=job.begun)

    def _lose(self, worker: Worker, *, blameless: bool = False) -> None:
        """Give a worker up: what it has not answered goes to others, the first one twice at most.

        `blameless`: it was the work, so the next one may be started at once.
        """
        if worker not in self._workers:
            return
        self._workers.remove(worker)
        if worker.timer is not None:
            worker.timer.cancel()
        if not (worker.ending or worker.done or blameless):
            self._failures += 1
        worker.kill()
        if worker.replaces is not None:
            worker.replaces.replaced = False
        if worker.jobs:
            worker.jobs[0].deaths += 1
        while worker.jobs:
            self._again(worker.jobs.pop())
        if self._closed:
            self._tell_change()
            return
        if self.down:
            for job in self._queue.empty():
                self._refuse(job, "no worker can be started at present")
        pause = BRAKES[min(self._failures, len(BRAKES) - 1)]
        if pause and self._brake is None and self.loop is not None:
            log.error("worker ended at once", pool=self.name, times=self._failures, next_in=pause)
            self._brake = self.loop.call_later(pause, self._release)
        self._tell_change()
        self._go_on()

    def _again(self, job: Job) -> None:
        if job.timer is not None:
            job.timer.cancel()
        if job.future.done():
            return
        if self._closed:
            self._fail(job, Closed("the workers have been closed"))
        elif job.deaths >= DEATHS:
            self._fail(job, WorkerDied(f"{self.name}: {job.deaths} workers were lost with it"))
        elif self.loop is not None:
            job.timer = self.loop.call_later(self._wait, self._waited, job)
            self._queue.put_back(job)

    def _release(self) -> None:
        """The brake is off; a pool without workers tries again by itself, or nothing would ever mend it."""
        self._brake = None
        if not self._workers and self.down:
            self._start()
        self._go_on()

    def _tell_change(self) -> None:
        if self._changed is not None:
            self._changed.set()

    # -- the end ------------------------------------------------------------------------------

    async def close(self, limit: float = CLOSING_SECONDS) -> None:
        """Refuse what waits, let finish what runs for `limit` seconds, then end every worker.

        May be called twice.
        """
        self._shut()
        self._changed = self._changed or asyncio.Event()
        with_limit = asyncio.timeout(limit)
        try:
            async with with_limit:
                while any(not job.future.done() for worker in self._workers for job in worker.jobs):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            log.warning("workers ended at work", pool=self.name, jobs=self.busy)
        self.kill()

    def kill(self) -> None:
        """End everything at once; what runs gets no answer."""
        self._shut()
        for worker in list(self._workers):
            self._lose(worker)

    def _shut(self) -> None:
        self._closed = True
        if self._brake is not None:
            self._brake.cancel()
        for job in self._queue.empty():
            self._fail(job, Closed("the workers were closed before this job's turn"))
