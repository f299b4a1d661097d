"""Bots with the probe game, forked from one process that has imported everything, which takes over a second.

`python -m tests.support.processes.bot_forks PATH` is that process. Only bots with the probe game are forked.
Those as people start them, which tests also start, show that a bot imports what it needs.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
CAN_FORK = sys.platform.startswith("linux") and hasattr(os, "pidfd_open")
LONGEST_ORDER = 1 << 20


class Forked:
    """A forked bot, used like an `asyncio.subprocess.Process`."""

    def __init__(self, pid: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._writer = writer
        self._end = asyncio.create_task(self._watch(reader))

    async def _watch(self, reader: asyncio.StreamReader) -> int:
        self.returncode = int(await reader.readline())
        self._writer.close()
        return self.returncode

    async def wait(self) -> int:
        """Wait for the end of the process. Return its exit code."""
        return await asyncio.shield(self._end)

    def send_signal(self, sign: int) -> None:
        """Send a signal, if there still is a process."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, sign)

    def kill(self) -> None:
        """Send SIGKILL, if there still is a process."""
        self.send_signal(signal.SIGKILL)


async def fork(
    program: str, words: Sequence[str], *, env: Mapping[str, str], cwd: Path, output: int
) -> Forked:
    """Run a program in a fork, in a session of its own. `output` is the file for everything it writes."""
    path = await asyncio.to_thread(_server)
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    order = {"program": program, "words": list(words), "env": dict(env), "cwd": str(cwd)}
    socket.send_fds(line, [json.dumps(order).encode()], [output])
    reader, writer = await asyncio.open_unix_connection(sock=line)
    return Forked(int(await reader.readline()), reader, writer)


@cache
def _server() -> str:
    """Start the process that forks, which ends with this one. Return the path of its socket."""
    folder = tempfile.TemporaryDirectory(prefix="bots")
    path = f"{folder.name}/orders"
    server = subprocess.Popen(
        [sys.executable, "-m", __spec__.name, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None

    def end() -> None:
        server.communicate()
        folder.cleanup()

    atexit.register(end)
    assert server.stdout.readline() == b"ready\n"
    return path


# -- in the process that forks --------------------------------------------------------------------


def _import_all() -> None:
    sys.modules["rich"] = None  # type: ignore[assignment] # as in bot/__main__.py
    import bot.running  # noqa: F401 - every fork needs it
    from bot import presenters
    from engine import catalog

    for key in catalog.listed():
        catalog.get(key)
    presenters.offered()


def _run(line: socket.socket) -> None:
    """Become the program that the order names. Never returns."""
    order, (output, *_), _, _ = socket.recv_fds(line, LONGEST_ORDER, 1)
    told = json.loads(order)
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number in (1, 2):
        os.dup2(output, number)
    os.close(output)
    line.send(f"{os.getpid()}\n".encode())
    line.close()
    os.environ.clear()
    os.environ.update(told["env"])
    os.chdir(told["cwd"])
    sys.argv = ["-c", *told["words"]]
    exec(compile(told["program"], "<string>", "exec"), {"__name__": "__main__"})


def serve(path: str) -> None:
    """Fork for each connection and tell it the pid and the exit code, until standard input ends."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    with selectors.DefaultSelector() as ready:
        ready.register(listener, selectors.EVENT_READ)
        ready.register(sys.stdin, selectors.EVENT_READ)
        while True:
            for key, _ in ready.select():
                if key.fileobj is sys.stdin:
                    for other in list(ready.get_map().values()):
                        if other.data:
                            signal.pidfd_send_signal(other.fd, signal.SIGKILL)
                    return
                if key.data:
                    ready.unregister(key.fd)
                    _report(key.fd, *key.data)
                    continue
                line, _ = listener.accept()
                if pid := os.fork():
                    ready.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, line))
                    continue
                listener.close()
                ready.close()
                _run(line)


def _report(handle: int, pid: int, line: socket.socket) -> None:
    os.close(handle)
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):  # the process that asked has ended
        line.send(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    line.close()


if __name__ == "__main__":
    _import_all()
    serve(sys.argv[1])
