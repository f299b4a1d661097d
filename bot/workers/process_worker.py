"""A worker process, and the socket over which the event loop speaks with it."""

from __future__ import annotations

import asyncio
import atexit
import multiprocessing
import os
import pickle
import signal
import socket
import struct
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any, Final, cast

import structlog

from bot.workers.process import BEGUN, OVERTAKING, serve
from bot.workers.worker import Job, Owner, Worker

log = structlog.get_logger(__name__)

GOODBYE_SECONDS: Final = 1.0
"""How long a worker that was told to end may take, before it is killed."""
_LENGTH: Final = struct.Struct("!i")
"""Before each message, as `multiprocessing.connection.Connection` writes and reads it."""
FORKED: Final = "forkserver" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
"""Whether workers are forked from one process that has imported what they need. They share its memory, and
start without importing anything. System libraries of macOS do not survive a fork."""


def preload(*modules: str) -> None:
    """Name the modules that the process imports from which later workers are forked."""
    if FORKED:
        multiprocessing.get_context("forkserver").set_forkserver_preload(list(modules))


preload()  # not the main module, as is the default


@dataclass(frozen=True, slots=True)
class ProcessKind:
    """What every process of a pool is: what it prepares, how much memory it may take."""

    prepare: Callable[[], object] | None = None
    memory: int = 0


class ProcessWorker(Worker):
    """A worker process. The event loop writes and reads what is said, so that an answer wakes no thread; a
    thread of its own starts the process and sees to its end, which both take a while."""

    def __init__(self, name: str, owner: Owner, loop: asyncio.AbstractEventLoop, kind: ProcessKind) -> None:
        super().__init__(name, owner, loop)
        self._kind = kind
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._killed = False
        self._over = threading.Event()
        """Nothing more is said with it."""
        self._line = _Line(self._hear, self._cut)
        self._unsent: dict[Job, Exception] = {}
        """What could not be said, to be told when its turn comes."""
        _alive.add(self)

    @property
    def pid(self) -> int | None:
        """The process, once it is there."""
        return self._process.pid if self._process else None

    def give(self, job: Job) -> None:
        """Hand over a job, to be done after those before it."""
        job.begun = False
        self.jobs.append(job)
        try:
            said = pickle.dumps((job.work, job.args))
        except Exception as error:  # noqa: BLE001 - what cannot be sent is the caller's mistake
            self._unsent[job] = error
            self._loop.call_soon(self._give_back)
        else:
            self._line.say(said)

    def end(self) -> None:
        """Let it finish what it has, and end."""
        self.ending = True
        if not self.jobs:
            self._hang_up()

    def kill(self) -> None:
        """End the process now, whatever it does."""
        self.ending = True
        with self._lock:
            self._killed = True
            if self._process is not None:
                _kill(self._process)
        self._over.set()
        with suppress(RuntimeError):  # the loop is closed, and the line with it
            self._loop.call_soon_threadsafe(self._line.close)

    # -- on the event loop --------------------------------------------------------------------

    def _connect(self, ours: socket.socket) -> None:
        """The process has been started."""
        self._connecting = self._loop.create_task(self._speak(ours))

    async def _speak(self, ours: socket.socket) -> None:
        try:
            if ours.family == getattr(socket, "AF_UNIX", None):
                await self._loop.create_unix_connection(lambda: self._line, sock=ours)
            else:
                await self._loop.create_connection(lambda: self._line, sock=ours)
        except OSError as error:
            log.debug("worker not reached", worker=self._thread.name, why=repr(error))
            ours.close()
            self._cut()

    def _hear(self, said: bytes) -> None:
        """The process is ready, has taken up the first of its jobs, or has its answer."""
        if not self.ready:
            self._owner.worker_ready(self)
            return
        if not self.jobs:
            return
        job = self.jobs[0]
        if said == BEGUN:
            job.begun = True
            return
        if said == OVERTAKING:
            self._overtake()
            return
        try:
            fine, value = pickle.loads(said)  # noqa: S301 - from a process of the bot
        except Exception as error:  # noqa: BLE001 - what cannot be read is the work's mistake
            fine, value = False, error
        self._owner.job_done(self, job, fine, value)
        self._give_back()

    def _overtake(self) -> None:
        """The process has interrupted the first of its jobs for the next one that it has been sent."""
        job = next(job for job in islice(self.jobs, 1, None) if job not in self._unsent)
        self.jobs.remove(job)
        self.jobs.appendleft(job)
        job.begun = True
        self._owner.job_overtakes(self, job)

    def _give_back(self) -> None:
        """What comes next, as far as it could not be said; and the end, where nothing does."""
        while self.jobs and (error := self._unsent.pop(self.jobs[0], None)) is not None:
            self._owner.job_done(self, self.jobs[0], False, error)
        if self.ending and not self.jobs:
            self._hang_up()

    def _cut(self) -> None:
        """The process has ended, or was told to."""
        self._over.set()
        self._owner.worker_lost(self)

    def _hang_up(self) -> None:
        self._line.close()
        self._over.set()

    # -- in its thread ------------------------------------------------------------------------

    def _run(self) -> None:
        ours, theirs = socket.socketpair()
        process: BaseProcess | None = None
        try:
            process = self._begin(theirs)
            try:
                self._loop.call_soon_threadsafe(self._connect, ours)
            except RuntimeError:  # the loop is closed: nobody is left to speak with it
                ours.close()
                self.kill()
            self._over.wait()
        except (EOFError, ConnectionError) as error:
            # the fork server was stopped or killed at that moment; the next worker starts another one
            log.warning("worker not started", worker=self._thread.name, why=str(error) or repr(error))
            self._never_began(ours)
        except Exception:
            log.exception("worker given up", worker=self._thread.name)
            self._never_began(ours)
        finally:
            if process is not None:
                process.join(GOODBYE_SECONDS)
                if process.is_alive():
                    self.kill()
                    process.join()
                with self._lock:
                    self._process = None  # the system may give its number to another process
            _alive.discard(self)

    def _never_began(self, ours: socket.socket) -> None:
        """Tell the pool that this worker has no process."""
        ours.close()
        self._tell(self._owner.worker_lost, self)

    def _begin(self, theirs: socket.socket) -> BaseProcess:
        """Start the process."""
        try:
            if hasattr(signal, "pthread_sigmask"):
                # starting the tracker, as the first worker would, takes the block off again
                resource_tracker.ensure_running()
                # inherited: Ctrl-C is for the bot, and a worker that is just starting would print a traceback
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            process: BaseProcess = _context().Process(
                target=serve,
                args=(theirs, self._kind.prepare, self._kind.memory),
                name=self._thread.name,
                daemon=True,
            )
            process.start()
        finally:
            theirs.close()  # or the end of the process would not be heard
        with self._lock:
            self._process = process
            killed = self._killed
        if killed:
            _kill(process)
        return process


def _context() -> Any:
    """Return how a process is started: forked from the fork server, or else spawned.

    It is never a fork of the bot, which would carry the memory and the locks of the bot along.
    """
    if FORKED:
        from multiprocessing import forkserver

        try:
            forkserver.ensure_running()
        except OSError as error:  # such as no folder for its socket
            log.warning("workers share no memory", why=str(error))
        else:
            return multiprocessing.get_context("forkserver")
    return multiprocessing.get_context("spawn")


def _kill(process: BaseProcess) -> None:
    """Kill a process that was started."""
    with suppress(OSError, ValueError):  # the process has ended already
        if FORKED and process.pid is not None:
            # `kill` does nothing if the fork server has died, because multiprocessing hears of ends from it
            os.kill(process.pid, signal.SIGKILL)
        else:
            process.kill()


class _Line(asyncio.Protocol):
    """Messages in both directions, each with its length before it."""

    def __init__(self, hear: Callable[[bytes], None], cut: Callable[[], None]) -> None:
        self._hear, self._cut = hear, cut
        self._read = bytearray()
        self._transport: asyncio.Transport | None = None
        self._closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        if self._closed:
            transport.close()

    def say(self, message: bytes) -> None:
        """Send it; what the other side does not take yet is kept until it does."""
        if self._transport is not None:
            self._transport.writelines((_LENGTH.pack(len(message)), message))

    def close(self) -> None:
        """Say nothing more; the other side hears that."""
        self._closed = True
        if self._transport is not None:
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        read = self._read
        read += data
        at, end = 0, len(read)
        while end - at >= _LENGTH.size:
            start = at + _LENGTH.size
            (length,) = _LENGTH.unpack_from(read, at)
            if end - start < length:
                break
            at = start + length
            self._hear(bytes(memoryview(read)[start:at]))
        del read[:at]

    def connection_lost(self, _error: Exception | None) -> None:
        self._cut()


_alive: weakref.WeakSet[ProcessWorker] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """Whoever forgot to close a pool: multiprocessing would wait for a stopped worker for ever."""
    for worker in list(_alive):
        worker.kill()
