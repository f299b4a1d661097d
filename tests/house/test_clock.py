"""Only the clock port (`bot/core/clock.py`) reads or waits for real time, so that tests can hold it."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.house.tree import read, texts

READS = {
    "time",
    "time_ns",
    "monotonic",
    "monotonic_ns",
    "perf_counter",
    "process_time",
    "thread_time",
    "sleep",
}
WAITS = {"sleep", "wait_for"}
LOOP = {"time", "call_later", "call_at"}
ANY = re.compile(rf"\b(?:{'|'.join(READS | WAITS | LOOP)})\b")
"""A name without which no code uses real time; only files with one are parsed."""

MAY = {
    "bot/core/clock.py": "the clock port itself",
    "bot/cli/": "commands and benchmarks measure real time",
    "bot/ops/doctor.py": "a command, which asks how old files and leases are",
    "bot/connection.py": "waits before the bot, and so its clock, runs",
    "bot/store/backend/file_lock.py": "a command that waits before any event loop runs",
    "bot/ops/migrate_to_postgres.py": "a command that waits for real leases to run out",
    "bot/store/migrations/versions/0005_matches.py": "a migration, which runs without a bot",
    "bot/workers/": "deadlines of real processes",
    "bot/plugins/dask_cluster.py": "patience with a real network",
    "bot/table/thinking.py": "runs in worker processes, whose CPU time it measures",
    "bot/features/teacher/review_service.py": "runs in worker processes, whose CPU time it limits",
    "bot/presenters/film_files.py": "runs in worker processes, whose CPU time it limits",
    "bot/render/": "runs in worker processes, and looks at the age of files",
    "bot/telemetry/": "measures what people wait for; its health takes a clock as argument",
    "bot/ops/probes.py": "measures the database, and heartbeats that discord.py stamps with the loop's time",
    "bot/client.py": "the stop of the process has a real limit",
    "bot/ops/prerender.py": "takes a share of a real core",
    "bot/store/backend/identify.py": "Discord limits how fast a gateway may be opened",
    "bot/ui/context.py": "Discord waits three real seconds for an answer",
    "bot/ui/live/follower.py": "an answer that is under way at Discord",
    "bot/features/watching/watchers.py": "the pace of a private view, which simulations set",
    "bot/ui/live/private_message.py": "the age of an interaction, which simulations set",
}
"""Files and folders that may use real time, and why."""


def uses(code: str) -> list[int]:
    """Return the lines of a piece of code that read real time or wait for it."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module in ("time", "asyncio"):
            names = READS if node.module == "time" else WAITS
            found.extend(node.lineno for alias in node.names if alias.name in names)
        if not isinstance(node, ast.Attribute) or node.attr not in READS | WAITS | LOOP:
            continue
        owner = ast.unparse(node.value)
        if (
            (owner == "time" and node.attr in READS)
            or (owner == "asyncio" and node.attr in WAITS)
            or ((owner.endswith(("loop", "loop()"))) and node.attr in LOOP)
        ):
            found.append(node.lineno)
    return sorted(found)


@cache
def everywhere() -> list[tuple[str, int]]:
    return [
        (path.as_posix(), line)
        for path in texts(".py")
        if path.parts[0] in ("bot", "engine") and ANY.search(read(path))
        for line in uses(read(path))
    ]


def test_only_the_clock_port_uses_real_time() -> None:
    assert [f"{path}:{line}" for path, line in everywhere() if not path.startswith(tuple(MAY))] == []


def test_every_exception_is_still_needed() -> None:
    assert {place for place in MAY if not any(path.startswith(place) for path, _ in everywhere())} == set()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import time\nnow = time.monotonic()", [2]),
        ("from time import monotonic, strftime", [1]),
        ("from asyncio import sleep", [1]),
        ("async def wait():\n    await asyncio.sleep(1)", [2]),
        ("async def wait(task):\n    await asyncio.wait_for(asyncio.shield(task), 2)", [2]),
        ("_wait = asyncio.sleep", [1]),
        ("at = asyncio.get_running_loop().time()", [1]),
        ("self._loop.call_later(1, ring)", [1]),
        ("self._clock.call_later(1, ring)\nawait clock.sleep(1)\nclock.now()", []),
        ("await asyncio.wait(tasks)\ntime.strftime('%H')", []),
    ],
)
def test_it_finds_what_it_is_for(code: str, found: list[int]) -> None:
    assert uses(code) == found
