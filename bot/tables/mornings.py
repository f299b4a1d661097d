"""Telling channels that want it each morning how yesterday's deals went and what today brings.

A channel is told once a day at most: the day is noted in its setting before anything is posted. Where the
process ends between the two, that morning is left out; twice would be worse, since everybody there reads it.
A lost answer of Discord is asked for again with the same nonce, which Discord takes for the same message.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import structlog

from bot.store import days, mornings
from bot.store.database import Database
from bot.store.shards import ALL, Shards
from bot.tables.ports import Clock, Hindered
from bot.tables.publishing import Publisher

log = structlog.get_logger(__name__)

HOUR: Final = 6
"""From this hour (UTC) on channels are told, so that it is morning or later where most people are."""
LATEST: Final = 12
"""From this hour on it is no morning any more: whoever was not told by then is told tomorrow."""
AT_A_TIME: Final = 100
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


class Mornings:
    """Tells the channels that want it."""

    def __init__(self, database: Database, clock: Clock, publisher: Publisher, shards: Shards = ALL) -> None:
        self._database = database
        self._clock = clock
        self._publisher = publisher
        self._shards = shards

    async def round(self) -> None:
        """Tell every channel that was not told today, if it is morning.

        Raises:
            StoreError: the database did not answer; who was not told yet is told in the next round.
        """
        after = 0
        while HOUR <= _hour(self._clock.now()) < LATEST:
            last = after
            found = await self._database.read_at_once(lambda c: mornings.channels(c, last, AT_A_TIME))  # noqa: B023 - read at once
            for channel_id in found:
                await self._tell(channel_id, days.day_of(self._clock.now()))
            if len(found) < AT_A_TIME:
                return
            after = found[-1]

    async def _tell(self, channel_id: int, day: str) -> None:
        morning = await self._database.write_at_once(
            lambda c: mornings.claim(c, channel_id, day, self._shards)
        )
        if morning is None:
            return
        summary = await self._database.read_at_once(lambda c: mornings.read(c, day, morning.guild_id))
        for pause in (*PAUSES, None):
            try:
                await self._publisher.morning(channel_id, morning, summary)
            except Hindered as hindered:
                if not hindered.passing:
                    await self._switch_off(channel_id, hindered)
                    return
                if pause is None:
                    log.warning("morning not told", channel=channel_id, day=day, why=hindered.facts)
                    return
                await self._clock.sleep(pause)
            else:
                return

    async def _switch_off(self, channel_id: int, hindered: Hindered) -> None:
        """The channel is gone, or the bot may not write there: it is not tried again day after day."""
        await self._database.write_at_once(lambda c: mornings.put_morning(c, channel_id, None))
        log.info("morning switched off", channel=channel_id, why=hindered.key, facts=hindered.facts)
