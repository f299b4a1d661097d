"""What is asked of Discord: counted and timed where the requests leave, whoever makes them."""

from __future__ import annotations

import asyncio
import re
from time import perf_counter
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.telemetry.metrics import Metrics
from bot.telemetry.trace import unanswered

KINDS: Final = (
    ("answer", re.compile(r"/interactions/\d+/[^/]+/callback$")),
    ("follow_up", re.compile(r"/webhooks/\d+/")),
    ("message", re.compile(r"/channels/\d+/messages")),
    ("channel", re.compile(r"/channels/\d+")),
    ("command", re.compile(r"/applications/\d+/")),
)
"""What a request is for, by its path; the first one that fits."""


def kind(path: str) -> str:
    """What a request is for: never an id or a token, of which there are without end.

    >>> kind("/api/v10/interactions/8/a-token/callback"), kind("/api/v10/gateway/bot")
    ('answer', 'other')
    """
    return next((name for name, pattern in KINDS if pattern.search(path)), "other")


def tracing(metrics: Metrics) -> aiohttp.TraceConfig:
    """To be given to discord.py: each request is timed, and the answer to a press ends its trace."""

    async def begin(
        _session: object, asked: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        asked.began, asked.kind = perf_counter(), kind(request.url.path)
        asked.press = unanswered() if asked.kind == "answer" else None

    async def sent(
        _session: object, asked: SimpleNamespace, _headers: aiohttp.TraceRequestHeadersSentParams
    ) -> None:
        # the body is written in one go by a task that aiohttp makes next: what gives way comes after that
        if asked.press is not None:
            asyncio.get_running_loop().call_soon(asked.press.sent)

    async def end(_session: object, asked: SimpleNamespace, answer: aiohttp.TraceRequestEndParams) -> None:
        _note(metrics, str(answer.response.status), asked)
        if answer.response.status < 400:
            _answered(metrics, asked)

    async def fail(
        _session: object, asked: SimpleNamespace, _failed: aiohttp.TraceRequestExceptionParams
    ) -> None:
        _note(metrics, "none", asked)

    config = aiohttp.TraceConfig()
    config.on_request_start.append(begin)
    config.on_request_headers_sent.append(sent)
    config.on_request_end.append(end)
    config.on_request_exception.append(fail)
    return config


def _note(metrics: Metrics, status: str, asked: SimpleNamespace) -> None:
    seconds = perf_counter() - asked.began
    metrics.requests.labels(asked.kind, status).inc()
    metrics.request_seconds.labels(asked.kind).observe(seconds)
    if (trace := unanswered()) is not None:
        trace.stages["discord"] = trace.stages.get("discord", 0.0) + seconds


def _answered(metrics: Metrics, asked: SimpleNamespace) -> None:
    trace = unanswered()
    if trace is not None and asked.kind == "answer":
        trace.answered()
        if not trace.refused:
            metrics.answered(trace)
