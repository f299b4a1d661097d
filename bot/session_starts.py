"""Discord's budget of session starts: a bot that needs more than 1,000 IDENTIFYs a day loses its token.

Before each new session the bot asks how many are left, and waits if they would not do. Sessions that break as
soon as they stand, and cannot be resumed, are followed by growing pauses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any, Final, TypeAlias

import aiohttp
import discord
import structlog
from discord.shard import EventItem, EventType

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.locales import words

log = structlog.get_logger(__name__)

RESERVE: Final = 10
"""Session starts that a running bot leaves for restarts by a person."""
RETRY: Final = Backoff(first=5.0, longest=900.0)
"""Pauses after sessions that broke at once."""
LASTING_SECONDS: Final = 600.0
"""Seconds after which a session did not break at once."""
LEAST_WAIT_SECONDS: Final = 60.0
"""The shortest wait for new session starts, even if Discord names a shorter one."""
NEW_SESSIONS: Final = (EventType.identify, EventType.reconnect)
"""Events of discord.py after which it opens a new session. It resumes the old one after all others."""
_say = words("en")

Ask: TypeAlias = Callable[[], Awaitable[tuple[int, str, Mapping[str, Any]]]]
"""`GET /gateway/bot`: the recommended shards, the address, and the session start limit."""


class SessionStarts:
    """The session starts of one process, and its waits for them."""

    def __init__(
        self, ask: Ask, clock: Clock, chance: Random, started: Callable[[], object] = lambda: None
    ) -> None:
        """`started` is called at each IDENTIFY."""
        self._ask, self._clock, self._chance, self._started = ask, clock, chance, started
        self.left: int | None = None
        """Session starts left by the last answer of Discord, or None before the first."""
        self.in_a_row = 0
        """Sessions in a row that broke at once, of the shard that has the most."""
        self._broken: dict[int, int] = {}
        self._since: dict[int, float] = {}
        """When each shard opened the session that has not broken yet."""
        self._until = 0.0
        self._delayed: set[asyncio.Task[None]] = set()

    @property
    def waits(self) -> float:
        """Seconds for which the bot still waits before it opens a session; 0 if it does not wait."""
        return max(0.0, self._until - self._clock.monotonic())

    def facts(self) -> dict[str, int | str]:
        """Return what `/healthz` tells: session starts left, sessions broken in a row, and a wait."""
        facts: dict[str, int | str] = {}
        if self.left is not None:
            facts["session_starts_left"] = self.left
        if self.in_a_row:
            facts["sessions_broken"] = self.in_a_row
        if waits := self.waits:
            facts |= {"why": "waits before a new session", "session_in_s": round(waits)}
        return facts

    def identified(self, shard_id: int) -> None:
        """Record that a shard opens a new session now."""
        self._since[shard_id] = self._clock.monotonic()
        self._started()

    def lost(self, shard_id: int) -> None:
        """Record that a shard's connection has broken."""
        since = self._since.pop(shard_id, None)
        if since is None:
            return
        at_once = self._clock.monotonic() - since < LASTING_SECONDS
        self._broken[shard_id] = self._broken.get(shard_id, 0) + 1 if at_once else 0
        self.in_a_row = max(self._broken.values())

    async def before_start(self, shards: int) -> None:
        """Wait until this many session starts are left, as this process opens its shards."""
        await self._must_be_left(shards)

    async def before_new_session(self, shard_id: int) -> None:
        """Wait before a shard opens another session: longer each time the last one broke at once."""
        if broken := self._broken.get(shard_id, 0):
            pause = RETRY.pause(broken) * self._chance.uniform(0.8, 1.2)
            log.warning(_say("start.session_broke"), shard=shard_id, in_a_row=broken, again_in=round(pause))
            await self._sleep(pause)
        await self._must_be_left(1 + RESERVE)

    async def _must_be_left(self, needed: int) -> None:
        while True:
            try:
                _, _, limit = await self._ask()
            except (discord.DiscordException, aiohttp.ClientError, OSError):
                return  # Discord counts anyway, and the connection will tell what is wrong
            self.left, total = int(limit["remaining"]), int(limit["total"])
            if self.left >= min(needed, total):
                return
            seconds = max(limit["reset_after"] / 1000, LEAST_WAIT_SECONDS)
            log.warning(_say("start.no_sessions", left=self.left, total=total, n=round(seconds / 60)))
            await self._sleep(seconds)

    async def _sleep(self, seconds: float) -> None:
        until = self._clock.monotonic() + seconds
        self._until = max(self._until, until)
        await self._clock.sleep(seconds)

    def delay(self, client: discord.AutoShardedClient) -> None:
        """Let new sessions of a client wait for `before_new_session` once its own queue exists.

        discord.py reconnects one shard after another, and gives each a minute. A pause in its hooks would
        keep the other shards from resuming, so the event itself comes later.
        """
        starts, queue = self, _Events()
        queue.starts = starts
        client._AutoShardedClient__queue = queue  # type: ignore[attr-defined] # no public way leads there

    def put_later(self, event: EventItem, put: Callable[[EventItem], None]) -> None:
        """Hand an event on to discord.py when its shard may open a new session."""

        async def wait() -> None:
            await self.before_new_session(event.shard.id if event.shard else 0)
            put(event)

        task = asyncio.create_task(wait(), name="before a new session")
        self._delayed.add(task)
        task.add_done_callback(self._delayed.discard)

    def close(self) -> None:
        """End all waits."""
        for task in self._delayed:
            task.cancel()


class _Events(asyncio.PriorityQueue[EventItem]):
    """A queue of discord.py's shards that delays requests for new sessions."""

    starts: SessionStarts

    def put_nowait(self, item: EventItem) -> None:
        if item.shard is not None:
            self.starts.lost(item.shard.id)
        if item.type in NEW_SESSIONS:
            self.starts.put_later(item, super().put_nowait)
        else:
            super().put_nowait(item)
