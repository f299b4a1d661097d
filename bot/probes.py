"""How each part of the bot is, for `/healthz`: gateway, database, workers, cluster, lease."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterable

import discord
from sqlalchemy import text

from bot.store import disk
from bot.store.database import Database
from bot.store.identify import APART_SECONDS
from bot.tables.tenure import Tenure
from bot.telemetry.health import Part, Probe
from bot.workers.cluster import Cluster
from bot.workers.pool import Pool

AWAY_SECONDS = 60.0
"""So long may the gateway be away: Discord itself asks for a new connection several times a day."""
OPENING_SECONDS = APART_SECONDS
"""So much longer for each shard at a start: all are opened in turn, whichever process opens them."""


def gateway(client: discord.AutoShardedClient) -> Probe:
    """The connection to Discord: ill once it has been away for longer than usual, or than a start takes."""
    away, opened = 0.0, False

    async def look() -> Part:
        nonlocal away, opened
        now = client.loop.time()
        opened = opened or client.is_ready()
        gone = [at for at, shard in client.shards.items() if shard.is_closed() or math.isinf(shard.latency)]
        away = 0.0 if client.is_ready() and not gone else away or now
        facts: dict[str, float | int | str | bool] = {
            "guilds": len(client.guilds),
            "shards": len(client.shards),
        }
        if gone:
            facts["shards_away"] = ", ".join(str(at) for at in gone)
        if math.isfinite(client.latency):
            facts["latency_ms"] = round(1000 * client.latency)
        if away:
            facts["away_s"] = round(now - away)
        patience = AWAY_SECONDS + (0.0 if opened else OPENING_SECONDS * (client.shard_count or 1))
        return Part(not away or now - away < patience, facts)

    return look


MOVED = "moved"
"""Why the database is ill where SQLite's file has another name by now, or none: it still answers, and all
that is stored goes into a file that nobody finds after the next start."""


def database(store: Database, tenure: Tenure) -> Probe:
    """Whether the database answers, from the file that had its name when this was asked for, and takes what
    is written; what it raises says why not.

    Nothing is written for this: the lease is renewed every few seconds. A full disk is read as ever.
    """
    mine = disk.identity(store.place.file) if store.sqlite else None

    async def look() -> Part:
        began = time.perf_counter()
        await store.read_at_once(lambda connection: connection.execute(text("SELECT 1")).scalar())
        if mine is not None and await asyncio.to_thread(disk.identity, store.place.file) != mine:
            return Part(well=False, facts={"why": MOVED})
        if tenure.trouble:
            return Part(well=False, facts={"why": tenure.trouble})
        return Part(well=True, facts={"ms": round(1000 * (time.perf_counter() - began), 1)})

    return look


def workers(pools: Iterable[Pool]) -> Probe:
    """The processes that paint and think: ill where none can be started."""

    async def look() -> Part:
        down = sorted(pool.name for pool in pools if pool.down)
        facts: dict[str, float | int | str | bool] = {
            f"{pool.name}_waiting": pool.waiting for pool in pools if pool.waiting
        }
        return Part(not down, {**facts, **({"down": ", ".join(down)} if down else {})})

    return look


def cluster(joined: Cluster) -> Probe:
    """The cluster: never ill, since what it does not do is done here."""

    async def look() -> Part:
        trouble = joined.trouble
        if trouble is not None:
            return Part(well=True, facts={"up": False, "why": trouble.kind})
        return Part(well=True, facts={"up": joined.up, "workers": joined.workers, "threads": joined.threads})

    return look


def lease(tenure: Tenure) -> Probe:
    """Whether this process may write; a standby is well, but does not play."""

    async def look() -> Part:
        return Part(not tenure.lost, {"held": tenure.held})

    return look
