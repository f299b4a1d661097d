"""Showing tables in their channels, and what is said there beside them."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Protocol

import discord
import structlog
from cachetools import LRUCache
from discord import ButtonStyle
from msgspec.structs import replace

from bot import presenters
from bot.locales import Words, words
from bot.store.database import StoreError
from bot.store.games import Whereabouts
from bot.store.prefs import Pictures
from bot.store.terms import Knock
from bot.store.time_zones import night_ends
from bot.tables.daily import opens_at
from bot.tables.people.reserved_seats import RESERVED_MS
from bot.tables.ports import Refused
from bot.tables.service import Service
from bot.tables.table import Table
from bot.tables.table_kinds import NOWHERE, is_hand_only
from bot.ui import custom_ids as ids
from bot.ui import errors
from bot.ui.components import Control, Message, button, link
from bot.ui.live.calls import Calls
from bot.ui.live.live_message import LiveMessage, Showing, table_key
from bot.ui.names import shown, table_url
from bot.ui.notification import Notification
from bot.ui.outbox import Outbox, Place
from bot.ui.table.board import board_message
from bot.ui.table.closing import closed_lines
from bot.ui.table.lobby import moved_message
from engine.game import Event

log = structlog.get_logger(__name__)

MOST_NEWS = 60
MOST_ENDS = 2000
MOST_REMINDERS = 2000


def time_left(seconds: int, say: Words) -> str:
    """How long somebody has, in the largest unit that tells it well."""
    # above two hours nobody counts minutes, and above two minutes nobody seconds
    for key, size in (("hours", 3600), ("minutes", 60)):
        if seconds > 2 * size:
            return say(f"clock.left_{key}", n=seconds // size)
    return say("clock.left_seconds", n=max(1, seconds))


def way_to(table: Table) -> Control:
    """The button that leads to a table."""
    return link(words(table.stored.locale)("table.go"), table_url(table))


class Followers(Protocol):
    """Private views that follow tables."""

    def of_table(self, table: Table) -> Collection[int]:
        """Return the users who have such a view of this table."""

    async def turn_over(self, table: Table, user_id: int) -> None:
        """Show a view as the table is now."""


class TablePublisher(Service):
    """The bot's `Publisher`: table messages, reminders, hands that lie open, and views of those who watch."""

    def __init__(self, outbox: Outbox, hands: Followers) -> None:
        self.outbox = outbox
        self._hands = hands
        self.followers: list[Followers] = []
        """Other private views that follow tables."""
        self.calls = Calls(outbox)
        """What was posted to call people to lobbies."""
        self.ends: LRUCache[int, str] = LRUCache(MOST_ENDS)
        """By table, where the picture of its end was posted."""
        self._reminders: LRUCache[tuple[int, int], list[discord.Message]] = LRUCache(MOST_REMINDERS)
        """By table and seat, what was posted to call somebody: it goes once they have moved."""
        self.moved: list[Callable[[Table], None]] = []
        """Called with each table whose message has given way to another one."""

    # -- what the tables call -----------------------------------------------------------------

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Show the table when the channel has room, and turn over the hands that lie open.

        A table that is being played is posted anew where its message is old; its end waits for no other
        change, since the hands tell of it at once.
        """
        if is_hand_only(table):
            table.mark_shown(table.stored.edition)
        else:
            live = self._live(table)
            live.hear(events)
            live.changed(acted=table.state is not None and live.behind, last=table.phase == "over")
        self.calls.changed(table)
        for seat in range(len(table.sitters)):
            # of a table that sleeps no clock runs, so they say what is not so
            if (table.id, seat) in self._reminders and (table.asleep or seat not in table.waiting()):
                self.outbox.spawn(self._take_down(table, seat), f"reminders of {table.id}")
        for user_id in self._hands.of_table(table):
            self.outbox.spawn(self._turn_over(self._hands, table, user_id), f"hand of table {table.id}")
        self.refresh_watchers(table)

    def refresh_watchers(self, table: Table) -> None:
        """Show the table as it is now to everyone who watches it."""
        for followers in self.followers:
            for user_id in followers.of_table(table):
                self.outbox.spawn(self._turn_over(followers, table, user_id), f"view of table {table.id}")

    async def _turn_over(self, whose: Followers, table: Table, user_id: int) -> None:
        """Show what lies open as it is now, once the press that changed it has its answer."""
        await self.outbox.reply_priority.give_way()
        await whose.turn_over(table, user_id)

    def resting(self, place: Whereabouts) -> None:
        """Say once that a table rests, and what happens next."""
        text = words(place.locale)("table.resting", table=place.id)
        there = Place(place.channel_id, place.guild_id)
        self.outbox.spawn(self._say(there, text), f"resting {place.id}")

    def came_back(self, table: Table) -> None:
        """The bot has started: show the table where its message is behind, and stay where it is."""
        if not is_hand_only(table):
            self._live(table).changed()

    def remind(self, table: Table, seat: int, seconds: int, *, aloud: bool, ping: bool = True) -> None:
        """Tell the person whose clock is running out, or everybody."""
        user_id = table.sitters[seat].user_id
        if user_id is not None:
            telling = self._remind(table, seat, user_id, seconds, aloud=aloud, ping=ping)
            self.outbox.spawn(telling, f"remind {table.id}")

    async def _remind(
        self, table: Table, seat: int, user_id: int, seconds: int, *, aloud: bool, ping: bool
    ) -> None:
        say = words(table.stored.locale)
        way = (await self.outbox.preferences.of(user_id)).pings
        ping = ping and way == "mention"
        who = f"<@{user_id}>" if ping or not aloud else shown(table.sitters[seat].name)
        left = time_left(seconds, say)
        text = say("clock.remind", who=who, left=left, table=table.id)
        if aloud:
            await self._call_aloud(table, seat, text, user_id if ping else None)
        elif way == "direct":
            await self._call(table, seat, text, user_id)

    def on_holiday(self, table: Table, seat: int, until: int) -> None:
        """Say once that the clock of somebody waits."""
        name = shown(table.sitters[seat].name)
        text = words(table.stored.locale)("clock.holiday", name=name, until=until, table=table.id)
        self.outbox.spawn(self._post(table, text), f"holiday at {table.id}")

    def nudge(self, table: Table, seat: int) -> None:
        """Ping the person whose turn it is."""
        user_id = table.sitters[seat].user_id
        if user_id is not None:
            say = words(table.stored.locale)
            text = say("clock.nudge", who=f"<@{user_id}>", table=table.id)
            self.outbox.spawn(self._call(table, seat, text, user_id), f"nudge {table.id}")

    def knocked(self, table: Table, knock: Knock) -> None:
        """Ask the host whether a person who was not invited may sit down. One press answers."""
        say, host = words(table.stored.locale), table.stored.host_id
        text = say(
            "lobby.knock",
            host=f"<@{host}>",
            name=shown(knock.name),
            game=presenters.get(table.game.key).title(table.stored.locale),
            table=table.id,
        )
        controls = [
            button(say("lobby.let_in"), ids.make("let-in", table.id, knock.user), style=ButtonStyle.success),
            button(say("lobby.turn_away"), ids.make("turn-away", table.id, knock.user)),
        ]
        self.outbox.spawn(self.ask(table, text, host, controls), f"knock at {table.id}")

    def seat_free(self, table: Table, user_id: int) -> None:
        """Tell somebody who waited for a seat in this lobby that one is kept for them now."""
        say = words(table.stored.locale)
        text = say("lobby.seat_free", who=f"<@{user_id}>", table=table.id, n=RESERVED_MS // 60_000)
        come = button(say("lobby.come"), ids.make("come", table.id), style=ButtonStyle.success)
        self.outbox.spawn(self.ask(table, text, user_id, [come]), f"free seat of {table.id}")

    def seat_taken(self, table: Table, name: str, was: str, counts: str) -> None:
        """Say that an opponent plays on for somebody who left, and what that counts for."""
        text = words(table.stored.locale)("table.seat_taken", name=shown(name), was=shown(was))
        self.announce(table, "\n".join(filter(None, (text, counts))))

    def closed(self, table: Table) -> None:
        """Say who has closed a table at which people played, and what that counts for."""
        self.announce(table, "\n".join(filter(None, closed_lines(table, table.stored.locale))))

    def announce(self, table: Table, text: str) -> None:
        """Post a text in the channel of a table, in the background."""
        self.outbox.spawn(self._post(table, text), f"news of table {table.id}")

    def show_again(self, table: Table) -> None:
        """The table message lacks its picture: show it as it is by then."""
        if not is_hand_only(table):
            self._live(table).doubt()

    # -- what the views call ------------------------------------------------------------------

    @asynccontextmanager
    async def answering(self, table: Table) -> AsyncIterator[Showing]:
        """While an answer shows the table, nothing else does; where the answer is lost, it is shown after."""
        async with self._live(table).answering() as showing:
            yield showing

    async def stands_at(self, table: Table, message: discord.Message) -> bool:
        """Whether this is the table's message; see `LiveMessage.stands_at`."""
        return await self._live(table).stands_at(message)

    def hindered(self, table: Table) -> bool:
        """Whether people can't see this table in its channel."""
        live = self.outbox.find(table_key(table), TableMessage)
        return table.stored.message_id is None or (live is not None and live.hindrance is not None)

    async def repost(self, table: Table, channel: discord.abc.MessageableChannel) -> str:
        """Show the table anew in this channel and retire the old message; the new one's address.

        Raises:
            Refused: it is the deal of a day or practice, which others are not shown.
            discord.HTTPException: the channel does not take it.
        """
        if table.stored.terms.daily:
            raise Refused("daily_sealed", at=opens_at(table.stored.terms))
        if table.stored.terms.practice:
            raise Refused("practice_private")
        guild = getattr(channel, "guild", None)
        await self._live(table).post(Place(channel.id, guild.id if guild else table.stored.guild_id))
        return table_url(table)

    async def ensure_posted(self, table: Table) -> None:
        """Post the table unless it has a message.

        Raises:
            discord.HTTPException: the channel does not take it.
            StoreError: where it stands could not be stored.
        """
        if not is_hand_only(table):
            await self._live(table).ensure_posted()

    # -- how it is done -----------------------------------------------------------------------

    def _live(self, table: Table) -> TableMessage:
        live = self.outbox.find(table_key(table), TableMessage)
        if live is None:
            return TableMessage(self.outbox, table, self.followers, self.moved)
        live.table = table
        return live

    async def _call(self, table: Table, seat: int, text: str, user_id: int) -> None:
        """Say it to one person, in the way that they prefer."""
        wanted = (await self.outbox.preferences.of(user_id)).pings
        if wanted == "none" or (wanted == "direct" and await self.write_to(user_id, text, [way_to(table)])):
            return
        await self._call_aloud(table, seat, text, user_id)

    async def _call_aloud(self, table: Table, seat: int, text: str, ping: int | None) -> None:
        """Say in the channel that somebody is waited for, for as long as that is so."""
        message = await self._post(table, text, ping=ping, controls=[way_to(table)])
        if message is not None:
            self._reminders.setdefault((table.id, seat), []).append(message)
            if seat not in table.waiting():  # they moved meanwhile
                await self._take_down(table, seat)

    async def _take_down(self, table: Table, seat: int) -> None:
        """Nobody waits for them any more: remove what called them."""
        for message in self._reminders.pop((table.id, seat), ()):
            await self.outbox.token()
            try:
                await message.delete()
            except errors.NOT_DONE as error:
                log.info("reminder stays", why=errors.reason(error))

    async def tell(self, table: Table, text: str, user_id: int) -> None:
        """Say something of a table to one person, in the way that they prefer; unlike a reminder it stays."""
        wanted = (await self.outbox.preferences.of(user_id)).pings
        if wanted == "none" or (wanted == "direct" and await self.write_to(user_id, text, [way_to(table)])):
            return
        await self._post(table, text, ping=user_id, controls=[way_to(table)])

    async def tell_everyone(self, table: Table, text: str, user_id: int) -> None:
        """Say something in the channel of a table, and notify one person in the way that they prefer."""
        wanted = (await self.outbox.preferences.of(user_id)).pings
        if wanted == "direct" and not await self.write_to(user_id, text, [way_to(table)]):
            wanted = "mention"
        await self._post(table, text, ping=user_id if wanted == "mention" else None, controls=[way_to(table)])

    async def ask(self, table: Table, text: str, user_id: int, controls: Sequence[Control]) -> None:
        """Ask one person something of a table, to be answered by a press: in the way that they prefer, and in
        the channel, unnoticed, where they want no pings."""
        wanted = (await self.outbox.preferences.of(user_id)).pings
        controls = [*controls, way_to(table)]
        if wanted == "direct" and await self.write_to(user_id, text, controls):
            return
        await self._post(table, text, ping=None if wanted == "none" else user_id, controls=controls)

    async def write_to(
        self,
        user_id: int,
        text: str,
        controls: Sequence[Control] = (),
        *,
        nonce: str | None = None,
        urgent: bool = False,
    ) -> bool:
        """Write to a person alone. Return whether that was possible.

        In their night no device rings, unless it is `urgent`. Within a few minutes Discord takes a second
        letter of one `nonce` for the first.
        """
        silent = not urgent and await self._sleeps(user_id)
        await self.outbox.token()
        try:
            channel = await self.outbox.client.create_dm(discord.Object(user_id))
            parts = Notification(text, controls, silent=silent).parts()
            await (channel.send(**parts) if nonce is None else channel.send(**parts, nonce=nonce))
        except errors.NOT_DONE as error:
            log.info("not written", why=errors.reason(error))
            return False
        return True

    async def _sleeps(self, user_id: int) -> bool:
        """Return whether it is night for a person who wants no reminders then."""
        prefs = await self.outbox.preferences.of(user_id)
        return night_ends(prefs, self.outbox.clock.now()) > 0

    async def is_member(self, guild_id: int, user_id: int) -> bool | None:
        """Whether a person is in a server, by what Discord says now; None: it did not tell."""
        guild = self.outbox.client.get_guild(guild_id)
        if guild is None:
            return None
        await self.outbox.token()
        try:
            await guild.fetch_member(user_id)
        except errors.NOT_DONE as error:
            if isinstance(error, discord.NotFound) and error.code == errors.UNKNOWN_MEMBER:
                return False
            log.info("member not looked up", why=errors.reason(error))
            return None
        return True

    async def _post(
        self, table: Table, text: str, *, ping: int | None = None, controls: Sequence[Control] = ()
    ) -> discord.Message | None:
        there = Place(table.stored.channel_id, table.stored.guild_id)
        return await self._say(there, text, ping=ping, controls=controls)

    async def _say(
        self, place: Place, text: str, *, ping: int | None = None, controls: Sequence[Control] = ()
    ) -> discord.Message | None:
        if place.channel_id == NOWHERE:
            return None
        silent = ping is not None and await self._sleeps(ping)
        call = Notification(text, controls, users=[ping] if ping else (), silent=silent)
        try:
            return await self.outbox.notify(place, call)
        except errors.NOT_DONE as error:
            log.info("not posted", channel=place.channel_id, why=errors.reason(error))
            return None


class TableMessage(LiveMessage):
    """The message of a table."""

    def __init__(
        self,
        outbox: Outbox,
        table: Table,
        followers: Sequence[Followers],
        moved: Sequence[Callable[[Table], None]],
    ) -> None:
        super().__init__(outbox, table_key(table))
        self.table = table
        self._followers = followers
        self._moved = moved
        self._news: deque[Event] = deque(maxlen=MOST_NEWS)
        """What has happened since a picture of the table was last made."""

    async def find(self) -> bool:
        """The table as it is now: it may have left memory since, and come back."""
        try:
            self.table = await self.table.again()
        except Refused:
            return False
        return True

    def version(self) -> int:
        """How the table is."""
        return self.table.stored.edition

    def shown(self) -> int | None:
        """How its message shows it."""
        return self.table.stored.shown

    async def mark(self, version: int) -> None:
        """Remember what is shown."""
        self.table.mark_shown(version)

    def hear(self, events: Sequence[Event]) -> None:
        """This has happened: the next picture may show it in motion."""
        self._news.extend(events)

    async def pictures(self) -> Pictures:
        """As the channel shows them; still where one of those who sit there wants it."""
        found = await super().pictures()
        for user_id in self.table.people():
            if not found.still and (await self.outbox.preferences.of(user_id)).still:
                return replace(found, still=True)
        return found

    def build(self, pictures: Pictures) -> Message:
        """The table as everybody sees it; it moves once for what has happened."""
        news = list(self._news)
        self._news.clear()
        news = [] if pictures.still or pictures.text_only else news
        watching = sum(len(each.of_table(self.table)) for each in self._followers)
        return board_message(self.table, news, watching=watching)

    def place(self) -> Place:
        """Where it stands."""
        stored = self.table.stored
        return Place(stored.channel_id, stored.guild_id, stored.message_id, stored.posted_at)

    async def set_place(self, place: Place) -> None:
        """Remember where it stands."""
        before = self.table.stored.message_id
        try:
            await self.table.set_place(place.channel_id, place.message_id, guild_id=place.guild_id)
        except Refused as refusal:  # it is still being stored: look again in a while
            raise StoreError("locked", refusal.key) from refusal
        if before not in (None, place.message_id):
            for hear in self._moved:
                hear(self.table)

    def moved(self, url: str) -> Message:
        """The way to the new message."""
        return moved_message(self.table, url)

    def first(self) -> Place | None:
        """Where its first message stands."""
        first = self.table.stored.terms.first
        return Place(first[0], self.table.stored.guild_id, first[1]) if first else None

    def goes_on(self) -> bool:
        """Whether somebody may still sit down or play."""
        return self.table.phase in ("lobby", "live")

    def rests(self) -> bool:
        """Whether it sleeps: whoever wakes it changes it, and then it is tried at once."""
        return self.table.asleep

    def wanted(self) -> bool:
        """Whether there is anything to see: not of a table that was closed."""
        return self.table.phase in ("lobby", "live", "over")

    async def unseen(self) -> None:
        """A lobby that nobody can see is none; of a game that goes on the hands tell what is wrong."""
        if self.table.phase == "lobby" and not self.table.stored.terms.tournament:
            log.info("lobby closed: it can't be posted", table=self.table.id)
            with suppress(Refused):  # somebody else closed it
                await self.table.cancel("unseen")
