"""What is looked at before the bot starts, and why it does not, in words for whoever runs it."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import discord
import structlog

from bot.locales import words
from bot.settings import Settings, unknown
from bot.store import disk
from bot.store.database import Database, StoreError
from bot.store.models import SCHEMA
from bot.store.urls import BadUrl, place
from bot.telemetry import sentry
from bot.telemetry.server import PortTaken
from bot.workers.cluster import NoCluster

log = structlog.get_logger(__name__)

_say = words("en")
NO_TOKEN, NO_VERSION, NO_INTENTS = 4004, 4012, (4013, 4014)
NO_SHARDS = (4010, 4011)


def store_words(found: StoreError | BadUrl) -> str:
    """Why the database cannot be used. Never holds a password."""
    if isinstance(found, BadUrl):
        return _say(f"doctor.url.{found.key}", **found.facts)
    key = f"doctor.store.{found.kind}"
    return _say(key) if key in _say else f"The database cannot be used: {found}"


def cluster_words(trouble: NoCluster) -> str:
    """Why a cluster cannot be used."""
    return _say(f"doctor.cluster.{trouble.kind}", **{"problem": "no answer", **trouble.facts})


def misuse_words(error: Exception) -> str | None:
    """Why a start that was asked for wrongly has ended; None where the error is of another kind."""
    match error:
        case BadUrl():
            return store_words(error)
        case PortTaken(why=why, host=host, port=port):
            return _say(f"start.port_{why}", host=host, port=port)
        case sentry.NoSentry():
            return _say("start.no_sentry")
        case sentry.BadDsn():
            return _say("start.bad_dsn")
        case discord.LoginFailure():
            return _say("start.token")
        case discord.PrivilegedIntentsRequired():
            return _say("start.intents")
        case discord.ConnectionClosed(code=code):
            return closed_words(code, error.reason)
    return None


def closed_words(code: int, reason: str) -> str:
    """What a close code means after which discord.py does not connect again."""
    if code == NO_TOKEN:
        return _say("start.token")
    if code in NO_INTENTS:
        return _say("start.intents")
    if code in NO_SHARDS:
        return _say("start.shards", code=code)
    if code == NO_VERSION:
        return _say("start.version", code=code)
    return _say("start.closed", code=code, reason=reason or "no reason given")


def shard_words(settings: Settings) -> str | None:
    """Why the shards that are set cannot be played on this database; None where they can."""
    if settings.own_shards.whole or not place(settings.database_url).sqlite:
        return None
    return _say("start.shards_need_postgres")


def notes(settings: Settings) -> Iterator[tuple[bool, str]]:
    """What is worth a line at the start: whether it is a warning, and the line.

    Raises:
        BadUrl: the database's URL cannot be used.
    """
    for name, near in unknown():
        key = "start.unknown_near" if near else "start.unknown"
        yield True, _say(key, name=name, near=near)
    where = place(settings.database_url)
    if not where.sqlite:
        return
    if host := disk.vanishing(where.file):
        yield True, _say("doctor.disk.vanishes", file=where.file, host=host)
    elif not Path(str(where.url.database)).is_absolute():
        yield False, _say("start.relative", file=where.file)


async def bring_up_to_date(database: Database, settings: Settings) -> None:
    """Check the schema; a SQLite file that is behind is upgraded by a process of its own.

    Raises:
        StoreError: it cannot be used as it is, with the reason as its kind.
    """
    try:
        if (schema := await database.check_schema()) != SCHEMA:
            log.warning("the database is of a newer version, on which this one still runs", schema=schema)
    except StoreError as found:
        if found.kind not in ("empty", "old") or not database.sqlite:
            await database.close()
            raise
        # alembic stays out of the bot's memory
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.store.migrate", settings.database_url),
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the bot, and a stop is no trouble of the database
        )
        try:
            _, said = await process.communicate()
        except asyncio.CancelledError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()  # its transaction comes to nothing, and the next start begins anew
            await process.wait()
            raise
        if process.returncode:
            kind = said.decode(errors="replace").strip().splitlines()[-1:] or ["gone"]
            await database.close()
            raise StoreError(kind[0].split(":")[0]) from found
        await database.check_schema()
