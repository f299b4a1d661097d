"""A second bot with the same token is noticed, and an answer that got lost is not taken for one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from bot.telemetry.discord_requests import tracing
from bot.telemetry.metrics import Metrics
from bot.telemetry.other_bot_detection import OtherBotDetector

CODE = {"message": "Interaction has already been acknowledged.", "code": 40060}
GONE = {"message": "Unknown interaction", "code": 10062}


class Discord:
    """A server that gives these answers, one after the other."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, object]] = []

    async def handle(self, _request: web.Request) -> web.Response:
        status, body = self.answers.pop(0)
        return web.json_response(body, status=status)


@pytest.fixture
async def discord() -> AsyncIterator[tuple[Discord, str]]:
    server = Discord()
    app = web.Application()
    app.router.add_post("/{path:.*}", server.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    yield server, f"http://{host}:{port}/api/v10"
    await runner.cleanup()


@pytest.mark.parametrize(
    ("answers", "refused"),
    [
        ([(400, CODE)], 1),
        ([(502, {}), (400, CODE)], 0),
        ([(404, GONE)], 0),
        ([(400, {"code": 50035})], 0),
        ([(400, [40060])], 0),
        ([(200, {}), (400, CODE)], 0),
    ],
)
async def test_only_a_first_answer_that_is_refused_tells_of_another_bot(
    discord: tuple[Discord, str], answers: list[tuple[int, object]], refused: int
) -> None:
    server, base = discord
    other_bot = OtherBotDetector()
    server.answers = list(answers)
    async with aiohttp.ClientSession(trace_configs=[tracing(Metrics(), other_bot)]) as session:
        for status, body in answers:
            async with session.post(f"{base}/interactions/8/a-token/callback") as response:
                assert (response.status, await response.json()) == (status, body)
    assert other_bot.refused == refused


async def test_the_answer_to_another_press_is_a_first_one_again(discord: tuple[Discord, str]) -> None:
    server, base = discord
    other_bot = OtherBotDetector()
    server.answers = [(502, {}), (400, CODE), (400, CODE)]
    async with aiohttp.ClientSession(trace_configs=[tracing(Metrics(), other_bot)]) as session:
        for path in ("interactions/8/a/callback", "interactions/9/b/callback", "webhooks/8/a"):
            async with session.post(f"{base}/{path}"):
                pass
    assert other_bot.refused == 1
