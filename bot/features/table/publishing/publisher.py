"""The bot's `Publisher`: table messages in channels, and the notifications around them."""

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
from bot.core.errors import Refused
from bot.core.service import Service
from bot.features.table.board import board_message
from bot.features.table.closing import closed_lines
from bot.features.table.lobby.messages import moved_message
from bot.features.table.names import table_url
from bot.features.table.publishing.calls import Calls
from bot.features.table.publishing.news_texts import is_public, news_text, readers
from bot.locales import Words, words
from bot.store.database import StoreError
from bot.store.games import Whereabouts
from bot.store.prefs import Pictures
from bot.store.terms import Knock
from bot.table.daily import opens_at
from bot.table.people.reserved_seats import RESERVED_MS
from bot.table.table import Table
from bot.table.table_kinds import is_hand_only
from bot.table.turns import at_leisure
from bot.ui import discord_errors
from bot.ui.components import Control, Message, button, link
from bot.ui.live.live_message import LiveMessage, Showing
from bot.ui.live.members import Members
from bot.ui.live.messenger import Controls, Messenger, Text, mentioning, no_controls
from bot.ui.names import shown
from bot.ui.outbox import Outbox, Place
from engine.game import Event

log = structlog.get_logger(__name__)

MOST_NEWS = 60
MOST_ENDS = 2000
MOST_REMINDERS = 2000


def time_left(seconds: int, say: Words) -> str:
    """Return the remaining time in the largest unit that is precise enough."""
    # minutes do not matter above two hours, nor seconds above two minutes
    for key, size in (("hours", 3600), ("minutes", 60)):
        if seconds > 2 * size:
            return say(f"clock.left_{key}", n=seconds // size)
    return say("clock.left_seconds", n=max(1, seconds))


def way_to(table: Table, say: Words) -> Control:
    """Return a link button to a table."""
    return link(say("table.go"), table_url(table))


def place_of(table: Table) -> Place:
    """Return the channel of a table."""
    return Place(table.stored.channel_id, table.stored.guild_id)


class Followers(Protocol):
    """Private views that follow tables."""

    def of_table(self, table: Table) -> Collection[int]:
        """Return the users who have such a view of this table."""

    async def refresh(self, table: Table, user_id: int) -> None:
        """Update a view to the current state of its table."""


class TablePublisher(Service):
    """The bot's `Publisher`: table messages, reminders, open hands and spectator views."""

    def __init__(self, outbox: Outbox, hands: Followers) -> None:
        self.outbox = outbox
        self.members = Members(outbox)
        self.messenger = Messenger(outbox, self.members)
        self._hands = hands
        self.followers: list[Followers] = []
        """Other private views that follow tables."""
        self.calls = Calls(outbox)
        """The posted calls to lobbies."""
        self.ends: LRUCache[int, str] = LRUCache(MOST_ENDS)
        """The URL of each posted end-of-game picture, by table."""
        self._reminders: LRUCache[tuple[int, int], list[discord.Message]] = LRUCache(MOST_REMINDERS)
        """The posted reminders by table and seat. They are deleted once the player has moved."""
        self.moved: list[Callable[[Table], None]] = []
        """Callbacks for each table whose message was replaced by another one."""

    # -- called by tables ---------------------------------------------------------------------

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Update the table message when its channel has room, and all open hands.

        A live table is posted again if its message is too old. The end of a game is shown without waiting for
        further changes, since the hands show it at once.
        """
        if is_hand_only(table):
            table.mark_shown(table.stored.edition)
        else:
            live = self._live(table)
            live.hear(events)
            live.changed(acted=table.state is not None and live.behind, last=table.phase == "over")
        self.calls.changed(table)
        for seat in range(len(table.sitters)):
            # no clock runs at a sleeping table, so its reminders are out of date
            if (table.id, seat) in self._reminders and (table.asleep or seat not in table.waiting()):
                self.outbox.spawn(self._take_down(table, seat), f"reminders of {table.id}")
        for user_id in self._hands.of_table(table):
            self.outbox.spawn(self._refresh(self._hands, table, user_id), f"hand of table {table.id}")
        self.refresh_watchers(table)

    def refresh_watchers(self, table: Table) -> None:
        """Show the table as it is now to everyone who watches it."""
        for followers in self.followers:
            for user_id in followers.of_table(table):
                self.outbox.spawn(self._refresh(followers, table, user_id), f"view of table {table.id}")

    async def _refresh(self, followers: Followers, table: Table, user_id: int) -> None:
        """Refresh a private view once the press that changed it has been answered."""
        await self.outbox.reply_priority.give_way()
        await followers.refresh(table, user_id)

    def resting(self, place: Whereabouts) -> None:
        """Announce once that a table is resting, and what happens next."""
        text = words(place.locale)("table.resting", table=place.id)
        channel = Place(place.channel_id, place.guild_id)
        self.outbox.spawn(self.messenger.post(channel, text), f"resting {place.id}")

    def came_back(self, table: Table) -> None:
        """Update an outdated table message in place after the bot has started."""
        if not is_hand_only(table):
            self._live(table).changed()

    def remind(self, table: Table, seat: int, seconds: int, *, aloud: bool, ping: bool = True) -> None:
        """Remind the player whose clock is running out, in the channel if `aloud`."""
        user_id = table.sitters[seat].user_id
        if user_id is not None:
            telling = self._remind(table, seat, user_id, seconds, aloud=aloud, ping=ping)
            self.outbox.spawn(telling, f"remind {table.id}")

    async def _remind(
        self, table: Table, seat: int, user_id: int, seconds: int, *, aloud: bool, ping: bool
    ) -> None:
        preference = (await self.outbox.preferences.of(user_id)).pings
        mention = aloud and ping and preference == "mention"
        name = shown(table.sitters[seat].name)

        def text(say: Words) -> str:
            key = "clock.remind_other" if aloud and not mention else "clock.remind"
            return say(key, name=name, left=time_left(seconds, say), table=table.id)

        if aloud:
            reminder = text(words(table.stored.locale))
            await self._call_aloud(table, seat, [user_id] if mention else [], reminder)
        elif preference == "direct":
            await self._call(table, seat, user_id, text)

    def on_holiday(self, table: Table, seat: int, until: int) -> None:
        """Announce once that a player's clock is stopped."""
        name = shown(table.sitters[seat].name)
        text = words(table.stored.locale)("clock.holiday", name=name, until=until, table=table.id)
        self.announce(table, text)

    def nudge(self, table: Table, seat: int) -> None:
        """Ping the player whose turn it is."""
        user_id = table.sitters[seat].user_id
        if user_id is not None:

            def text(say: Words) -> str:
                return say("clock.nudge", table=table.id)

            self.outbox.spawn(self._call(table, seat, user_id, text), f"nudge {table.id}")

    def knocked(self, table: Table, knock: Knock) -> None:
        """Ask the host whether to let in a person who was not invited. One press answers."""

        def text(say: Words) -> str:
            game = presenters.title(table.game.key, say.language)
            return say("lobby.knock", name=shown(knock.name), game=game, table=table.id)

        def controls(say: Words) -> Sequence[Control]:
            return [
                button(say("lobby.let_in"), "let-in", table.id, knock.user, style=ButtonStyle.success),
                button(say("lobby.turn_away"), "turn-away", table.id, knock.user),
            ]

        asking = self.ask(table, text, table.stored.host_id, controls)
        self.outbox.spawn(asking, f"knock at {table.id}")

    def seat_free(self, table: Table, user_id: int) -> None:
        """Tell a person waiting for a seat in this lobby that one is now reserved for them."""

        def text(say: Words) -> str:
            return say("lobby.seat_free", table=table.id, n=RESERVED_MS // 60_000)

        def controls(say: Words) -> Sequence[Control]:
            return [button(say("lobby.come"), "come", table.id, style=ButtonStyle.success)]

        self.outbox.spawn(self.ask(table, text, user_id, controls), f"free seat of {table.id}")

    def tell_news(self, table: Table, kind: str, seat: int) -> None:
        """Tell the people at a slow table what has happened, each in the way they chose."""

        def text(say: Words) -> str:
            return news_text(table, kind, say)

        if text(words(table.stored.locale)):
            users, aloud = readers(table, kind, seat), text if is_public(table, kind) else None
            self.outbox.spawn(self.tell(table, users, text, aloud=aloud), f"{kind} at table {table.id}")

    def seat_taken(self, table: Table, name: str, was: str, counts: str) -> None:
        """Announce that a computer opponent has replaced a player who left, and what that counts for.

        If this decides a slow game, the news reports it instead.
        """
        if at_leisure(table.stored.terms) and table.stored.terms.decided and counts:
            return
        text = words(table.stored.locale)("table.seat_taken", name=shown(name), was=shown(was))
        self.announce(table, "\n".join(filter(None, (text, counts))))

    def closed(self, table: Table) -> None:
        """Announce who closed a table with players, and what that counts for.

        For a slow table the news reports it instead.
        """
        if at_leisure(table.stored.terms):
            return
        self.announce(table, "\n".join(filter(None, closed_lines(table, table.stored.locale))))

    def announce(self, table: Table, text: str) -> None:
        """Post a text in the channel of a table, in the background."""
        self.outbox.spawn(self.messenger.post(place_of(table), text), f"news of table {table.id}")

    def show_again(self, table: Table) -> None:
        """Update a table message that lacks its picture."""
        if not is_hand_only(table):
            self._live(table).doubt()

    # -- called by views ----------------------------------------------------------------------

    @asynccontextmanager
    async def answering(self, table: Table) -> AsyncIterator[Showing]:
        """Show the table only through the answer sent in this block, and update the message if that is
        lost."""
        async with self._live(table).answering() as showing:
            yield showing

    async def arrived(self, table: Table) -> None:
        """Wait until no update of the table is on its way to Discord; see `LiveMessage.arrived`."""
        await self._live(table).arrived()

    async def stands_at(self, table: Table, message: discord.Message) -> bool:
        """Return whether this is the table's message; see `LiveMessage.stands_at`."""
        return await self._live(table).stands_at(message)

    def hindered(self, table: Table) -> bool:
        """Return whether people cannot see this table in its channel."""
        live = self.outbox.find(table_key(table), TableMessage)
        return table.stored.message_id is None or (live is not None and live.hindrance is not None)

    async def repost(self, table: Table, channel: discord.abc.MessageableChannel) -> str:
        """Post the table again in this channel and retire the old message. Return the URL of the new one.

        Raises:
            Refused: the table is only shown in the hand.
            discord.HTTPException: the channel does not accept it.
        """
        if table.stored.terms.daily:
            raise Refused("daily_sealed", at=opens_at(table.stored.terms))
        if table.stored.terms.practice:
            raise Refused("practice_private")
        if table.stored.terms.hand_only:
            raise Refused("hand_only")
        guild = getattr(channel, "guild", None)
        await self._live(table).post(Place(channel.id, guild.id if guild else table.stored.guild_id))
        return table_url(table)

    async def ensure_posted(self, table: Table) -> None:
        """Post the table unless it has a message.

        Raises:
            discord.HTTPException: the channel does not accept it.
            StoreError: its place could not be stored.
        """
        if not is_hand_only(table):
            await self._live(table).ensure_posted()

    # -- implementation -----------------------------------------------------------------------

    def _live(self, table: Table) -> TableMessage:
        live = self.outbox.find(table_key(table), TableMessage)
        if live is None:
            return TableMessage(self.outbox, table, self.followers, self.moved)
        live.table = table
        return live

    async def _call(self, table: Table, seat: int, user_id: int, text: Text) -> None:
        """Call one person to their turn, in the way they chose."""
        self._called(table, seat, await self.tell(table, [user_id], text))

    async def _call_aloud(self, table: Table, seat: int, users: Sequence[int], text: str) -> None:
        """Announce in the channel that the table is waiting for a player, and mention these people."""
        table_link = way_to(table, words(table.stored.locale))
        place, notification = place_of(table), mentioning(users, text)
        self._called(
            table, seat, await self.messenger.post(place, notification, users=users, controls=[table_link])
        )

    def _called(self, table: Table, seat: int, message: discord.Message | None) -> None:
        """Remember a message that calls someone to their turn, to delete it once they have moved."""
        if message is not None:
            self._reminders.setdefault((table.id, seat), []).append(message)
            if seat not in table.waiting():  # the player has moved in the meantime
                self.outbox.spawn(self._take_down(table, seat), f"reminders of {table.id}")

    async def _take_down(self, table: Table, seat: int) -> None:
        """Delete the reminders of a player who has moved."""
        for message in self._reminders.pop((table.id, seat), ()):
            await self.outbox.token()
            try:
                await message.delete()
            except discord_errors.NOT_DONE as error:
                log.info("reminder stays", why=discord_errors.reason(error))

    async def tell(
        self,
        table: Table,
        users: Sequence[int],
        text: Text,
        controls: Controls = no_controls,
        *,
        aloud: Text | None = None,
    ) -> discord.Message | None:
        """Send people a message about a table, with a link to it; see `Messenger.tell`."""

        def all_controls(say: Words) -> Sequence[Control]:
            return [*controls(say), way_to(table, say)]

        place, locale = place_of(table), table.stored.locale
        return await self.messenger.tell(place, locale, users, text, all_controls, aloud=aloud)

    async def ask(self, table: Table, text: Text, user_id: int, controls: Controls) -> None:
        """Ask one person a question about a table that a button press answers.

        The question is sent in the way they prefer, or in the channel without a mention if they want no
        pings.
        """
        silent = (await self.outbox.preferences.of(user_id)).pings == "none"
        await self.tell(table, [user_id], text, controls, aloud=text if silent else None)

    def forget(self, user_id: int) -> None:
        """Drop everything remembered about a person."""
        self.members.forget(user_id)

    async def is_member(self, guild_id: int, user_id: int) -> bool | None:
        """Return whether a person is in a server, or None if Discord does not say."""
        return await self.members.is_member(guild_id, user_id)


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
        """The events since the last picture of the table."""

    async def find(self) -> bool:
        """Load the table again, since it may have been dropped from memory. Return whether it exists."""
        try:
            self.table = await self.table.again()
        except Refused:
            return False
        return True

    def version(self) -> int:
        """Return the current edition of the table."""
        return self.table.stored.edition

    def shown(self) -> int | None:
        """Return the edition that the message shows."""
        return self.table.stored.shown

    async def mark(self, version: int) -> None:
        """Store the edition that the message shows."""
        self.table.mark_shown(version)

    def hear(self, events: Sequence[Event]) -> None:
        """Add events that the next picture may animate."""
        self._news.extend(events)

    async def pictures(self) -> Pictures:
        """Return the channel's picture settings, without motion if any player at the table wants that."""
        settings = await super().pictures()
        for user_id in self.table.people():
            if not settings.still and (await self.outbox.preferences.of(user_id)).still:
                return replace(settings, still=True)
        return settings

    def build(self, pictures: Pictures) -> Message:
        """Return the public table message, with one animation of the events since the last picture."""
        news = list(self._news)
        self._news.clear()
        news = [] if pictures.still or pictures.text_only else news
        watching = sum(len(followers.of_table(self.table)) for followers in self._followers)
        return board_message(self.table, news, watching=watching)

    def locale(self) -> str:
        """Return the language of its channel."""
        return self.table.stored.locale

    def place(self) -> Place:
        """Return the place of the message."""
        stored = self.table.stored
        return Place(stored.channel_id, stored.guild_id, stored.message_id, stored.posted_at)

    async def set_place(self, place: Place) -> None:
        """Store the place of the message."""
        old_message_id = self.table.stored.message_id
        try:
            await self.table.set_place(place.channel_id, place.message_id, guild_id=place.guild_id)
        except Refused as refusal:  # the table is still being stored, so try again later
            raise StoreError("locked", refusal.key) from refusal
        if old_message_id not in (None, place.message_id):
            for callback in self._moved:
                callback(self.table)

    def moved(self, url: str) -> Message:
        """Return the message that links to the new one."""
        return moved_message(self.table, url)

    def first(self) -> Place | None:
        """Return the place of the table's first message, or None if the table never moved."""
        first = self.table.stored.terms.first
        return Place(first[0], self.table.stored.guild_id, first[1]) if first else None

    def goes_on(self) -> bool:
        """Return whether people may still join or play."""
        return self.table.phase in ("lobby", "live")

    def rests(self) -> bool:
        """Return whether the table is asleep. Waking it changes it, which updates the message at once."""
        return self.table.asleep

    def wanted(self) -> bool:
        """Return whether there is anything to show. A cancelled table has nothing."""
        return self.table.phase in ("lobby", "live", "over")

    async def unseen(self) -> None:
        """Close a lobby that cannot be posted. In a live game the hands show what is wrong."""
        if self.table.phase == "lobby" and not self.table.stored.terms.tournament:
            log.info("lobby closed: it can't be posted", table=self.table.id)
            with suppress(Refused):  # someone else has closed it
                await self.table.cancel("unseen")


def table_key(table: Table) -> str:
    """Return the key of a table's message in the outbox."""
    return f"table {table.id}"


def error_line(outbox: Outbox, table: Table, locale: str) -> str:
    """Return why the message of a table cannot be shown, or an empty string. Also try again to show it."""
    hindrance = outbox.hindrance_of(table_key(table))
    return hindrance.words(locale, table.id) if hindrance is not None else ""
