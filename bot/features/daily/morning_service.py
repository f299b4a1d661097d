"""Telling channels that want it each morning how yesterday's deals went and what today brings.

A channel is told once a day at most: the day is noted in its setting before anything is posted. Where the
process ends between the two, that morning is left out; twice would be worse, since everybody there reads it.
A lost answer of Discord is asked for again with the same nonce, which Discord takes for the same message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Protocol

import structlog
from sqlalchemy import Connection
from typing_extensions import override

from bot.core.clock import Clock
from bot.core.scheduler import Handler, Scheduler
from bot.core.service import Service
from bot.features.daily import morning_rows as mornings
from bot.features.daily.morning_rows import Morning, Summary
from bot.store.database import Database
from bot.store.shards import ALL, Shards
from bot.store.time_zones import zone_of
from bot.table.ports import DiscordFailure

log = structlog.get_logger(__name__)

HOURS: Final = 6
"""Length of a morning in hours. A channel that is missed gets its next post on the following day."""
AT_A_TIME: Final = 100
AT_ONCE: Final = 8
"""So many channels are told at the same time: one that Discord is slow to answer for must not take the
morning of those behind it."""
MORNING: Final = "morning"
"""The kind of job that tells one channel."""


def first_after(morning: Morning, at: int) -> str:
    """The day before the first morning that is still to come: what is told then was not told yet."""
    return _since_hour(morning, at).date().isoformat()


def next_at(morning: Morning, at: int) -> int:
    """When the next morning begins, in seconds since 1970."""
    last = first_after(morning, at)
    day = date.fromisoformat(morning.told if morning.was_told(last) else last) + timedelta(days=1)
    begins = datetime.combine(day, time(morning.hour), _here(morning, at).tzinfo)
    return int(begins.astimezone(UTC).timestamp())


def morning_day(morning: Morning, at: int) -> str:
    """The day, in the channel's zone, whose morning it is at this time; empty if it is no morning there."""
    since = _since_hour(morning, at)
    return since.date().isoformat() if since.hour < HOURS else ""


def _is_due(morning: Morning, at: int) -> bool:
    day = morning_day(morning, at)
    return bool(day) and not morning.was_told(day)


def _since_hour(morning: Morning, at: int) -> datetime:
    """The time in the channel's zone, with its hour of the morning for the beginning of a day."""
    return _here(morning, at) - timedelta(hours=morning.hour)


def _here(morning: Morning, at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, zone_of(morning.zone) or UTC)


class MorningStage(Protocol):
    """Shows mornings to people."""

    async def morning(self, channel_id: int, morning: Morning, summary: Summary) -> None:
        """Post in a channel how yesterday's deals went and what today brings.

        Raises:
            DiscordFailure: it could not be posted.
        """

    async def departed(self, guild_id: int, users: Sequence[int]) -> Collection[int]:
        """Return the people of these who are no longer members of a server, as far as that is known."""

    async def tell_hindered(self, channel_id: int, morning: Morning, hindered: DiscordFailure) -> None:
        """Tell the server why it could not be posted."""


class Mornings(Service):
    """Tells the channels that want it."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        stage: MorningStage,
        scheduler: Scheduler,
        shards: Shards = ALL,
    ) -> None:
        self._database = database
        self._clock = clock
        self._stage = stage
        self._scheduler = scheduler
        self._shards = shards
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._claimed: dict[int, tuple[Morning, Summary]] = {}
        """The posts that are still to be sent to channels already noted as told, by channel."""
        self.due: dict[str, Handler] = {MORNING: self._tell}

    @override
    async def hourly(self) -> None:
        """Start telling every channel in which it is morning and nothing was posted today.

        Raises:
            StoreError: the database did not answer; the next round finds the channels that are left.
        """
        after = 0
        while True:
            last, now = after, self._clock.now()
            wanting = await self._database.read_at_once(lambda c: mornings.channels(c, last, AT_A_TIME))  # noqa: B023 - read at once
            for channel_id, morning in wanting.items():
                if morning and _is_due(morning, now):
                    self._scheduler.add(MORNING, channel_id)
            if len(wanting) < AT_A_TIME:
                return
            after = max(wanting)

    async def _tell(self, channel_id: int) -> None:
        """Tell one channel. While Discord does not answer, it is tried again as long as the morning lasts.

        Raises:
            DiscordFailure, StoreError: it has to be tried again.
        """
        async with self._at_once:
            claimed = self._claimed.get(channel_id) or await self._prepared(channel_id)
            if claimed is None:
                return
            self._claimed[channel_id] = claimed
            morning, summary = claimed
            try:
                await self._stage.morning(channel_id, morning, summary)
            except DiscordFailure as hindered:
                if hindered.passing and morning_day(morning, self._clock.now()) == summary.day:
                    raise
                del self._claimed[channel_id]
                await self._hinder(channel_id, morning, hindered)
            except Exception:
                del self._claimed[channel_id]
                raise
            else:
                del self._claimed[channel_id]
                if morning.trouble:
                    await self._database.write_at_once(lambda c: mornings.note_trouble(c, channel_id, ""))

    async def _prepared(self, channel_id: int) -> tuple[Morning, Summary] | None:
        """What a channel is told, noted as told; None where it need not be. It is read before it is noted: a
        database that falls silent between the two must not cost the morning."""
        now = self._clock.now()

        def wanted(connection: Connection) -> tuple[str, int, list[int]] | None:
            found = mornings.morning_of(connection, channel_id)
            if found is None or not (day := morning_day(found, now)):
                return None
            untold = mornings.untold(connection, channel_id, day, self._shards)
            if untold is None:
                return None
            return day, untold.guild_id, mornings.best(connection, now, untold.guild_id)

        read_first = await self._database.read_at_once(wanted)
        if read_first is None:
            return None
        day, guild_id, players = read_first
        departed = await self._stage.departed(guild_id, players) if players else ()
        summary = await self._database.read_at_once(lambda c: mornings.read(c, now, guild_id, departed))
        morning = await self._database.write_at_once(
            lambda c: mornings.claim(c, channel_id, day, self._shards)
        )
        return (morning, summary) if morning is not None else None

    async def _hinder(self, channel_id: int, morning: Morning, hindered: DiscordFailure) -> None:
        """Tell the server once what is in the way, unless it has passed by itself. Only a deleted channel
        switches the summary off."""
        log.info("morning not told", channel=channel_id, why=hindered.key, facts=hindered.facts)
        if hindered.passing:
            return

        def note(connection: Connection) -> bool:
            news = mornings.note_trouble(connection, channel_id, hindered.key)
            if hindered.gone:
                mornings.put_morning(connection, channel_id, None)
            return news

        if await self._database.write_at_once(note):
            await self._stage.tell_hindered(channel_id, morning, hindered)
