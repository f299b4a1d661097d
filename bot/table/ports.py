"""The services that tables need from outside, and the failures they must handle."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol

from bot.core.errors import OutsideError, Refused

ACT_SECONDS = 2.0
"""Seconds that a change may take before the player reads that it is still being stored."""


class OtherShard(Refused):
    """The table belongs to the process that serves its server (`bot.store.shards`).

    Only that process may change it.
    """

    def __init__(self, table_id: int, guild_id: int | None, channel_id: int) -> None:
        url = f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}"
        super().__init__("other_shard", table=table_id, url=url)


class DiscordFailure(OutsideError):
    """Discord refused or failed to do something. Nothing is lost: it is tried again.

    `passing`: it ends by itself; otherwise people must fix it, and `key` names the text that says how.
    `gone`: the channel or message no longer exists.
    """

    def __init__(self, key: str, *, passing: bool = False, gone: bool = False, **facts: Any) -> None:
        super().__init__(key, facts)
        self.key = key
        self.passing = passing
        self.gone = gone
        self.facts = facts


class Thinker(Protocol):
    """Decisions of computer opponents and other long work, outside the event loop.

    Functions and their arguments must pickle. `whose` is the channel, so that channels take turns.
    """

    async def choose(
        self,
        game: str,
        level: str,
        observation: object,
        actions: Sequence[object],
        *,
        whose: Hashable = None,
        luck: bytes | None = None,
    ) -> object:
        """Return one of the actions. The same `luck` gives the same action in every process.

        Raises:
            Exception: no decision could be made; the caller has a fallback.
        """

    async def advise(self, work: Callable[..., Any], *args: Any, whose: Hashable = None) -> Any:
        """Call a function of `bot.table.thinking` that tries out decisions."""

    async def run(self, work: Callable[..., Any], *args: Any, whose: Hashable = None) -> Any:
        """Call a function of the engine in a worker."""

    async def analyze(self, work: Callable[..., Any], *args: Any, whose: Hashable = None) -> Any:
        """Call a function of the engine that studies a finished game for seconds, after all other work."""

    async def draw(self, work: Callable[..., Any], *args: Any, whose: Hashable = None) -> Any:
        """Call a function that draws for seconds, on this machine."""

    async def close(self) -> None:
        """Stop the workers."""
