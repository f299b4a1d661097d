"""Counting and timing of requests to Discord at the HTTP client, for all callers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from time import perf_counter
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.telemetry.invalid_requests import InvalidRequests
from bot.telemetry.metrics import Metrics
from bot.telemetry.other_bot_detection import OtherBotDetector
from bot.telemetry.trace import unanswered

KINDS: Final = (
    ("answer", re.compile(r"/interactions/\d+/[^/]+/callback$")),
    ("follow_up", re.compile(r"/webhooks/\d+/")),
    ("message", re.compile(r"/channels/\d+/messages")),
    ("channel", re.compile(r"/channels/\d+")),
    ("command", re.compile(r"/applications/\d+/")),
)
"""Purpose of a request by its path; the first match counts."""


class ServerFailedTwice(aiohttp.ClientError):
    """Discord has answered an upload twice with an error of its own."""


_failures: ContextVar[list[int] | None] = ContextVar("failures of an upload", default=None)
"""The statuses with which Discord failed to take the upload of the running task."""


@contextmanager
def uploading() -> Iterator[None]:
    """Give up the requests within after two errors of Discord's servers.

    discord.py would try five times within 25 seconds, while an interaction waits three for its answer.
    """
    token = _failures.set([])
    try:
        yield
    finally:
        _failures.reset(token)


TOO_MANY: Final = 429


def kind(path: str) -> str:
    """Return the purpose of a request. Ids and tokens are left out, because labels must be few.

    >>> kind("/api/v10/interactions/8/a-token/callback"), kind("/api/v10/gateway/bot")
    ('answer', 'other')
    """
    return next((name for name, pattern in KINDS if pattern.search(path)), "other")


def tracing(
    metrics: Metrics,
    other_bot: OtherBotDetector | None = None,
    on_time: Callable[[int], None] = lambda _at: None,
    invalid: InvalidRequests | None = None,
) -> aiohttp.TraceConfig:
    """Return the trace config for discord.py: it times each request and ends traces at the first answer.

    What fails twice while `uploading` is given up. `other_bot` sees the first answer to each interaction.
    `on_time` hears the time that each answer names, in milliseconds since 1970. `invalid` counts the answers
    that Discord counts.
    """

    async def begin(
        _session: object, asked: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        asked.began, asked.kind = perf_counter(), kind(request.url.path)
        asked.press = unanswered() if asked.kind == "answer" else None
        asked.first = other_bot is not None and other_bot.is_first(request.url.path)

    async def sent(
        _session: object, asked: SimpleNamespace, _headers: aiohttp.TraceRequestHeadersSentParams
    ) -> None:
        # aiohttp writes the body at once in the task it creates next, so this callback runs after that
        if asked.press is not None:
            asyncio.get_running_loop().call_soon(asked.press.sent)

    async def end(_session: object, asked: SimpleNamespace, answer: aiohttp.TraceRequestEndParams) -> None:
        _note(metrics, str(answer.response.status), asked)
        if invalid is not None:
            invalid.note(answer.response.status, answer.response.headers)
        if (at := time_of(answer.response)) is not None:
            on_time(at)
        if answer.response.status < 400:
            _answered(metrics, asked)
        elif other_bot is not None and asked.first:
            await other_bot.look_at(answer.response)
        _count_failure(metrics, answer.response.status)

    async def fail(
        _session: object, asked: SimpleNamespace, failed: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if not isinstance(failed.exception, ServerFailedTwice):  # its answer has been noted
            _note(metrics, "none", asked)

    config = aiohttp.TraceConfig()
    config.on_request_start.append(begin)
    config.on_request_headers_sent.append(sent)
    config.on_request_end.append(end)
    config.on_request_exception.append(fail)
    return config


def _count_failure(metrics: Metrics, status: int) -> None:
    """Count an upload that was refused.

    Raises:
        ServerFailedTwice: it is the second error of Discord's servers.
    """
    failures = _failures.get()
    if failures is None or status < 400 or status == TOO_MANY:
        return
    metrics.refused_uploads.labels(str(status)).inc()
    if status >= 500:
        failures.append(status)
        if len(failures) > 1:
            raise ServerFailedTwice(f"Discord has answered with {failures}")


def time_of(answer: aiohttp.ClientResponse) -> int | None:
    """Return the time that an answer names, in milliseconds since 1970, or None if it names none."""
    try:
        return int(parsedate_to_datetime(answer.headers.get("Date", "")).timestamp() * 1000)
    except (TypeError, ValueError):
        return None


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
