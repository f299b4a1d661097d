"""Game nights: planned ahead, answered by guests, and opened as a lobby at their time.

A night is rows and nothing in memory. Its steps are rows too, due in wall time: reminders, posting the lobby,
notifying the guests, and updating the message of the night. Each is a job of the scheduler once it is due,
and its row stays until Discord has taken it: one that a stop interrupts is taken after the next start unless
it is too late.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeAlias

import structlog
from cachetools import LRUCache
from sqlalchemy import Connection
from typing_extensions import override

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.core.keyed_lock import KeyedLock
from bot.core.scheduler import Handler
from bot.core.service import Service
from bot.features.nights import rows as store
from bot.features.nights.events import COMPARE, QUIET_MS, NightEvents
from bot.features.nights.opening import open_lobby
from bot.features.nights.rows import Guest, Night, NightCall
from bot.features.nights.stage import NightStage
from bot.store.backend.locks import one_at_a_time
from bot.store.database import Database, Overtaken, StoreError
from bot.store.days import DAY_MS
from bot.store.games import OPEN_PHASES
from bot.table.people.contacts import must_meet
from bot.table.ports import DiscordFailure
from bot.table.registry import Tables
from bot.table.storage.retention import BATCH, drop_in_batches
from bot.table.table import Table
from engine.game import IllegalSetup

log = structlog.get_logger(__name__)

MINUTE_MS = 60_000
LOOK_SECONDS = 20.0
"""So often is looked for what falls due, unless something does earlier."""
SOON_MS, A_DAY_MS = 30 * MINUTE_MS, DAY_MS
EARLY_MS = {"day": A_DAY_MS, "soon": SOON_MS}
"""Milliseconds between a reminder and the beginning of its night, by kind of reminder."""
LEAST_MS, MOST_MS = 5 * MINUTE_MS, 60 * DAY_MS
"""How far ahead a night may lie."""
NOTED_MS = MINUTE_MS
"""Milliseconds within which the message of a new night is noted, unless the bot stops."""
KEPT_MS = 30 * DAY_MS
"""Milliseconds after its start until a night that is over or called off is removed."""
GIVEN_UP_MS = 7 * DAY_MS
"""Milliseconds after the beginning of a night at which its steps are given up."""
MISSED_MS = 120 * MINUTE_MS
"""A night whose time is over for so long begins no more."""
MOST_IN_SERVER, MOST_OF_PERSON = 20, 5
MOST_ANSWERS = 60
AT_A_TIME = 100
MOST_STUCK = 10_000
"""The most failing steps that are read in addition."""
JOB = "night "
"""Prefix of the kinds of jobs, before the kind of the step."""
MOST_TOLD = 10_000
"""Nights of which it is remembered when people last heard of them."""

Step: TypeAlias = Callable[[Night], Awaitable[None]]
"""One step of a night. Raises DiscordFailure where Discord did not take it."""


class Nights(Service):
    """All nights of the bot; it opens after the tables, and stops with them."""

    def __init__(self, database: Database, clock: Clock, tables: Tables, stage: NightStage) -> None:
        self._database = database
        self._clock = clock
        self._tables = tables
        self._stage = stage

        self._told_at: LRUCache[int, int] = LRUCache(MOST_TOLD)
        """When people last heard of a night, in milliseconds."""
        self._moved_by: LRUCache[int, int] = LRUCache(MOST_TOLD)
        """The person who moved a night last."""
        self.locks = KeyedLock()
        """Locks by night, for everyone who answers to it or calls it off."""
        self._events = NightEvents(database, clock, tables, stage)
        self._telling = KeyedLock()
        """Locks by night for its steps, so that people hear of one thing at a time."""
        steps: dict[str, Step] = {
            "start": self._start,
            "day": partial(self._remind, kind="day"),
            "soon": partial(self._remind, kind="soon"),
            "call": self._call,
            "move": self._tell_move,
            "show": self._show,
        }
        self.due: dict[str, Handler] = {
            f"{JOB}{kind}": partial(self._take, kind, step) for kind, step in steps.items()
        }
        self.due[COMPARE] = self._events.follow

    @asynccontextmanager
    async def as_it_is(self, night_id: int) -> AsyncIterator[tuple[Night, list[Guest], Table | None]]:
        """Yield a night, what people have answered and the table that has opened.

        Answers wait until the night is shown: they show it too, and the last update to arrive is the one
        that stays.
        """
        async with self.locks.of(night_id):
            night = await self.get(night_id)
            yield night, await self.guests(night_id), await self._table(night)

    @override
    async def open(self) -> None:
        """Take up what has fallen due."""
        self._tables.runtime.scheduler.keep("nights", self.round)

    @override
    async def hourly(self) -> None:
        """Remove the nights that are long over.

        Raises:
            StoreError: the database did not answer.
        """
        over = partial(store.drop_over, before=self._clock.now() - KEPT_MS, most=BATCH)
        await drop_in_batches(self._database, self._clock, over)

    # -- what people do -----------------------------------------------------------------------

    async def plan(self, night: Night, host: Guest) -> Night:
        """Plan a night to which its planner comes.

        Raises:
            Refused: too near, too far, or there are as many as there may be.
            StoreError: it could not be stored.
        """
        calls = self._calls(night.starts_at)
        # struck out when its message is noted
        calls.append(("show", self._clock.now() + NOTED_MS))

        def write(connection: Connection) -> int:
            one_at_a_time(connection, "nights of server", night.guild_id)
            one_at_a_time(connection, "nights of person", night.host_id)
            _, here = store.of_guild(connection, night.guild_id, 1)
            if here >= MOST_IN_SERVER:
                raise Refused("nights_in_server", n=MOST_IN_SERVER)
            if len(store.of_host(connection, night.host_id)) >= MOST_OF_PERSON:
                raise Refused("nights_of_person", n=MOST_OF_PERSON)
            return store.create(connection, night, host, calls)

        night_id = await self._database.write_at_once(write)
        return await self.get(night_id)

    def _calls(self, starts_at: int) -> list[tuple[str, int]]:
        """Return what falls due for a night at this time.

        Raises:
            Refused: it is too near, or too far.
        """
        ahead = starts_at - self._clock.now()
        if ahead < LEAST_MS:
            raise Refused("night_too_soon", n=LEAST_MS // MINUTE_MS)
        if ahead > MOST_MS:
            raise Refused("night_too_far", n=MOST_MS // DAY_MS)
        before = (*EARLY_MS.items(), ("start", 0))
        # a call that would come almost at once is left out
        return [(kind, starts_at - early) for kind, early in before if ahead > early * 1.2]

    async def move(self, night_id: int, starts_at: int, by: int) -> Night:
        """Give a night another time. Its answers stay.

        Its planner and everyone who said yes or maybe hear of it, except the person who moved it (`by`): at
        once, or within ten minutes if they have heard of this night just before.

        Raises:
            Refused: too near, too far, or it is planned no more.
            StoreError: it could not be stored.
        """
        calls, now = self._calls(starts_at), self._clock.now()

        def write(connection: Connection) -> bool:
            night = _planned(connection, night_id)
            if night.starts_at == starts_at:
                return False
            store.move(connection, night, starts_at, calls)
            store.owe_anew(connection, self._shown_anew(night))
            tell = NightCall(night_id, "move", self._quiet_until(night_id) or now)
            store.owe_anew(connection, tell)
            return True

        if await self._database.write_at_once(write):
            self._moved_by[night_id] = by
            self._take_now(night_id, "show", "move")
            self._events.compare(id=night_id)
        return await self.get(night_id)

    async def keep_time(self, night_id: int) -> Night:
        """Keep the time of a night whose event was moved: the event goes back.

        Raises:
            Refused: it is planned no more.
            StoreError: it could not be stored.
        """

        def write(connection: Connection) -> None:
            night = _planned(connection, night_id)
            if night.event_id is not None and night.event_at is not None:
                store.note_event(connection, night_id, night.event_id, store.EVENT_BEHIND)

        await self._database.write_at_once(write)
        night = await self.get(night_id)
        self._events.compare(id=night_id)
        return night

    async def get(self, night_id: int) -> Night:
        """A night, planned or not.

        Raises:
            Refused: there is none.
        """
        found = await self._database.read_at_once(lambda c: store.load(c, night_id))
        if found is None:
            raise Refused("no_night", night=night_id)
        return found

    async def guests(self, night_id: int) -> list[Guest]:
        """What people have answered."""
        return await self._database.read_at_once(lambda c: store.guests(c, night_id))

    async def of_guild(
        self, guild_id: int, most: int, offset: int = 0, *, channels: Collection[int] | None = None
    ) -> tuple[list[Night], int]:
        """Return one page of the nights planned in a server, or in these channels of it, and the total."""
        return await self._database.read_at_once(
            lambda c: store.of_guild(c, guild_id, most, offset, channels=channels)
        )

    async def answer(self, night_id: int, guest: Guest) -> tuple[Night, list[Guest]]:
        """Note whether a guest comes. Return the night, and what all have answered.

        Raises:
            Refused: it is planned no more, too many have answered, or `must_meet` refuses it.
        """

        def write(connection: Connection) -> tuple[Night, list[Guest]]:
            night = _planned(connection, night_id)
            if guest.answer != "no":
                must_meet(connection, guest.user_id, night.host_id)
            known = store.guests(connection, night_id)
            if len(known) >= MOST_ANSWERS and guest.user_id not in (each.user_id for each in known):
                raise Refused("night_full", n=MOST_ANSWERS)
            store.answer(connection, night_id, guest)
            return night, store.guests(connection, night_id)

        return await self._database.write_at_once(write)

    async def cancel(self, night_id: int, by: int = 0) -> Night:
        """Call a night off. Its planner and everyone who said yes or maybe hear of it, except this person.

        Raises:
            Refused: it is planned no more.
        """
        guests = await self.guests(night_id)

        def write(connection: Connection) -> None:
            night = _planned(connection, night_id)
            store.end(connection, night_id, "cancelled", owed=[self._shown_anew(night)])

        await self._database.write_at_once(write)
        night = await self.get(night_id)
        self._take_now(night_id, "show")
        self._stage.night_called_off(night, _told(night, guests, by), by)
        return night

    @override
    async def leave_everything(self, user_id: int) -> None:
        """Take back all answers of a person; what they planned goes to whoever comes next, or is off.

        Raises:
            StoreError: it could not be stored.
        """
        for night_id in await self._database.read_at_once(lambda c: store.with_part_of(c, user_id)):
            night, guests = await self.get(night_id), await self.guests(night_id)
            show = self._shown_anew(night)
            off = await self._database.write_at_once(
                partial(store.leave, night_id=night_id, user_id=user_id, show=show)
            )
            night = await self.get(night_id)
            self._take_now(night_id, "show")
            if off:
                told = [user for user in _told(night, guests, user_id) if user != night.host_id]
                self._stage.night_called_off(night, told, 0)

    async def set_message(self, night_id: int, message_id: int) -> None:
        """Remember the message of a night."""

        def write(connection: Connection) -> None:
            store.place(connection, night_id, message_id)
            night = store.load(connection, night_id)
            if night is not None and night.phase == "planned":
                store.strike(connection, night_id, "show")  # the message is up to date

        await self._database.write_at_once(write)

    async def has_event(self, night_id: int, event_id: int) -> None:
        """Remember the scheduled event of a night."""
        await self._database.write_at_once(lambda c: store.note_event(c, night_id, event_id))

    # -- scheduled events ---------------------------------------------------------------------

    @override
    def event_changed(self, event_id: int) -> None:
        self._events.compare(event_id=event_id)

    @override
    def channel_renamed(self, channel_id: int) -> None:
        self._events.compare(channel_id=channel_id)

    @override
    def allowed(self, guild_id: int) -> None:
        """Compare events and channels of a server: some may have changed while the bot was away."""
        self._events.compare(guild_id=guild_id)
        self._tables.tasks.spawn(self._hinder_gone(guild_id=guild_id), "channels of nights")

    # -- deleted channels ---------------------------------------------------------------------

    @override
    def channel_deleted(self, channel_id: int, guild_id: int) -> None:
        self._tables.tasks.spawn(self._hinder_gone(channel_id=channel_id), "channel of nights")

    async def _hinder_gone(self, **where: int) -> None:
        """End the planned nights with these values whose channel is gone."""
        try:
            for night in await self._database.read_at_once(lambda c: store.planned(c, **where)):
                if await self._stage.is_gone(night):
                    await self._hinder(night)
        except StoreError as found:  # the next call of the night looks again
            log.info("channels of nights not looked at", why=found.kind)

    # -- what falls due -----------------------------------------------------------------------

    async def round(self) -> float:
        """Start the steps that have fallen due. Return the seconds until the next look.

        Raises:
            StoreError: the database does not answer.
        """
        now, shards = self._clock.now(), self._tables.lease_holder.shards
        # in addition to failing steps, which would otherwise keep all later ones from being read
        most = AT_A_TIME + min(self._tables.runtime.scheduler.count(self.due), MOST_STUCK)
        due = await self._database.read_at_once(lambda c: store.due(c, now, most, shards))
        for call in due:
            self._tables.runtime.scheduler.add(f"{JOB}{call.kind}", call.night_id)
        if len(due) == most:
            return 0.5
        following = await self._database.read_at_once(lambda c: store.next_due(c, now, shards))
        if following is None:
            return LOOK_SECONDS
        return min(LOOK_SECONDS, max(0.5, (following - self._clock.now()) / 1000))

    def _take_now(self, night_id: int, *kinds: str) -> None:
        """Take steps that have just become due, or once more if they are under way."""
        for kind in kinds:
            self._tables.runtime.scheduler.trigger(f"{JOB}{kind}", night_id)

    async def _take(self, kind: str, step: Step, night_id: int) -> float | None:
        """Take a step that is owed, and strike it out. One that Discord refuses for good is struck out too.

        Return the seconds until it is due, if that is soon.

        Raises:
            StoreError, DiscordFailure: it was not taken, or not noted.
        """
        async with self._telling.of(night_id):
            due_at = await self._database.read_at_once(lambda c: store.owed(c, night_id, kind))
            if due_at is None:
                return None
            if (wait := (due_at - self._clock.now()) / 1000) > 0:
                return wait if wait <= LOOK_SECONDS else None
            night = await self.get(night_id)
            if kind == "start" or self._clock.now() - night.starts_at <= GIVEN_UP_MS:
                try:
                    await step(night)
                except DiscordFailure as found:
                    if found.passing:
                        raise
                    log.info("step of a night refused", night=night_id, step=kind, why=found.facts.get("why"))
            await self._database.write_at_once(lambda c: store.strike(c, night_id, kind, due_at))
        return None

    async def _remind(self, night: Night, kind: str) -> None:
        """Remind the guests, unless the next thing to be said has fallen due as well."""
        late = self._clock.now() - (night.starts_at - EARLY_MS[kind])
        if night.phase != "planned" or late >= SOON_MS:
            return
        if quiet := self._quiet_until(night.id):
            await self._database.write_at_once(lambda c: store.owe(c, NightCall(night.id, kind, quiet)))
        elif await self._stage.hindrance(night) == "gone":
            await self._hinder(night)
        else:
            # the reminder names the newest time
            await self._database.write_at_once(lambda c: store.strike(c, night.id, "move"))
            await self._stage.remind_of_night(night, kind, self)
            self._told_at[night.id] = self._clock.now()

    async def _tell_move(self, night: Night) -> None:
        """Tell those who may come of the newest time."""
        if quiet := self._quiet_until(night.id):
            await self._database.write_at_once(lambda c: store.owe(c, NightCall(night.id, "move", quiet)))
            return
        told = _told(night, await self.guests(night.id), self._moved_by.get(night.id, 0))
        await self._stage.night_moved(night, told)
        self._told_at[night.id] = self._clock.now()

    def _quiet_until(self, night_id: int) -> int:
        """Return when people may hear of a new time of this night again; 0 for at once."""
        told, now = self._told_at.get(night_id, 0), self._clock.now()
        return told + QUIET_MS if told <= now < told + QUIET_MS else 0

    @override
    def forget(self, user_id: int) -> None:
        """Forget which nights a person has moved."""
        for night_id in [night_id for night_id, by in self._moved_by.items() if by == user_id]:
            del self._moved_by[night_id]

    async def _call(self, night: Night) -> None:
        """Post the lobby and notify those whose seats it keeps, unless it has closed."""
        table = await self._table(night)
        if table is None or table.phase not in OPEN_PHASES:
            return
        kept = table.stored.terms.held if table.phase == "lobby" else ()
        here = [(one.user_id, one.name) for one in table.sitters if one.user_id in kept]
        guests = [Guest(user_id, name, "yes", 0, 0) for user_id, name in here if user_id is not None]
        await self._stage.night_opens(night, table, guests)

    async def _table(self, night: Night) -> Table | None:
        try:
            return await self._tables.get(night.game_id) if night.game_id is not None else None
        except Refused as found:
            log.warning("table of a night not found", night=night.id, why=str(found))
            return None

    async def _start(self, night: Night) -> None:
        """Open the lobby, with a seat for each who said yes as long as there are some."""
        coming = [
            guest
            for guest in await self.guests(night.id)
            if guest.answer == "yes" and not await self._stage.has_left(night, guest.user_id)
        ]
        away = await self._tables.contacts.apart(night.host_among(coming), [each.user_id for each in coming])
        coming = [guest for guest in coming if guest.user_id not in away]
        try:
            if self._clock.now() - night.starts_at > MISSED_MS:
                await self._end(night, "missed")
            elif not coming:
                await self._end(night, "empty")
            elif await self._stage.hindrance(night):
                await self._hinder(night)
            else:
                owed = [NightCall(night.id, "call", self._clock.now()), self._shown_anew(night)]
                await open_lobby(self._tables, self._database, night, coming, owed)
                self._take_now(night.id, "call", "show")
        except Overtaken:
            log.info("night has ended", night=night.id)
        except (Refused, IllegalSetup, LookupError) as found:
            log.warning("night can't begin", night=night.id, why=str(found))
            await self._hinder(night)

    async def _find_message(self, night: Night) -> bool:
        """Find the message of a night that a stop kept from being noted. Return whether it is there.

        Raises:
            DiscordFailure: Discord did not answer.
        """
        if night.token is None:
            return False
        if (found := await self._stage.find_message(night)) is None:
            await self._database.write_at_once(lambda c: store.forget_token(c, night.id))
            return False
        await self.set_message(night.id, found)
        return True

    async def _show(self, night: Night) -> None:
        """Show a night as it is."""
        if night.message_id is not None or await self._find_message(night) or night.phase == "planned":
            await self._stage.show_night(night, self)

    def _shown_anew(self, night: Night) -> NightCall:
        """The step that shows a night: now, or once its message is noted."""
        return NightCall(night.id, "show", self._clock.now() + (NOTED_MS if night.message_id is None else 0))

    async def _hinder(self, night: Night) -> None:
        try:
            await self._end(night, "hindered")
        except Overtaken:
            log.info("night has ended", night=night.id)
        else:
            self._stage.night_hindered(night)

    async def _end(self, night: Night, phase: store.Phase) -> None:
        show = self._shown_anew(night)
        await self._database.write_at_once(lambda c: store.end(c, night.id, phase, owed=[show]))
        self._take_now(night.id, "show")


def _told(night: Night, guests: Iterable[Guest], by: int) -> list[int]:
    """Return who hears of a change: its planner and everyone who may come, except the person who made it."""
    return sorted(({guest.user_id for guest in guests if guest.answer != "no"} | {night.host_id}) - {by})


def _planned(connection: Connection, night_id: int) -> Night:
    """The night, which nobody else changes meanwhile.

    Raises:
        Refused: there is none, or it is planned no more.
    """
    night = store.load(connection, night_id, lock=True)
    if night is None:
        raise Refused("no_night", night=night_id)
    if night.phase != "planned":
        raise Refused("night_over")
    return night
