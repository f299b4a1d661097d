"""Logging: structlog for our own lines, and the same format for those of libraries. No line names a card."""

from __future__ import annotations

import logging
import sys

import aiohttp
import discord
import structlog

from bot.settings import Settings
from bot.telemetry import sentry

AWAY = (
    OSError,
    aiohttp.ClientError,
    discord.ConnectionClosed,
    discord.HTTPException,
    discord.GatewayNotFound,
)
"""Errors that mean that Discord or the network is down, rather than that something is wrong here."""


class _Reconnects(logging.Filter):
    """A filter that turns reconnection errors into one-line warnings.

    discord.py logs each attempt as an error with a traceback of fifty lines, throughout an outage, and Sentry
    would count each as a failure.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, AWAY) and record.getMessage().startswith("Attempting a reconnect"):
            record.msg, record.args = f"{record.getMessage()}: {type(error).__name__}", ()
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = None
        return True


_RECONNECTS = _Reconnects()
"""A shared instance, because a logger adds the same filter only once."""


def set_up(settings: Settings) -> None:
    """Write log lines to standard error, as text or as JSON."""
    level = logging.getLevelNamesMapping()[settings.log_level]
    render = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        # a plain traceback: the pretty one prints local variables, which include cards
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
    # discord.py logs whole payloads at DEBUG, hands included, so it must never log at that level
    logging.getLogger("discord").setLevel(max(level, logging.INFO))
    for name in ("discord.client", "discord.shard"):
        logging.getLogger(name).addFilter(_RECONNECTS)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # no voice here
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
