"""Whether the bot is well, asked for from outside."""

from __future__ import annotations

import asyncio
import json
import math
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.core.clock import SystemClock
from bot.core.lease_holder import LeaseHolder
from bot.ops import probes
from bot.store.database import Database, StoreError
from bot.telemetry import health_server
from bot.telemetry.health import BEAT_SECONDS, STUCK_SECONDS, Health, HealthPart
from bot.telemetry.health_server import MOST_CONNECTIONS, READ_SECONDS, HealthServer, PortTaken
from bot.telemetry.metrics import Metrics
from bot.workers.pool import Pool
from tests.support.processes.schema import empty
from tests.support.tables.tables import ManualClock
from tests.support.waiting import wait_until


def asked(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class Time:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def well() -> Iterator[tuple[Health, HealthServer, Time]]:
    clock, metrics = Time(), Metrics()
    health = Health(metrics, monotonic=clock)
    health_server = HealthServer(metrics, health)
    health_server.open("127.0.0.1", 0)
    yield health, health_server, clock
    health_server.close()
    health_server.close()


def test_it_starts_plays_and_hangs(well: tuple[Health, HealthServer, Time]) -> None:
    health, health_server, clock = well
    status, body = asked(health_server.port, "/healthz")
    assert (status, json.loads(body)["status"]) == (200, "starting")
    health.ready = True
    assert json.loads(asked(health_server.port, "/healthz")[1])["status"] == "ok"
    clock.now += STUCK_SECONDS
    status, body = asked(health_server.port, "/healthz")
    assert (status, json.loads(body)["status"]) == (503, "ill")
    assert json.loads(body)["parts"]["loop"] == {
        "well": False,
        "facts": {"lag_ms": 0, "silent_s": STUCK_SECONDS},
    }


def test_figures_are_asked_for_at_the_same_address(well: tuple[Health, HealthServer, Time]) -> None:
    status, body = asked(well[1].port, "/metrics")
    assert status == 200
    assert 'valence_answers_total{outcome="in_time"} 0.0' in body
    assert asked(well[1].port, "/seed")[0] == 404


def test_an_address_that_is_taken_is_told(well: tuple[Health, HealthServer, Time]) -> None:
    with pytest.raises(PortTaken):
        HealthServer(Metrics(), Health(Metrics())).open("127.0.0.1", well[1].port)


def half_open(port: int) -> socket.socket:
    """A connection over which the beginning of a request was sent, and no more."""
    line = socket.create_connection(("127.0.0.1", port), timeout=20)
    line.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n")
    return line


@pytest.mark.long
def test_half_open_connections_hold_up_nobody(well: tuple[Health, HealthServer, Time]) -> None:
    port, threads = well[1].port, threading.active_count()
    with ExitStack() as lines:
        for _ in range(4 * MOST_CONNECTIONS):
            lines.enter_context(half_open(port))
        wait_until(lambda: threading.active_count() <= threads + MOST_CONNECTIONS)
        assert asked(port, "/healthz")[0] == 200
        assert asked(port, "/metrics")[0] == 200
        wait_until(lambda: threading.active_count() <= threads + MOST_CONNECTIONS)
    wait_until(lambda: threading.active_count() <= threads)


def test_a_request_that_does_not_go_on_is_given_up(
    well: tuple[Health, HealthServer, Time],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert health_server._Silent.timeout == READ_SECONDS
    monkeypatch.setattr(health_server._Silent, "timeout", 0.01)
    threads = threading.active_count()
    with half_open(well[1].port) as line:
        assert line.recv(100) == b""
    wait_until(lambda: threading.active_count() <= threads)
    assert capfd.readouterr().err == ""


async def test_a_loop_that_wakes_late_is_reported() -> None:
    clock, metrics = Time(), Metrics()
    health = Health(metrics, monotonic=clock)
    clock.now += STUCK_SECONDS
    assert health.report().status == "ill"
    with capture_logs() as lines:
        pause = await health.beat()
        clock.now += pause + 0.4
        await health.beat()
    assert health.report().parts["loop"] == HealthPart(well=True, facts={"lag_ms": 400, "silent_s": 0.0})
    assert metrics.registry.get_sample_value("valence_loop_lag_seconds_sum") == pytest.approx(0.4)
    assert [line["event"] for line in lines] == ["the event loop was held up"]


async def test_a_part_that_comes_late_is_checked_within_a_beat() -> None:
    """The tables open after the first check, and monitoring tools wait for `ok`."""
    clock = Time()

    async def fine() -> HealthPart:
        return HealthPart(well=True)

    health = Health(Metrics(), monotonic=clock)
    clock.now += await health.round()
    health.ready = True
    health.probe("database", fine)
    assert health.report().status == "starting"
    assert await health.round() == BEAT_SECONDS
    assert health.report().status == "ok"


async def test_all_parts_are_checked_again_once_the_bot_plays() -> None:
    """Before that nobody held the lease, and a bot that is well must not say so for ten seconds more."""
    clock, held = Time(), False

    async def lease() -> HealthPart:
        return HealthPart(True, {"held": held})

    health = Health(Metrics(), monotonic=clock)
    health.probe("lease", lease)
    clock.now += await health.round()
    held = health.ready = True
    await health.round()
    assert health.report().parts["lease"].facts == {"held": True}


async def test_parts_are_checked_every_ten_seconds() -> None:
    clock, checks = Time(), list[float]()

    async def part() -> HealthPart:
        checks.append(clock.now)
        return HealthPart(well=True)

    health = Health(Metrics(), monotonic=clock)
    health.probe("part", part)
    for _ in range(21):
        clock.now += await health.round()
    assert checks == [100.0, 110.0, 120.0]


def test_a_loop_that_hangs_shows_in_the_figures() -> None:
    """Nothing else does: no answer is late where there is none, and nothing measures how late it wakes."""
    clock, metrics = Time(), Metrics()
    Health(metrics, monotonic=clock)
    shown = partial(metrics.registry.get_sample_value, "valence_well", {"part": "loop"})
    assert shown() == 1
    clock.now += STUCK_SECONDS
    assert shown() == 0


async def test_one_part_that_is_ill_makes_the_bot_ill_and_says_why() -> None:
    metrics = Metrics()
    health = Health(metrics)

    async def locked() -> HealthPart:
        raise StoreError("locked", "a detail that nobody is told")

    async def fine() -> HealthPart:
        return HealthPart(well=True)

    health.ready = True
    health.probe("database", locked)
    health.probe("lease", fine)
    await health.look()
    report = health.report()
    assert report.status == "ill"
    assert report.parts["database"] == HealthPart(well=False, facts={"why": "locked"})
    assert metrics.registry.get_sample_value("valence_well", {"part": "database"}) == 0
    assert metrics.registry.get_sample_value("valence_well", {"part": "lease"}) == 1
    health.probe("database", fine)
    await health.look()
    assert health.report().status == "ok"


async def test_a_part_that_never_answers_is_ill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.telemetry.health.PATIENCE", 0.01)
    health = Health(Metrics())

    async def hangs() -> HealthPart:
        await asyncio.Event().wait()
        raise AssertionError

    health.probe("database", hangs)
    await health.look()
    assert not health.report().parts["database"].well


def storing() -> Any:
    """The tenure of an owner whose renewals are stored."""
    return SimpleNamespace(trouble="")


async def test_the_database_tells_how_long_it_takes(tmp_path: Any) -> None:
    database = Database(f"sqlite:///{tmp_path / 'valence.db'}")
    (tmp_path / "valence.db").touch()
    assert (await probes.database(database, storing())()).well
    await database.close()


@pytest.mark.parametrize("replaced", [False, True])
async def test_a_database_whose_file_was_moved_away_is_ill_until_it_is_back(
    tmp_path: Path, replaced: bool
) -> None:
    """SQLite goes on writing into it, and the next start would find nothing of that."""
    file, elsewhere = tmp_path / "valence.db", tmp_path / "kept.db"
    file.touch()
    database = Database(f"sqlite:///{file}")
    look = probes.database(database, storing())
    assert (await look()).well
    file.rename(elsewhere)
    if replaced:
        file.touch()
    assert await look() == HealthPart(well=False, facts={"why": "moved"})
    elsewhere.replace(file)
    assert (await look()).well
    await database.close()


def test_a_database_that_takes_no_writes_is_ill_though_it_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk: no move is stored, every press is refused, and a read finds nothing wrong."""
    (tmp_path / "valence.db").write_bytes(empty())

    async def full(*_: object, **__: object) -> None:
        raise StoreError("full")

    async def play() -> list[HealthPart]:
        database = Database(f"sqlite:///{tmp_path / 'valence.db'}")
        lease_holder = LeaseHolder(database, SystemClock())
        look = probes.database(database, lease_holder)
        await lease_holder.take()
        parts = [await look()]
        with monkeypatch.context() as patched:
            patched.setattr(database, "write_at_once", full)
            with pytest.raises(StoreError, match="full"):
                await lease_holder.renew()
            parts.append(await look())
        await lease_holder.renew()
        parts.append(await look())
        await database.close()
        return parts

    first, ill, again = asyncio.run(play())
    assert first.well
    assert ill == HealthPart(well=False, facts={"why": "full"})
    assert again.well


async def test_a_database_whose_writes_never_come_back_is_ill_though_it_can_be_read(tmp_path: Path) -> None:
    """As on a network disk that hangs: nothing fails, and nothing is stored."""
    (tmp_path / "valence.db").write_bytes(empty())
    answered = asyncio.Event()

    class Silent(Database):
        async def write_at_once(self, work: Any, **how: Any) -> Any:
            await answered.wait()
            return await super().write_at_once(work, **how)

    database, clock = Silent(f"sqlite:///{tmp_path / 'valence.db'}"), ManualClock()
    lease_holder = LeaseHolder(database, clock, seconds=10)
    answered.set()
    await lease_holder.take()
    answered.clear()
    look = probes.database(database, lease_holder)
    renewal = asyncio.create_task(lease_holder.renew())
    await asyncio.sleep(0)
    clock.move(9.5)
    assert (await look()).well
    clock.move(1)
    assert await look() == HealthPart(well=False, facts={"why": "no answer within 10 s"})
    answered.set()
    await renewal
    assert (await look()).well
    await database.close()


@pytest.mark.parametrize(("waited", "is_well"), [(145.0, True), (149.0, False)])
async def test_a_start_of_sixteen_shards_may_take_its_time(waited: float, is_well: bool) -> None:
    """They are opened in turn by all processes, five and a half seconds apart."""
    loop = Time()
    client: Any = SimpleNamespace(
        loop=SimpleNamespace(time=loop),
        is_ready=lambda: False,
        latency=math.nan,
        guilds=[],
        shards={},
        shard_count=16,
    )
    look = probes.gateway(client)
    await look()
    loop.now += waited
    assert (await look()).well is is_well


@pytest.mark.parametrize(("away", "is_well"), [(0.0, True), (59.0, True), (61.0, False)])
async def test_the_gateway_may_be_away_for_a_minute(away: float, is_well: bool) -> None:
    loop, ready = Time(), [True]
    shard = SimpleNamespace(is_closed=lambda: False, latency=0.05)
    client: Any = SimpleNamespace(
        loop=SimpleNamespace(time=loop),
        is_ready=lambda: ready[0],
        latency=0.05,
        guilds=[1, 2],
        shards={3: shard},
        shard_count=16,
    )
    look = probes.gateway(client)
    assert (await look()).facts == {"guilds": 2, "shards": 1, "latency_ms": 50}
    if away:
        shard.latency = math.inf
        assert (await look()).facts["shards_away"] == "3"
        ready[0] = False
        await look()
        loop.now += away
    assert (await look()).well is is_well


async def test_workers_that_cannot_be_started_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pools = [Pool("pictures", 0), Pool("opponents", 0)]
    assert (await probes.workers(pools)()).well
    monkeypatch.setattr(Pool, "down", property(lambda pool: pool.name == "opponents"))
    assert await probes.workers(pools)() == HealthPart(well=False, facts={"down": "opponents"})


@pytest.mark.parametrize("lost", [False, True])
async def test_who_has_lost_the_lease_is_ill_and_a_standby_is_not(lost: bool) -> None:
    lease_holder: Any = SimpleNamespace(lost=lost, held=False)
    assert await probes.lease(lease_holder)() == HealthPart(not lost, {"held": False})
