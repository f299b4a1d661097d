"""Session starts: 1,000 a day. The bot looks before it opens one, and pauses between sessions that break."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from random import Random
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from aiohttp import WSMsgType, web
from aiohttp.test_utils import TestServer
from structlog.testing import capture_logs

from bot.client import Valence
from bot.ops import probes
from bot.session_starts import (
    LASTING_SECONDS,
    RESERVE,
    SessionStarts,
)
from bot.settings import Settings
from tests.support.tables.tables import ManualClock
from tests.support.waiting import until


class Waiting(ManualClock):
    """A clock whose sleeps take no time, and are written down."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.move(seconds)
        await asyncio.sleep(0)


class Gate:
    """`GET /gateway/bot` with a limit that comes back once its time is over."""

    def __init__(self, clock: Waiting, remaining: int, reset_after: int = 3_600_000) -> None:
        self.clock, self.remaining, self.asked = clock, remaining, 0
        self.reset_at = clock.now() + reset_after

    async def __call__(self) -> tuple[int, str, dict[str, int]]:
        self.asked += 1
        left_ms = self.reset_at - self.clock.now()
        if left_ms <= 0:
            self.remaining, left_ms = 1000, 86_400_000
        limit = {"total": 1000, "remaining": self.remaining, "reset_after": left_ms, "max_concurrency": 1}
        return 1, "wss://gateway.discord.gg", limit


def starts_with(remaining: int, clock: Waiting) -> tuple[SessionStarts, Gate]:
    gate = Gate(clock, remaining)
    return SessionStarts(gate, clock, Random(1)), gate


@pytest.mark.parametrize(("remaining", "shards", "waits"), [(0, 1, True), (3, 4, True), (4, 4, False)])
async def test_a_start_waits_until_enough_are_left(remaining: int, shards: int, *, waits: bool) -> None:
    clock = Waiting()
    starts, _ = starts_with(remaining, clock)
    with capture_logs() as lines:
        await starts.before_start(shards)
    assert clock.slept == ([3600.0] if waits else [])
    told = [line for line in lines if line["log_level"] == "warning"]
    assert len(told) == waits
    if waits:
        assert f"Discord allows 1000 session starts a day, and {remaining} are left" in told[0]["event"]
        assert "60 minutes" in told[0]["event"]


async def test_a_bot_that_runs_leaves_some_for_restarts() -> None:
    clock = Waiting()
    starts, gate = starts_with(RESERVE, clock)
    await starts.before_new_session(0)
    assert clock.slept == [3600.0]
    assert (gate.asked, starts.left) == (2, 1000)


async def test_a_discord_that_does_not_say_is_not_waited_for() -> None:
    async def silent() -> Any:
        raise discord.GatewayNotFound

    clock = Waiting()
    await SessionStarts(silent, clock, Random(1)).before_start(1)
    assert clock.slept == []


async def test_pauses_grow_and_end_with_a_session_that_lasts() -> None:
    clock = Waiting()
    starts, _ = starts_with(1000, clock)
    with capture_logs() as lines:
        for _ in range(15):
            starts.identified(0)
            clock.move(1)
            starts.lost(0)
            starts.lost(0)  # discord.py tells it twice
            await starts.before_new_session(0)
    wanted = [min(5.0 * 2**n, 900.0) for n in range(15)]
    assert all(0.8 * each <= slept <= 1.2 * each for each, slept in zip(wanted, clock.slept, strict=True))
    assert len(set(clock.slept[-4:])) == 4, "jitter keeps shards apart"
    assert [line["in_a_row"] for line in lines] == list(range(1, 16))
    assert starts.in_a_row == 15
    starts.identified(0)
    clock.move(LASTING_SECONDS)
    starts.lost(0)
    clock.slept.clear()
    await starts.before_new_session(0)
    assert (clock.slept, starts.in_a_row) == ([], 0)


async def test_a_day_of_broken_sessions_stays_within_the_limit() -> None:
    clock = Waiting()
    starts, gate = starts_with(1000, clock)
    gate.reset_at = clock.now() + 86_400_000
    end, opened = clock.now() + 86_400_000, 0
    while clock.now() < end:
        starts.identified(0)
        opened += 1
        starts.lost(0)
        await starts.before_new_session(0)
    assert opened < 200


async def test_a_healthy_process_is_not_restarted_while_it_waits() -> None:
    """A restart would cost one more session start, and find as few."""
    clock = ManualClock(instant_sleep=False)
    gate: Any = Gate(Waiting(), 0)
    starts = SessionStarts(gate, clock, Random(1))
    client: Any = type("Client", (), {})()
    client.loop = type("Loop", (), {"time": clock.monotonic})()
    client.guilds, client.shards, client.latency, client.shard_count = [], {}, float("inf"), 1
    client.is_ready = lambda: False
    look = probes.gateway(client, starts)
    assert (await look()).well
    waiting = asyncio.create_task(starts.before_start(1))
    await until(lambda: starts.waits > 0)
    clock.move(600)
    part = await look()
    assert part.well
    assert part.facts["session_starts_left"] == 0
    assert part.facts["session_in_s"] == 3000
    assert "why" in part.facts
    waiting.cancel()


async def test_a_start_that_really_hangs_is_still_unhealthy() -> None:
    clock = ManualClock()
    starts = SessionStarts(Gate(Waiting(), 1000), clock, Random(1))
    client: Any = type("Client", (), {})()
    client.loop = type("Loop", (), {"time": clock.monotonic})()
    client.guilds, client.shards, client.latency, client.shard_count = [], {}, float("inf"), 1
    client.is_ready = lambda: False
    look = probes.gateway(client, starts)
    await look()
    clock.move(600)
    assert not (await look()).well


class Breaking:
    """A gateway whose sessions of some shards are invalid as soon as they stand."""

    def __init__(self) -> None:
        self.identified: list[int] = []
        self.resumed: list[int] = []
        self.breaks: set[int] = {0}
        self.open: dict[int, web.WebSocketResponse] = {}

    async def talk(self, request: web.Request) -> web.WebSocketResponse:
        line = web.WebSocketResponse()
        await line.prepare(request)
        await self._say(line, 10, {"heartbeat_interval": 45_000})
        async for message in line:
            if message.type is not WSMsgType.TEXT:
                break
            asked = json.loads(message.data)
            if asked["op"] == 6:
                self.resumed.append(0)
                await self._say(line, 9, d=False)
            if asked["op"] != 2:
                continue
            shard = asked["d"]["shard"][0]
            self.identified.append(shard)
            self.open[shard] = line
            me = {"id": "1", "username": "V", "discriminator": "0", "avatar": None}
            ready = {"v": 10, "user": me, "guilds": [], "session_id": "any", "shard": asked["d"]["shard"]}
            ready |= {"resume_gateway_url": str(self.url), "application": {"id": "1", "flags": 0}}
            await line.send_json({"op": 0, "t": "READY", "s": 1, "d": ready})
            if shard in self.breaks:
                await self._say(line, 9, d=False)
        return line

    async def _say(self, line: web.WebSocketResponse, op: int, d: object) -> None:
        await line.send_json({"op": op, "d": d, "s": None, "t": None})

    url: yarl.URL


class Client(discord.AutoShardedClient):
    """A client with the hooks of the bot, without the pauses of the library."""

    def __init__(self, starts: SessionStarts) -> None:
        super().__init__(intents=discord.Intents.none(), shard_count=2, shard_ids=[0, 1])
        self.starts = starts

    async def _async_setup_hook(self) -> None:
        await super()._async_setup_hook()
        self.starts.delay(self)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        self.starts.identified(shard_id or 0)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self.starts.lost(shard_id)


@pytest.fixture
async def gateway(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Breaking]:
    breaking = Breaking()
    app = web.Application()
    app.router.add_get("/", breaking.talk)
    server = TestServer(app)
    await server.start_server()
    breaking.url = server.make_url("/").with_scheme("ws")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", breaking.url)
    yield breaking
    await server.close()


@pytest.fixture
async def connected(gateway: Breaking) -> AsyncIterator[Callable[[ManualClock], Client]]:
    """Connect clients to the gateway, as `connect` does."""
    clients: list[tuple[Client, asyncio.Task[None]]] = []

    def connect(clock: ManualClock) -> Client:
        starts = SessionStarts(Gate(Waiting(), 1000), clock, Random(1))
        client = Client(starts)

        async def run() -> None:
            await client._async_setup_hook()
            client.http._HTTPClient__session = aiohttp.ClientSession()  # type: ignore[attr-defined]
            client.http.token = "any"
            await client.connect()

        clients.append((client, asyncio.create_task(run())))
        return client

    yield connect
    for client, task in clients:
        client.starts.close()
        await client.close()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_discord_py_opens_broken_sessions_ever_more_slowly(
    gateway: Breaking, connected: Callable[[ManualClock], Client]
) -> None:
    """With the library's own queue, at its version: the pause comes before the connection, and a shard that
    waits keeps no other from coming back."""
    clock = ManualClock(instant_sleep=False)
    client = connected(clock)
    await until(lambda: gateway.identified == [0, 1])
    await until(lambda: client.starts.waits > 0)
    pauses = []

    def broken(times: int) -> bool:
        return gateway.identified.count(0) == times and client.starts.waits > 0

    for number in range(1, 5):
        pauses.append(client.starts.waits)
        assert client.starts.in_a_row == number
        assert gateway.identified == [0, 1, *[0] * (number - 1)]
        clock.move(pauses[-1] + 0.01)
        await until(partial(broken, number + 1))
    assert pauses == sorted(pauses)
    assert pauses[-1] > 3 * pauses[0]

    await gateway.open[1].close(code=4000)  # while the first shard waits, the second one resumes
    await until(lambda: len(gateway.resumed) == 1)

    def opened() -> bool:
        clock.move(1)
        return gateway.identified.count(1) == 2

    await until(opened)


async def test_the_bot_itself_looks_before_it_opens_a_shard(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []

    async def launch(_client: object, _gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        opened.append(shard_id)
        assert clock.slept == [3600.0], "first it waits"

    clock = Waiting()
    client = Valence(Settings(), clock=clock)
    gate = Gate(clock, 1)
    monkeypatch.setattr(client.http, "get_bot_gateway", gate)
    client._session_starts = SessionStarts(gate, clock, Random(1), client.metrics.session_starts.inc)
    monkeypatch.setattr(discord.AutoShardedClient, "launch_shard", launch)
    client.shard_count = 2
    await client.launch_shard(yarl.URL("wss://gateway.discord.gg"), 0, initial=True)
    await client.launch_shard(yarl.URL("wss://gateway.discord.gg"), 1)
    assert opened == [0, 1]


async def test_the_bot_itself_counts_its_sessions() -> None:
    client = Valence(Settings(), clock=Waiting())
    await client._async_setup_hook()
    await client.before_identify_hook(0, initial=True)
    assert client.metrics.registry.get_sample_value("valence_session_starts_total") == 1
    queue: Any = client._AutoShardedClient__queue  # type: ignore[attr-defined]
    assert queue.starts is client._session_starts
    assert 0 in client._session_starts._since
    await client.on_shard_disconnect(0)
    assert client._session_starts.in_a_row == 1
