"""What happens inside a worker process: it answers one job after the other, and ends with the bot."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import pickle
import signal
import socket
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection, wait

SLOW = 70
"""The exit code of a process whose work took too long."""
GRACE_SECONDS = 1.0
"""So much longer than its deadline work may take that somebody else has given up already."""
BEGUN = b""
"""What a worker says when it takes a job up, and when it is ready for the first."""
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
            job = pipe.recv_bytes()
            pipe.send_bytes(BEGUN)
            pipe.send_bytes(answer(job))


def settle() -> None:
    """Let the collector of garbage pass over what has been loaded, and look at the rest less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


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
