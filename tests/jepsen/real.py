"""Rounds with real processes, stopped, killed and started again by signals."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from tests.jepsen.crowd import Pace, Round
from tests.jepsen.databases import Lane
from tests.jepsen.worker import LEASE_SECONDS

PACE = Pace(
    lease=LEASE_SECONDS,
    round=1.6,
    longest=5.0,
    between_presses=0.025,
    between_faults=0.2,
    patience=0.3,
    at_rest=20.0,
)
ROOT = Path(__file__).parent.parent.parent


@asynccontextmanager
async def nursery() -> AsyncIterator[str]:
    """A process that forks workers; the path of its socket."""
    with tempfile.TemporaryDirectory(prefix="jepsen") as folder:
        path = f"{folder}/workers"
        pipe = asyncio.subprocess.PIPE
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        words = (sys.executable, "-m", "tests.jepsen.worker", path)
        parent = await asyncio.create_subprocess_exec(
            *words, stdin=pipe, stdout=pipe, cwd=ROOT, env=environment
        )
        assert parent.stdin is not None
        assert parent.stdout is not None
        assert await parent.stdout.readline() == b"ready\n"
        try:
            yield path
        finally:
            parent.stdin.close()
            await parent.wait()


class RealBot:
    """A bot as a process, started again whenever it ends."""

    def __init__(self, name: str, path: str, url: str) -> None:
        self.name = name
        self._path, self._url = path, url
        self._offset = 0
        self._pid = 0
        self._over = False
        self._waiting: dict[int, asyncio.Future[dict[str, Any] | None]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._started = asyncio.Event()
        self._failed = Counter[str]()
        self.failed = Counter[str]()
        """What failed in the stores of all its lives; the last moments of a killed one are not known."""
        self.lives = 0
        self._living = asyncio.ensure_future(self._live())

    async def _live(self) -> None:
        while not self._over:
            reader, writer = await asyncio.open_unix_connection(self._path)
            writer.write(json.dumps({"url": self._url, "offset": self._offset}).encode() + b"\n")
            with suppress(ConnectionError, json.JSONDecodeError):  # it may die before it says its number
                self._pid = json.loads(await reader.readline())["pid"]
                self._writer, self.lives = writer, self.lives + 1
                self._started.set()
                while line := await reader.readline():
                    self._hear(json.loads(line))
            self._pid, self._writer = 0, None
            self._started.clear()
            writer.close()
            self.failed += self._failed
            self._failed = Counter()
            waiting, self._waiting = self._waiting, {}
            for each in waiting.values():
                if not each.done():
                    each.set_result(None)

    def _hear(self, found: dict[str, Any]) -> None:
        self._failed = Counter(found.pop("failed", self._failed))
        waiting = self._waiting.pop(found.get("to", 0), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(found)

    def _tell(self, order: dict[str, Any]) -> bool:
        if self._writer is None:
            return False
        self._writer.write(json.dumps(order).encode() + b"\n")
        return True

    async def ask(self, press: dict[str, Any]) -> dict[str, Any] | None:
        if not self._tell(press):
            return {"out": "standby"}  # nobody heard it
        self._waiting[press["id"]] = answer = asyncio.get_running_loop().create_future()
        return await answer

    def _signal(self, what: signal.Signals) -> None:
        if self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, what)

    async def stop(self) -> None:
        self._signal(signal.SIGSTOP)

    async def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    async def kill(self) -> None:
        self._signal(signal.SIGKILL)

    async def set_clock(self, offset_ms: int) -> None:
        self._offset = offset_ms
        self._tell({"do": "clock", "offset": offset_ms})

    async def arm(self, call: str, number: int, how: str) -> None:
        self._tell({"do": "arm", "call": call, "number": number, "how": how})

    async def heal(self) -> None:
        self._tell({"do": "disarm"})
        self._signal(signal.SIGCONT)

    async def end(self) -> None:
        """Kill it for good."""
        self._over = True
        if not self._living.done():
            starting = asyncio.ensure_future(self._started.wait())
            await asyncio.wait({starting, self._living}, return_when=asyncio.FIRST_COMPLETED)
            starting.cancel()
        await self.kill()
        await self._living


async def play(
    seeds: Iterable[int], lanes: list[Lane], add: Callable[[Round, Counter[str], str], Awaitable[None]]
) -> None:
    """Rounds with these seeds, as many at once as there are lanes; each goes to `add` when it is over."""
    left = iter(seeds)
    async with nursery() as path:

        async def one_after_another(lane: Lane) -> None:
            for seed in left:
                await _round(seed, lane, path, add)

        await asyncio.gather(*(one_after_another(lane) for lane in lanes))


async def _round(
    seed: int, lane: Lane, path: str, add: Callable[[Round, Counter[str], str], Awaitable[None]]
) -> None:
    url = await lane.empty()
    bots = [RealBot(name, path, url) for name in ("one", "two")]
    line = lane.break_line if lane.postgres else None
    found = Round(seed, list(bots), PACE, asyncio.sleep, line)
    try:
        await found.run()
    finally:
        await asyncio.gather(*(bot.end() for bot in bots))
    await lane.alone()
    await add(found, bots[0].failed + bots[1].failed, url)
