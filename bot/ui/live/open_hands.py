"""Hands that lie open on somebody's screen, so that they can be turned over when something changes.

An ephemeral message can be changed for 15 minutes after its last press, with the token of that
press and in no other way. What is too old or forgotten is opened again by **My hand**.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TypeAlias

import discord
import structlog
from cachetools import TTLCache

from bot.locales import words
from bot.render.pool import Studio
from bot.store.prefs import Prefs
from bot.tables.service import Service
from bot.tables.table import Table
from bot.ui.components import Message, page
from bot.ui.discord_errors import (
    DEAD_TOKEN,
    NOT_DONE,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    reason,
)
from bot.ui.live.late_pictures import as_painted, file_numbers, in_time
from bot.ui.live.uploads import deliver
from bot.ui.table.consent import open_question
from bot.ui.table.hand import TOP, ChoiceCursor, hand_message
from bot.ui.table.seat_view import SeatView, SeatViews
from engine.game import Seat

log = structlog.get_logger(__name__)
Interaction: TypeAlias = discord.Interaction[discord.Client]

MINUTES = 14
MOST_HANDS = 2000
RECENT_SECONDS = 120.0
MOST_TOLD = 50
"""A shutdown is announced to recent users only, and to at most this many: it must be over in seconds."""
CROSSING_SECONDS = 3.0
"""How long a press may be under way: Discord waits no longer for its answer."""
SENDING_SECONDS = 1.0
"""How long an answer waits for what is on its way to the same message: it has three seconds in all."""
_GONE = (UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK, DEAD_TOKEN, UNKNOWN_INTERACTION)


@dataclass(frozen=True, slots=True)
class HandState:
    """How a hand was laid open: whose, at which entry of the journal, at which choice, with which words."""

    seat: Seat
    seq: int
    spot: ChoiceCursor = TOP
    notice: str = ""
    greeting: str = ""
    """The part of these words that stays until the person presses, whatever others do meanwhile."""
    question: str = ""
    """What was asked of everybody then, by name: once that is settled, the other words are void."""


@dataclass(slots=True)
class _Open:
    interaction: Interaction
    locale: str
    moment: object
    """What the screen shows, by the last writing that was finished."""
    laid: HandState
    message_id: int = 0
    files: frozenset[int] | None = None
    """How Discord numbers what the message shows, where it has said so."""
    prefs: Prefs = field(default_factory=Prefs)
    late: bool = False
    """The screen shows words that say that the picture is on its way."""
    awaited: bool = False
    """A press waits for that picture."""
    writing: bool = False
    """Somebody paints it anew, or sends what was painted."""
    sending: bool = False
    """What was painted is on its way to the screen."""
    closed: bool = False
    """Its message shows something else now, so a picture that is still being painted is not sent."""
    again: bool = False
    """Something else was written meanwhile, and nobody knows which of the two came last."""
    written_at: float = 0.0
    """When it was last turned over, by the monotonic clock."""
    pressed_at: float = field(default_factory=monotonic)
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever a writing or a sending has ended; for those who wait for its end."""


class OpenHands(Service):
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
        laid: HandState,
        *,
        message_id: int = 0,
        files: frozenset[int] | None = None,
        late: bool = False,
        prefs: Prefs | None = None,
    ) -> None:
        """The answer to this interaction has shown a hand to whoever pressed, in the message of this id with
        these files, as far as that is known; `late`: without its picture so far; `prefs`: as they like to see
        it."""
        prefs = prefs or Prefs()
        user_id, locale = interaction.user.id, prefs.locale or interaction.locale.value
        before = self._open.get((table.id, user_id))
        here = _Open(
            interaction, locale, message.moment, laid, message_id, files, prefs, late=late, awaited=late
        )
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

    def is_current(self, table: Table, user_id: int, pressed: discord.Message) -> bool:
        """Whether a press of this message has seen the picture that the screen shows."""
        here = self._open.get((table.id, user_id))
        if here is None or here.writing:
            return here is None
        if here.message_id == pressed.id and here.files is not None:
            return here.files == file_numbers(pressed)
        return monotonic() - here.written_at >= CROSSING_SECONDS

    def shows(self, view: SeatView, user_id: int, message_id: int) -> ChoiceCursor | None:
        """Where in the choices the hand in this message is, which shows this moment with its picture; None
        where it is not known to do so."""
        here = self._open.get((view.table.id, user_id))
        if here is None or here.message_id != message_id or here.late or here.again:
            return None
        return (
            here.laid.spot if here.laid.seat == view.seat and here.moment == view.moment(draw=True) else None
        )

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

    async def close_hand(self, table: Table, user_id: int, message_id: int) -> None:
        """Close a hand before its message shows something else, until it is shown again.

        A picture that is still being painted is not sent. One on its way to Discord arrives first.
        """
        key = (table.id, user_id)
        here = self._open.get(key)
        if here is not None and here.message_id == message_id:
            here.closed = True
            self._open.pop(key, None)
            await _sent(here, SENDING_SECONDS)

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
        here = self._open.get(key)
        if here is None or not await _sent(here, CROSSING_SECONDS):
            return False
        if key in self._answering or self._open.get(key) is not here:
            return False
        here.closed = True
        self._open.pop(key, None)
        try:
            shown = message.fitted(here.prefs)
            files = await shown.attachments(self._studio, whose=user_id)
            if key in self._answering or self._laid_again(key, here):
                return False  # the hand was pressed meanwhile, and is what the person wants to see
            await self._send(here, shown, files)
        except NOT_DONE as error:
            if getattr(error, "code", None) not in _GONE:
                log.warning("nothing shown in an open hand", table=table.id, why=reason(error))
            return False
        if again := self._laid_again(key, here):
            again.again = True  # nobody knows which of the two came last
            await self.turn_over(table, user_id)
        return again is None

    def _laid_again(self, key: tuple[int, int], here: _Open) -> _Open | None:
        """The hand that was laid meanwhile in the message of this one, which is no open hand any more."""
        now = self._open.get(key)
        return now if now is not None and now.message_id == here.message_id else None

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
                gone = page(words(here.locale)("leave.gone", table=table.id))
                await self.show_instead(table, user_id, gone)
                self._open.pop(key, None)
                return
            laid = here.laid
            if laid.seq != table.seq or laid.seat not in seats:
                laid = HandState(seats[0], table.seq, notice=laid.greeting, greeting=laid.greeting)
            elif laid.question and laid.question != open_question(table):
                laid = replace(laid, notice=laid.greeting, question="")
            view = self.views.of(table, laid.seat, here.locale, hints=here.prefs.hints)
            if view.moment(draw=True) == here.moment and not (here.again or here.late):
                return
            message = hand_message(view, laid.spot, notice=laid.notice).fitted(here.prefs)
            # a press waits for a picture that is late, and for no other
            files = message.attachments(self._studio, later=not here.awaited, whose=user_id)
            told = here.late and not here.again and message.moment == here.moment
            here.again, here.writing = False, True
            try:
                painted = await in_time(files)
                here.late = painted is None
                here.awaited = here.awaited and here.late
                if not (here.late and told):
                    await self._write(key, here, message, painted)
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
        now = None if here.closed else self._open.get(key)
        if now is not here and now is not None:
            now.writing = False
        here.idle.set()
        return now

    async def _write(
        self, key: tuple[int, int], here: _Open, message: Message, files: list[discord.File] | None
    ) -> None:
        now = self._open.get(key, here)
        if here.closed or (now is not here and now.message_id == here.message_id != 0):
            return  # something else stands there, or a newer answer, which is looked after next
        await self._send(here, message, files)

    async def _send(self, here: _Open, message: Message, files: list[discord.File] | None) -> None:
        """Send it with these pictures, or in words, where they take long."""
        view, files = as_painted(message, files, here.locale)
        here.sending = True
        try:
            edit = here.interaction.edit_original_response
            sent = await deliver(
                message, files, here.locale, lambda view, files: edit(view=view, attachments=files), view=view
            )
            here.files = file_numbers(sent)
        except BaseException:
            here.files = None  # it may have arrived all the same
            raise
        finally:
            here.sending = False
            here.idle.set()


async def _sent(here: _Open, seconds: float) -> bool:
    """Whether nothing is on its way to this hand, or no longer within so many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while here.sending:
                here.idle.clear()
                await here.idle.wait()
    return not here.sending


async def _tell(here: _Open, table: Table, user_id: int, key: str) -> None:
    """Put a line above a hand; its choices and its picture stay, and the next press takes the line away."""
    notice = words(here.locale)(key)
    seat = table.seats_of(user_id)[0]
    view = SeatView(table, seat, here.locale, hints=here.prefs.hints)
    message = hand_message(view, notice=notice, kept=view.scene.alt).fitted(here.prefs)
    with contextlib.suppress(*NOT_DONE):
        await here.interaction.edit_original_response(view=message.view)
