"""Showing tables in their channels: coalesced, the newest state wins, and what fails is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
import structlog
from cachetools import LRUCache

from bot.locales import words
from bot.store.games import Place
from bot.tables.ports import Clock
from bot.tables.table import Table
from bot.views import trouble
from bot.views.board import board_message
from bot.views.names import shown, table_url
from bot.views.parts import Message, page
from engine.game import Event

if TYPE_CHECKING:
    from bot.views.app import App
    from bot.views.router import Pressed

log = structlog.get_logger(__name__)

SLOT_MS = 1100
"""The least time between two edits in one channel; Discord takes about five in five seconds."""
TOO_OLD_MS = 50 * 60_000
"""Messages over an hour old may hardly be edited any more: the table moves down before that."""
RETRY_SECONDS = 10.0
MOST_RETRIES = 5
MOST_TABLES = 10_000
"""Of so many is remembered what they show; a table that is forgotten is drawn once more than needed."""


class TablePublisher:
    """The bot's `Publisher`: table messages, reminders, and hands that lie open."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._client: discord.Client
        self._app: App
        # by table and by channel, for as many as can be busy at a time
        self._shown: LRUCache[int, int] = LRUCache(MOST_TABLES)
        self._busy: set[int] = set()
        self._slots: LRUCache[int, int] = LRUCache(MOST_TABLES)
        self._troubles: dict[int, str] = {}
        self._retries: dict[int, int] = {}

    def bind(self, client: discord.Client, app: App) -> None:
        """Give it the connection, once there is one."""
        self._client, self._app = client, app

    # -- what the tables call -----------------------------------------------------------------

    def changed(self, table: Table, _events: Sequence[Event]) -> None:
        """Show the table when the channel has room, and turn over the hands that lie open."""
        if table.id not in self._busy and self._shown.get(table.id) != _version(table):
            self._busy.add(table.id)
            self._app.hall.spawn(self._publish(table), f"publish {table.id}")
        for user_id in self._app.hands.of_table(table):
            turn = self._app.hands.turn_over(self._app.studio, table, user_id)
            self._app.hall.spawn(turn, f"hand of table {table.id}")

    def resting(self, place: Place) -> None:
        """Say once that a table rests, and what happens next."""
        channel = self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        text = words(place.locale)("table.resting", table=place.id)
        self._app.hall.spawn(self._say(channel, text), f"resting {place.id}")

    async def _say(self, channel: discord.PartialMessageable, text: str) -> None:
        try:
            await channel.send(
                view=page(text, accent=None).view, allowed_mentions=discord.AllowedMentions.none()
            )
        except trouble.NOT_DONE as error:
            log.info("not posted", channel=channel.id, why=trouble.reason(error))

    def remind(self, table: Table, seat: int, minutes: int) -> None:
        """Ping the person whose clock is running out."""
        user_id = table.sitters[seat].user_id
        if user_id is not None:
            # above two hours nobody counts minutes
            key, n = ("clock.remind_hours", minutes // 60) if minutes > 120 else ("clock.remind", minutes)
            text = words(table.stored.locale)(key, who=f"<@{user_id}>", n=n, table=table.id)
            self._app.hall.spawn(self._post(table, text, ping=user_id), f"remind {table.id}")

    def nudge(self, table: Table, seat: int) -> None:
        """Ping the person whose turn it is."""
        user_id = table.sitters[seat].user_id
        if user_id is not None:
            say = words(table.stored.locale)
            text = say("clock.nudge", who=f"<@{user_id}>", table=table.id, url=table_url(table))
            self._app.hall.spawn(self._post(table, text, ping=user_id), f"nudge {table.id}")

    def seat_taken(self, table: Table, name: str, was: str) -> None:
        """Say that an opponent plays on for somebody who left."""
        text = words(table.stored.locale)("table.seat_taken", name=shown(name), was=shown(was))
        self._app.hall.spawn(self._post(table, text), f"seat of {table.id}")

    # -- what the views call ------------------------------------------------------------------

    def message(self, table: Table) -> Message:
        """The table as everybody sees it."""
        return board_message(table)

    def show_again(self, table: Table) -> None:
        """The table message lacks its picture: show it as it is by then."""
        self._shown.pop(table.id, None)
        self.changed(table, ())

    def showing(self, table: Table) -> None:
        """An answer is about to show the table as it is now, so it need not be shown again."""
        self._shown[table.id] = _version(table)

    def trouble_line(self, table: Table, locale: str) -> str:
        """What keeps the table message from being shown, in words, or nothing."""
        missing = self._troubles.get(table.id)
        if missing is None:
            return ""
        names = trouble.permission_names(missing.split(","), locale)
        return words(locale)("trouble.cannot_show", permissions=names)

    async def repost(self, table: Table, channel: discord.abc.MessageableChannel) -> str:
        """Show the table anew in this channel and retire the old message; the new one's address.

        Raises:
            discord.HTTPException: the channel does not take it.
        """
        old_channel, old_message = table.stored.channel_id, table.stored.message_id
        self.showing(table)
        message = board_message(table)
        sent = await channel.send(
            view=message.view,
            files=await message.attachments(self._app.studio, later=True, whose=table.stored.channel_id),
            allowed_mentions=discord.AllowedMentions.none(),
        )
        guild_id = sent.guild.id if sent.guild else table.stored.guild_id
        await table.placed(channel.id, sent.id, guild_id=guild_id)
        self._troubles.pop(table.id, None)
        if old_message is not None:
            self._app.hall.spawn(self._retire(old_channel, old_message, table, sent.jump_url), "retire")
        return sent.jump_url

    async def move_to_thread(self, table: Table, pressed: Pressed) -> None:
        """Answer Start by opening a thread under the lobby and showing the table there."""
        say = words(table.stored.locale)
        game = pressed.app.title(table)
        message = pressed.interaction.message
        name = say("place.thread_name", game=game, table=table.id)
        self.showing(table)  # or the start would be published where the lobby stands
        await pressed.interaction.response.defer()
        if message is None:
            raise discord.ClientException("a component press without its message")
        try:
            thread = await message.create_thread(name=name[:100])
        except trouble.NOT_DONE:
            # no thread: the game goes on where the lobby stood
            await pressed.update(self.message(table))
            raise
        text = say("lobby.dealt_in_thread", game=game, table=table.id, thread=thread.mention)
        await pressed.update(page(text))
        table.stored.message_id = None  # the lobby's message has said its last word
        await self.repost(table, thread)

    # -- how it is done -----------------------------------------------------------------------

    async def _publish(self, table: Table) -> None:
        try:
            while self._shown.get(table.id) != _version(table):
                await self._wait_for_slot(table.stored.channel_id)
                if self._shown.get(table.id) == _version(table) or table.stored.message_id is None:
                    break
                self.showing(table)
                await self._show(table)
                self._app.metrics.published.inc()
        except trouble.NOT_DONE as error:
            self._failed(table, error)
        finally:
            self._busy.discard(table.id)
            if table.phase in ("over", "cancelled") and self._shown.get(table.id) == _version(table):
                self._troubles.pop(table.id, None)
                self._retries.pop(table.id, None)

    async def _wait_for_slot(self, channel_id: int) -> None:
        """Let a moment pass so that several changes become one picture, and the channel its rate."""
        now = self._clock.now()
        due = max(self._slots.get(channel_id, 0) + SLOT_MS, now + 50)
        self._slots[channel_id] = due
        await self._clock.sleep((due - now) / 1000)

    async def _show(self, table: Table) -> None:
        channel = self._client.get_partial_messageable(
            table.stored.channel_id, guild_id=table.stored.guild_id
        )
        message_id = table.stored.message_id
        old = self._clock.now() - table.stored.posted_at > TOO_OLD_MS
        if message_id is None or (old and table.phase == "live"):
            await self.repost(table, channel)
            return
        message = board_message(table)
        files = await message.attachments(self._app.studio, later=True, whose=table.stored.channel_id)
        try:
            await channel.get_partial_message(message_id).edit(
                view=message.view, attachments=files, allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.NotFound as error:
            if error.code != trouble.UNKNOWN_MESSAGE or table.phase not in ("lobby", "live"):
                raise
            await self.repost(table, channel)  # somebody deleted it
        self._troubles.pop(table.id, None)
        self._retries.pop(table.id, None)

    def _failed(self, table: Table, error: Exception) -> None:
        self._shown.pop(table.id, None)
        if isinstance(error, discord.Forbidden):
            self._troubles[table.id] = ",".join(trouble.TABLE_PERMISSIONS)
            log.info("table not shown: rights are missing", table=table.id, code=error.code)
            return
        if isinstance(error, discord.NotFound):
            self._troubles[table.id] = "view_channel"
            log.info("table not shown: its place is gone", table=table.id, code=error.code)
            return
        tries = self._retries[table.id] = self._retries.get(table.id, 0) + 1
        log.warning("table not shown yet", table=table.id, why=trouble.reason(error), tries=tries)
        if tries <= MOST_RETRIES:
            self._clock.call_later(RETRY_SECONDS * tries, lambda: self.changed(table, ()))

    async def _post(self, table: Table, text: str, *, ping: int | None = None) -> None:
        channel = self._client.get_partial_messageable(
            table.stored.channel_id, guild_id=table.stored.guild_id
        )
        users = [discord.Object(ping)] if ping else False
        message = page(text, accent=None)
        try:
            await channel.send(
                view=message.view,
                allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=users),
            )
        except trouble.NOT_DONE as error:
            log.info("not posted", table=table.id, why=trouble.reason(error))

    async def _retire(self, channel_id: int, message_id: int, table: Table, url: str) -> None:
        channel = self._client.get_partial_messageable(channel_id, guild_id=table.stored.guild_id)
        text = words(table.stored.locale)("table.moved", url=url)
        try:
            await channel.get_partial_message(message_id).edit(
                view=page(text, accent=None).view, attachments=[]
            )
        except trouble.NOT_DONE as error:
            log.info("old table message not retired", table=table.id, why=trouble.reason(error))


def _version(table: Table) -> int:
    stored = table.stored
    return hash(
        (
            table.phase,
            table.seq,
            tuple(table.sitters),
            repr(sorted(stored.options.items())),
            repr(stored.terms),
            stored.host_id,
            table.outcome() is None,
        )
    )
