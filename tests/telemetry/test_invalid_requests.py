"""Requests that Discord calls invalid are counted, and slow down what no one has asked for."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs
from yarl import URL

from bot.core.tasks import Tasks
from bot.ops import probes
from bot.telemetry.discord_requests import tracing
from bot.telemetry.invalid_requests import MOST, NEAR, SPAN_SECONDS, InvalidRequests
from bot.telemetry.metrics import Metrics
from bot.ui.outbox import RATE, SLOW_MS, Outbox
from tests.support.tables.tables import ManualClock


class Now:
    """Seconds that a test moves."""

    at = 1_000.0

    def __call__(self) -> float:
        return self.at


def counting(**facts: Any) -> tuple[InvalidRequests, Now]:
    now = Now()
    return InvalidRequests(now=now, **facts), now


@pytest.mark.parametrize(
    ("status", "scope", "counts"),
    [
        (200, "", False),
        (400, "", False),
        (401, "", True),
        (403, "", True),
        (404, "", False),
        (429, "user", True),
        (429, "global", True),
        (429, "shared", False),
        (500, "", False),
    ],
)
async def test_what_discord_counts(status: int, scope: str, *, counts: bool) -> None:
    invalid, _ = counting()
    config, asked = tracing(Metrics(), None, lambda _at: None, invalid), SimpleNamespace()
    headers = {"X-RateLimit-Scope": scope} if scope else {}
    told: Any = SimpleNamespace(
        url=URL("https://discord.com/api/v10/channels/5/messages"),
        response=SimpleNamespace(status=status, headers=headers),
    )
    await config.on_request_start[0](None, asked, told)  # type: ignore[arg-type]
    await config.on_request_end[0](None, asked, told)  # type: ignore[arg-type]
    assert invalid.count == counts


def test_ten_minutes_are_counted() -> None:
    invalid, now = counting()
    for _ in range(60):
        invalid.note(403, {})
        now.at += 10
    assert invalid.count == 60
    now.at += SPAN_SECONDS / 2
    assert 28 <= invalid.count <= 31
    now.at += SPAN_SECONDS
    assert invalid.count == 0
    assert len(invalid._steps) == 0


def test_it_is_told_once_in_time() -> None:
    assert NEAR < MOST
    invalid, now = counting()
    with capture_logs() as lines:
        for _ in range(NEAR + 100):
            invalid.note(403, {})
    assert invalid.near
    assert [(line["log_level"], line["n"]) for line in lines] == [("warning", NEAR)]
    now.at += 2 * SPAN_SECONDS
    assert not invalid.near
    with capture_logs() as lines:
        for _ in range(NEAR):
            invalid.note(403, {})
    assert len(lines) == 1


def test_a_process_with_a_part_of_the_shards_has_a_part_of_the_limit() -> None:
    invalid, _ = counting(share=0.25)
    for _ in range(NEAR // 4):
        invalid.note(401, {})
    assert invalid.near


async def test_the_health_address_tells_it_without_being_unwell() -> None:
    invalid, _ = counting()
    look = probes.requests(invalid)
    assert (await look()).facts == {"invalid": 0}
    for _ in range(NEAR):
        invalid.note(429, {})
    part = await look()
    assert part.well
    assert part.facts == {"invalid": NEAR, "why": "Discord refuses many requests"}


async def test_near_the_limit_presses_go_first_and_the_rest_slowly() -> None:
    invalid, _ = counting()
    clock, tasks = ManualClock(instant_sleep=False), Tasks()
    tasks.open()
    nothing: Any = None
    outbox = Outbox(
        clock, nothing, nothing, Metrics(), tasks.spawn, preferences=nothing, invalid_requests=invalid
    )
    let = {False: 0, True: 0}

    async def call(*, pressed: bool) -> None:
        await outbox.token(pressed=pressed)
        let[pressed] += 1

    async def wait(seconds: float) -> None:
        for _ in range(int(seconds * 100)):
            clock.move(0.01)
            for _ in range(4):
                await asyncio.sleep(0)

    many = [asyncio.create_task(call(pressed=False)) for _ in range(200)]
    await wait(2)
    assert let[False] >= 1.8 * RATE
    for _ in range(NEAR):
        invalid.note(403, {})
    before = let[False]
    await wait(5)
    assert let[False] - before <= 1 + 5 * 1000 / SLOW_MS
    assert let[False] > before
    pressed = [asyncio.create_task(call(pressed=True)) for _ in range(5)]
    await wait(0.5)
    assert let[True] == 5, "whoever presses waits no longer than usual"
    for task in (*many, *pressed):
        task.cancel()
    outbox.halt()
