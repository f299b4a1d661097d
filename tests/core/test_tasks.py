"""Short tasks in the background."""

from __future__ import annotations

import asyncio

from structlog.testing import capture_logs

from bot.core.tasks import Tasks
from bot.store.database import Fenced
from tests.support.waiting import turns


async def fail(error: Exception) -> None:
    raise error


async def test_an_error_in_a_task_is_logged_with_its_name() -> None:
    tasks, error = Tasks(), RuntimeError("a defect")
    tasks.open()
    with capture_logs() as lines:
        tasks.spawn(fail(error), "late picture")
        tasks.spawn(fail(Fenced("another process plays")), "opponent")
        await turns(3)
    assert lines == [
        {"event": "task failed", "log_level": "error", "task": "late picture", "exc_info": error},
        {"event": "task given up: another process plays", "log_level": "info", "task": "opponent"},
    ]


async def test_nothing_starts_before_the_bot_opens_or_after_it_halts() -> None:
    tasks, done = Tasks(), list[str]()

    async def note(name: str) -> None:
        done.append(name)

    tasks.spawn(note("too early"), "early")
    tasks.open()
    tasks.spawn(note("in time"), "in time")
    await turns(2)
    tasks.halt()
    tasks.spawn(note("too late"), "late")
    await turns(2)
    assert done == ["in time"]


async def test_the_end_cancels_what_is_under_way_and_waits_for_it() -> None:
    tasks, ended = Tasks(), asyncio.Event()
    tasks.open()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    tasks.spawn(wait(), "waits")
    await turns(2)
    await tasks.end()
    assert ended.is_set()
