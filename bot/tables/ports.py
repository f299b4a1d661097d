"""What the tables ask of the world around them, and what they refuse."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol


class Refused(Exception):
    """The table says no for a reason outside the rules of its game; `key` names the words.

    Nothing has changed, and nothing is lost.
    """

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key, facts)
        self.key = key
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Titles:
    """Games among the facts of a refusal: whoever reads it reads their titles, in their own language."""

    games: tuple[str, ...]


class Stale(Refused):
    """The decision was made on a hand that has changed since; the answer is the fresh hand."""

    def __init__(self) -> None:
        super().__init__("stale")


class OtherShard(Refused):
    """The table is played by the process that has its server (`bot.store.shards`): it is pressed there."""

    def __init__(self, table_id: int, guild_id: int | None, channel_id: int) -> None:
        where = f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}"
        super().__init__("other_shard", table=table_id, url=where)


class DiscordFailure(Exception):
    """Something could not be done in Discord. Nothing is lost: it is tried again.

    `passing`: it goes away by itself; otherwise people must mend it, and `key` names the words for them.
    `gone`: the place itself is no longer there.
    """

    def __init__(self, key: str, *, passing: bool = False, gone: bool = False, **facts: Any) -> None:
        super().__init__(key, facts)
        self.key = key
        self.passing = passing
        self.gone = gone
        self.facts = facts


class Handle(Protocol):
    """A timer that can be called off."""

    def cancel(self) -> None:
        """Call it off; harmless when it has rung."""


class Clock(Protocol):
    """Time, injected so that tests own it."""

    def now(self) -> int:
        """Milliseconds since 1970 (UTC)."""

    def monotonic(self) -> float:
        """Seconds that never jump; only differences mean something."""

    def call_later(self, seconds: float, ring: Callable[[], None]) -> Handle:
        """Call `ring` on the event loop after so many seconds."""

    async def sleep(self, seconds: float) -> None:
        """Let so many seconds pass."""


ACT_SECONDS = 2.0
"""Seconds that a change may take before the person reads that it is still being stored."""


@asynccontextmanager
async def time_limit(clock: Clock, seconds: float) -> AsyncIterator[None]:
    """Cancel the block once it has taken this many seconds by this clock.

    Raises:
        TimeoutError: it took longer.
    """
    async with asyncio.timeout(None) as limit:
        timer = clock.call_later(seconds, lambda: limit.reschedule(asyncio.get_running_loop().time()))
        try:
            yield
        finally:
            timer.cancel()


WRONG_MS = 60_000
"""By how many milliseconds a clock must differ from Discord's to be wrong."""
DATE_MS = 2_000
"""By how much differences vary, because answers of Discord name full seconds."""


class SystemClock:
    """The time of this machine, unless its clock is wrong by more than a minute; then that of Discord.

    A clock that jumps for a while would close tables, end nights and remove what is kept for a limited time.
    """

    def __init__(self) -> None:
        self._ahead = 0

    def now(self) -> int:
        """Milliseconds since 1970 (UTC)."""
        return time.time_ns() // 1_000_000 - self._ahead

    def compare(self, other: int) -> int | None:
        """Compare the machine's clock with Discord's time, in milliseconds since 1970.

        Return by how many milliseconds it is ahead if it has become wrong, 0 if it is right again, else None.
        """
        before, ahead = self._ahead, time.time_ns() // 1_000_000 - other
        if abs(ahead) <= WRONG_MS:
            self._ahead = 0
        elif abs(ahead - before) > DATE_MS:
            self._ahead = ahead
        return self._ahead if bool(before) is not bool(self._ahead) else None

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def call_later(self, seconds: float, ring: Callable[[], None]) -> Handle:
        """A timer of the running event loop. What rings then belongs to no press any more."""
        return asyncio.get_running_loop().call_later(seconds, ring, context=contextvars.Context())

    async def sleep(self, seconds: float) -> None:
        """asyncio's sleep."""
        await asyncio.sleep(seconds)


class Thinker(Protocol):
    """Decides for computer opponents, away from the event loop."""

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
        """One of the actions. Gets the observation only; `whose` is the channel, for fair turns; the same
        `luck` gives the same action in every process.

        Raises:
            Exception: there is none; whoever asks has another way.
        """

    async def advise(self, work: Callable[..., Any], *args: Any, whose: Hashable = None) -> Any:
        """Call a function of `bot.tables.thinking` that tries decisions; it and its arguments must pickle."""

    async def run(self, work: Callable[..., Any], *args: Any, whose: Hashable = None) -> Any:
        """Call a function of the engine in a worker; it and its arguments must pickle."""

    async def analyze(self, work: Callable[..., Any], *args: Any, whose: Hashable = None) -> Any:
        """Call a function of the engine that studies a finished game for seconds, beside all others; it and
        its arguments must pickle."""

    async def draw(self, work: Callable[..., Any], *args: Any, whose: Hashable = None) -> Any:
        """Call a function that draws for seconds, on this machine; it and its arguments must pickle."""

    async def close(self) -> None:
        """Stop its workers."""
