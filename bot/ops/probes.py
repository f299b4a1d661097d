"""The health of each part of the bot, for `/healthz`: gateway, database, workers, cluster, lease, loops."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterable

import discord
from sqlalchemy import text

from bot.core.clock import Clock
from bot.core.lease_holder import LeaseHolder
from bot.core.scheduler import Scheduler
from bot.session_starts import SessionStarts
from bot.store.backend import disk
from bot.store.backend.identify import APART_SECONDS
from bot.store.database import Database
from bot.telemetry.health import HealthPart, Probe
from bot.telemetry.invalid_requests import InvalidRequests
from bot.telemetry.other_bot_detection import OtherBotDetector
from bot.workers.cluster import Cluster
from bot.workers.pool import Pool

AWAY_SECONDS = 60.0
"""Seconds the gateway may be disconnected: Discord itself asks for a new connection several times a day."""
OPENING_SECONDS = APART_SECONDS
"""Additional seconds per shard at a start: shards are opened one after another, across all processes."""


def gateway(client: discord.AutoShardedClient, starts: SessionStarts | None = None) -> Probe:
    """Return a probe of the connection to Discord.

    It is unhealthy if it has been down for longer than usual, or for longer than a start takes. While the bot
    waits for session starts it is not, because a restart would cost another one.
    """
    away, opened = 0.0, False

    async def look() -> HealthPart:
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
        if starts is not None:
            facts |= starts.facts()
            if starts.waits:
                return HealthPart(well=True, facts=facts)
        patience = AWAY_SECONDS + (0.0 if opened else OPENING_SECONDS * (client.shard_count or 1))
        return HealthPart(not away or now - away < patience, facts)

    return look


MOVED = "moved"
"""Reason for an unhealthy database if SQLite's file was renamed or deleted: it still answers, but everything
is stored in a file that will not be found at the next start."""


def database(store: Database, lease_holder: LeaseHolder) -> Probe:
    """Return a probe of the database: it must answer, from the same file as at the start, and accept writes.

    An error raised by the probe says why not. The probe writes nothing: the lease, renewed every few seconds,
    already shows whether writes work. A full disk can still be read.
    """
    mine = disk.identity(store.place.file) if store.sqlite else None

    async def look() -> HealthPart:
        began = time.perf_counter()
        await store.read_at_once(lambda connection: connection.execute(text("SELECT 1")).scalar())
        if mine is not None and await asyncio.to_thread(disk.identity, store.place.file) != mine:
            return HealthPart(well=False, facts={"why": MOVED})
        if lease_holder.trouble:
            return HealthPart(well=False, facts={"why": lease_holder.trouble})
        return HealthPart(well=True, facts={"ms": round(1000 * (time.perf_counter() - began), 1)})

    return look


def workers(pools: Iterable[Pool]) -> Probe:
    """Return a probe of the processes that paint and think: unhealthy if none can be started."""

    async def look() -> HealthPart:
        down = sorted(pool.name for pool in pools if pool.down)
        facts: dict[str, float | int | str | bool] = {
            f"{pool.name}_waiting": pool.waiting for pool in pools if pool.waiting
        }
        return HealthPart(not down, {**facts, **({"down": ", ".join(down)} if down else {})})

    return look


def cluster(joined: Cluster) -> Probe:
    """Return a probe of the cluster. Never unhealthy, because this process can do the cluster's work."""

    async def look() -> HealthPart:
        trouble = joined.trouble
        if trouble is not None:
            return HealthPart(well=True, facts={"up": False, "why": trouble.kind})
        return HealthPart(
            well=True, facts={"up": joined.up, "workers": joined.workers, "threads": joined.threads}
        )

    return look


def requests(invalid: InvalidRequests) -> Probe:
    """Return a probe of how many requests Discord refuses. Never unhealthy: a restart would not help."""

    async def look() -> HealthPart:
        facts: dict[str, float | int | str | bool] = {"invalid": invalid.count}
        if invalid.near:
            facts["why"] = "Discord refuses many requests"
        return HealthPart(well=True, facts=facts)

    return look


SHARED = "another bot answers with this token"


def token(other_bot: OtherBotDetector) -> Probe:
    """Return a probe of whether another bot uses this token. Never unhealthy: a restart would not help."""

    async def look() -> HealthPart:
        if not other_bot.noted_at:
            return HealthPart(well=True)
        return HealthPart(well=True, facts={"why": SHARED, "refused": other_bot.refused})

    return look


def loops(scheduler: Scheduler, clock: Clock) -> Probe:
    """Return a probe of the background loops: unhealthy if one has failed or been overdue for minutes."""

    async def look() -> HealthPart:
        now, facts = clock.monotonic(), dict[str, float | int | str | bool]()
        for kind, loop in scheduler.loops.items():
            name = kind.replace(" ", "_")
            facts[f"{name}_s"] = round(now - loop.looked_at)
            if loop.failing_since is not None:
                facts[f"{name}_failing_s"] = round(now - loop.failing_since)
                facts[f"{name}_why"] = loop.why
        return HealthPart(not scheduler.ill(), facts)

    return look


def lease(lease_holder: LeaseHolder) -> Probe:
    """Return a probe of whether this process may write. A standby is healthy, but does not play."""

    async def look() -> HealthPart:
        return HealthPart(not lease_holder.lost, {"held": lease_holder.held})

    return look
