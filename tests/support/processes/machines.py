"""A Dask cluster for tests: a scheduler and its workers, as processes of this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path

SLOWEST = 120.0
"""How long processes may take to start on a busy machine, in seconds."""


class Machines:
    """A scheduler and its workers, each a process."""

    def __init__(
        self,
        folder: Path,
        stack: ExitStack,
        *,
        scheme: str = "tcp",
        settings: Mapping[str, str] | None = None,
        workers: int = 2,
    ) -> None:
        """`settings`: Dask's own, as environment variables."""
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"{scheme}://127.0.0.1:{self.port}"
        self.folder, self._stack = folder, stack
        self._environment = {**os.environ, **(settings or {})}
        self.scheduler = self.start_scheduler()
        self.nannies = [self.start_worker(number) for number in range(workers)]

    def mend(self) -> None:
        """Start again what a test has killed."""
        if self.scheduler.poll() is not None:
            self.scheduler = self.start_scheduler()
        for number, nanny in enumerate(self.nannies):
            if nanny.poll() is not None:
                self.nannies[number] = self.start_worker(number)

    def _start(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        log = self._stack.enter_context((self.folder / f"{name}.log").open("ab"))
        command = [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:], "--no-dashboard"]
        started = subprocess.Popen(
            command, stdout=log, stderr=log, start_new_session=True, env=self._environment
        )
        self._stack.callback(self.end, started)
        return started

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        where = ("--host", "127.0.0.1", "--port", str(self.port))
        return self._start("scheduler", "scheduler", *where)

    def start_worker(self, number: int) -> subprocess.Popen[bytes]:
        own = ("--nthreads", "1", "--local-directory", str(self.folder))
        return self._start(f"worker-{number}", "worker", self.address, *own)

    @staticmethod
    def end(process: subprocess.Popen[bytes]) -> None:
        """Kill a process and all that it started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        process.wait()
