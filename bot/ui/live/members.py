"""Members of servers, and which channels they can see, as Discord said in the last minutes."""

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
"""Maximum number of people to remember."""
SECONDS: Final = 300.0
"""Seconds for which a person is remembered."""
AT_ONCE: Final = 100
"""Maximum number of people in one request: Discord's limit."""
PATIENCE_SECONDS: Final = 1.0
"""Seconds to wait for the members. The answer to a button press waits for them."""
SERVER_SECONDS: Final = 5.0
"""Seconds between two requests for members of one server, after the first ones."""
SERVER_BURST: Final = 10
"""Maximum number of requests at once for members of one server."""
REQUESTS_PER_SECOND: Final = 0.5
"""Requests for members in all servers; a connection takes two messages a second, with everything else."""
BURST: Final = 20
"""Maximum number of requests at once."""


class Members:
    """Asks Discord for the members of servers, with one request for many, and remembers the answers."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._known: TTLCache[tuple[int, int], discord.Member | None] = TTLCache(MOST, SECONDS)
        """The member by server and person; None for people who aren't members."""
        self._per_server = RateLimiter(outbox.clock, 1 / SERVER_SECONDS, SERVER_BURST)
        self._overall = RateLimiter(outbox.clock, REQUESTS_PER_SECOND, BURST)

    async def is_member(self, guild_id: int, user_id: int) -> bool | None:
        """Return whether a person is in a server, or None if Discord doesn't tell."""
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
        """Return the people of these who are no longer members of a server, as far as that is known.

        At most one request asks for the first `AT_ONCE` people of whom nothing is known.
        """
        found = await self._found(guild_id, users)
        return {user for user, member in found.items() if member is None}

    async def blind(self, guild_id: int | None, channel_id: int, users: Iterable[int]) -> set[int]:
        """Return those of these people who can't see a channel, as far as that is known.

        People who aren't members of the server can't. See `departed` for the requests.
        """
        guild = self._outbox.client.get_guild(guild_id or 0)
        channel = guild.get_channel_or_thread(channel_id) if guild is not None else None
        if guild is None or channel is None:
            return set()
        found = await self._found(guild.id, tuple(users))
        return {user for user, member in found.items() if member is None or not can_see(channel, member)}

    async def _found(self, guild_id: int, users: Collection[int]) -> dict[int, discord.Member | None]:
        """Return the members with these ids, None for people who aren't, and nothing for the unknown."""
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
                found = await guild.query_members(user_ids=list(users), limit=AT_ONCE, cache=False)
        except (*discord_errors.NOT_DONE, TimeoutError, discord.ConnectionClosed, RuntimeError) as error:
            # the last one is how the library says that the connection is not there
            log.info("members not looked up", guild=guild_id, why=type(error).__name__)
            return
        here = {member.id: member for member in found}
        for user in users:
            self._known[guild_id, user] = here.get(user)

    def forget(self, user_id: int) -> None:
        """Remember nothing of a person."""
        for key in [key for key in self._known if key[1] == user_id]:
            self._known.pop(key, None)
