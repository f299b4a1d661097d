"""Cached members of servers, and the channels they can see."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

import discord
import structlog
from cachetools import TTLCache

from bot.ui import discord_errors
from bot.ui.live.visibility import can_see
from bot.ui.rate_limiter import RateLimiter

if TYPE_CHECKING:
    from bot.ui.outbox import Outbox

log = structlog.get_logger(__name__)

MOST: Final = 20_000
"""Maximum number of cached people."""
SECONDS: Final = 300.0
"""Seconds for which a person is cached."""
AT_ONCE: Final = 100
"""Discord's limit for people in one request."""
PATIENCE_SECONDS: Final = 1.0
"""Seconds to wait for the members, since the answer to a press waits too."""
SERVER_SECONDS: Final = 5.0
"""Minimum seconds between requests for members of one server, after the first ones."""
SERVER_BURST: Final = 10
"""Maximum number of requests at once for members of one server."""
REQUESTS_PER_SECOND: Final = 0.5
"""Requests per second for members in all servers. A connection allows two messages of any kind per second."""
BURST: Final = 20
"""Maximum number of requests at once."""


class Members:
    """Asks Discord for the members of servers, many in one request, and caches the answers."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._known: TTLCache[tuple[int, int], discord.Member | None] = TTLCache(MOST, SECONDS)
        """The member by server and person, or None for people who are not members."""
        self._per_server = RateLimiter(outbox.clock, 1 / SERVER_SECONDS, SERVER_BURST)
        self._overall = RateLimiter(outbox.clock, REQUESTS_PER_SECOND, BURST)

    async def is_member(self, guild_id: int, user_id: int) -> bool | None:
        """Return whether a person is in a server, or None if Discord does not say."""
        if (guild_id, user_id) in self._known:
            return self._known[guild_id, user_id] is not None
        guild = self._outbox.client.get_guild(guild_id)
        if guild is None:
            return None
        await self._outbox.token()
        member: discord.Member | None = None
        try:
            member = await guild.fetch_member(user_id)
        except discord_errors.NOT_DONE as error:
            if not isinstance(error, discord.NotFound) or error.code != discord_errors.UNKNOWN_MEMBER:
                log.info("member not looked up", why=discord_errors.reason(error))
                return None
        self._known[guild_id, user_id] = member
        return member is not None

    async def departed(self, guild_id: int, users: Sequence[int]) -> set[int]:
        """Return those of these people who are known to have left a server.

        At most one request asks for the first `AT_ONCE` unknown people.
        """
        members = await self._found(guild_id, users)
        return {user for user, member in members.items() if member is None}

    async def blind(self, guild_id: int | None, channel_id: int, users: Iterable[int]) -> set[int]:
        """Return those of these people who are known not to see a channel.

        People who are not members of the server cannot see it. See `departed` for the requests.
        """
        guild = self._outbox.client.get_guild(guild_id or 0)
        channel = guild.get_channel_or_thread(channel_id) if guild is not None else None
        if guild is None or channel is None:
            return set()
        members = await self._found(guild.id, tuple(users))
        return {user for user, member in members.items() if member is None or not can_see(channel, member)}

    async def _found(self, guild_id: int, users: Collection[int]) -> dict[int, discord.Member | None]:
        """Return the members with these ids, or None for people who are not members. Unknown people are left
        out."""
        unknown = [user for user in users if (guild_id, user) not in self._known]
        if unknown:
            await self._ask(guild_id, unknown[:AT_ONCE])
        return {user: self._known[guild_id, user] for user in users if (guild_id, user) in self._known}

    async def _ask(self, guild_id: int, users: Sequence[int]) -> None:
        guild = self._outbox.client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return
        if not (self._per_server.allows(guild_id) and self._overall.allows(0)):
            return
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                members = await guild.query_members(user_ids=list(users), limit=AT_ONCE, cache=False)
        except (*discord_errors.NOT_DONE, TimeoutError, discord.ConnectionClosed, RuntimeError) as error:
            # discord.py raises a RuntimeError if it has lost the connection
            log.info("members not looked up", guild=guild_id, why=type(error).__name__)
            return
        by_id = {member.id: member for member in members}
        for user in users:
            self._known[guild_id, user] = by_id.get(user)

    def forget(self, user_id: int) -> None:
        """Drop a person from the cache."""
        for key in [key for key in self._known if key[1] == user_id]:
            self._known.pop(key, None)
