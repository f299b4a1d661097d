"""The outbox: messages that the bot sends by itself, their rate limits, and the meaning of refusals."""

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
"""Calls per second that the bot makes by itself. Discord allows 50, not counting answers."""
BURST = 5
"""Maximum number of these calls at once after a pause."""
SLOW_MS, LOOK_MS = 1000, 100
"""Milliseconds between calls that no one asked for while Discord refuses many requests, and between checks
for a press that goes first."""
POUR_AGAIN = Backoff(first=1.0, factor=1.0)
"""Pauses before the queue continues after a defect."""
MOST_RESTING = 10_000
"""Maximum number of blocked messages to remember. A forgotten one is tried at the next change."""
ARCHIVE_MINUTES: Final = 10_080
"""Minutes of inactivity until Discord archives our threads: the maximum. Edits do not count as activity, but
a table falls asleep just as soon."""
PASSING = (discord.DiscordServerError, aiohttp.ClientError, OSError, StoreError)
"""Errors that end by themselves: Discord or the database does not answer at the moment."""


def is_passing(error: BaseException) -> bool:
    """Return whether the same call may succeed later."""
    if isinstance(error, discord.HTTPException) and (
        error.status in (408, 429) or discord_errors.is_page(error)
    ):
        return True
    return isinstance(error, PASSING)


def is_lost(error: BaseException) -> bool:
    """Return whether an answer to a press was sent but came too late, or its outcome is unknown."""
    lost_codes = (
        discord_errors.UNKNOWN_INTERACTION,
        discord_errors.UNKNOWN_WEBHOOK,
        discord_errors.DEAD_TOKEN,
        discord_errors.ALREADY_ANSWERED,
    )
    return is_passing(error) or (isinstance(error, discord.HTTPException) and error.code in lost_codes)


@dataclass(frozen=True, slots=True)
class Place:
    """The channel and message that show something. `posted_at` is the message's time in milliseconds."""

    channel_id: int
    guild_id: int | None
    message_id: int | None = None
    posted_at: int = 0

    @property
    def url(self) -> str:
        """The URL of the message."""
        return f"https://discord.com/channels/{self.guild_id or '@me'}/{self.channel_id}/{self.message_id}"


@dataclass(frozen=True, slots=True)
class Hindrance:
    """A lasting obstacle to writing a message, until people change something. `key` names its text."""

    key: str
    rights: tuple[str, ...] = ()
    code: int = 0

    def words(self, locale: str, table: int) -> str:
        """Return an explanation that says what to do."""
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
        """True if forgetting it would lose anything."""

    def forget(self) -> None:
        """Stop retrying."""

    def asked_for(self) -> None:
        """Try again if it was hindered, since a person asks for it elsewhere."""

    def opened(self, channel_id: int) -> None:
        """Try again if it was refused in this channel, where people may write again."""

    def allowed(self, guild_id: int) -> None:
        """Try again if it was refused in this server, where permissions may have changed."""


class Outbox(Service):
    """The sender of everything the bot posts by itself, with a budget per channel and one token bucket for
    all."""

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
        """Create an outbox. `share` is this process's part of the calls that Discord allows a bot."""
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
        """Cost of a call in milliseconds of the bucket."""
        self._invalid_requests = invalid_requests or InvalidRequests()
        self._unasked_at = 0
        """Time of the next call that no one asked for, while Discord refuses many requests."""
        self._full_at = 0
        """Time in milliseconds at which the bucket would be full again."""
        self._last = 0
        self._halted = False
        self._calls = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._busy: dict[str, Remembered] = {}
        self._resting: _Resting = _Resting(MOST_RESTING)

    def channel(self, place: Place) -> discord.PartialMessageable:
        """Return the channel of a place."""
        return self.client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)

    async def notify(
        self, place: Place, notification: Notification, *, once: Occasion | None = None
    ) -> discord.Message:
        """Send a notification as soon as the bot may make another call.

        With `once`, Discord treats a second notification of the same occasion, within a few minutes, as the
        first.

        Raises:
            discord.HTTPException: the channel does not accept it; `Locked` if it is a locked thread.
        """
        if await self.is_locked(place):
            raise discord_errors.Locked
        await self.token()
        channel, parts = self.channel(place), notification.parts()
        return await (channel.send(**parts) if once is None else channel.send(**parts, nonce=nonce_of(once)))

    async def pictures(self, channel_id: int) -> Pictures:
        """Return the picture settings of a channel, or of the parent channel of a thread."""
        thread = self.client.get_channel(channel_id)
        home = thread.parent_id if isinstance(thread, discord.Thread) else channel_id
        return await self.preferences.channels.of(home)

    # -- rate limits --------------------------------------------------------------------------

    def _now(self) -> int:
        now = self.clock.now()
        if now < self._last:  # after the clock was set back, reserved times would be hours away
            self._slots.clear()
            self._full_at = self._unasked_at = 0
        self._last = now
        return now

    async def slot(self, channel_id: int, last: asyncio.Event) -> None:
        """Wait until this channel accepts another message or edit.

        Once `last` is set, nothing follows this one, so it waits no longer than Discord requires.
        """
        due = self._slots.take(channel_id, self._now(), last=last.is_set())
        is_last, wait_ms = last.is_set(), due - self._now()
        while wait_ms > 0:
            await self.clock.sleep(min(wait_ms, GATHER_MS) / 1000)
            wait_ms -= GATHER_MS
            if last.is_set() and not is_last:
                self._slots.give_back(channel_id, due)
                due = self._slots.take(channel_id, self._now(), last=True)
                is_last, wait_ms = True, due - self._now()

    @property
    def waiting(self) -> int:
        """The number of calls to Discord waiting for their turn."""
        return len(self._queue)

    async def token(self, *, pressed: bool = False) -> None:
        """Wait until the bot may make another call. Calls for presses go first.

        After `halt` only those are sent, and all others wait until the bot has stopped.
        """
        if self._halted and pressed:
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (not pressed, next(self._order), turn))
        self._start_pouring()
        await turn

    def _start_pouring(self) -> None:
        if self._queue and not self._pouring and not self._halted:
            self._pouring = True
            self.spawn(self._pour(), "calls to Discord")

    async def _pour(self) -> None:
        try:
            while self._queue:
                wait_ms = self._full_at - self._now() - (BURST - 1) * self._each
                if wait_ms > 0:
                    await self.clock.sleep(wait_ms / 1000)
                if self._queue[0][0] and self._unasked_at > self._now():  # a press may come in the meantime
                    await self.clock.sleep(min(self._unasked_at - self._now(), LOOK_MS) / 1000)
                    continue
                is_unasked, _, turn = heapq.heappop(self._queue)
                if is_unasked and self._halted:
                    continue
                if is_unasked and self._invalid_requests.near:
                    self._unasked_at = self._now() + SLOW_MS
                if not turn.done():  # the task of a cancelled call no longer waits
                    self._full_at = int(max(self._full_at, self._now()) + self._each)
                    turn.set_result(None)
        except Exception as error:
            log.error("calls to Discord held up", exc_info=error)
            self.clock.call_later(POUR_AGAIN.first, self._start_pouring)
        finally:
            self._pouring = False

    # -- shutdown -----------------------------------------------------------------------------

    def halt(self) -> None:
        """Start no more calls, except those that answer a press."""
        self._halted = True

    @contextmanager
    def call(self) -> Iterator[None]:
        """Keep the call in this block from being cut off at shutdown, so that its outcome is known."""
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

    # -- remembered messages ------------------------------------------------------------------

    def find(self, key: str, kind: type[R]) -> R | None:
        """Return the message with this key if it is being written or is remembered."""
        live = self._busy.get(key) or self._resting.get(key)
        return live if isinstance(live, kind) else None

    def hindrance_of(self, key: str) -> Hindrance | None:
        """Return the hindrance of the message with this key, and try to write the message again."""
        live = self._busy.get(key) or self._resting.get(key)
        hindrance = live.hindrance if live is not None else None
        if live is not None and hindrance is not None:
            live.asked_for()
        return hindrance

    def at_work(self, live: Remembered) -> None:
        """Register a message that is being written, so that no other object follows the same thing."""
        self._resting.pop(live.key, None)
        self._busy[live.key] = live

    def at_rest(self, live: Remembered) -> None:
        """Note that a message has nothing to do at the moment."""
        self._busy.pop(live.key, None)
        if live.memorable:
            self._resting[live.key] = live

    @override
    def unlocked(self, thread_id: int, guild_id: int) -> None:
        """Retry messages that were refused in a thread that is now unlocked, also those of finished games."""
        for live in self._resting.all():
            live.opened(thread_id)

    def allowed(self, guild_id: int) -> None:
        """Retry messages that were refused in this server, since permissions may have changed there."""
        for live in self._resting.all():
            live.allowed(guild_id)

    # -- hindrances ---------------------------------------------------------------------------

    def lacks(self, place: Place, *, thread: bool = False) -> tuple[str, ...] | None:
        """Return the first permission that the bot lacks in this channel, or an empty tuple.

        Without the first permission on the list all others count as missing too, so only that is named.
        Return None if Discord has not said.
        """
        guild = self.client.get_guild(place.guild_id) if place.guild_id else None
        channel = guild.get_channel_or_thread(place.channel_id) if guild else None
        if guild is None or channel is None or not guild.me:
            return None
        permissions, in_thread = channel.permissions_for(guild.me), isinstance(channel, discord.Thread)
        return tuple(
            discord_errors.missing_permissions(
                permissions, thread=thread and not in_thread, in_thread=in_thread
            )[:1]
        )

    def hindrance(self, place: Place, error: discord.HTTPException, *, thread: bool = False) -> Hindrance:
        """Return the hindrance that a refusal means. With `thread` a thread was to be created."""
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
        """Return whether a moderator has locked this thread, so that the bot must not write there.

        This holds whichever permissions the bot has. discord.py does not cache archived threads, so Discord
        is asked about those.

        Raises:
            discord.HTTPException: Discord did not answer, or the channel is gone.
        """
        channel = self.client.get_channel(place.channel_id)
        if channel is None and place.guild_id is not None:
            await self.token()
            channel = await self.client.fetch_channel(place.channel_id)
        return isinstance(channel, discord.Thread) and channel.locked

    async def is_deleted(self, place: Place) -> bool:
        """Return whether this channel or thread is deleted, according to Discord now.

        Raises:
            discord.HTTPException: Discord did not answer, or denied the bot access.
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
        """Reopen an archived thread if it is `wanted`, as Discord shows it now. Return whether that was done.

        Raises:
            discord.HTTPException: Discord did not answer, or the thread is gone.
        """
        await self.token()
        thread = await self.client.fetch_channel(place.channel_id)
        if not isinstance(thread, discord.Thread) or thread.locked:
            return False  # a moderator's lock counts, even if the bot has the permission to unlock
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
    """The remembered messages. The least recently used one is dropped first."""

    def all(self) -> list[Remembered]:
        """Return all messages without changing their order."""
        return [Cache.__getitem__(self, key) for key in self]

    def popitem(self) -> tuple[str, Remembered]:
        key, live = super().popitem()
        live.forget()
        return key, live
