"""Checks before the bot starts, and explanations for the operator if it cannot."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import discord
import structlog
from PIL import features

from bot.locales import words
from bot.presenters.voice import clipped
from bot.settings import Settings, unknown
from bot.store.backend import disk
from bot.store.backend.urls import BadUrl, place
from bot.store.database import Database, Misconfigured, StoreError, TooOld
from bot.store.models import SCHEMA
from bot.telemetry import sentry
from bot.telemetry.health_server import PortTaken
from bot.workers.cluster import NoCluster

log = structlog.get_logger(__name__)

_say = words("en")
NO_TOKEN, NO_VERSION, NO_INTENTS = 4004, 4012, (4013, 4014)
NO_SHARDS = (4010, 4011)
PILLOW = {"freetype2": "FreeType", "zlib": "zlib", "webp": "WebP"}
"""Parts of Pillow for letters, for PNG, and for the pictures of a film's page."""
_MOST_SIGNS = 100
"""Maximum characters of a value repeated in a line."""


def store_words(found: StoreError | BadUrl) -> str:
    """Explain why the database cannot be used, without ever showing a password."""
    if isinstance(found, BadUrl):
        # someone may have pasted a whole page
        facts = {name: clipped(str(fact), _MOST_SIGNS) for name, fact in found.facts.items()}
        return _say(f"doctor.url.{found.key}", **facts)
    if isinstance(found, Misconfigured):
        return _say(f"doctor.store.{found.fault.key}", **found.fault._asdict())
    if isinstance(found, TooOld):
        return _say(f"doctor.store.{found.outdated.key}", **found.outdated._asdict())
    key = f"doctor.store.{found.kind}"
    return _say(key) if key in _say else f"The database cannot be used: {found}"


def cluster_words(trouble: NoCluster) -> str:
    """Explain why a cluster cannot be used."""
    return _say(f"doctor.cluster.{trouble.kind}", **{"problem": "no answer", **trouble.facts})


def misuse_words(error: Exception) -> str | None:
    """Explain why a misconfigured start ended, or return None for errors of another kind."""
    match error:
        case BadUrl():
            return store_words(error)
        case PortTaken(why=why, host=host, port=port):
            return _say(f"start.port_{why}", host=host, port=port)
        case sentry.NoSentry():
            return _say("start.no_sentry")
        case sentry.BadDsn():
            return _say("start.bad_dsn")
        case aiohttp.ClientConnectorCertificateError():
            return _say("start.certificate", host=error.host, problem=error.certificate_error)
        case aiohttp.ClientHttpProxyError(status=407):
            return _say("start.proxy_login")
        case discord.LoginFailure():
            return _say("start.token")
        case discord.PrivilegedIntentsRequired():
            return _say("start.intents")
        case discord.ConnectionClosed(code=code):
            return closed_words(code, error.reason)
    return None


def closed_words(code: int, reason: str) -> str:
    """Explain a close code after which discord.py does not reconnect."""
    if code == NO_TOKEN:
        return _say("start.token")
    if code in NO_INTENTS:
        return _say("start.intents")
    if code in NO_SHARDS:
        return _say("start.shards", code=code)
    if code == NO_VERSION:
        return _say("start.version", code=code)
    return _say("start.closed", code=code, reason=reason or "no reason given")


def pillow_words() -> str | None:
    """Explain which parts of Pillow are missing, or return None if every picture can be drawn."""
    lacking = [name for feature, name in PILLOW.items() if not features.check(feature)]
    return _say("start.pillow", features=", ".join(lacking)) if lacking else None


def shard_words(settings: Settings) -> str | None:
    """Explain why the configured shards cannot run on this database, or return None if they can."""
    if settings.own_shards.whole or not place(settings.database_url).sqlite:
        return None
    return _say("start.shards_need_postgres")


def notes(settings: Settings) -> Iterator[tuple[bool, str]]:
    """Yield lines worth logging at the start, each with whether it is a warning.

    Raises:
        BadUrl: the database's URL cannot be used.
    """
    for name, near in unknown():
        key = "start.unknown_near" if near else "start.unknown"
        yield True, _say(key, name=name, near=near)
    where = place(settings.database_url)
    if not where.sqlite:
        return
    if kind := disk.network_file_system(where.file):
        yield True, _say("doctor.disk.network", file=where.file, kind=kind)
    if host := disk.vanishing(where.file):
        yield True, _say("doctor.disk.vanishes", file=where.file, host=host)
    elif not Path(str(where.url.database)).is_absolute():
        yield False, _say("start.relative", file=where.file)


async def bring_up_to_date(database: Database, settings: Settings) -> None:
    """Check the schema, and upgrade an outdated SQLite file in a separate process.

    Raises:
        StoreError: the database cannot be used as it is, for the reason given by the kind.
    """
    try:
        if (schema := await database.check_schema()) != SCHEMA:
            log.warning("the database is of a newer version, on which this one still runs", schema=schema)
    except StoreError as found:
        if found.kind not in ("empty", "old") or not database.sqlite:
            await database.close()
            raise
        # a separate process keeps alembic out of the bot's memory
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.store.backend.migrate", settings.database_url),
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is meant for the bot, and a stop is not a database error
        )
        try:
            _, said = await process.communicate()
        except asyncio.CancelledError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()  # this rolls its transaction back, and the next start begins again
            await process.wait()
            raise
        if process.returncode:
            kind = said.decode(errors="replace").strip().splitlines()[-1:] or ["gone"]
            await database.close()
            raise StoreError(kind[0].split(":")[0]) from found
        await database.check_schema()
