"""A press that is answered: where its time goes, and one id in all its log lines."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
import structlog
from aiohttp import web
from aiohttp.test_utils import TestServer
from structlog.testing import capture_logs
from yarl import URL

from bot.core.clock import SystemClock
from bot.core.single_flight import SingleFlight
from bot.core.tasks import Tasks
from bot.telemetry.discord_requests import ServerFailedTwice, kind, tracing, uploading
from bot.telemetry.metrics import Metrics
from bot.telemetry.trace import Trace, following, stage, unanswered, waiting_for

PRESS = "https://discord.com/api/v10/interactions/8/a-token/callback"
EDIT = "https://discord.com/api/v10/channels/5/messages/6"


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def test_what_a_request_is_for_never_names_an_id() -> None:
    paths = ("/interactions/8/tok/callback", "/webhooks/8/tok/messages/@original", "/channels/5/messages/6")
    more = ("/channels/5/threads", "/applications/7/commands", "/users/@me")
    assert [kind(f"/api/v10{path}") for path in paths] == ["answer", "follow_up", "message"]
    assert [kind(f"/api/v10{path}") for path in more] == ["channel", "command", "other"]


async def ask(metrics: Metrics, url: str, status: int = 200) -> None:
    """What aiohttp tells of one request."""
    config, asked = tracing(metrics), SimpleNamespace()
    told: Any = SimpleNamespace(url=URL(url), response=SimpleNamespace(status=status, headers={}))
    await config.on_request_start[0](None, asked, told)  # type: ignore[arg-type]
    await config.on_request_end[0](None, asked, told)  # type: ignore[arg-type]


async def test_time_goes_into_stages_until_discord_has_the_answer() -> None:
    metrics = Metrics()
    with following(Trace("move")) as trace:
        with metrics.store("write"), metrics.store("read"):
            await asyncio.sleep(0)
        await ask(metrics, EDIT)
        await ask(metrics, PRESS, 429)
        assert trace.seconds is None
        await ask(metrics, PRESS)
        assert trace.seconds is not None
        with stage("picture"):
            await asyncio.sleep(0)
        await ask(metrics, EDIT)
    metrics.ended(trace)
    assert set(trace.stages) == {"store", "discord", "work"}
    assert abs(sum(trace.stages.values()) - trace.seconds) < 0.01
    assert value(metrics, "valence_stage_seconds_count", verb="move", stage="store") == 1
    assert value(metrics, "valence_store_seconds_count", kind="write") == 1
    assert value(metrics, "valence_answers_total", outcome="in_time") == 1
    assert value(metrics, "valence_answers_total", outcome="failed") == 0
    assert value(metrics, "valence_discord_requests_total", kind="answer", status="429") == 1
    assert value(metrics, "valence_press_seconds_count", verb="move") == 1


async def test_an_answer_is_sent_with_its_headers_and_what_gives_way_comes_after_its_body() -> None:
    metrics, order, gone = Metrics(), list[str](), asyncio.Event()
    (start,), (headers,) = tracing(metrics).on_request_start, tracing(metrics).on_request_headers_sent

    async def give_way() -> None:
        await gone.wait()
        order.append("others")

    async def write_body() -> None:
        order.append("body")

    with following(Trace("move", on_sent=gone.set)):
        others = asyncio.create_task(give_way())
        for url in (EDIT, PRESS):
            asked, request = SimpleNamespace(), SimpleNamespace(url=URL(url))
            await start(None, asked, request)  # type: ignore[arg-type]
            await asyncio.sleep(0)
            assert not gone.is_set()
            await headers(None, asked, None)  # type: ignore[arg-type]
            await asyncio.create_task(write_body())  # as aiohttp does right after the headers
        await others
    assert order == ["body", "body", "others"]


async def test_an_answer_after_three_seconds_is_late_and_one_that_never_went_out_has_failed() -> None:
    metrics = Metrics()
    trace = Trace("move")
    trace.began -= 3.5
    with following(trace):
        await ask(metrics, PRESS)
    metrics.ended(trace)
    metrics.ended(Trace("hand"))
    outcomes = ("in_time", "late", "failed")
    assert [value(metrics, "valence_answers_total", outcome=each) for each in outcomes] == [0, 1, 1]


async def test_what_goes_on_beside_the_answer_costs_nobody_patience() -> None:
    async def beside() -> None:
        assert unanswered() is None
        with stage("store"):
            await asyncio.sleep(0)

    with following(Trace("move")) as trace:
        await asyncio.create_task(beside())
        assert unanswered() is trace
    assert trace.stages == {}
    assert unanswered() is None


async def test_what_the_answer_waits_for_counts_though_a_task_of_its_own_does_it() -> None:
    """An act is stored in a task that no cancelled caller can tear; a slow disk must show as the store."""

    async def beside() -> None:
        with stage("store"):
            await asyncio.sleep(0)

    flight = SingleFlight[None]("load")
    with following(Trace("move")) as trace:
        await flight.do(1, beside)
        assert set(trace.stages) == {"store"}
        assert unanswered() is trace
        task = asyncio.create_task(beside())
        with pytest.raises(TimeoutError), waiting_for(task):
            raise TimeoutError
        loaded = trace.stages.copy()
        await task
    assert trace.stages == loaded, "nobody waits for it any more"


async def test_a_press_that_is_refused_tells_nothing_of_how_fast_its_handler_is() -> None:
    metrics = Metrics()
    with following(Trace("rules")) as trace:
        trace.refused = True
        await ask(metrics, PRESS)
    assert trace.seconds is not None
    assert value(metrics, "valence_answers_total", outcome="in_time") == 0
    assert value(metrics, "valence_answer_seconds_count", verb="rules") is None
    with following(Trace("rules")):
        await ask(metrics, PRESS)
    assert value(metrics, "valence_answer_seconds_count", verb="rules") == 1


async def test_every_line_that_a_press_causes_bears_its_id_and_a_later_bell_none() -> None:
    log, tasks, rung = structlog.get_logger("test"), Tasks(), asyncio.Event()
    tasks.open()

    async def caused() -> None:
        log.info("opponent")

    def ring() -> None:
        log.info("bell")
        rung.set()

    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        with following(Trace("move")) as trace:
            log.info("pressed")
            tasks.spawn(caused(), "opponent")
            SystemClock().call_later(0, ring)
        log.info("after")
        await rung.wait()
        await asyncio.sleep(0)
    said = {line["event"]: line.get("press") for line in lines}
    assert said == {"pressed": trace.id, "opponent": trace.id, "after": None, "bell": None}


async def test_the_time_that_discord_names_is_heard_with_each_answer() -> None:
    heard: list[int] = []
    config, asked = tracing(Metrics(), None, heard.append), SimpleNamespace()
    for date in ("Sat, 28 Nov 2026 12:00:00 GMT", "", "yesterday"):
        told: Any = SimpleNamespace(
            url=URL(EDIT), response=SimpleNamespace(status=200, headers={"Date": date})
        )
        await config.on_request_start[0](None, asked, told)  # type: ignore[arg-type]
        await config.on_request_end[0](None, asked, told)  # type: ignore[arg-type]
    assert heard == [1_795_867_200_000]


@pytest.mark.parametrize(
    ("answers", "taken"), [([500, 200], 2), ([413], 1), ([502, 503, 200], 0), ([429, 500, 429, 200], 4)]
)
async def test_an_upload_is_given_up_after_two_errors_of_the_servers(answers: list[int], taken: int) -> None:
    metrics, left = Metrics(), list(answers)

    async def answer(_request: web.Request) -> web.Response:
        return web.Response(status=left.pop(0))

    app = web.Application()
    app.router.add_post("/webhooks/1/token", answer)

    async def ask_all() -> int:
        async with aiohttp.ClientSession(trace_configs=[tracing(metrics)]) as session:
            with uploading():
                for number in range(len(answers)):
                    async with session.post(server.make_url("/webhooks/1/token")) as reply:
                        if reply.status < 500 and reply.status != 429:
                            return number + 1
        return 0

    async with TestServer(app) as server:
        if not taken:
            with pytest.raises(ServerFailedTwice):
                await ask_all()
            assert left == [200]
        else:
            assert await ask_all() == taken
        # without files discord.py tries as often as it likes
        left[:] = [500, 500, 500]
        async with aiohttp.ClientSession(trace_configs=[tracing(metrics)]) as session:
            for _ in range(3):
                async with session.post(server.make_url("/webhooks/1/token")) as reply:
                    assert reply.status == 500
    refused = sum(
        value(metrics, "valence_refused_uploads_total", status=str(status)) or 0 for status in {*answers}
    )
    assert refused == sum(status >= 400 and status != 429 for status in answers)
    assert value(metrics, "valence_discord_requests_total", kind="follow_up", status="none") is None
