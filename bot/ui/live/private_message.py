"""Private messages that follow something: an open hand, or the view of a spectator.

An ephemeral message can only be changed with the token of its last press, for 15 minutes.
"""

from __future__ import annotations

import asyncio
import math
from abc import abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from time import monotonic
from typing import TypeAlias

import discord
import structlog

from bot.render.pool import Studio
from bot.store.prefs import Prefs
from bot.ui.components import Message
from bot.ui.discord_errors import NOT_DONE, reason
from bot.ui.live import picture_delivery as pictures
from bot.ui.live.follower import DeliveryState, Follower

log = structlog.get_logger(__name__)
Interaction: TypeAlias = discord.Interaction[discord.Client]

MINUTES = 14
"""Minutes after a press for which its message is followed. Discord accepts changes for 15."""
CROSSING_SECONDS = 3.0
"""Seconds for which a press may be under way. Discord waits no longer for its answer."""


@dataclass(frozen=True, slots=True)
class CurrentView:
    """The moment to show to a person, and a function that builds its message."""

    moment: object
    build: Callable[[], Message]


class PrivateMessage(Follower):
    """A message to one person that follows something.

    It is changed through its newest answer. Its version is a pair of the moment and a flag: True if the
    moment is shown with its picture, False if in words that promise the picture.
    """

    def __init__(self, studio: Studio, user_id: int) -> None:
        super().__init__()
        self._studio = studio
        self.user_id = user_id
        self.interaction: Interaction
        """The newest interaction whose answer shows it."""
        self.message_id = 0
        """The id of the message, or 0 if unknown."""
        self.files: frozenset[int] | None = None
        """Discord's ids of its files, or None if unknown."""
        self.prefs = Prefs()
        self.locale = ""
        self.follow_up = 0
        """The id of the message if it is a follow-up to an interaction, or 0 if it is the first answer."""
        self.closed = False
        """True if the message shows something else now and must not be written any more."""
        self.pressed_at = self.written_at = -math.inf
        """Times of the last press and of the last write here, by the monotonic clock."""
        self._awaited = False
        """True if a press waits for its picture."""
        self._current: CurrentView | None = None

    # -- the thing it follows -----------------------------------------------------------------

    @abstractmethod
    async def look_up(self) -> CurrentView | None:
        """Return the current view for the person, or None if there is nothing to follow.

        Raises:
            StoreError: the database did not answer.
        """

    @property
    def whose(self) -> int | None:
        """The person or channel in whose turn its pictures are painted."""
        return self.user_id

    def may_show(self) -> bool:
        """Return whether the built message may still be shown after it was painted."""
        return True

    def shown_as_built(self) -> None:
        """Handle that the newest answer shows the built message."""

    @abstractmethod
    def lost(self, error: Exception) -> None:
        """Handle that the message can't be changed any more."""

    # -- requests -----------------------------------------------------------------------------

    def answered(
        self,
        interaction: Interaction,
        message: Message,
        prefs: Prefs,
        *,
        message_id: int = 0,
        files: frozenset[int] | None = None,
        late: bool = False,
        follow_up: bool = False,
        sent_at: float | None = None,
    ) -> None:
        """Follow the message in which this interaction was answered.

        A write that ended after the answer was sent may have reached Discord before or after it.

        Args:
            files: Discord's ids of the files it shows, if known.
            late: True if its picture is still to come.
            follow_up: True if it is a second answer, after a first one that is another message.
            sent_at: The time at which the answer was sent, by the monotonic clock.
        """
        now = monotonic()
        if message_id and self.message_id and message_id != self.message_id:
            self.delivery = DeliveryState()  # a write under way goes to the other message
        overlaps = self.delivery.under_way or self.written_at > (now if sent_at is None else sent_at)
        self.delivery.settle((message.moment, not late))
        if overlaps:
            self.delivery.doubt()
        self.interaction, self.message_id, self.files, self.prefs = interaction, message_id, files, prefs
        self.locale = prefs.locale or interaction.locale.value
        self.pressed_at, self._awaited = now, late
        self.follow_up = message_id if follow_up else 0

    @property
    def in_doubt(self) -> bool:
        """True if it may differ from the known version, or its picture is still to come."""
        return not self.delivery.sure or self.shows_words

    @property
    def shows_words(self) -> bool:
        """True if words promise a picture."""
        version = self.delivery.known
        return isinstance(version, tuple) and version[1:] == (False,)

    def shows(self, moment: object) -> bool:
        """Return whether it is known to show this moment with its picture."""
        return not self.delivery.behind((moment, True))

    def was_written_within(self, seconds: float) -> bool:
        """Return whether it was written here in the last seconds."""
        return monotonic() - self.written_at < seconds

    def was_pressed_within(self, seconds: float) -> bool:
        """Return whether it was pressed in the last seconds."""
        return monotonic() - self.pressed_at < seconds

    # -- implementation -----------------------------------------------------------------------

    async def catch_up(self) -> None:
        """Write the message until nothing is due."""
        try:
            await super().catch_up()
        finally:
            self._current = None  # thousands of these messages stay in memory

    async def look(self) -> bool:
        """Look up the current view for the person. Return whether there is anything to follow."""
        self._current = None if self.closed else await self.look_up()
        return self._current is not None

    def due(self) -> bool:
        """Return whether it may show another moment, or words alone."""
        return self._current is not None and not self.shows(self._current.moment)

    async def write(self) -> bool:
        """Paint and send it, in words if the picture takes long. Return whether it was sent."""
        interaction, current = self.interaction, self._current
        if current is None:
            return False
        message = current.build().fitted(self.prefs)
        # a press only waits for a picture that is late
        files = message.attachments(self._studio, later=not self._awaited, whose=self.whose)
        painted = await _painted(files)
        version = message.moment, painted is not None
        if self.closed or self.interaction is not interaction or not self.may_show():
            return False  # something else is shown now, or a newer answer, which the next round looks at
        self._awaited = self._awaited and painted is None
        if painted is None and not self.delivery.behind(version):
            return False  # these words are already shown
        try:
            with self.delivery.on_its_way(version):
                await self.send(message, painted)
        except NOT_DONE as error:
            if self.closed or self.interaction is interaction:
                raise
            log.info("view not refreshed", why=reason(error))
            return False
        if self.interaction is interaction:
            self.shown_as_built()
        return True

    async def send(self, message: Message, files: list[discord.File] | None) -> None:
        """Change the message. Without files, words replace its pictures.

        Raises:
            discord.HTTPException: Discord did not accept it.
        """
        interaction, file_ids = self.interaction, None
        try:
            sent = await pictures.change_answer(
                interaction, message, files, self.locale, follow_up=self.follow_up
            )
            file_ids = pictures.file_numbers(sent)
        finally:
            self.written_at = monotonic()
            if self.interaction is interaction:
                self.files = file_ids  # unknown after a failure, since the change may still have arrived

    async def failed(self, error: Exception) -> None:
        """Stop following the message."""
        if not isinstance(error, NOT_DONE):
            raise error
        self.lost(error)


async def _painted(files: Coroutine[object, object, list[discord.File]]) -> list[discord.File] | None:
    """Return these files once they are painted, or None if that takes long. The painting continues."""
    painting = asyncio.ensure_future(files)
    try:
        return painting.result() if await pictures.in_time(painting, pictures.PICTURE_SECONDS) else None
    finally:
        painting.cancel()
