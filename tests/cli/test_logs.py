"""Log lines: one shape for all, as text or JSON, and never a card."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import discord
import pytest
import structlog

from bot import logs
from bot.settings import Settings


def settings(**how: str) -> Settings:
    return Settings(_env_file=None, DISCORD_TOKEN="x", **how)  # type: ignore[arg-type, call-arg]


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """What is set up here counts for the whole process."""
    names = ("", "discord", "aiosqlite", "asyncio")
    levels = {name: logging.getLogger(name).level for name in names}
    handlers = logging.getLogger().handlers[:]
    before = discord.VoiceClient.warn_nacl, discord.VoiceClient.warn_dave
    yield
    logging.getLogger().handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    discord.VoiceClient.warn_nacl, discord.VoiceClient.warn_dave = before


def test_lines_of_ours_and_of_libraries_have_one_shape(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up(settings(log_format="json"))
    structlog.get_logger("bot.table").warning("deadline missed", table=7)
    logging.getLogger("discord.gateway").warning("Shard %s is gone", 0)
    ours, theirs = map(json.loads, capsys.readouterr().err.splitlines())
    assert (ours["event"], ours["table"], ours["level"], ours["logger"]) == (
        "deadline missed",
        7,
        "warning",
        "bot.table",
    )
    assert (theirs["event"], theirs["level"], theirs["logger"]) == (
        "Shard 0 is gone",
        "warning",
        "discord.gateway",
    )
    assert ours.keys() - {"table"} == theirs.keys()


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_traceback_shows_no_variable(capsys: pytest.CaptureFixture[str], form: str) -> None:
    logs.set_up(settings(log_format=form))
    hand = ["queen" + " of spades"]
    try:
        raise LookupError(len(hand))
    except LookupError:
        structlog.get_logger().exception("unforeseen")
    said = capsys.readouterr().err
    assert "LookupError" in said
    assert "queen of spades" not in said


def test_payloads_of_discord_are_never_logged(capsys: pytest.CaptureFixture[str]) -> None:
    """At DEBUG the library writes down every message whole, and with it hands."""
    logs.set_up(settings(log_level="DEBUG", log_format="json"))
    logging.getLogger("discord.http").debug("has received the 3 of hearts")
    logging.getLogger("discord.http").info("is well")
    structlog.get_logger("bot").debug("ours may")
    assert [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()] == [
        "is well",
        "ours may",
    ]


@pytest.mark.parametrize(
    ("error", "level"), [(ConnectionRefusedError("no route"), "warning"), (KeyError("ours"), "error")]
)
def test_a_connection_that_is_tried_again_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], error: Exception, level: str
) -> None:
    """As discord.py says it, once for each try of an outage; what is wrong here keeps its traceback."""
    logs.set_up(settings(log_format="json"))
    shard = logging.getLogger("discord.shard")
    shard.error("Attempting a reconnect for shard ID %s in %.2fs", 3, 61.5, exc_info=error)
    (line,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert (line["level"], "exception" in line) == (level, level == "error")
    assert line["event"].startswith("Attempting a reconnect for shard ID 3 in 61.50s")
    assert ("ConnectionRefusedError" in line["event"]) is (level == "warning")


def test_what_is_below_the_level_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up(settings(log_level="ERROR"))
    structlog.get_logger("bot").warning("nothing to see")
    logging.getLogger("anything").warning("nothing to see")
    structlog.get_logger("bot").error("this")
    said = capsys.readouterr().err
    assert "nothing to see" not in said
    assert "this" in said
