"""What Sentry hears of a failure, and what it never hears: words, variables, names."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from bot import logs
from bot.settings import Settings
from bot.telemetry import sentry
from bot.ui import errors

sentry_sdk = pytest.importorskip("sentry_sdk")
DSN = "https://public@sentry.example/1"


@pytest.fixture
def sent() -> Iterator[list[Any]]:
    events = list[Any]()

    class Post(sentry_sdk.transport.Transport):  # type: ignore[misc, name-defined]
        def capture_envelope(self, envelope: Any) -> None:
            events.append(envelope.get_event())

    sentry.connect(DSN, "0.1.0")
    sentry_sdk.get_client().transport = Post({"dsn": DSN})
    before = structlog.get_config()["processors"]
    structlog.configure(processors=[structlog.stdlib.add_log_level, sentry.report, *before[-1:]])
    yield events
    sentry_sdk.get_client().close()
    sentry_sdk.init()


@pytest.fixture
def library() -> Iterator[logging.Logger]:
    """The logger of a library, with the bot's handlers."""
    root, logger = logging.getLogger(), logging.getLogger("asyncio")
    handlers, level, own = root.handlers[:], root.level, logger.level
    logs.set_up(Settings(_env_file=None, sentry_dsn=DSN))  # type: ignore[call-arg, arg-type]
    yield logger
    root.handlers[:] = handlers
    root.setLevel(level)
    logger.setLevel(own)


def deal(hand: str) -> None:
    card = f"the queen of {hand}"
    raise ValueError(f"{card} is not yours")


def test_a_failure_bears_its_code_and_place_but_no_card(sent: list[Any]) -> None:
    try:
        deal("hearts")
    except ValueError as error:
        code = errors.note(error, table=7, hand=["Q♥"])
    (event,) = sent
    assert event["tags"] == {"event": "unforeseen", "code": code, "table": "7", "level": "error"}
    told = str(event)
    assert "ValueError" in told
    assert "'deal'" in told
    assert "queen" not in told
    assert "hearts" not in told
    assert "Q♥" not in told


def test_the_words_of_a_library_stay_here(sent: list[Any], library: logging.Logger) -> None:
    """asyncio repeats the error of a task that was never awaited, and with it the card."""
    error = ValueError("no card called the queen of hearts")
    library.error("Task exception was never retrieved\nexception=%r", error, exc_info=error)
    (event,) = sent
    assert event["tags"] == {"logger": "asyncio", "level": "error"}
    assert "ValueError" in str(event)
    assert "queen" not in str(event)


def test_lines_without_an_error_stay_here(sent: list[Any]) -> None:
    log = structlog.get_logger("test")
    log.error("worker ended at once", pool="pictures")
    log.info("ready", exc_info=ValueError())
    assert sent == []


def test_what_is_no_dsn_is_refused() -> None:
    with pytest.raises(sentry.BadDsn):
        sentry.connect("sentry", "0.1.0")


def test_without_the_library_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentry_sdk", None)
    with pytest.raises(sentry.NoSentry):
        sentry.connect(DSN, "0.1.0")
