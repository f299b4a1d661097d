"""One worker: a thread, and what all kinds have in common. All it finds out is told on the event loop."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Any, Protocol

import structlog

log = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Job:
    """A call that waits for a worker, or that one carries out."""

    work: Callable[..., object]
    args: tuple[object, ...]
    deadline: float
    whose: Hashable
    urgent: bool
    future: asyncio.Future[Any]
    context: Context = field(default_factory=copy_context)
    """Of whoever asked for it: log lines about it name the press behind it."""
    timer: asyncio.TimerHandle | None = None
    begun: bool = False
    """Whether a worker has taken it up; what comes too late for that is not the work's fault."""
    deaths: int = 0
    """How many workers have died or hung with it."""


class Owner(Protocol):
    """What a worker tells; all of it on the event loop."""

    def worker_ready(self, worker: Worker) -> None:
        """The worker waits for its first job."""

    def job_overtakes(self, worker: Worker, job: Job) -> None:
        """The worker has interrupted its job for this one, which is the first of its jobs now."""

    def job_done(self, worker: Worker, job: Job, fine: bool, value: object) -> None:
        """A job returned `value`, or raised it."""

    def worker_lost(self, worker: Worker) -> None:
        """The worker has ended, for whatever reason."""


class Worker:
    """A worker thread of this process: for tests, and for machines with memory for one process only.

    It cannot be killed: one that hangs is left alone, and what it says later is not heard.
    """

    def __init__(
        self,
        name: str,
        owner: Owner,
        loop: asyncio.AbstractEventLoop,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self.jobs: deque[Job] = deque()
        """What it was given and has not answered; it works on the first."""
        self.ready = False
        self.ending = False
        """It gets no more work."""
        self.done = 0
        self.timer: asyncio.TimerHandle | None = None
        """Of its start, then of its rest."""
        self.replaces: Worker | None = None
        self.replaced = False
        self._owner, self._loop, self._prepare = owner, loop, prepare
        self._inbox: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin; the owner hears when it is ready."""
        self._thread.start()

    def give(self, job: Job) -> None:
        """Hand over a job, to be done after those before it."""
        job.begun = False
        self.jobs.append(job)
        self._inbox.put(job)

    def end(self) -> None:
        """Let it finish what it has, and end."""
        self.ending = True
        self._inbox.put(None)

    def kill(self) -> None:
        """End it now."""
        self.end()

    def _run(self) -> None:
        try:
            if self._prepare is not None:
                self._prepare()
        except Exception:
            log.exception("worker not prepared", name=self._thread.name)
            self._tell(self._owner.worker_lost, self)
            return
        self._tell(self._owner.worker_ready, self)
        while (job := self._inbox.get()) is not None:
            job.begun = True
            try:
                fine, value = True, job.work(*job.args)
            except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the answer
                fine, value = False, error
            self._tell(self._owner.job_done, self, job, fine, value)
        self._tell(self._owner.worker_lost, self)

    def _tell(self, what: Callable[..., None], *args: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is left to hear it
            self._loop.call_soon_threadsafe(what, *args)
