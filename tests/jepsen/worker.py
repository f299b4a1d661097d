"""A process of the bot to be broken: it obeys lines on a socket and answers on it.

`python -m tests.jepsen.worker SOCKET` loads everything once and forks a process for each connection, since
a process that is killed ten times a minute must not take a second to start. It ends, with all that it
forked, when its standard input does.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import selectors
import signal
import socket
import sys
from typing import Any

import asyncpg  # noqa: F401 - loaded before the fork
import structlog

from bot.core.clock import SystemClock
from bot.settings import with_async_driver
from bot.store.backend.engines import WaitLimits
from bot.store.database import Database
from tests.jepsen import player
from tests.jepsen.faults import Faults

LEASE_SECONDS, RENEW_SECONDS = 0.3, 0.08
LIMITS = WaitLimits(connect=1.0, command=1.0, lock=0.2, idle=0.3, pool=0.5)


class ClockThatIsSet(SystemClock):
    """The time of this machine, with a wall clock that somebody sets."""

    offset_ms = 0

    def now(self) -> int:
        return super().now() + self.offset_ms


async def serve(line: socket.socket) -> None:
    """Obey until the line is closed, or another process has taken over."""
    reader, writer = await asyncio.open_connection(sock=line)
    first = json.loads(await reader.readline())
    database, clock, over = (
        Database(with_async_driver(first["url"]), LIMITS),
        ClockThatIsSet(),
        asyncio.Event(),
    )
    clock.offset_ms = first["offset"]
    faults = Faults(database, lambda: os.kill(os.getpid(), signal.SIGSTOP))
    tables = player.unopened_tables(database, clock, LEASE_SECONDS, RENEW_SECONDS)
    tables.lease_holder.on_lost = over.set
    tell({"pid": os.getpid()}, writer)
    working: set[asyncio.Task[Any]] = set()

    def spawn(work: Any) -> None:
        task = asyncio.create_task(work)
        working.add(task)
        task.add_done_callback(working.discard)

    async def opened_tables() -> None:
        try:
            await tables.runtime.open()
        except Exception:  # noqa: BLE001 - a bot that cannot start ends, and its host starts it again
            over.set()

    async def obey() -> None:
        while told := await reader.readline():
            order = json.loads(told)
            if order["do"] == "clock":
                clock.offset_ms = order["offset"]
            elif order["do"] == "arm":
                faults.arm(order["call"], order["number"], order["how"])
            elif order["do"] == "disarm":
                faults.disarm()
            else:
                spawn(answer(order))
        over.set()

    async def answer(order: dict[str, Any]) -> None:
        done = sum(faults.done.values())
        found = await player.ask(tables, order)
        tell({"to": order["id"], **found} | ({"failed": faults.done} if done or faults.done else {}), writer)

    spawn(opened_tables())
    spawn(obey())
    await over.wait()
    tell({"failed": faults.done}, writer)
    await tables.runtime.close()
    await database.close()
    await writer.drain()
    faults.disarm()  # once the line is closed nobody would wake it any more
    writer.close()


def tell(found: dict[str, Any], writer: asyncio.StreamWriter) -> None:
    if not writer.is_closing():
        writer.write(json.dumps(found).encode() + b"\n")


def fork_for_each(path: str) -> None:
    """Accept connections, a process for each, until standard input ends."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    children = set[int]()
    with selectors.DefaultSelector() as ready:
        ready.register(listener, selectors.EVENT_READ)
        ready.register(sys.stdin, selectors.EVENT_READ)
        while True:
            for key, _ in ready.select(timeout=0.5):
                if key.fileobj is sys.stdin:
                    for pid in children:
                        os.kill(pid, signal.SIGKILL)
                    return
                line, _ = listener.accept()
                if pid := os.fork():
                    children.add(pid)
                    line.close()
                    continue
                listener.close()
                try:
                    asyncio.run(serve(line))
                finally:
                    os._exit(0)
            while children:
                pid, _ = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    break
                children.discard(pid)


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable(logging.CRITICAL)
    with player.marks_listed():
        fork_for_each(sys.argv[1])
