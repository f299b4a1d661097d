"""The world as rows: what is written down of it between two starts, and a world from that again.

A row is a thing with ids where the thing itself holds other things. What only a running server has,
interactions and who is connected, is in no row: a bot that starts finds its old tokens expired.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from playground.files import Files
from playground.model import (
    DM,
    LOADING,
    Attachment,
    Channel,
    Command,
    Emoji,
    Guild,
    Json,
    Member,
    Overwrite,
    PostedMessage,
    Role,
    User,
)
from playground.world import World

R = TypeVar("R", bound=msgspec.Struct)


class MemberRow(msgspec.Struct):
    """A user in a guild."""

    user: int
    roles: list[int]
    nick: str | None
    joined: float


class GuildRow(msgspec.Struct):
    """A guild without its channels, which name it."""

    id: int
    name: str
    owner_id: int
    installed: bool
    locale: str
    roles: list[Role]
    members: list[MemberRow]


class AttachmentRow(msgspec.Struct):
    """An attachment without its bytes."""

    id: int
    channel_id: int
    filename: str
    content_type: str
    url: str
    description: str | None
    width: int | None
    height: int | None
    spoiler: bool
    ephemeral: bool


class MessageRow(msgspec.Struct):
    """One message."""

    id: int
    author: int
    owner: int | None
    reference: int | None
    thread: int | None
    mentions: list[int]
    attachments: list[AttachmentRow]
    kind: int
    content: str
    embeds: list[Json]
    components: list[Json]
    flags: int
    created: float
    edited: float | None
    mention_roles: list[int]
    mention_everyone: bool
    from_webhook: bool
    interaction: Json | None
    legacy_interaction: Json | None
    reactions: dict[str, list[int]]
    pinned: bool
    nonce: str | int | None
    old_edits: int
    tts: bool
    dismissed: bool


class ChannelRow(msgspec.Struct):
    """A channel of any kind, with its messages."""

    id: int
    guild: int | None
    recipients: list[int]
    overwrites: list[Overwrite]
    messages: list[MessageRow]
    kind: int
    name: str | None
    topic: str | None
    position: int
    parent_id: int
    slowmode: int
    last_message_id: int | None
    owner_id: int
    archived: bool
    locked: bool
    invitable: bool
    auto_archive: int
    archive_changed: float
    created: float
    thread_members: dict[int, float]
    total_sent: int


class EmojiRow(msgspec.Struct):
    """An emoji of the application."""

    id: int
    creator: int
    name: str
    data: bytes
    content_type: str
    animated: bool


class WorldRow(msgspec.Struct):
    """All of a world."""

    last_id: int
    bot: int
    bio: str
    home: int
    odd: int
    away: int
    people: list[int]
    users: list[User]
    guilds: list[GuildRow]
    channels: list[ChannelRow]
    emojis: list[EmojiRow]
    commands: list[Command]


def written(world: World) -> WorldRow:
    """Return a world as rows."""
    return WorldRow(
        last_id=world.ids.last,
        bot=world.bot.id,
        bio=world.bio,
        home=world.home.id,
        odd=world.odd.id,
        away=world.away.id,
        people=[user.id for user in world.people.values()],
        users=list(world.users.values()),
        guilds=[
            _row(
                GuildRow,
                guild,
                roles=list(guild.roles.values()),
                members=[_row(MemberRow, member, user=member.user.id) for member in guild.members.values()],
            )
            for guild in world.guilds.values()
        ],
        channels=[_channel(world, channel) for channel in world.channels.values()],
        emojis=[_row(EmojiRow, emoji, creator=emoji.creator.id) for emoji in world.emojis.values()],
        commands=list(world.commands.values()),
    )


def _channel(world: World, channel: Channel) -> ChannelRow:
    return _row(
        ChannelRow,
        channel,
        guild=channel.guild.id if channel.guild else None,
        recipients=[user.id for user in channel.recipients],
        overwrites=list(channel.overwrites.values()),
        # what the bot was still working at, it will not fill in any more
        messages=[_message(world, m) for m in channel.messages.values() if not m.flags & LOADING],
    )


def _message(world: World, message: PostedMessage) -> MessageRow:
    reference, thread = message.reference, message.thread
    return _row(
        MessageRow,
        message,
        author=message.author.id,
        owner=message.owner.id if message.owner else None,
        reference=reference.id if reference and reference.id in world.messages else None,
        thread=thread.id if thread and thread.id in world.channels else None,
        mentions=[user.id for user in message.mentions],
        attachments=[_row(AttachmentRow, attachment) for attachment in message.attachments],
    )


def _row(kind: type[R], thing: object, **instead: object) -> R:
    """Make a row of what a thing holds; `instead` are the fields in which it holds other things."""
    fields = {name: getattr(thing, name) for name in kind.__struct_fields__ if name not in instead}
    return kind(**fields, **instead)


def _fields(row: msgspec.Struct, *without: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__ if name not in without}


def take_up(row: WorldRow, world: World, files: Files, bytes_of: Callable[[int], bytes]) -> None:
    """Make a world what the rows say; `bytes_of` gives the bytes of an attachment.

    Raises KeyError where a row names what is not there.
    """
    for things in (world.users, world.people, world.guilds, world.channels, world.messages):
        things.clear()
    for more in (world.emojis, world.commands, world.dms):
        more.clear()
    world.users.update((user.id, user) for user in row.users)
    world.people.update((world.users[number].key, world.users[number]) for number in row.people)
    world.bot, world.bio, world.application_id = world.users[row.bot], row.bio, row.bot
    for guild_row in row.guilds:
        _guild(guild_row, world)
    world.home, world.odd, world.away = (world.guilds[number] for number in (row.home, row.odd, row.away))
    for channel_row in row.channels:
        _take_channel(channel_row, world)
    for channel_row in row.channels:
        _take_messages(channel_row, world, files, bytes_of)
    for channel_row in row.channels:
        for message_row in channel_row.messages:
            if message_row.reference is not None:
                message = world.messages[message_row.id]
                message.reference = world.messages.get(message_row.reference)
    for emoji in row.emojis:
        creator = world.users[emoji.creator]
        world.emojis[emoji.id] = Emoji(creator=creator, **_fields(emoji, "creator"))
    world.commands.update((command.id, command) for command in row.commands)
    world.ids.last = row.last_id


def _guild(row: GuildRow, world: World) -> None:
    guild = Guild(**_fields(row, "roles", "members"))
    guild.roles.update((role.id, role) for role in row.roles)
    for member in row.members:
        user = world.users[member.user]
        guild.members[user.id] = Member(user=user, guild=guild, **_fields(member, "user"))
    world.guilds[guild.id] = guild


def _take_channel(row: ChannelRow, world: World) -> None:
    channel = Channel(**_fields(row, "guild", "recipients", "overwrites", "messages"))
    channel.recipients = [world.users[number] for number in row.recipients]
    channel.overwrites.update((overwrite.id, overwrite) for overwrite in row.overwrites)
    world.channels[channel.id] = channel
    if channel.kind == DM:
        world.dms[channel.recipients[0].id] = channel
    if row.guild is not None:
        channel.guild = world.guilds[row.guild]
        if not channel.is_thread:
            channel.guild.channels[channel.id] = channel


def _take_messages(row: ChannelRow, world: World, files: Files, bytes_of: Callable[[int], bytes]) -> None:
    channel = world.channels[row.id]
    for each in row.messages:
        plain = _fields(each, "author", "owner", "reference", "thread", "mentions", "attachments")
        message = PostedMessage(channel=channel, author=world.users[each.author], **plain)
        message.owner = world.users[each.owner] if each.owner is not None else None
        message.thread = world.channels[each.thread] if each.thread is not None else None
        message.mentions = [world.users[number] for number in each.mentions]
        for attachment in each.attachments:
            found = Attachment(data=bytes_of(attachment.id), **_fields(attachment))
            message.attachments.append(found)
            files.take_back(found)
        channel.messages[message.id] = world.messages[message.id] = message
