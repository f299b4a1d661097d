"""Channel messages that follow something, such as a table or a tournament.

A message is written when its channel and the bot as a whole have room. Temporary trouble is retried after
growing pauses. Lasting trouble is kept as a hindrance, shown to people who ask, until it ends.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial

import discord
import structlog

from bot.core.backoff import Backoff
from bot.core.clock import Handle
from bot.locales import FALLBACK
from bot.store.database import StoreError
from bot.store.prefs import Pictures
from bot.ui import discord_errors
from bot.ui.components import Message
from bot.ui.live.follower import Follower
from bot.ui.live.picture_delivery import deliver
from bot.ui.live.repaint import Repaint
from bot.ui.notification import nonce_of
from bot.ui.outbox import Hindrance, Outbox, Place, is_lost, is_passing

log = structlog.get_logger(__name__)

TOO_OLD_MS = 50 * 60_000
"""Age in milliseconds at which a message is posted again: Discord limits edits of messages over an hour
old."""
RETRY = Backoff(first=2.0, longest=600.0)
"""Pauses after failures that end by themselves."""
LASTING_RETRY = Backoff(first=60.0, longest=600.0)
"""Pauses while a permission is missing."""
RARE_RETRY = Backoff(first=60.0, longest=86_400.0)
"""Pauses if the channel or message is gone, or no one looks at the table. It need not stay in memory."""
ANSWER_SECONDS = 3.0
"""Seconds to wait for an answer under way to the message. Discord waits no longer for it."""


class Showing:
    """An answer that is about to show a live message."""

    def __init__(self, live: LiveMessage) -> None:
        self._live = live
        self.version: int | None = None
        self.built: Message | None = None

    async def message(self) -> Message:
        """Return the message as it is now. Later changes are shown after the answer."""
        self.version, self.built = await self._live.built()
        return self.built

    async def adopt(self, place: Place) -> None:
        """Follow the message that the answer has posted here."""
        await self._live.adopt(place)


class LiveMessage(Follower):
    """A channel message that follows one thing, named by `key`."""

    def __init__(self, outbox: Outbox, key: str) -> None:
        super().__init__()
        self.key = key
        self.outbox = outbox
        self.hindrance: Hindrance | None = None
        self._lock = asyncio.Lock()
        self._held = 0
        """The number of tasks that are working on it."""
        self._acted = False
        self._pressed = False
        self._last = asyncio.Event()
        """Set when the next state to show is the last."""
        self._unsaved_place: Place | None = None
        """The new place of the message until it is stored."""
        self._unmarked: int | None = None
        """The version that it shows there, stored together with that place."""
        self._old: list[tuple[Place, str]] = []
        """Earlier messages to retire, and the URL of the new one, once its place is stored."""
        self._first_try: int | None = None
        """The version that was first sent as the next message. If it has arrived, retries change nothing:
        Discord treats a message with the same nonce as the first."""
        self._tries = 0
        self._failed_at = 0
        self._timer: Handle | None = None
        self._repaint = Repaint(outbox.clock, key, partial(self.doubt, pressed=False))

    # -- the thing it follows -----------------------------------------------------------------

    @abstractmethod
    async def find(self) -> bool:
        """Look the followed thing up. Return whether it exists.

        Raises:
            StoreError: the database did not answer.
        """

    @abstractmethod
    def version(self) -> int:
        """Return a number that changes with the content of the message."""

    @abstractmethod
    def shown(self) -> int | None:
        """Return the stored version of the message."""

    @abstractmethod
    async def mark(self, version: int) -> None:
        """Store the version that the message shows.

        Raises:
            StoreError: it could not be stored.
        """

    @abstractmethod
    def build(self, pictures: Pictures) -> Message:
        """Return the message as it is now, with moving pictures if `pictures` allows them."""

    async def pictures(self) -> Pictures:
        """Return how its channel shows pictures."""
        return await self.outbox.pictures(self.where.channel_id)

    def locale(self) -> str:
        """Return the language of the message."""
        return FALLBACK

    @abstractmethod
    def place(self) -> Place:
        """Return its stored place."""

    @abstractmethod
    async def set_place(self, place: Place) -> None:
        """Store its place.

        Raises:
            StoreError: it could not be stored.
        """

    @abstractmethod
    def moved(self, url: str) -> Message:
        """Return the content of its first message once it has moved to this URL."""

    def first(self) -> Place | None:
        """Return the place of its first message, which leads to the newest one, or None if it never moved."""
        return None

    @abstractmethod
    def goes_on(self) -> bool:
        """Return whether people still need it, so that it is posted again after being deleted."""

    def rests(self) -> bool:
        """Return whether no one is expected to look at it until it changes."""
        return False

    @abstractmethod
    def wanted(self) -> bool:
        """Return whether it should be posted if it has no message."""

    @abstractmethod
    async def unseen(self) -> None:
        """Handle that it has no message and cannot be posted."""

    # -- requests -----------------------------------------------------------------------------

    @property
    def memorable(self) -> bool:
        """True if forgetting this object would lose anything."""
        return bool(
            self.hindrance
            or self._timer
            or self._unsaved_place
            or not self.delivery.sure
            or self._repaint.waits
        )

    def changed(self, *, acted: bool = False, pressed: bool = False, last: bool = False) -> None:
        """Show it when there is room, unless it is already shown.

        Args:
            acted: A person acted, so it is posted again if its message is old.
            pressed: A person waits for it, so it goes before others.
            last: No later state is worth waiting for.
        """
        self._acted |= acted
        self._pressed |= acted or pressed
        if last:
            self._last.set()
        if not self.running:
            if self.due():
                self._start()
            else:
                self._acted = self._pressed = False
                self._last.clear()

    def doubt(self, *, pressed: bool = True) -> None:
        """Show it again, since it lacks something. `pressed`: a person waits for it."""
        self.delivery.doubt()
        self.changed(pressed=pressed)

    def asked_for(self) -> None:
        """Try again if it was hindered, since a person asks for it elsewhere."""
        if self.hindrance is not None and not self.running:
            self._start()

    def opened(self, channel_id: int) -> None:
        """Try again if it was refused in this channel, where people may write again."""
        if self.where.channel_id == channel_id:
            self.asked_for()

    def allowed(self, guild_id: int) -> None:
        """Try again if it was refused in this server, unless a permission is still missing."""
        if self.where.guild_id == guild_id and not self._lacks_still():
            self.asked_for()

    def forget(self) -> None:
        """Stop retrying."""
        self._repaint.forget()
        self._call_off()

    def _call_off(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @asynccontextmanager
    async def answering(self) -> AsyncIterator[Showing]:
        """Show it only through the answer to a press in this block. If the answer is lost, show it
        afterwards.

        A lost answer raises no error, since the message will show the same.
        """
        showing = Showing(self)
        with self._at_work():
            self.delivery.depart()
            version = None
            try:
                yield showing
                version = showing.version
                if version is not None and showing.built is not None:
                    self._repaint.sent(showing.built, version)
            except discord_errors.NOT_DONE as error:
                if not is_lost(error):
                    raise
                log.info("answer lost", what=self.key, why=discord_errors.reason(error))
            finally:
                self.delivery.arrive(version)
                self.changed(pressed=True)
            if version is not None and self.delivery.sure:
                await self._mark(version)

    async def adopt(self, place: Place) -> None:
        """Follow the message that an answer or a press left here. Retire it if there is an earlier one."""
        current = self._unsaved_place or self.place()
        if current.message_id not in (None, place.message_id):
            self.outbox.spawn(self._retire(place, current.url), f"retire {self.key}")
            return
        self._unsaved_place = place
        with self._at_work():
            await self._try_to_store_place()

    async def stands_at(self, message: discord.Message) -> bool:
        """Return whether this is its message.

        If it has no message, it adopts this one if it is in its own channel: the bot stopped after posting
        the message and before storing its place.
        """
        if self.where.message_id is None and self.where.channel_id == message.channel.id:
            place, now = self.where, self.outbox.clock.now()
            guild_id = message.guild.id if message.guild else place.guild_id
            await self.adopt(Place(message.channel.id, guild_id, message.id, now))
        return self.where.message_id == message.id

    async def post(self, place: Place, *, retire: bool = True) -> Place:
        """Post it again in this channel and retire the old message. Return the new place.

        Raises:
            discord.HTTPException: the channel does not accept it.
        """
        with self._at_work():
            await self.outbox.token(pressed=True)
            async with self._lock:
                return await self._post(place, retire=retire)

    async def ensure_posted(self) -> Place:
        """Post it if it has no message yet. Return its place.

        Raises:
            discord.HTTPException: the channel does not accept it.
            StoreError: it was posted, but its place could not be stored.
        """
        with self._at_work():
            await self.outbox.token()
            async with self._lock:
                await self._store_place()
                if self.place().message_id is None:
                    await self._post(self.place())
                await self._store_place()
                return self.place()

    # -- implementation -----------------------------------------------------------------------

    async def built(self) -> tuple[int, Message]:
        """Return the version and the message as it is now, fitted to its channel."""
        pictures = await self.pictures()
        return self.version(), self.build(pictures).fitted(pictures)

    @property
    def where(self) -> Place:
        """The place of the message, stored or not."""
        return self._unsaved_place or self.place()

    def _too_old(self) -> bool:
        place = self.where
        return place.message_id is not None and self.outbox.clock.now() - place.posted_at > TOO_OLD_MS

    @property
    def _lacks_message(self) -> bool:
        """True if it has no message but should have one. Marks of an earlier message do not count."""
        return self.where.message_id is None and self.wanted()

    @property
    def behind(self) -> bool:
        """True if the message may not show the present version."""
        return self._lacks_message or self.delivery.behind(self.version(), noted=self.shown())

    def due(self) -> bool:
        """Return whether there is something to write."""
        return self.behind or (self._acted and self.wanted() and self._too_old())

    def _start(self) -> None:
        self._call_off()
        self.running = True
        self.outbox.at_work(self)  # register it before its task begins
        self.outbox.spawn(self._run(), f"show {self.key}")

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Keep other objects from following the same thing."""
        self._held += 1
        self.outbox.at_work(self)
        try:
            yield
        finally:
            self._held -= 1
            if not self._held:
                self.outbox.at_rest(self)

    async def _run(self) -> None:
        with self._at_work():
            await self.catch_up()

    async def look(self) -> bool:
        """Look up what it follows and store its place. Return whether there is something to write."""
        if not await self.find():
            return False
        await self._store_place()
        if not self.due():
            self.hindrance, self._acted, self._pressed = None, False, False
            self._last.clear()
            return False
        return True

    async def wait_turn(self) -> bool:
        """Wait until its channel and the bot have room. Return whether sending it has a chance."""
        if self._hopeless():
            self._again(LASTING_RETRY)
            return False
        await self.outbox.slot(self.where.channel_id, self._last)
        await self.arrived()
        await self.outbox.reply_priority.give_way()
        await self.outbox.token(pressed=self._pressed)
        return True

    async def write(self) -> bool:
        """Edit it, or post it if it has no message or only an old one. Return whether that was due."""
        async with self._lock:
            if not self.due():
                return False
            acted, self._acted, self._pressed = self._acted, False, False
            self._last.clear()
            try:
                await self._write(acted=acted)
            except BaseException:
                self._acted |= acted
                raise
        self._works()
        return True

    async def arrived(self) -> None:
        """Wait until no update of it is on its way to Discord, at most `ANSWER_SECONDS`."""
        if not await self.delivery.quiet(ANSWER_SECONDS):
            log.info("shown without waiting for an answer", what=self.key)

    async def _write(self, *, acted: bool) -> None:
        place = self.where
        if place.message_id is None:
            if self.wanted():
                await self._post(place)
            else:
                await self._let_be()
            return
        if acted and self.wanted() and self._too_old():
            await self._post(place)
            return
        try:
            await self._edit(place, place.message_id)
        except discord.HTTPException as error:
            if error.code == discord_errors.ARCHIVED and await self.outbox.unarchive(place):
                await self._edit(place, place.message_id)
            elif error.code != discord_errors.UNKNOWN_MESSAGE:
                raise
            elif self.goes_on():
                await self._post(place, retire=False)  # because someone deleted it
            else:
                await self._let_be()

    async def _let_be(self) -> None:
        """Count it as shown, since no one misses the message."""
        version = self.version()
        self.delivery.settle(version)
        await self._mark(version)

    async def _edit(self, place: Place, message_id: int) -> None:
        arrivals, (version, message) = self.delivery.arrivals, await self.built()
        files = await message.attachments(self.outbox.studio, later=True, whose=self.where.channel_id)
        await self.arrived()
        if self.where.message_id != message_id:
            return  # another message shows it now
        if version != self.version() and arrivals != self.delivery.arrivals:
            return  # an answer has shown something newer while this was painted
        with self.delivery.on_its_way(version), self.outbox.call():
            edit = partial(
                self.outbox.channel(place).get_partial_message(message_id).edit,
                allowed_mentions=discord.AllowedMentions.none(),
            )
            await deliver(
                message, files, self.locale(), lambda view, files: edit(view=view, attachments=files)
            )
        self._repaint.sent(message, version)
        await self._mark(version)

    async def _post(self, target: Place, *, retire: bool = True) -> Place:
        old = self.where
        version, message = await self.built()
        files = await message.attachments(self.outbox.studio, later=True, whose=self.where.channel_id)
        first = self._first_try = version if self._first_try is None else self._first_try
        if await self.outbox.is_locked(target):
            raise discord_errors.Locked
        with self.delivery.on_its_way(first), self.outbox.call():
            send = partial(
                self.outbox.channel(target).send,
                # every process knows the same stored message, so it computes the same nonce
                nonce=nonce_of((self.key, target.channel_id, old.message_id, first)),
                allowed_mentions=discord.AllowedMentions.none(),
            )
            sent = await deliver(
                message, files, self.locale(), lambda view, files: send(view=view, files=files)
            )
        self._first_try = None
        guild_id = sent.guild.id if sent.guild else target.guild_id
        self._unsaved_place = place = Place(sent.channel.id, guild_id, sent.id, self.outbox.clock.now())
        self.hindrance = None
        self._repaint.sent(message, version)
        if retire and old.message_id is not None:
            self._old.append((old, sent.jump_url))
        await self._try_to_store_place()
        await self._mark(first)
        return place

    async def _store_place(self) -> None:
        if self._unsaved_place is not None:
            place = self._unsaved_place
            await self.set_place(place)
            if self._unsaved_place is place:
                self._unsaved_place = None
                if self._unmarked is not None:
                    await self._mark(self._unmarked)
            # a process that takes over before this point only knows the old message, and continues with it
            while self._old:
                self.outbox.spawn(self._retire(*self._old.pop(0)), f"retire {self.key}")

    async def _try_to_store_place(self) -> None:
        """Store the place of the posted message, or try again later without raising an error."""
        try:
            await self._store_place()
        except StoreError as error:
            self._later(error)

    async def _mark(self, version: int) -> None:
        """Store the shown version, after its place.

        A process that takes over in between would not look for a message that is marked current and has no
        place.
        """
        if self._unsaved_place is not None:
            self._unmarked = version
            return
        self._unmarked = None
        if self._lacks_message:
            return  # the old message was written while the thing moved elsewhere
        try:
            await self.mark(version)
        except StoreError as error:
            # at worst it is shown again after a restart
            log.info("not written down what is shown", what=self.key, kind=error.kind)

    async def _retire(self, place: Place, url: str) -> None:
        """Let the first message link to the newest one, and delete those in between.

        Otherwise a game of a month would leave a message for each move.
        """
        first = self.first() or place
        if place.message_id != first.message_id:
            await self._give_up(place, lambda old: old.delete())
        await self._give_up(first, lambda old: old.edit(view=self.moved(url).view, attachments=[]))

    async def _give_up(
        self, place: Place, change: Callable[[discord.PartialMessage], Awaitable[object]]
    ) -> None:
        if place.message_id is None:
            return
        await self.outbox.token()
        try:
            await change(self.outbox.channel(place).get_partial_message(place.message_id))
        except discord_errors.NOT_DONE as error:
            log.info("old message not retired", what=self.key, why=discord_errors.reason(error))

    # -- failures -----------------------------------------------------------------------------

    def _works(self) -> None:
        self.hindrance, self._tries = None, 0
        self.outbox.metrics.published.inc()

    def _hopeless(self) -> bool:
        """Return whether Discord has just refused it, and the same permission is still missing."""
        is_recent = self.outbox.clock.now() - self._failed_at < LASTING_RETRY.first * 1000
        return is_recent and self._lacks_still()

    def _lacks_still(self) -> bool:
        """Return whether a permission was missing and Discord says it still is."""
        if self.hindrance is None or self.hindrance.key != "rights":
            return False
        return not set(self.outbox.lacks(self.where) or ()).isdisjoint(self.hindrance.rights)

    async def failed(self, error: Exception) -> None:
        """Try again after a pause that fits the error, unless the error lasts and no one misses the
        message."""
        if isinstance(error, StoreError):
            self._later(error)
        elif not isinstance(error, discord_errors.NOT_DONE):
            log.error("not shown: a defect", what=self.key, tries=self._tries + 1, exc_info=error)
            self._again(LASTING_RETRY)
        elif is_passing(error) or not isinstance(error, discord.HTTPException):
            self._later(error)
        else:
            await self._refused(error)

    async def _refused(self, error: discord.HTTPException) -> None:
        place, self._first_try = self.where, None
        self.hindrance = self.outbox.hindrance(place, error)
        self._failed_at = self.outbox.clock.now()
        log.info("not shown", what=self.key, hindrance=self.hindrance.key, code=error.code)
        if place.message_id is None:
            try:
                await self.unseen()
            except StoreError as failure:
                self._later(failure)
                return
        if self.goes_on():
            rarely = self.hindrance.key == "gone" or self.rests()
            self._again(RARE_RETRY if rarely else LASTING_RETRY)

    def _later(self, error: Exception) -> None:
        log.warning("not shown yet", what=self.key, why=discord_errors.reason(error), tries=self._tries + 1)
        self._again(RETRY)

    def _again(self, retry: Backoff) -> None:
        """Try again after the next pause of this policy."""
        self._call_off()
        self._tries += 1
        self._timer = self.outbox.clock.call_later(retry.pause(self._tries), self._ring)

    def _ring(self) -> None:
        self._timer = None
        if not self.running:
            self._start()
