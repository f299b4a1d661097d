"""One worker and the thread that speaks with it. Everything it finds out is told on the event loop."""

from __future__ import annotations

import asyncio
import atexit
import multiprocessing
import pickle
import queue
import signal
import threading
import weakref
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Protocol

import structlog

from bot.workers.process import serve

log = structlog.get_logger(__name__)

GOODBYE_SECONDS = 1.0
"""How long a worker that was told to end may take, before it is killed."""


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
    """What a lane tells; all of it on the event loop."""

    def lane_ready(self, lane: Lane) -> None:
        """The worker waits for its first job."""

    def job_done(self, lane: Lane, job: Job, fine: bool, value: object) -> None:
        """A job returned `value`, or raised it."""

    def lane_lost(self, lane: Lane) -> None:
        """The worker has ended, for whatever reason."""


class Lane:
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
        self.replaces: Lane | None = None
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
            self._tell(self._owner.lane_lost, self)
            return
        self._tell(self._owner.lane_ready, self)
        while (job := self._inbox.get()) is not None:
            job.begun = True
            try:
                fine, value = True, job.work(*job.args)
            except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the answer
                fine, value = False, error
            self._tell(self._owner.job_done, self, job, fine, value)
        self._tell(self._owner.lane_lost, self)

    def _tell(self, what: Callable[..., None], *args: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is left to hear it
            self._loop.call_soon_threadsafe(what, *args)


@dataclass(frozen=True, slots=True)
class Kind:
    """What every process of a pool is: what it prepares, how much memory it may take."""

    prepare: Callable[[], object] | None = None
    memory: int = 0
    context: Any = field(default_factory=lambda: multiprocessing.get_context("spawn"))
    """Spawned, not forked: a fork would carry the memory and the locks of the bot along."""


class ProcessLane(Lane):
    """A worker process. Its thread waits in system calls only; killing the process ends each of them."""

    def __init__(self, name: str, owner: Owner, loop: asyncio.AbstractEventLoop, kind: Kind) -> None:
        super().__init__(name, owner, loop)
        self._kind = kind
        self._lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._killed = False
        _alive.add(self)

    @property
    def pid(self) -> int | None:
        """The process, once it is there."""
        return self._process.pid if self._process else None

    def kill(self) -> None:
        """End the process now, whatever it does."""
        self.ending = True
        with self._lock:
            self._killed = True
            if self._process is not None:
                with suppress(OSError, ValueError):  # it has ended already
                    self._process.kill()
        self._inbox.put(None)

    def _run(self) -> None:
        ours, theirs = self._kind.context.Pipe()
        process = self._kind.context.Process(
            target=serve,
            args=(theirs, self._kind.prepare, self._kind.memory),
            name=self._thread.name,
            daemon=True,
        )
        try:
            self._begin(process, theirs)
            ours.recv_bytes()
            self._tell(self._owner.lane_ready, self)
            while (job := self._inbox.get()) is not None:
                self._ask(ours, job)
        except (EOFError, OSError) as error:
            log.debug("worker ended", worker=self._thread.name, why=repr(error))
        except Exception:  # whatever it is, the pool must hear that this worker is no more
            log.exception("worker given up", worker=self._thread.name)
        finally:
            ours.close()
            self._tell(self._owner.lane_lost, self)
            if process.pid is not None:
                process.join(GOODBYE_SECONDS)
                if process.is_alive():
                    self.kill()
                    process.join()
            _alive.discard(self)

    def _begin(self, process: SpawnProcess, theirs: Connection) -> None:
        if hasattr(signal, "pthread_sigmask"):
            # starting the tracker, as the first worker would, takes the block off again
            resource_tracker.ensure_running()
            # inherited: Ctrl-C is for the bot, and a worker that is just starting would print a traceback
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            theirs.close()  # or the end of the process would not be heard
        with self._lock:
            self._process = process
            killed = self._killed
        if killed:
            process.kill()

    def _ask(self, pipe: Connection, job: Job) -> None:
        try:
            said = pickle.dumps((job.work, job.args))
        except Exception as error:  # noqa: BLE001 - what cannot be sent is the caller's mistake
            self._tell(self._owner.job_done, self, job, False, error)
            return
        pipe.send_bytes(said)
        pipe.recv_bytes()
        job.begun = True
        answer = pipe.recv_bytes()
        try:
            fine, value = pickle.loads(answer)  # noqa: S301 - from a process of the bot
        except Exception as error:  # noqa: BLE001 - what cannot be read is the work's mistake
            fine, value = False, error
        self._tell(self._owner.job_done, self, job, fine, value)


_alive: weakref.WeakSet[ProcessLane] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """Whoever forgot to close a pool: multiprocessing would wait for a stopped worker for ever."""
    for lane in list(_alive):
        lane.kill()
