"""Scheduled events of nights, compared with what Discord has.

People move and delete events by hand. The bot asks the planner about that, once for each change. It follows a
new name of the channel by itself.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import structlog
from cachetools import LRUCache

from bot.core.clock import Clock
from bot.features.nights import rows as store
from bot.features.nights.rows import Night, NightCall
from bot.store.database import Database, StoreError
from bot.table.ports import DiscordFailure
from bot.table.registry import Tables

log = structlog.get_logger(__name__)

QUIET_MS = 600_000
"""Milliseconds after a message about a night in which people are not notified of its next change. Then they
are, of the newest one."""
COMPARE = "night event"
"""The kind of job that compares the event of a night."""
MOST_ASKED = 10_000
"""Nights of which it is remembered when their planner was asked."""


class NightEvent(NamedTuple):
    """The scheduled event of a night, as Discord has it."""

    starts_at: int
    """Milliseconds since 1970."""
    right_place: bool
    """Whether it names the channel of the night by its present name."""


class EventStage(Protocol):
    """Reads and changes scheduled events, and asks about them."""

    async def event_of(self, night: Night) -> NightEvent | None:
        """Return the event of a night as Discord has it now; None if it was deleted or called off.

        Raises:
            DiscordFailure: Discord did not answer.
        """

    async def set_event(self, night: Night) -> None:
        """Bring the event of a night to its time and place.

        Raises:
            DiscordFailure: Discord did not take it.
        """

    async def ask_of_event(self, night: Night, starts_at: int | None) -> None:
        """Ask the planner about an event that someone has moved to this time, or deleted.

        Raises:
            DiscordFailure: Discord did not take it.
        """


class NightEvents:
    """Compares the events of planned nights."""

    def __init__(self, database: Database, clock: Clock, tables: Tables, stage: EventStage) -> None:
        self._database = database
        self._clock = clock
        self._stage = stage
        self._tables = tables
        self._asked_at: LRUCache[int, int] = LRUCache(MOST_ASKED)
        """When a planner was last asked about an event, in milliseconds, by night."""

    def compare(self, **where: int) -> None:
        """Start comparing the events of the planned nights that have these values."""
        self._tables.tasks.spawn(self._compare_all(where), "events of nights")

    async def _compare_all(self, where: dict[str, int]) -> None:
        try:
            nights = await self._database.read_at_once(lambda c: store.with_events(c, **where))
        except StoreError as found:  # the next change or start compares them again
            log.info("events of nights not compared", why=found.kind)
            return
        for night in nights:
            self._tables.runtime.scheduler.trigger(COMPARE, night.id)

    async def follow(self, night_id: int) -> None:
        """Compare the event of a night once, and strike out that this was owed.

        Raises:
            DiscordFailure, StoreError: it has to be compared again.
        """
        now = self._clock.now()
        try:
            await self._follow(night_id)
        except DiscordFailure as found:
            if found.passing:
                raise
            log.info("event of a night not compared", night=night_id, why=str(found))
        await self._database.write_at_once(lambda c: store.strike(c, night_id, "event", now))

    async def _asked_lately(self, night_id: int) -> bool:
        """Return whether the planner was asked just before. Then the event is compared again later."""
        asked, now = self._asked_at.get(night_id, 0), self._clock.now()
        if not asked <= now < asked + QUIET_MS:
            return False
        later = NightCall(night_id, "event", asked + QUIET_MS)
        await self._database.write_at_once(lambda c: store.owe(c, later))
        return True

    async def _follow(self, night_id: int) -> None:
        """Bring the event of a night up to date, or ask its planner about a change that someone made."""
        night = await self._database.read_at_once(lambda c: store.load(c, night_id))
        if night is None or night.phase != "planned" or night.event_id is None:
            return
        found = await self._stage.event_of(night)
        event_id: int | None = night.event_id
        event_at = night.event_at
        if found is None:
            await self._stage.ask_of_event(night, None)
            event_id = event_at = None
        elif night.event_at == store.EVENT_BEHIND or (
            found.starts_at == night.starts_at and not found.right_place
        ):
            await self._stage.set_event(night)
            event_at = None
        elif found.starts_at == night.starts_at:
            event_at = None
        elif found.starts_at != night.event_at:
            if await self._asked_lately(night_id):
                return
            await self._stage.ask_of_event(night, found.starts_at)
            self._asked_at[night_id] = self._clock.now()
            event_at = found.starts_at
        if (event_id, event_at) != (night.event_id, night.event_at):
            await self._database.write_at_once(lambda c: store.note_event(c, night_id, event_id, event_at))
