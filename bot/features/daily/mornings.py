"""Telling channels that want it each morning how yesterday's deals went and what today brings.

A channel is told once a day at most: the day is noted in its setting before anything is posted. Where the
process ends between the two, that morning is left out; twice would be worse, since everybody there reads it.
A lost answer of Discord is asked for again with the same nonce, which Discord takes for the same message.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Final, Protocol

import structlog
from sqlalchemy import Connection
from typing_extensions import override

from bot.features.daily import morning_rows as mornings
from bot.features.daily.morning_rows import Morning, Summary
from bot.store import days
from bot.store.database import Database, StoreError
from bot.store.shards import ALL, Shards
from bot.tables.ports import Clock, Hindered
from bot.tables.service import Service

log = structlog.get_logger(__name__)

HOUR: Final = 6
"""From this hour (UTC) on channels are told, so that it is morning or later where most people are."""
LATEST: Final = 12
"""From this hour on it is no morning any more: whoever was not told by then is told tomorrow."""
AT_A_TIME: Final = 100
AT_ONCE: Final = 8
"""So many channels are told at the same time: one that Discord is slow to answer for must not take the
morning of those behind it."""
PAUSES: Final = (5.0, 30.0)
"""After so many seconds it is tried again where Discord did not answer."""


def first_after(at: int) -> str:
    """The day before the first morning that is still to come: what is told then was not told yet."""
    day = days.day_of(at)
    return days.shifted(day, -1) if _hour(at) < HOUR else day


def next_at(at: int) -> int:
    """When the next morning begins, in seconds since 1970."""
    return days.begins_at(days.shifted(first_after(at), 1)) // 1000 + HOUR * 3600


def _hour(at: int) -> int:
    return datetime.fromtimestamp(at // 1000, UTC).hour


class MorningStage(Protocol):
    """Shows mornings to people."""

    async def morning(self, channel_id: int, morning: Morning, summary: Summary) -> None:
        """Post in a channel how yesterday's deals went and what today brings.

        Raises:
            Hindered: it could not be posted.
        """


class Mornings(Service):
    """Tells the channels that want it."""

    def __init__(self, database: Database, clock: Clock, stage: MorningStage, shards: Shards = ALL) -> None:
        self._database = database
        self._clock = clock
        self._stage = stage
        self._shards = shards

    @override
    async def hourly(self) -> None:
        """Tell every channel that was not told today, if it is morning.

        A few are told at once, and none of them holds the others up: what Discord did not answer is tried
        again when the others had their turn.

        Raises:
            StoreError: the database did not answer; who was not told yet is told in the next round.
        """
        after = 0
        while HOUR <= _hour(self._clock.now()) < LATEST:
            last, day = after, days.day_of(self._clock.now())
            found = await self._database.read_at_once(lambda c: mornings.channels(c, last, AT_A_TIME))  # noqa: B023 - read at once
            ways = asyncio.Semaphore(AT_ONCE)
            ends = await asyncio.gather(
                *(self._tell(channel_id, day, ways) for channel_id in found), return_exceptions=True
            )
            for channel_id, end in zip(found, ends, strict=True):
                if isinstance(end, Exception) and not isinstance(end, StoreError):
                    # a defect: who comes after this one is told all the same
                    log.error("morning failed", channel=channel_id, exc_info=end)
                elif end is not None:
                    raise end
            if len(found) < AT_A_TIME:
                return
            after = found[-1]

    async def _tell(self, channel_id: int, day: str, ways: asyncio.Semaphore) -> None:
        async with ways:
            prepared = await self._prepared(channel_id, day)
            if prepared is None or await self._posted(channel_id, *prepared):
                return
        for pause in PAUSES:
            await self._clock.sleep(pause)
            async with ways:
                if await self._posted(channel_id, *prepared):
                    return
        log.warning("morning not told", channel=channel_id, day=day)

    async def _posted(self, channel_id: int, morning: Morning, summary: Summary) -> bool:
        """Whether there is nothing more to try: it was posted, or the channel does not take it."""
        try:
            await self._stage.morning(channel_id, morning, summary)
        except Hindered as hindered:
            if hindered.passing:
                log.info("morning not told yet", channel=channel_id, why=hindered.facts)
                return False
            await self._switch_off(channel_id, hindered)
        return True

    async def _prepared(self, channel_id: int, day: str) -> tuple[Morning, Summary] | None:
        """What a channel is told, noted as told; None where it need not be. It is read before it is noted: a
        database that falls silent between the two must not cost the morning."""

        def read(connection: Connection) -> Summary | None:
            wanted = mornings.untold(connection, channel_id, day, self._shards)
            return mornings.read(connection, day, wanted.guild_id) if wanted is not None else None

        summary = await self._database.read_at_once(read)
        if summary is None:
            return None
        morning = await self._database.write_at_once(
            lambda c: mornings.claim(c, channel_id, day, self._shards)
        )
        return (morning, summary) if morning is not None else None

    async def _switch_off(self, channel_id: int, hindered: Hindered) -> None:
        """The channel is gone, or the bot may not write there: it is not tried again day after day."""
        await self._database.write_at_once(lambda c: mornings.put_morning(c, channel_id, None))
        log.info("morning switched off", channel=channel_id, why=hindered.key, facts=hindered.facts)
