"""The bot's process: from its settings to its exit code, including shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable

import aiohttp
import discord
import structlog

from bot import logs
from bot.client import START_AGAIN, Valence
from bot.connection import log_in, point_at
from bot.ops.startup import misuse_words, notes, pillow_words, shard_words, store_words
from bot.settings import BadSetting
from bot.settings import settings as read_settings
from bot.store.database import Fenced, StoreError
from bot.store.models import SCHEMA
from bot.table.storage.resting import TooManyRest
from bot.telemetry import sentry
from bot.ui.discord_errors import reason
from bot.version import version
from bot.workers.process import settle

log = structlog.get_logger(__name__)

FAILED, MISUSED, STORE_TROUBLE, RELEASE_AT_FAULT = 1, 2, 3, 4
"""Exit codes besides START_AGAIN."""
SWITCH_SECONDS = 0.001
STOP_SECONDS = 4.5
"""Seconds until a stopping process exits, even if something hangs: every answered action is stored, and
pending work is in rows."""


async def _serve(client: Valence, token: str) -> None:
    """Run the bot until it receives a stop signal, which may happen at any moment, even during its start."""
    told = asyncio.Event()
    _listen(told.set)
    try:
        await _play_until(client, token, told)
    finally:
        _listen(None)


async def _play_until(client: Valence, token: str, told: asyncio.Event) -> None:
    playing = asyncio.create_task(_play(client, token))
    signs = {asyncio.create_task(sign.wait()) for sign in (told, client.ending)}
    await asyncio.wait({playing, *signs}, return_when=asyncio.FIRST_COMPLETED)
    for sign in signs:
        sign.cancel()
    _limit(_code_of(playing) if playing.done() else client.exit_code)
    if (told.is_set() or client.exit_code) and not client.is_ready():
        while not playing.done():
            # anything it was just opening is closed below. Cancelling once is not enough: a wait with a time
            # limit that ends at the same moment swallows the cancellation (asyncio.wait_for of Python 3.11)
            playing.cancel()
            await asyncio.wait({playing}, timeout=0.2)
    await client.close()
    with contextlib.suppress(asyncio.CancelledError):
        await playing


def _code_of(playing: asyncio.Task[None]) -> int:
    """Return the exit code of a bot that ended by itself, for the supervisor that may restart it."""
    error = None if playing.cancelled() else playing.exception()
    if isinstance(error, Fenced):
        return START_AGAIN
    if isinstance(error, StoreError):
        return STORE_TROUBLE
    if isinstance(error, Exception) and misuse_words(error):
        return MISUSED
    return RELEASE_AT_FAULT if isinstance(error, TooManyRest) else FAILED


def _limit(code: int) -> None:
    """End the process after STOP_SECONDS, even if the interpreter is waiting for a hanging thread."""

    def leave() -> None:
        log.warning("stopped without waiting any longer", seconds=STOP_SECONDS)
        os._exit(code)

    timer = threading.Timer(STOP_SECONDS, leave)
    timer.daemon = True
    timer.start()


def _listen(heard: Callable[[], None] | None) -> None:
    """Call `heard` on every stop signal; None ignores the signals, because the process is already stopping.

    A second SIGTERM must not interrupt the shutdown begun by the first, up to the interpreter's own exit.
    """
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        if heard is None:
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(sign)
            signal.signal(sign, signal.SIG_IGN)
            continue
        try:
            loop.add_signal_handler(sign, heard)
        except NotImplementedError:  # Windows
            signal.signal(sign, lambda *_: loop.call_soon_threadsafe(heard))


async def _play(client: Valence, token: str) -> None:
    await log_in(client, token)
    # Loaded objects stay in memory: a full garbage collection over a hundred megabytes would delay each press
    # by a tenth of a second. This affects the whole process, so a bot embedded in another one does not do it.
    settle()
    await client.connect()


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the event loop factory: uvloop's if it is installed (the extra `speed`), or None."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def run(*, rest_anyway: bool = False) -> int:
    """Run the bot until it is stopped. Return the exit code.

    `rest_anyway`: start even if more than one table in twenty cannot be replayed.
    """
    # The driver's thread must not hold the interpreter for long when an answer is due.
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        settings = read_settings()
    except BadSetting as found:
        return _stop(f"{found.name} can't be used: {found.why}.")
    logs.set_up(settings)
    log.info("starting", schema=SCHEMA)  # `python -m tools bench start` counts from here: all is imported
    token = settings.discord_token.get_secret_value()
    if not token:
        return _stop("DISCORD_TOKEN is not set. Put it into .env, or try `valence playground` without one.")
    if settings.discord_base:
        point_at(settings.discord_base)
    try:
        if dsn := settings.sentry_dsn.get_secret_value():
            sentry.connect(dsn, release=version())
        if said := shard_words(settings) or pillow_words():
            return _stop(said)
        for warning, line in notes(settings):
            (log.warning if warning else log.info)(line)
        client = Valence(settings, rest_anyway=rest_anyway)
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(_serve(client, token))
    except KeyboardInterrupt:
        return 0
    except Fenced as found:
        return _stop(store_words(found), START_AGAIN)
    except StoreError as found:
        return _stop(store_words(found), STORE_TROUBLE)
    except TooManyRest as found:
        return _stop(str(found), RELEASE_AT_FAULT)
    except Exception as error:
        if said := misuse_words(error):
            return _stop(said)
        if isinstance(error, (OSError, discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError)):
            return _stop(f"Discord cannot be reached: {reason(error)}", FAILED)
        raise
    return client.exit_code


def _stop(sentence: str, code: int = MISUSED) -> int:
    sys.stderr.write(sentence + "\n")
    return code
