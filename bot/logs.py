"""Logging: structlog for our own lines, the same shape for those of libraries. No line names a card."""

from __future__ import annotations

import logging
import sys

import discord
import structlog

from bot.settings import Settings
from bot.telemetry import sentry


def set_up(settings: Settings) -> None:
    """Write log lines to standard error, as text or as JSON."""
    level = logging.getLevelNamesMapping()[settings.log_level]
    render = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        # a plain traceback: the pretty one prints local variables, and with them cards
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.contextvars.merge_contextvars,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    if settings.sentry_dsn.get_secret_value():
        shared.append(sentry.report)
    if settings.log_format == "json":
        shared.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    # discord.py logs whole payloads at DEBUG, hands included: never, whatever the level
    logging.getLogger("discord").setLevel(max(level, logging.INFO))
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # no voice here
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
