"""Nights: planned ahead, people say whether they come, and at their time a lobby opens by itself.

A night is rows and nothing in memory. What falls due for it stands in rows too, in wall time: it is struck
out before it is said, and what a stop kept back is said or dropped at the next start. So is the call of the
guests to a lobby that has opened: it is owed from the transaction that opened it, and hardly ever falls due.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Literal, Protocol
from weakref import WeakValueDictionary

import structlog
from sqlalchemy import Connection

from bot.store import nights as store
from bot.store.database import Database, Fenced, Overtaken, StoreError
from bot.store.days import DAY_MS
from bot.store.games import Deadline, Sitter, StoredGame
from bot.store.locks import one_at_a_time
from bot.store.nights import Call, Guest, Night
from bot.store.servers import Opening, opening_of, server_of
from bot.store.terms import DAY, Terms
from bot.tables.house_rules import fitting
from bot.tables.ports import Clock, Refused
from bot.tables.seats_kept import HELD, KEPT_MS
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine import catalog
from engine.game import IllegalSetup

log = structlog.get_logger(__name__)

MINUTE_MS = 60_000
LOOK_SECONDS = 20.0
"""So often is looked for what falls due, unless something does earlier."""
SOON_MS, A_DAY_MS = 30 * MINUTE_MS, DAY_MS
"""How long before its beginning a night is called to mind."""
LEAST_MS, MOST_MS = 5 * MINUTE_MS, 60 * DAY_MS
"""How far ahead a night may lie."""
CALLED_MS = MINUTE_MS
"""Guests who have not been called so long after their lobby opened are called then: there was a stop."""
MISSED_MS = 120 * MINUTE_MS
"""A night whose time is over for so long begins no more."""
MOST_IN_SERVER, MOST_OF_PERSON = 20, 5
MOST_ANSWERS = 60
AT_A_TIME = 100
Hindrance = Literal["gone", "closed"]
"""Why nothing can be shown in the channel of a night: it is gone, or the bot may not post tables there."""


AsItIs = Callable[[int], AbstractAsyncContextManager[tuple[Night, list[Guest]]]]
"""A night of this number and what people have answered, as it stays while it is being shown."""

Still = Callable[[], Awaitable[bool]]
"""Whether something is still to be said; who asks says it, nobody else does."""


class NightStage(Protocol):
    """Shows nights to people; `bot.views` implements it. What shows something returns at once."""

    async def hindrance(self, night: Night) -> Hindrance | None:
        """What keeps its table from being opened in its channel, as far as that is known."""

    def night_changed(self, night: Night, as_it_is: AsItIs) -> None:
        """Show a night as it is once that can be shown."""

    def remind_of_night(self, night: Night, guests: list[Guest]) -> None:
        """Call to mind that it begins soon."""

    def night_opens(
        self, night: Night, table: Table, guests: list[Guest], as_it_is: AsItIs, still: Still
    ) -> None:
        """Its lobby is open, and keeps the seats of these people, who are to be called if `still` says so."""

    def night_hindered(self, night: Night) -> None:
        """Tell its planner that it can't take place."""


class Nights:
    """All nights of the bot; it opens after the tables, and stops with them."""

    def __init__(self, database: Database, clock: Clock, tables: Tables, stage: NightStage) -> None:
        self._database = database
        self._clock = clock
        self._tables = tables
        self._stage = stage

        self._busy: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def one_at_a_time(self, night_id: int) -> asyncio.Lock:
        """The lock of those who answer to this night, or call it off."""
        return self._busy.setdefault(night_id, asyncio.Lock())

    @asynccontextmanager
    async def as_it_is(self, night_id: int) -> AsyncIterator[tuple[Night, list[Guest]]]:
        """A night and what people have answered. Until it is shown nobody here answers to it, whose answer
        would show it too: what arrives last would be what stands there."""
        async with self.one_at_a_time(night_id):
            yield await self.get(night_id), await self.guests(night_id)

    async def open(self) -> None:
        """Take up what has fallen due."""
        self._tables.spawn(self._watch(), "nights")

    # -- what people do -----------------------------------------------------------------------

    async def plan(self, night: Night, host: Guest) -> Night:
        """Plan a night to which its planner comes.

        Raises:
            Refused: too near, too far, or there are as many as there may be.
            StoreError: it could not be stored.
        """
        ahead = night.starts_at - self._clock.now()
        if ahead < LEAST_MS:
            raise Refused("night_too_soon", n=LEAST_MS // MINUTE_MS)
        if ahead > MOST_MS:
            raise Refused("night_too_far", n=MOST_MS // DAY_MS)
        before = (("day", A_DAY_MS), ("soon", SOON_MS), ("start", 0))
        # what would be said almost at once need not be said
        calls = [(kind, night.starts_at - early) for kind, early in before if ahead > early * 1.2]

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

    async def of_guild(self, guild_id: int, most: int, offset: int = 0) -> tuple[list[Night], int]:
        """A page of the nights that are planned in a server; how many there are."""
        return await self._database.read_at_once(lambda c: store.of_guild(c, guild_id, most, offset))

    async def answer(self, night_id: int, guest: Guest) -> tuple[Night, list[Guest]]:
        """Note whether somebody comes; the night, and what all have answered.

        Raises:
            Refused: it is planned no more, or too many have answered.
        """

        def write(connection: Connection) -> tuple[Night, list[Guest]]:
            night = _planned(connection, night_id)
            known = store.guests(connection, night_id)
            if len(known) >= MOST_ANSWERS and guest.user_id not in (each.user_id for each in known):
                raise Refused("night_full", n=MOST_ANSWERS)
            store.answer(connection, night_id, guest)
            return night, store.guests(connection, night_id)

        return await self._database.write_at_once(write)

    async def cancel(self, night_id: int) -> Night:
        """Call a night off.

        Raises:
            Refused: it is planned no more.
        """

        def write(connection: Connection) -> None:
            _planned(connection, night_id)
            store.end(connection, night_id, "cancelled")

        await self._database.write_at_once(write)
        night = await self.get(night_id)
        self._stage.night_changed(night, self.as_it_is)
        return night

    async def leave(self, user_id: int) -> None:
        """Take back all answers of a person; what they planned goes to whoever comes next, or is off.

        Raises:
            StoreError: it could not be stored.
        """
        for night_id in await self._database.read_at_once(lambda c: _of_person(c, user_id)):
            await self._database.write_at_once(partial(_leave, night_id=night_id, user_id=user_id))
            self._stage.night_changed(await self.get(night_id), self.as_it_is)

    async def placed(self, night_id: int, message_id: int) -> None:
        """Remember the message of a night."""
        await self._database.write_at_once(lambda c: store.place(c, night_id, message_id))

    async def has_event(self, night_id: int, event_id: int) -> None:
        """Remember the scheduled event of a night."""
        await self._database.write_at_once(lambda c: store.note_event(c, night_id, event_id))

    # -- what falls due -----------------------------------------------------------------------

    async def _watch(self) -> None:
        pause = LOOK_SECONDS
        try:
            pause = await self.round()
        except Fenced:
            return
        except StoreError as found:
            log.warning("nights not looked after yet", kind=found.kind)
        self._clock.call_later(pause, lambda: self._tables.spawn(self._watch(), "nights"))

    async def round(self) -> float:
        """Do what has fallen due; in how many seconds to look again.

        Raises:
            StoreError: the database does not answer; what is left is done in the next round.
        """
        now, left = self._clock.now(), False
        for call in await self._database.read_at_once(
            lambda c: store.due(c, now, AT_A_TIME, self._tables.tenure.shards)
        ):
            try:
                await self._do(call)
            except StoreError:
                raise
            except Exception as error:
                log.error("night not looked after", night=call.night_id, exc_info=error)
                left = True
        following = await self._database.read_at_once(lambda c: store.next_due(c, self._tables.tenure.shards))
        if following is None or left:
            return LOOK_SECONDS
        return min(LOOK_SECONDS, max(0.5, (following - self._clock.now()) / 1000))

    async def _do(self, call: Call) -> None:
        night, guests = await self.get(call.night_id), await self.guests(call.night_id)
        if call.kind == "start":
            await self._start(night, guests)
        elif call.kind == "call":
            await self._call_late(night, call)
        elif await self._database.write_at_once(partial(store.strike, call=call)):
            await self._remind(night, guests, call)

    async def _remind(self, night: Night, guests: list[Guest], call: Call) -> None:
        """Say it, unless the next thing to be said has fallen due as well."""
        late = self._clock.now() - call.due_at
        if night.phase != "planned" or self._clock.now() >= night.starts_at or late >= SOON_MS:
            return
        if await self._stage.hindrance(night) == "gone":
            await self._hinder(night)
        else:
            self._stage.remind_of_night(night, guests)

    async def _start(self, night: Night, guests: list[Guest]) -> None:
        """Open the lobby, with a seat for each who said yes as long as there are some."""
        coming = [guest for guest in guests if guest.answer == "yes"]
        try:
            if self._clock.now() - night.starts_at > MISSED_MS:
                await self._end(night, "missed")
            elif not coming:
                await self._end(night, "empty")
            elif await self._stage.hindrance(night):
                await self._hinder(night)
            else:
                call = Call(night.id, "call", self._clock.now() + CALLED_MS)
                table, begun = await self._open(night, coming, call), await self.get(night.id)
                self._stage.night_opens(begun, table, coming, self.as_it_is, self._still(call))
        except Overtaken:
            log.info("night has ended", night=night.id)
        except (Refused, IllegalSetup, LookupError) as found:
            log.warning("night can't begin", night=night.id, why=str(found))
            await self._hinder(night)

    def _still(self, call: Call) -> Still:
        return lambda: self._database.write_at_once(partial(store.strike, call=call))

    async def _call_late(self, night: Night, call: Call) -> None:
        """Call those whose seats are still kept: a stop came between the opening of the lobby and the call.
        Whoever is at it after all finds it struck out."""
        try:
            # before it is struck out: where the database is silent, it falls due again
            table = await self._tables.get(night.game_id) if night.game_id is not None else None
        except Refused as found:
            log.warning("guests of a night not called", night=night.id, why=str(found))
            table = None
        if not await self._still(call)() or table is None:
            return
        kept = table.stored.terms.held if table.phase == "lobby" else ()
        here = [(one.user_id, one.name) for one in table.sitters if one.user_id in kept]
        guests = [Guest(user_id, name, "yes", 0, 0) for user_id, name in here if user_id is not None]
        if guests:
            self._stage.night_opens(night, table, guests, self.as_it_is, _at_once)

    async def _hinder(self, night: Night) -> None:
        try:
            await self._end(night, "hindered")
        except Overtaken:
            log.info("night has ended", night=night.id)
        else:
            self._stage.night_hindered(night)

    async def _end(self, night: Night, phase: store.Phase) -> None:
        await self._database.write_at_once(lambda c: store.end(c, night.id, phase))
        self._stage.night_changed(await self.get(night.id), self.as_it_is)

    async def _open(self, night: Night, coming: list[Guest], call: Call) -> Table:
        """Open the lobby, and owe its guests that call."""
        game = catalog.get(night.game)
        # those that can't be played any more keep nobody from playing: the lobby says how it is played
        by = fitting(night.game, night.rules["options"]) if night.rules else None
        options = by or dict(game.defaults())
        seated = coming[: night.seats]
        people = [guest.user_id for guest in seated]
        host = night.host_id if night.host_id in people else people[0]
        usual = await self._database.read_at_once(lambda c: _usual(c, night))
        clock = DAY if usual.clock is None else usual.clock
        stored: StoredGame = self._tables.fresh(
            game,
            options,
            Terms(
                clock=clock,
                held=tuple(people),
                seats=night.seats,
                house_rules=night.house_rules if by else "",
            ),
            host_id=host,
            channel_id=night.channel_id,
            guild_id=night.guild_id,
            locale=night.locale,
        )
        sitters = [Sitter(one.name, user_id=one.user_id, entropy=one.entropy) for one in seated]
        now = self._tables.tenure.now()

        def due(table_id: int) -> tuple[Deadline, ...]:
            closes = Deadline(table_id, "lobby", -1, now + self._tables.lobby_ms + KEPT_MS)
            return Deadline(table_id, HELD, -1, now + KEPT_MS), closes

        def also(connection: Connection, table_id: int) -> None:
            store.end(connection, night.id, "open", table_id)
            store.owe(connection, call)

        return await self._tables.open_table(stored, sitters, due=due, also=also, unbounded=True)


async def _at_once() -> bool:
    return True


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


def _usual(connection: Connection, night: Night) -> Opening:
    """How tables begin in its channel."""
    return opening_of(connection, night.channel_id).before(server_of(connection, night.guild_id))


def _of_person(connection: Connection, user_id: int) -> list[int]:
    mine = {night.id for night in store.of_host(connection, user_id)}
    return sorted(mine | set(store.answered(connection, user_id)))


def _leave(connection: Connection, night_id: int, user_id: int) -> None:
    night = store.load(connection, night_id, lock=True)
    store.withdraw(connection, night_id, user_id)
    if night is None or night.phase != "planned" or night.host_id != user_id:
        return
    coming = [guest.user_id for guest in store.guests(connection, night_id) if guest.answer == "yes"]
    if coming:
        store.hand_on(connection, night_id, coming[0])
    else:
        store.end(connection, night_id, "cancelled")
