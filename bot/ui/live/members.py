"""Members of servers, and which channels they can see, as Discord said in the last minutes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import discord
import structlog
from cachetools import TTLCache

from bot.tables.ports import Clock
from bot.ui import errors
from bot.ui.rate_limiter import RateLimiter
from bot.ui.rights import can_see

log = structlog.get_logger(__name__)

MOST: Final = 20_000
"""Maximum number of members to remember."""
SECONDS: Final = 300.0
"""Seconds for which a member is remembered."""
AT_ONCE: Final = 100
"""Maximum number of people in one request: Discord's limit."""
PER_MINUTE: Final = 30
"""Maximum number of requests. Discord lets a shard send 120 messages a minute, of all kinds."""


class Members:
    """Looks up members with one request for many, and remembers them."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._known: TTLCache[tuple[int, int], discord.Member | None] = TTLCache(MOST, SECONDS)
        self._budget = RateLimiter(clock, PER_MINUTE / 60, PER_MINUTE)

    async def blind(self, guild_id: int | None, channel_id: int, users: Iterable[int]) -> set[int]:
        """Return those of these people who can't see a channel.

        People and channels of which Discord tells nothing count as seen.
        """
        guild, wanted = self._client.get_guild(guild_id or 0), set(users)
        channel = guild.get_channel_or_thread(channel_id) if guild is not None else None
        if guild is None or channel is None or not wanted:
            return set()
        found = await self.found(guild.id, wanted)
        return {user for user, member in found.items() if member is None or not can_see(channel, member)}

    async def found(self, guild_id: int, users: Collection[int]) -> dict[int, discord.Member | None]:
        """Return the members with these ids, None for those who aren't, and nothing for the unknown."""
        missing = [user for user in users if (guild_id, user) not in self._known]
        guild = self._client.get_guild(guild_id)
        for n in range(0, len(missing) if guild else 0, AT_ONCE):
            some = missing[n : n + AT_ONCE]
            if guild is None or not self._budget.allows(guild.shard_id):
                break
            try:
                members = await guild.query_members(user_ids=some, limit=AT_ONCE, cache=False)
            except (*errors.NOT_DONE, discord.ClientException, TimeoutError) as error:
                log.info("members not looked up", why=errors.reason(error))
                break
            there = {member.id: member for member in members}
            for user in some:
                self._known[guild_id, user] = there.get(user)
        return {user: self._known[guild_id, user] for user in users if (guild_id, user) in self._known}

    def forget(self, user_id: int) -> None:
        """Remember nothing of a person."""
        for key in [key for key in self._known if key[1] == user_id]:
            self._known.pop(key, None)
