"""The way out to Discord for what the bot says by itself: who may write when, and what a refusal means."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import aiohttp
import discord
import structlog
from cachetools import Cache, LRUCache
from typing_extensions import override

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.core.service import Service
from bot.core.tasks import Spawn
from bot.locales import words
from bot.render.pool import Studio
from bot.store.database import StoreError
from bot.store.prefs import Pictures
from bot.telemetry.invalid_requests import InvalidRequests
from bot.telemetry.metrics import Metrics
from bot.ui import discord_errors, errors
from bot.ui.channel_budget import GATHER_MS, ChannelBudget
from bot.ui.notification import Notification, Occasion, nonce_of
from bot.ui.preferences import Preferences
from bot.ui.reply_priority import ReplyPriority

log = structlog.get_logger(__name__)
R = TypeVar("R", bound="Remembered")

RATE = 25.0
"""Calls a second that the bot makes by itself; Discord takes 50, and answers don't count among them."""
BURST = 5
"""How many of them may follow each other at once after a pause."""
SLOW_MS, LOOK_MS = 1000, 100
"""Milliseconds between calls that no one asked for, while Discord refuses many requests; and between looks
for a press that goes first."""
POUR_AGAIN = Backoff(first=1.0, factor=1.0)
"""Pauses until the queue continues after a defect."""
MOST_RESTING = 10_000
"""Maximum number of blocked messages to remember. A forgotten one is tried at the next change."""
ARCHIVE_MINUTES: Final = 10_080
"""Minutes after the last message at which Discord archives a thread of ours: the most that it takes. Edits do
not count as messages, and a table falls asleep as soon."""
PASSING = (discord.DiscordServerError, aiohttp.ClientError, OSError, StoreError)
"""What goes away by itself: Discord or the database does not answer just now."""


def is_passing(error: BaseException) -> bool:
    """Return whether it is worth trying the same again in a while."""
    if isinstance(error, discord.HTTPException) and (
        error.status in (408, 429) or discord_errors.is_page(error)
    ):
        return True
    return isinstance(error, PASSING)


def is_lost(error: BaseException) -> bool:
    """Whether an answer to a press was on its way, and it came too late or nobody knows what became of it."""
    gone = (
        discord_errors.UNKNOWN_INTERACTION,
        discord_errors.UNKNOWN_WEBHOOK,
        discord_errors.DEAD_TOKEN,
        discord_errors.ALREADY_ANSWERED,
    )
    return is_passing(error) or (isinstance(error, discord.HTTPException) and error.code in gone)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is shown; `posted_at` is the time of its message in milliseconds."""

    channel_id: int
    guild_id: int | None
    message_id: int | None = None
    posted_at: int = 0

    @property
    def url(self) -> str:
        """The address of the message in Discord."""
        return f"https://discord.com/channels/{self.guild_id or '@me'}/{self.channel_id}/{self.message_id}"


@dataclass(frozen=True, slots=True)
class Hindrance:
    """What keeps a message from being written until people change it. `key` names the words."""

    key: str
    rights: tuple[str, ...] = ()
    code: int = 0

    def words(self, locale: str, table: int) -> str:
        """It in words, with what to do."""
        return words(locale)(
            f"trouble.cannot_show_{self.key}",
            permissions=errors.permission_names(list(self.rights), locale),
            code=self.code,
            table=table,
        )


class Remembered(Protocol):
    """A message that the outbox knows by its key."""

    key: str
    hindrance: Hindrance | None

    @property
    def memorable(self) -> bool:
        """Whether anything is lost when it is forgotten."""

    def forget(self) -> None:
        """Try no more by itself."""

    def asked_for(self) -> None:
        """Try again if something hinders it: somebody looks at it elsewhere."""

    def opened(self, channel_id: int) -> None:
        """People may write in this channel again: try what was refused there."""

    def allowed(self, guild_id: int) -> None:
        """Rights may have changed in this server: try what was refused there."""


class Outbox(Service):
    """The way out for all that the bot says by itself: one slot a channel, one bucket for all."""

    def __init__(
        self,
        clock: Clock,
        client: discord.Client,
        studio: Studio,
        metrics: Metrics,
        spawn: Spawn,
        *,
        preferences: Preferences,
        share: float = 1.0,
        invalid_requests: InvalidRequests | None = None,
    ) -> None:
        """`share`: the part of the calls that Discord takes of a bot which is this process's own."""
        self.clock = clock
        self.client = client
        self.studio = studio
        self.metrics = metrics
        self.spawn = spawn
        self.preferences = preferences
        self.reply_priority = ReplyPriority()
        """Lets the answers to presses go first."""
        self._slots = ChannelBudget()
        self._queue: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._pouring = False
        self._each = 1000 / (RATE * share)
        """Milliseconds that a call costs of the bucket."""
        self._invalid_requests = invalid_requests or InvalidRequests()
        self._unasked_at = 0
        """The next time for a call that no one asked for, while Discord refuses many requests."""
        self._full_at = 0
        """When the bucket would be full again, in milliseconds."""
        self._last = 0
        self._halted = False
        self._calls = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._busy: dict[str, Remembered] = {}
        self._resting: _Resting = _Resting(MOST_RESTING)

    def channel(self, place: Place) -> discord.PartialMessageable:
        """The channel of a place."""
        return self.client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)

    async def notify(
        self, place: Place, notification: Notification, *, once: Occasion | None = None
    ) -> discord.Message:
        """Send a notification as soon as the bot may make another call. Within a few minutes Discord takes a
        second one `once` this occasion for the first.

        Raises:
            discord.HTTPException: the channel does not take it; `Locked` if it is a locked thread.
        """
        if await self.is_locked(place):
            raise discord_errors.Locked
        await self.token()
        channel, parts = self.channel(place), notification.parts()
        return await (channel.send(**parts) if once is None else channel.send(**parts, nonce=nonce_of(once)))

    async def pictures(self, channel_id: int) -> Pictures:
        """How pictures are shown in a channel; in a thread, as in the channel that it belongs to."""
        thread = self.client.get_channel(channel_id)
        home = thread.parent_id if isinstance(thread, discord.Thread) else channel_id
        return await self.preferences.channels.of(home)

    # -- who may write when -------------------------------------------------------------------

    def _now(self) -> int:
        now = self.clock.now()
        if now < self._last:  # the clock was set back: what was to come later would come hours later
            self._slots.clear()
            self._full_at = self._unasked_at = 0
        self._last = now
        return now

    async def slot(self, channel_id: int, last: asyncio.Event) -> None:
        """Wait until this channel takes another message or edit; no longer than Discord asks for once
        `last` is set, which says that nothing follows this one."""
        due = self._slots.take(channel_id, self._now(), last=last.is_set())
        hurried, waits = last.is_set(), due - self._now()
        while waits > 0:
            await self.clock.sleep(min(waits, GATHER_MS) / 1000)
            waits -= GATHER_MS
            if last.is_set() and not hurried:
                self._slots.give_back(channel_id, due)
                due = self._slots.take(channel_id, self._now(), last=True)
                hurried, waits = True, due - self._now()

    @property
    def waiting(self) -> int:
        """How many calls to Discord wait for their turn."""
        return len(self._queue)

    async def token(self, *, pressed: bool = False) -> None:
        """Wait until the bot may make another call; what somebody has just pressed goes first.

        After `halt` nothing but that goes out any more, and whatever else wants to waits for its end.
        """
        if self._halted and pressed:
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (not pressed, next(self._order), mine))
        self._start_pouring()
        await mine

    def _start_pouring(self) -> None:
        if self._queue and not self._pouring and not self._halted:
            self._pouring = True
            self.spawn(self._pour(), "calls to Discord")

    async def _pour(self) -> None:
        try:
            while self._queue:
                early = self._full_at - self._now() - (BURST - 1) * self._each
                if early > 0:
                    await self.clock.sleep(early / 1000)
                if self._queue[0][0] and self._unasked_at > self._now():  # a press may come meanwhile
                    await self.clock.sleep(min(self._unasked_at - self._now(), LOOK_MS) / 1000)
                    continue
                waits, _, mine = heapq.heappop(self._queue)
                if waits and self._halted:
                    continue
                if waits and self._invalid_requests.near:
                    self._unasked_at = self._now() + SLOW_MS
                if not mine.done():  # nobody waits for it any more where its task was cancelled
                    self._full_at = int(max(self._full_at, self._now()) + self._each)
                    mine.set_result(None)
        except Exception as error:
            log.error("calls to Discord held up", exc_info=error)
            self.clock.call_later(POUR_AGAIN.first, self._start_pouring)
        finally:
            self._pouring = False

    # -- the end ------------------------------------------------------------------------------

    def halt(self) -> None:
        """Let no more calls begin but those that answer a press."""
        self._halted = True

    @contextmanager
    def call(self) -> Iterator[None]:
        """A call that must not be cut off: nobody would know whether the message stands there."""
        self._calls += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._quiet.set()

    async def drain(self) -> None:
        """Wait for the calls that are under way."""
        await self._quiet.wait()

    # -- the messages that there is something to remember of ----------------------------------

    def find(self, key: str, kind: type[R]) -> R | None:
        """The message of this key, if it is at work or hindered."""
        found = self._busy.get(key) or self._resting.get(key)
        return found if isinstance(found, kind) else None

    def hindrance_of(self, key: str) -> Hindrance | None:
        """Return what keeps the message of this key from being written, and try to write it again."""
        live = self._busy.get(key) or self._resting.get(key)
        found = live.hindrance if live is not None else None
        if live is not None and found is not None:
            live.asked_for()
        return found

    def at_work(self, live: Remembered) -> None:
        """It writes, or an answer does it: nobody else may follow the same thing."""
        self._resting.pop(live.key, None)
        self._busy[live.key] = live

    def at_rest(self, live: Remembered) -> None:
        """It has nothing to do at the moment."""
        self._busy.pop(live.key, None)
        if live.memorable:
            self._resting[live.key] = live

    @override
    def unlocked(self, thread_id: int, guild_id: int) -> None:
        """A thread is locked no more: what was refused there is tried again, also of a game that is over."""
        for live in self._resting.all():
            live.opened(thread_id)

    def allowed(self, guild_id: int) -> None:
        """Rights may have changed in this server, or nobody told of it what did: try what was refused."""
        for live in self._resting.all():
            live.allowed(guild_id)

    # -- what hinders -------------------------------------------------------------------------

    def lacks(self, place: Place, *, thread: bool = False) -> tuple[str, ...] | None:
        """Which right the bot has not in this channel, by what Discord last told; None: it did not tell.

        Without the first right on the list the others count as missing too, so it alone is named.
        """
        guild = self.client.get_guild(place.guild_id) if place.guild_id else None
        channel = guild.get_channel_or_thread(place.channel_id) if guild else None
        if guild is None or channel is None or not guild.me:
            return None
        have, inside = channel.permissions_for(guild.me), isinstance(channel, discord.Thread)
        return tuple(
            discord_errors.missing_permissions(have, thread=thread and not inside, in_thread=inside)[:1]
        )

    def hindrance(self, place: Place, error: discord.HTTPException, *, thread: bool = False) -> Hindrance:
        """What a refusal means; `thread`: one was to be made there."""
        if error.code == discord_errors.ARCHIVED:
            return Hindrance("locked")
        if error.code in discord_errors.DELETED:
            return Hindrance("gone")
        if not discord_errors.is_about_permissions(error):
            return Hindrance("refused", code=error.code)
        if place.guild_id is None or self.client.get_guild(place.guild_id) is None:
            return Hindrance("gone")
        rights = self.lacks(place, thread=thread)
        if not rights and error.code == discord_errors.MISSING_ACCESS:
            rights = ("view_channel",)
        elif not rights:
            rights = discord_errors.THREAD_PERMISSIONS if thread else discord_errors.TABLE_PERMISSIONS
        return Hindrance("rights", rights)

    async def is_locked(self, place: Place) -> bool:
        """Return whether a moderator has locked this thread: whatever rights the bot has, it says nothing
        there.

        discord.py knows no archived threads, so Discord is asked about those.

        Raises:
            discord.HTTPException: Discord did not answer, or the channel is gone.
        """
        there = self.client.get_channel(place.channel_id)
        if there is None and place.guild_id is not None:
            await self.token()
            there = await self.client.fetch_channel(place.channel_id)
        return isinstance(there, discord.Thread) and there.locked

    async def is_deleted(self, place: Place) -> bool:
        """Return whether this channel or thread is gone, by what Discord says now.

        Raises:
            discord.HTTPException: Discord did not answer, or not to this bot.
        """
        await self.token()
        try:
            await self.client.fetch_channel(place.channel_id)
        except discord.NotFound as error:
            if error.code != discord_errors.UNKNOWN_CHANNEL:
                raise
            return True
        except discord.InvalidData:  # a kind of channel that discord.py does not know
            return False
        return False

    async def unarchive(
        self, place: Place, *, wanted: Callable[[discord.Thread], bool] = lambda _thread: True
    ) -> bool:
        """Open an archived thread again if it is `wanted`, as Discord shows it now. Return whether that was
        done.

        Raises:
            discord.HTTPException: Discord did not answer, or the thread is gone.
        """
        await self.token()
        thread = await self.client.fetch_channel(place.channel_id)
        if not isinstance(thread, discord.Thread) or thread.locked:
            return False  # a lock is the word of a moderator, whatever rights the bot has
        if not wanted(thread):
            return False
        await self.token()
        try:
            await thread.edit(archived=False)
        except discord.Forbidden as error:
            if is_passing(error):
                raise
            return False
        return True


class _Resting(LRUCache[str, Remembered]):
    """What is remembered of messages that wait; the one that nobody asked for longest is forgotten."""

    def all(self) -> list[Remembered]:
        """All of them, without asking for any."""
        return [Cache.__getitem__(self, key) for key in self]

    def popitem(self) -> tuple[str, Remembered]:
        key, live = super().popitem()
        live.forget()
        return key, live
