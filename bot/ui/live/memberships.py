"""Membership of people in servers, as Discord said in the last minutes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import discord
import structlog
from cachetools import TTLCache

from bot.ui import errors
from bot.ui.outbox import Outbox
from bot.ui.rate_limiter import RateLimiter

log = structlog.get_logger(__name__)

MOST_MEMBERS, MEMBER_SECONDS = 20_000, 300.0
"""Maximum number of memberships that are remembered, and for how many seconds."""
AT_ONCE: Final = 100
"""Maximum number of people in one request, as Discord has it."""
PATIENCE_SECONDS: Final = 1.0
"""Seconds to wait for the members. The answer to a button press waits for them."""
SERVER_SECONDS: Final = 5.0
"""Seconds between two requests for members of one server, after the first two."""
REQUESTS_PER_SECOND: Final = 0.5
"""Requests for members in all servers; a connection takes two messages a second, with everything else."""
BURST: Final = 20
"""Maximum number of requests at once."""


class Memberships:
    """Asks Discord who is a member of a server, and remembers the answers."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._known: TTLCache[tuple[int, int], bool] = TTLCache(MOST_MEMBERS, MEMBER_SECONDS)
        """By server and person, whether they are a member."""
        self._per_server = RateLimiter(outbox.clock, 1 / SERVER_SECONDS, room=2)
        self._overall = RateLimiter(outbox.clock, REQUESTS_PER_SECOND, BURST)

    async def is_member(self, guild_id: int, user_id: int) -> bool | None:
        """Return whether a person is in a server, or None if Discord doesn't tell."""
        if (known := self._known.get((guild_id, user_id))) is not None:
            return known
        guild = self._outbox.client.get_guild(guild_id)
        if guild is None:
            return None
        await self._outbox.token()
        try:
            await guild.fetch_member(user_id)
        except errors.NOT_DONE as error:
            if not isinstance(error, discord.NotFound) or error.code != errors.UNKNOWN_MEMBER:
                log.info("member not looked up", why=errors.reason(error))
                return None
            there = False
        else:
            there = True
        self._known[guild_id, user_id] = there
        return there

    async def departed(self, guild_id: int, user_ids: Sequence[int]) -> set[int]:
        """Return the people of these who are no longer members of a server, as far as that is known.

        At most one request asks for the first `AT_ONCE` people of whom nothing is known.
        """
        unknown = [user for user in user_ids if (guild_id, user) not in self._known]
        if unknown:
            await self._ask(guild_id, unknown[:AT_ONCE])
        return {user for user in user_ids if self._known.get((guild_id, user)) is False}

    async def _ask(self, guild_id: int, users: Sequence[int]) -> None:
        guild = self._outbox.client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return
        if not (self._per_server.allows(guild_id) and self._overall.allows(0)):
            return
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                found = await guild.query_members(user_ids=list(users), limit=AT_ONCE, cache=False)
        except (*errors.NOT_DONE, TimeoutError, discord.ConnectionClosed, RuntimeError) as error:
            # the last one is how the library says that the connection is not there
            log.info("members not looked up", guild=guild_id, why=type(error).__name__)
            return
        here = {member.id for member in found}
        for user in users:
            self._known[guild_id, user] = user in here
