"""Hands that lie open on somebody's screen, so that they can be turned over when something changes.

An ephemeral message can be changed for 15 minutes after its last press, with the token of that
press and in no other way. What is too old or forgotten is opened again by **My hand**.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeAlias

import discord
import structlog
from cachetools import TTLCache

from bot.locales import words
from bot.render.pool import Studio
from bot.store.prefs import Prefs
from bot.tables.table import Table
from bot.views.components import Message
from bot.views.errors import (
    DEAD_TOKEN,
    NOT_DONE,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    reason,
)
from bot.views.hand import TOP, Spot, hand_message
from bot.views.seat_view import SeatView, SeatViews
from engine.game import Seat

log = structlog.get_logger(__name__)
Interaction: TypeAlias = discord.Interaction[discord.Client]

MINUTES = 14
MOST_HANDS = 2000
RECENT_SECONDS = 120.0
MOST_TOLD = 50
"""Of a stop are told those who pressed so recently, and at most so many: it must be over in seconds."""
CROSSING_SECONDS = 3.0
"""How long a press may be under way: Discord waits no longer for its answer."""
_GONE = (UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK, DEAD_TOKEN, UNKNOWN_INTERACTION)


@dataclass(frozen=True, slots=True)
class Laid:
    """How a hand was laid open: whose, at which entry of the journal, at which choice, with which words."""

    seat: Seat
    seq: int
    spot: Spot = TOP
    notice: str = ""
    greeting: str = ""
    """The part of these words that stays until the person presses, whatever others do meanwhile."""


@dataclass(slots=True)
class _Open:
    interaction: Interaction
    locale: str
    moment: object
    """What the screen shows, by the last writing that was finished."""
    laid: Laid
    message_id: int = 0
    prefs: Prefs = field(default_factory=Prefs)
    late: bool = False
    """The screen shows words that say that the picture is on its way."""
    writing: bool = False
    again: bool = False
    """Something else was written meanwhile, and nobody knows which of the two came last."""
    written_at: float = 0.0
    """When it was last turned over, by the monotonic clock."""
    pressed_at: float = field(default_factory=monotonic)
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever a writing has ended; for those who wait for its end."""


class OpenHands:
    """The last open hand of each person at each table. Each is written by one task at a time, and the
    newest state last."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.views = SeatViews()
        """What was looked up for them last."""
        self._open: TTLCache[tuple[int, int], _Open] = TTLCache(MOST_HANDS, MINUTES * 60)
        self._answering: Counter[tuple[int, int]] = Counter()
        """How many answers are about to show a person's hand at a table."""
        self._made: TTLCache[tuple[int, int], tuple[Seat, int]] = TTLCache(MOST_HANDS, MINUTES * 60)

    def shown(
        self,
        interaction: Interaction,
        table: Table,
        message: Message,
        laid: Laid,
        *,
        message_id: int = 0,
        late: bool = False,
        prefs: Prefs | None = None,
    ) -> None:
        """The answer to this interaction has shown a hand to whoever pressed, in the message of this id;
        `late`: without its picture so far; `prefs`: as they like to see it."""
        prefs = prefs or Prefs()
        user_id, locale = interaction.user.id, prefs.locale or interaction.locale.value
        before = self._open.get((table.id, user_id))
        here = _Open(interaction, locale, message.moment, laid, message_id, prefs, late=late)
        if before is not None:
            here.written_at = before.written_at
        if before is not None and before.writing:
            here.writing, here.idle = before.writing, before.idle
            before.again = here.again = True
        self._open[table.id, user_id] = here

    @contextlib.contextmanager
    def answering(self, table: Table, user_id: int) -> Iterator[None]:
        """While an answer is about to show this person's hand, nobody turns over what it replaces. Whoever
        answers looks afterwards whether the hand has moved on."""
        key = (table.id, user_id)
        self._answering[key] += 1
        try:
            yield
        finally:
            self._answering[key] -= 1
            if not self._answering[key]:
                del self._answering[key]

    def decided(self, table: Table, user_id: int, seat: Seat, decision: int) -> None:
        """This person has made this decision of a seat of theirs."""
        self._made[table.id, user_id] = seat, decision

    def just_made(self, table: Table, user_id: int, seat: Seat, decision: int) -> bool:
        """Whether this is the last decision that the person has made: a press of it is a double click."""
        return self._made.get((table.id, user_id)) == (seat, decision)

    def settled(self, table: Table, user_id: int) -> bool:
        """Whether a press just now has seen the picture that the screen shows."""
        here = self._open.get((table.id, user_id))
        return here is None or not (here.writing or monotonic() - here.written_at < CROSSING_SECONDS)

    def in_doubt(self, table: Table, user_id: int) -> bool:
        """Whether two writings of this hand may have crossed, or its picture is still to come."""
        here = self._open.get((table.id, user_id))
        return here is not None and (here.again or here.late)

    def lies_open(self, table: Table, user_id: int, channel_id: int | None) -> bool:
        """Whether a hand of this person lies open in this channel and can still be turned over."""
        here = self._open.get((table.id, user_id))
        return here is not None and here.interaction.channel_id == channel_id

    def of_table(self, table: Table) -> list[int]:
        """The people before whom a hand of this table lies open."""
        return [user_id for user_id in table.people() if (table.id, user_id) in self._open]

    def laid_aside(self, table: Table, user_id: int, message_id: int) -> None:
        """The message of a hand shows something else now: it is no open hand until it is laid again."""
        here = self._open.get((table.id, user_id))
        if here is not None and here.message_id == message_id:
            self._open.pop((table.id, user_id), None)

    def forget(self, user_id: int) -> None:
        """Turn no hand of this person over any more; what lies open on their screen stays as it is."""
        for memory in (self._open, self._made):
            for key in [key for key in memory if key[1] == user_id]:
                memory.pop(key, None)

    async def show_instead(self, table: Table, user_id: int, message: Message) -> bool:
        """Show something else in the place of a hand that lies open; whether that was done.

        It is no open hand then; whoever presses the way back lays it again.
        """
        key = (table.id, user_id)
        here = await self._at_rest(key)
        if here is None or key in self._answering:
            return False
        here.writing, done = True, True
        try:
            shown = message.fitted(here.prefs)
            files = await shown.attachments(self._studio, whose=table.stored.channel_id)
            await self._write(key, here, shown, files)
        except NOT_DONE as error:
            if getattr(error, "code", None) not in _GONE:
                log.warning("nothing shown in an open hand", table=table.id, why=reason(error))
            done = False
        finally:
            now = self._written(key, here)
            if now is here:
                self._open.pop(key, None)
        if now is not here:
            await self.turn_over(table, user_id)
        return done

    async def _at_rest(self, key: tuple[int, int]) -> _Open | None:
        """An open hand that nobody is writing; None where there is none within a few seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CROSSING_SECONDS):
                while (here := self._open.get(key)) is not None and here.writing:
                    here.idle.clear()
                    await here.idle.wait()
                return here
        return None

    async def tell_all(self, find: Callable[[int], Table | None], key: str, seconds: float) -> None:
        """Say this in every hand that was pressed a little while ago, as far as that goes within so long."""
        now, telling = monotonic(), []
        for (table_id, user_id), here in list(self._open.items()):
            table = find(table_id)
            if table is not None and now - here.pressed_at < RECENT_SECONDS and table.seats_of(user_id):
                telling.append((here, table, user_id))
        tasks = [asyncio.create_task(_tell(*each, key)) for each in telling[-MOST_TOLD:]]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()

    async def turned_over(self, table: Table, user_id: int) -> bool:
        """Show an open hand as it is now; whether that was done, by this call or by another one."""
        key = (table.id, user_id)
        await self.turn_over(table, user_id)
        while (here := self._open.get(key)) is not None and here.writing:
            here.idle.clear()
            await here.idle.wait()
        return here is not None

    async def turn_over(self, table: Table, user_id: int) -> None:
        """Show an open hand as it is now, if it has changed; who has left the seat sees no more of it.

        Who holds several seats sees the one that is to act.
        """
        key = (table.id, user_id)
        here = self._open.get(key)
        if key in self._answering:
            return
        if here is None or here.writing:
            if here is not None:
                here.again = True
            return
        while here is not None:
            seats = table.seats_of(user_id)
            if not seats:
                self._open.pop(key, None)
                return
            laid = here.laid
            if laid.seq != table.seq or laid.seat not in seats:
                laid = Laid(seats[0], table.seq, notice=laid.greeting, greeting=laid.greeting)
            view = self.views.of(table, laid.seat, here.locale, hints=here.prefs.hints)
            if view.moment() == here.moment and not (here.again or here.late):
                return
            message = hand_message(view, laid.spot, notice=laid.notice).fitted(here.prefs)
            # a press waits for a picture that is late, and for no other
            files = message.attachments(self._studio, later=not here.late, whose=table.stored.channel_id)
            here.again, here.late, here.writing = False, False, True
            try:
                await self._write(key, here, message, await files)
                here.moment, here.laid = message.moment, laid
                here.written_at = monotonic()
            except NOT_DONE as error:
                if self._open.get(key) is here:
                    self._open.pop(key, None)
                if getattr(error, "code", None) not in _GONE:
                    log.warning("open hand not turned over", table=table.id, why=reason(error))
            finally:
                now = self._written(key, here)
            here = now

    def _written(self, key: tuple[int, int], here: _Open) -> _Open | None:
        """A writing has come to its end; what lies open now. A press may have opened another message
        meanwhile: that one has waited, and is looked after next."""
        here.writing = False
        now = self._open.get(key)
        if now is not here and now is not None:
            now.writing = False
        here.idle.set()
        return now

    async def _write(
        self, key: tuple[int, int], here: _Open, message: Message, files: list[discord.File]
    ) -> None:
        now = self._open.get(key, here)
        if now is not here and now.message_id == here.message_id != 0:
            return  # a newer answer stands there, and is looked after next
        view = message.view
        if message.unpainted:
            failed = words(here.locale)("picture.failed")
            view = message.without(message.unpainted, failed, told=True)
            files = [file for file in files if file.filename not in message.unpainted]
        await here.interaction.edit_original_response(view=view, attachments=files)


async def _tell(here: _Open, table: Table, user_id: int, key: str) -> None:
    """Put a line above a hand; its choices and its picture stay, and the next press takes the line away."""
    notice = words(here.locale)(key)
    seat = table.seats_of(user_id)[0]
    view = SeatView(table, seat, here.locale, hints=here.prefs.hints)
    message = hand_message(view, notice=notice, kept=view.scene.alt).fitted(here.prefs)
    with contextlib.suppress(*NOT_DONE):
        await here.interaction.edit_original_response(view=message.view)
