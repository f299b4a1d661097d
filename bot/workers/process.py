"""What happens inside a worker process: it answers one job after the other, and ends with the bot."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import pickle
import select
import signal
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait

SLOW = 70
"""The exit code of a process whose work took too long."""
GRACE_SECONDS = 1.0
"""So much longer than its deadline work may take that somebody else has given up already."""
BEGUN = b""
"""What a worker says when it takes a job up, and when it is ready for the first."""
OVERTAKING = b"!"
"""The message of a worker that interrupts its job for the next one. No pickle begins like this."""
REST_SECONDS = 5.0
"""Seconds without work after which a worker returns its free memory to the system."""
COLLECT_AFTER = (5_000, 20, 50)
"""How many new objects and how many younger collections the collector waits for, here and in the bot."""


def serve(line: socket.socket, prepare: Callable[[], object] | None, memory: int) -> None:
    """The whole life of a worker. `memory`: the most bytes of data it may take, 0 for no limit.

    Raises:
        Exception: whatever `prepare` raises; the bot then starts another one, later.
    """
    pipe = Connection(line.detach())
    begin(memory)
    if prepare is not None:
        prepare()
    settle()
    with contextlib.suppress(EOFError, OSError):  # the bot has closed its end: nothing more to do
        pipe.send_bytes(BEGUN)
        while True:
            if not select.select([pipe], [], [], REST_SECONDS)[0]:
                release_memory()
            job = pipe.recv_bytes()
            pipe.send_bytes(BEGUN)
            with _giving_way_on(pipe):
                said = answer(job)
            pipe.send_bytes(said)


_pipe: Connection | None = None
"""The pipe from which `give_way` takes the next job, or None in a job that does not give way."""


@contextlib.contextmanager
def _giving_way_on(pipe: Connection | None) -> Iterator[None]:
    global _pipe
    before, _pipe = _pipe, pipe
    try:
        yield
    finally:
        _pipe = before


def give_way() -> None:
    """Carry out the next job now if it has arrived, and the rest of the running one after it.

    Long work calls this between its parts, so that the next job does not wait for all of it. It does nothing
    outside of a worker process and in a job that has overtaken another one.

    Raises:
        EOFError, OSError: the bot has closed its end.
    """
    if (pipe := _pipe) is not None and pipe.poll():
        job = pipe.recv_bytes()
        pipe.send_bytes(OVERTAKING)
        with _giving_way_on(None):
            said = answer(job)
        pipe.send_bytes(said)


def settle() -> None:
    """Let the collector of garbage pass over what has been loaded, and look at the rest less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def release_memory() -> None:
    """Return free memory to the system.

    The allocator of glibc keeps free blocks between used ones, after many pictures more than is in use.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def begin(memory: int = 0) -> None:
    """Watch the bot, so that no worker outlives one that was killed, and keep within bounds."""
    # Ctrl-C reaches the whole group of processes, and the bot ends its workers itself
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if memory:
        with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limit
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.RLIM_INFINITY))
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


def answer(job: bytes) -> bytes:
    """What a job returned (True, value) or raised (False, error), pickled so that the bot can read it."""
    try:
        work, args = pickle.loads(job)  # noqa: S301 - from the bot itself
        return pickle.dumps((True, work(*args)))
    except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the answer
        error.add_note("in a worker process:\n" + "".join(traceback.format_exception(error)))
        try:
            said = pickle.dumps((False, error))
            pickle.loads(said)  # noqa: S301 - some errors pickle, but cannot be read again
        except Exception:  # noqa: BLE001 - then it is told as text
            said = pickle.dumps((False, RuntimeError("".join(traceback.format_exception(error)))))
        return said


def within(seconds: float, work: Callable[..., object], *args: object) -> object:
    """Call a function in a process that ends with it when it takes longer.

    For executors that cannot end what they have begun; whoever looks after the process starts another one.

    Raises:
        Exception: whatever the function raises.
    """
    timer = threading.Timer(seconds + GRACE_SECONDS, os._exit, (SLOW,))
    timer.daemon = True
    timer.start()
    try:
        return work(*args)
    finally:
        timer.cancel()
