"""The world at the start: three guilds, a group DM, and people with easy and with hard names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from playground import permissions as perm
from playground.clock import PlaygroundClock
from playground.ids import Snowflakes
from playground.model import (
    DM,
    GROUP_DM,
    TEXT,
    Channel,
    Command,
    Emoji,
    Guild,
    Member,
    Overwrite,
    PostedMessage,
    Role,
    User,
)

_COLOURS = ("#5865f2", "#3ba55d", "#eb459e", "#faa61a", "#ed4245", "#00a8fc", "#9b59b6", "#1abc9c", "#e67e22")

PEOPLE: tuple[tuple[str, str, str], ...] = (
    # key, username, shown name
    ("ann", "ann", "Ann"),
    ("ben", "ben", "Ben"),
    ("cleo", "cleo", "Cleo"),
    ("dan", "dan", "Dan"),
    ("mia", "mia.mod", "Mia"),
)

# They live in a guild of their own: whoever comes for a game does not meet them first.
HARD_NAMES: tuple[tuple[str, str, str], ...] = (
    ("star", "st_ar_", "**st_ar** `x` ~~||y||~~"),
    ("ping", "ping.everyone", "@everyone <@1> <#2>"),
    ("layla", "layla", "\u202eليلى 123\u202c"),
    ("emo", "emo", "🃏" * 32),
)

KEY = re.compile(r"[a-z][a-z0-9_]{0,31}")
MAX_PEOPLE = 1000


class World:
    """Everything that exists, by id. It knows no HTTP."""

    def __init__(self, clock: PlaygroundClock, bot_name: str = "Valence") -> None:
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.users: dict[int, User] = {}
        self.people: dict[str, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, PostedMessage] = {}
        self.emojis: dict[int, Emoji] = {}
        self.commands: dict[int, Command] = {}
        self.dms: dict[int, Channel] = {}
        self.bot = self._user("valence", bot_name, bot_name, bot=True)
        self.application_id = self.bot.id
        self.bio = "A card table for this channel."
        self.home = self._guild("Card Club", installed=True)
        self.odd = self._guild("Odd Names Club", installed=True)
        self.away = self._guild("Café without the bot", installed=False)
        for key, username, shown in PEOPLE:
            self.add_person(key, username, shown, self.guilds.values())
        for key, username, shown in HARD_NAMES:
            self.add_person(key, username, shown, (self.odd,))
        self._furnish()

    def _user(self, key: str, username: str, shown: str, *, bot: bool = False) -> User:
        user = User(self.ids.next(), key, username, shown, bot=bot)
        user.colour = _COLOURS[len(self.users) % len(_COLOURS)]
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, people: Iterable[str], *, shard: tuple[int, int]) -> Guild:
        """Add a guild with the bot, these people and one channel, of a shard of so many, before any comes.

        Raises KeyError for people who are not there.
        """
        guild = self._guild(name, installed=True, number=self.ids.on_shard(*shard))
        guild.owner_id = self.home.owner_id
        for user in (self.users[guild.owner_id], *(self.people[key] for key in people)):
            guild.members[user.id] = Member(user, guild, joined=self.clock.now())
        self.add_channel(guild, f"{name}-table")
        return guild

    def _guild(self, name: str, *, installed: bool, number: int = 0) -> Guild:
        guild = Guild(number or self.ids.next(), name, owner_id=0, installed=installed)
        guild.roles[guild.id] = Role(guild.id, "@everyone", perm.EVERYONE)
        self.guilds[guild.id] = guild
        if installed:
            role = Role(self.ids.next(), self.bot.name, perm.BOT, position=2, managed_by=self.bot.id)
            guild.roles[role.id] = role
            guild.members[self.bot.id] = Member(self.bot, guild, [role.id], joined=self.clock.now())
        return guild

    def _furnish(self) -> None:
        home = self.home
        for guild in (home, self.odd):
            moderator = Role(
                self.ids.next(), "Moderator", perm.MODERATOR, position=3, colour=0x5DADE2, hoist=True
            )
            guild.roles[moderator.id] = moderator
            guild.members[self.people["mia"].id].roles.append(moderator.id)
        players = Role(self.ids.next(), "Players", 0, position=1, colour=0x2ECC71)
        home.roles[players.id] = players
        for key in ("ann", "ben", "cleo", "dan"):
            home.members[self.people[key].id].roles.append(players.id)
        self.add_channel(home, "card-table", "Type / to see all that the bot can do.")
        self.add_channel(home, "second-table", "A second game at the same time.")
        quiet = self.add_channel(home, "quiet", "The bot may read here, but neither send nor attach.")
        quiet.overwrites[self.bot.id] = Overwrite(
            self.bot.id, 1, deny=perm.SEND_MESSAGES | perm.ATTACH_FILES | perm.SEND_MESSAGES_IN_THREADS
        )
        hidden = self.add_channel(home, "hidden", "The bot cannot see this channel.")
        hidden.overwrites[self.bot.id] = Overwrite(self.bot.id, 1, deny=perm.VIEW_CHANNEL)
        self.add_channel(
            self.odd, "odd-table", "Names that are hard to write: a table takes them as they are."
        )
        self.add_channel(self.away, "lounge", "The bot is no member here; people brought the app themselves.")
        group = Channel(self.ids.next(), GROUP_DM, name="Ann, Ben, Cleo")
        group.recipients = [self.people[key] for key in ("ann", "ben", "cleo")]
        group.owner_id = self.people["ann"].id
        self.channels[group.id] = group
        # A person nobody plays owns the guilds, so that nobody here has every right by accident.
        owner = self._user("owner", "owner", "Owner")
        for guild in self.guilds.values():
            guild.owner_id = owner.id
            guild.members[owner.id] = Member(owner, guild, joined=self.clock.now())

    def add_channel(self, guild: Guild, name: str, topic: str | None = None) -> Channel:
        """Add a text channel at the end of a guild's list."""
        channel = Channel(self.ids.next(), TEXT, name=name, guild=guild, topic=topic)
        channel.position = len(guild.channels)
        guild.channels[channel.id] = channel
        self.channels[channel.id] = channel
        return channel

    def add_person(
        self,
        key: str,
        username: str | None = None,
        shown: str | None = None,
        guilds: Iterable[Guild] | None = None,
    ) -> User:
        """Add a person, with a DM to the bot; without `guilds` to the first one and the one without the bot.

        Raises ValueError for a bad or taken key.
        """
        if not KEY.fullmatch(key) or key in self.people or len(self.people) >= MAX_PEOPLE:
            raise ValueError(f"no person can be called {key!r}")
        user = self._user(key, username or key, shown or key)
        self.people[key] = user
        for guild in (self.home, self.away) if guilds is None else guilds:
            guild.members[user.id] = Member(user, guild, joined=self.clock.now())
        self.dm(user)
        return user

    def dm(self, user: User) -> Channel:
        """Return the DM of the bot with a person; it is made when missing."""
        if user.id in self.dms:
            return self.dms[user.id]
        channel = Channel(self.ids.next(), DM, recipients=[user])
        self.dms[user.id] = self.channels[channel.id] = channel
        return channel

    def rights(self, channel: Channel, user: User) -> int:
        """Return what a user may do in a channel."""
        if channel.guild is None:
            inside = user in channel.recipients or (user is self.bot and channel.kind == DM)
            return perm.DIRECT if inside else 0
        return perm.in_channel(channel, channel.guild.members.get(user.id))

    def find_channel(self, name_or_id: str | int, user: User | None = None) -> Channel | None:
        """Find a channel by id or by name; `dm` is the user's own with the bot."""
        text = str(name_or_id).removeprefix("#")
        if text.isdecimal() and int(text) in self.channels:
            return self.channels[int(text)]
        if text == "dm" and user is not None:
            return self.dm(user)
        return next((c for c in self.channels.values() if c.name == text), None)

    def find_user(self, name_or_id: str | int) -> User | None:
        """Find a user by id, key or mention."""
        text = str(name_or_id).removeprefix("<@").removesuffix(">").removeprefix("@")
        if text.isdecimal() and int(text) in self.users:
            return self.users[int(text)]
        return self.people.get(text) or (self.bot if text in (self.bot.key, self.bot.name) else None)
