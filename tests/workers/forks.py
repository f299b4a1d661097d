"""Workers that do each job in a fork of their own, so that every job finds one that has done nothing yet."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

from bot.workers import process

_answer = process.answer


def serve_in_forks(line: socket.socket, prepare: Callable[[], object] | None, memory: int) -> None:
    """The whole life of a worker, as `process.serve`, but with a fork for each job.

    A fork of a worker that has just prepared itself knows what a new worker knows, and takes no second to
    start. This module imports nothing else, because a worker must not know more than those of the bot.
    """
    process.answer = _answer_in_fork
    process.serve(line, prepare, memory)


def _answer_in_fork(job: bytes) -> bytes:
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            process.begin()  # threads are not forked, and one of them ends the process with the bot
            with os.fdopen(write, "wb") as pipe:
                pipe.write(_answer(job))
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    if not said:
        os._exit(1)  # a worker that dies of a job takes its copy along
    return said
