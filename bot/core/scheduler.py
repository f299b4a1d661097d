"""The scheduler of everything that the bot does by itself: it runs what is due, and again after errors.

A *job* has a kind, and a key if there are several of its kind, such as the row of a deadline. A job without a
key is a background loop: `/healthz` tells how it is doing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import structlog

from bot.core.backoff import Backoff
from bot.core.clock import Clock, Handle
from bot.core.errors import OutsideError, Refused
from bot.core.tasks import Spawn
from bot.store.database import Fenced, StoreError

log = structlog.get_logger(__name__)

RETRY = Backoff(first=5.0, longest=30.0)
"""Pauses after failures, unless a loop has its own."""
LASTING_RETRY = Backoff(first=3600.0, factor=1.0)
"""Pauses of a job with a key after an error that waiting does not fix, such as a statement that the database
rejects. Loops never wait that long, because too much depends on them."""
ILL_SECONDS = 300.0
"""A loop is ill once it has failed, or is overdue, for this long, unless it says otherwise."""

Work: TypeAlias = Callable[[], Awaitable[float | None]]
"""One run of a job. Returns the seconds until the next run, or None if it is done."""
Handler: TypeAlias = Callable[[Any], Awaitable[float | None]]
"""One run of the job with this key; see `Work`."""


class JobId(NamedTuple):
    """The identity of a job."""

    kind: str
    key: Hashable = None

    def __str__(self) -> str:
        return self.kind if self.key is None else f"{self.kind} of {self.key}"


@dataclass(slots=True)
class ScheduledJob:
    """One job and how it is doing; times are monotonic seconds."""

    id: JobId
    work: Work
    retry: Backoff = RETRY
    lasting_retry: Backoff = LASTING_RETRY
    longest: float = ILL_SECONDS
    """Seconds by which it may be overdue or failing before it is ill."""
    looked_at: float = 0.0
    """The end of the last run that succeeded; at first, when it was added."""
    due_at: float = 0.0
    """When the next run is due, or the one under way was."""
    running: bool = False
    again: bool = False
    """Whether it was triggered while it runs."""
    timer: Handle | None = None
    failures: int = 0
    """Failures since the last run that succeeded."""
    failing_since: float | None = None
    why: str = ""
    """The last failure: the kind of a StoreError, or the name of the exception's class."""


class Scheduler:
    """The jobs of one bot. They stop when `spawn` starts nothing any more.

    A job never runs twice at a time. After an error it runs again, each time after a longer pause; once
    another process plays, it ends.
    """

    def __init__(self, clock: Clock, spawn: Spawn) -> None:
        self._clock = clock
        self._spawn = spawn
        self._handlers: dict[str, Handler] = {}
        self._jobs: dict[JobId, ScheduledJob] = {}

    @property
    def loops(self) -> dict[str, ScheduledJob]:
        """The background loops, by name."""
        return {job.id.kind: job for job in self._jobs.values() if job.id.key is None}

    def get(self, kind: str, key: Hashable = None) -> ScheduledJob | None:
        """Return a job that runs or waits."""
        return self._jobs.get(JobId(kind, key))

    def count(self, kinds: Collection[str]) -> int:
        """Return the number of jobs of these kinds that run or wait."""
        return sum(job_id.kind in kinds for job_id in self._jobs)

    def handle(self, kind: str, handler: Handler) -> None:
        """Declare what runs the jobs of a kind; it is called with the key."""
        self._handlers[kind] = handler

    def keep(
        self,
        name: str,
        work: Work,
        *,
        first: float = 0.0,
        retry: Backoff = RETRY,
        longest: float = ILL_SECONDS,
    ) -> None:
        """Run a loop now, or in `first` seconds, and again after each pause that it returns.

        After an error it runs again as `retry` says.
        `longest`: seconds that a run may take before the loop counts as ill.
        """
        self._add(ScheduledJob(JobId(name), work, retry, retry, longest), first)

    def add(self, kind: str, key: Hashable) -> None:
        """Run a job, unless it runs already or waits for its next run.

        A kind without a handler is ignored: a newer release or a deleted feature may have left such rows.
        """
        job_id, handler = JobId(kind, key), self._handlers.get(kind)
        if job_id not in self._jobs and handler is not None:
            self._add(ScheduledJob(job_id, partial(handler, key)))

    def trigger(self, kind: str, key: Hashable = None, *, within: float = 0.0) -> None:
        """Run a job at once, or in `within` seconds at the latest. If it runs already, it runs once more."""
        job = self.get(kind, key)
        if job is None:
            if key is not None:
                self.add(kind, key)
        elif job.running:
            job.again = True
        elif job.timer is not None and (not within or job.due_at > self._clock.monotonic() + within):
            self._plan(job, within)

    def ill(self) -> list[ScheduledJob]:
        """Return the loops that have failed, or have been overdue, for too long."""
        now = self._clock.monotonic()
        return [
            job
            for job in self.loops.values()
            if now - (job.due_at if job.failing_since is None else job.failing_since) >= job.longest
        ]

    def _add(self, job: ScheduledJob, first: float = 0.0) -> None:
        self._jobs[job.id] = job
        job.looked_at = self._clock.monotonic()
        self._plan(job, first)

    def _plan(self, job: ScheduledJob, pause: float) -> None:
        """Run a job in `pause` seconds and not before."""
        if job.timer is not None:
            job.timer.cancel()
            job.timer = None
        job.due_at = self._clock.monotonic() + pause
        if pause > 0:
            job.timer = self._clock.call_later(pause, lambda: self._start(job))
        else:
            self._start(job)

    def _start(self, job: ScheduledJob) -> None:
        if self._jobs.get(job.id) is job:
            job.running, job.again, job.timer = True, False, None
            self._spawn(self._run(job), str(job.id))

    async def _run(self, job: ScheduledJob) -> None:
        try:
            pause = await job.work()
        except Fenced:
            log.info("job ended: another process plays", job=str(job.id))
            pause = None
        except Exception as error:  # noqa: BLE001 - a job outlives whatever goes wrong in it
            pause = self._failed(job, error)
        else:
            job.failures, job.failing_since, job.why = 0, None, ""
            job.looked_at = self._clock.monotonic()
            if job.again:
                pause = 0.0
        job.running = False
        if pause is not None:
            self._plan(job, pause)
        elif self._jobs.get(job.id) is job:
            del self._jobs[job.id]

    def _failed(self, job: ScheduledJob, error: Exception) -> float:
        job.failures += 1
        if job.failing_since is None:
            job.failing_since = self._clock.monotonic()
        lasting = isinstance(error, StoreError) and error.lasting
        pause = (job.lasting_retry if lasting else job.retry).pause(job.failures)
        job.why = error.kind if isinstance(error, StoreError) else type(error).__name__
        if isinstance(error, StoreError | OutsideError | Refused):
            log.warning("job failed", job=str(job.id), why=str(error), again_in=pause)
        else:
            log.error("job failed", job=str(job.id), again_in=pause, exc_info=error)
        return pause
