"""Hands that are open on players' screens, refreshed when something changes.

A hand is followed for a while after its last press. **My hand** reopens one that is too old or forgotten.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import discord
import structlog
from cachetools import TTLCache

from bot.core.service import Service
from bot.features.table.consent import open_question
from bot.features.table.hand.messages import TOP_CHOICE, ChoiceCursor, hand_message
from bot.features.table.hand.seat_view import SeatView, SeatViews
from bot.locales import words
from bot.render.pool import Studio
from bot.store.prefs import Prefs
from bot.table.table import Table
from bot.ui.components import Message, page
from bot.ui.discord_errors import (
    DEAD_TOKEN,
    NOT_DONE,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    reason,
)
from bot.ui.live.picture_delivery import editor, file_numbers
from bot.ui.live.private_message import CROSSING_SECONDS, MINUTES, CurrentView, Interaction, PrivateMessage
from engine.game import Seat

log = structlog.get_logger(__name__)

MOST_HANDS = 2000
RECENT_SECONDS = 120.0
MOST_TOLD = 50
"""Maximum number of recent users to whom a shutdown is announced: that must be over in seconds."""
SENDING_SECONDS = 1.0
"""Seconds that an answer, which has three in all, waits for earlier updates of the same message."""
_GONE = (UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK, DEAD_TOKEN, UNKNOWN_INTERACTION)


@dataclass(frozen=True, slots=True)
class HandState:
    """The state of a hand on the screen: seat, journal entry, place in the choices, notice above it."""

    seat: Seat
    seq: int
    cursor: ChoiceCursor = TOP_CHOICE
    notice: str = ""
    greeting: str = ""
    """The part of the notice that stays until the person presses, even if others act meanwhile."""
    question: str = ""
    """The name of the open question to everyone at the table.

    Once it is settled, only the greeting remains of the notice.
    """


class OpenHand(PrivateMessage):
    """A person's open hand at a table. If they have several seats, it shows one that must act."""

    def __init__(self, hands: OpenHands, table: Table, user_id: int, state: HandState) -> None:
        super().__init__(hands.studio, user_id)
        self._hands = hands
        self.table = table
        self.state = state
        self._next = state
        """The state that was looked up last."""

    async def look_up(self) -> CurrentView | None:
        """Return the current hand. A person who has left the table sees a note instead."""
        table, state = self.table, self.state
        if self._hands.is_answering(table, self.user_id):
            return None
        seats = table.seats_of(self.user_id)
        if not seats:
            note = page(words(self.locale)("leave.gone", table=table.id))
            await self._hands.show_instead(table, self.user_id, note)
            self._hands.drop(self)
            return None
        if state.seq != table.seq or state.seat not in seats:
            state = HandState(seats[0], table.seq, notice=state.greeting, greeting=state.greeting)
        elif state.question and state.question != open_question(table):
            state = replace(state, notice=state.greeting, question="")
        self._next = state
        view = self._hands.views.of(table, state.seat, self.locale, hints=self.prefs.hints)
        build = partial(hand_message, view, state.cursor, notice=state.notice)
        return CurrentView(view.moment(draw=True), build)

    def shown_as_built(self) -> None:
        """Note that the state looked up last is now on the screen."""
        self.state = self._next

    def lost(self, error: Exception) -> None:
        """Stop following the hand. Log the reason, unless it was dismissed or is too old."""
        self._hands.drop(self)
        if getattr(error, "code", None) not in _GONE:
            log.warning("open hand not refreshed", table=self.table.id, why=reason(error))


class OpenHands(Service):
    """The last open hand of each person at each table."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.views = SeatViews()
        """The views that were looked up last."""
        self._open: TTLCache[tuple[int, int], OpenHand] = TTLCache(MOST_HANDS, MINUTES * 60)
        self._answering: Counter[tuple[int, int]] = Counter()
        """The number of answers that are about to show a hand, by table and person."""
        self._made: TTLCache[tuple[int, int], tuple[Seat, int]] = TTLCache(MOST_HANDS, MINUTES * 60)

    def shown(
        self,
        interaction: Interaction,
        table: Table,
        message: Message,
        state: HandState,
        *,
        message_id: int = 0,
        files: frozenset[int] | None = None,
        late: bool = False,
        follow_up: bool = False,
        prefs: Prefs | None = None,
        sent_at: float | None = None,
    ) -> None:
        """Follow the hand with which this interaction was answered. See `PrivateMessage.answered`."""
        user_id = interaction.user.id
        hand = self._open.get((table.id, user_id)) or OpenHand(self, table, user_id, state)
        hand.table, hand.state = table, state
        hand.answered(
            interaction,
            message,
            prefs or Prefs(),
            message_id=message_id,
            files=files,
            late=late,
            follow_up=follow_up,
            sent_at=sent_at,
        )
        self._open[table.id, user_id] = hand  # restarts the time for which it is followed

    @contextlib.contextmanager
    def answering(self, table: Table, user_id: int) -> Iterator[None]:
        """Keep this person's hand from being refreshed while an answer is about to show it.

        The caller checks afterwards if the hand has changed.
        """
        key = (table.id, user_id)
        self._answering[key] += 1
        try:
            yield
        finally:
            self._answering[key] -= 1
            if not self._answering[key]:
                del self._answering[key]

    def is_answering(self, table: Table, user_id: int) -> bool:
        """Return whether an answer is about to show this person's hand."""
        return (table.id, user_id) in self._answering

    def decided(self, table: Table, user_id: int, seat: Seat, decision: int) -> None:
        """Note the last decision that this person made, and its seat."""
        self._made[table.id, user_id] = seat, decision

    def just_made(self, table: Table, user_id: int, seat: Seat, decision: int) -> bool:
        """Return whether this is the person's last decision, so that pressing it again is a double click."""
        return self._made.get((table.id, user_id)) == (seat, decision)

    def is_current(self, table: Table, user_id: int, pressed: discord.Message) -> bool:
        """Return whether the pressed message has the same picture as the person's screen."""
        hand = self._open.get((table.id, user_id))
        if hand is None or hand.running:
            return hand is None
        if hand.message_id == pressed.id and hand.files is not None:
            return hand.files == file_numbers(pressed)
        return not hand.was_written_within(CROSSING_SECONDS)

    def shows(self, view: SeatView, user_id: int, message_id: int) -> ChoiceCursor | None:
        """Return the cursor of the hand in this message.

        Return None if the message is not known to show this moment with its picture.
        """
        hand = self._open.get((view.table.id, user_id))
        if hand is None or hand.message_id != message_id or hand.state.seat != view.seat or hand.in_doubt:
            return None
        return hand.state.cursor if hand.shows(view.moment(draw=True)) else None

    def in_doubt(self, table: Table, user_id: int) -> bool:
        """Return whether two updates of this hand may have crossed, or its picture is still to come."""
        hand = self._open.get((table.id, user_id))
        return hand is not None and hand.in_doubt

    def is_open(self, table: Table, user_id: int, channel_id: int | None) -> bool:
        """Return whether this person has an open hand in this channel that can still be refreshed."""
        hand = self._open.get((table.id, user_id))
        return hand is not None and hand.interaction.channel_id == channel_id

    def of_table(self, table: Table) -> list[int]:
        """Return the people who have an open hand at this table."""
        return [user_id for user_id in table.people() if (table.id, user_id) in self._open]

    async def close_hand(self, table: Table, user_id: int, message_id: int) -> None:
        """Stop following a hand before its message shows something else, until the hand is shown again.

        A picture that is still being painted is not sent. One on its way to Discord arrives first.
        """
        hand = self._open.get((table.id, user_id))
        if hand is not None and hand.message_id == message_id:
            self.drop(hand)
            await hand.delivery.quiet(SENDING_SECONDS)

    def drop(self, hand: OpenHand) -> None:
        """Stop following this hand."""
        hand.closed = True
        key = (hand.table.id, hand.user_id)
        if self._open.get(key) is hand:
            self._open.pop(key, None)

    def forget(self, user_id: int) -> None:
        """Stop refreshing this person's hands. Their screen stays as it is."""
        for hand in [hand for key, hand in self._open.items() if key[1] == user_id]:
            self.drop(hand)
        for key in [key for key in self._made if key[1] == user_id]:
            self._made.pop(key, None)

    async def show_instead(self, table: Table, user_id: int, message: Message) -> bool:
        """Show something else in place of an open hand. Return whether it was shown.

        This closes the hand. The button that leads back opens it again.
        """
        key = (table.id, user_id)
        hand = self._open.get(key)
        if hand is None or not await hand.delivery.quiet(CROSSING_SECONDS):
            return False
        if key in self._answering or self._open.get(key) is not hand:
            return False
        self.drop(hand)
        try:
            fitted = message.fitted(hand.prefs)
            files = await fitted.attachments(self.studio, whose=user_id)
            if key in self._answering or self._shown_again(hand):
                return False  # the person pressed the hand meanwhile, so they want to see the hand
            await hand.send(fitted, files)
        except NOT_DONE as error:
            if getattr(error, "code", None) not in _GONE:
                log.warning("nothing shown in an open hand", table=table.id, why=reason(error))
            return False
        if (newer := self._shown_again(hand)) is None:
            return True
        newer.delivery.doubt()  # the two may have arrived in either order
        await self.refresh(table, user_id)
        return False

    def _shown_again(self, closed: OpenHand) -> OpenHand | None:
        """Return the hand that has since been shown in the message of a closed one, or None."""
        hand = self._open.get((closed.table.id, closed.user_id))
        return hand if hand is not None and hand.message_id == closed.message_id else None

    async def tell_all(self, find: Callable[[int], Table | None], key: str, seconds: float) -> None:
        """Show this line in recently pressed hands. Give up after this many seconds."""
        telling = []
        for (table_id, user_id), hand in list(self._open.items()):
            table = find(table_id)
            if table is not None and hand.was_pressed_within(RECENT_SECONDS) and table.seats_of(user_id):
                telling.append((hand, table))
        tasks = [asyncio.create_task(_tell(*each, key)) for each in telling[-MOST_TOLD:]]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()

    async def refresh(self, table: Table, user_id: int) -> None:
        """Update an open hand if it has changed."""
        hand = self._open.get((table.id, user_id))
        if hand is not None and not self.is_answering(table, user_id):
            hand.table = table
            await hand.refresh()

    async def refresh_now(self, table: Table, user_id: int) -> bool:
        """Update an open hand. Return whether that was done, by this call or by another one."""
        key = (table.id, user_id)
        await self.refresh(table, user_id)
        while (hand := self._open.get(key)) is not None and hand.running:
            await hand.finished()
        return hand is not None


async def _tell(hand: OpenHand, table: Table, key: str) -> None:
    """Show a line above a hand until the next press. Its choices and its picture stay."""
    notice = words(hand.locale)(key)
    seat = table.seats_of(hand.user_id)[0]
    view = SeatView(table, seat, hand.locale, hints=hand.prefs.hints)
    message = hand_message(view, notice=notice, kept=view.scene.alt).fitted(hand.prefs)
    with contextlib.suppress(*NOT_DONE):
        await editor(hand.interaction, hand.follow_up)(view=message.view)
