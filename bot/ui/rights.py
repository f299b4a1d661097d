"""Permission checks. Only this module reads the permissions of a person.

Permissions such as Manage Messages count only in the server that gave them. A server chooses who may open
tables, which and where, and who may close those of others (`bot.store.servers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import discord

from bot import presenters
from bot.core.errors import Refused, Titles
from bot.store.servers import Permitted, Server
from bot.ui.discord_errors import MissingPermissions, missing_permissions
from bot.ui.effective_settings import home_channel
from bot.ui.handlers import Who
from bot.ui.live.visibility import can_see

if TYPE_CHECKING:
    from bot.ui.app import Interaction
    from bot.ui.context import Answer


def in_sight(interaction: Interaction, channel_id: int, *, unknown: bool = False) -> bool:
    """Return whether this person can see a channel of this server.

    They can see the one in which they are, and no private thread but that: the bot doesn't know who is in it.
    `unknown` is the result for a channel that the bot can't see or that was deleted, and for an old thread.
    """
    guild, user = interaction.guild, interaction.user
    if channel_id == interaction.channel_id:
        return True
    channel = guild.get_channel_or_thread(channel_id) if guild is not None else None
    if channel is None:
        return unknown
    if not isinstance(user, discord.Member):
        return False
    if isinstance(channel, discord.Thread) and channel.is_private():
        return channel.permissions_for(user).manage_threads and can_see(channel, user)
    return can_see(channel, user)


def out_of_sight(interaction: Interaction, users: Iterable[int]) -> list[int]:
    """Return those of the people chosen in a command or a select who can't see this channel.

    Discord sends each member's permissions in it, and nothing of people who aren't members of the server.
    """
    if interaction.guild_id is None:
        return []
    data: Any = interaction.data or {}
    members = data.get("resolved", {}).get("members", {})
    sent = {user: int(members.get(str(user), {}).get("permissions", 0)) for user in users}
    return [user for user, permissions in sent.items() if not discord.Permissions(permissions).view_channel]


def channels_in_sight(interaction: Interaction) -> tuple[int, ...]:
    """Return the channels and open threads of this server that this person can see: see `in_sight`."""
    guild = interaction.guild
    every = [each.id for each in (*guild.channels, *guild.threads)] if guild is not None else []
    found = (channel_id for channel_id in every if in_sight(interaction, channel_id))
    return tuple(dict.fromkeys([*found, interaction.channel_id or 0]))


def moderates(interaction: Interaction, guild_id: int | None) -> bool:
    """Whether this person may manage messages in that server, and acts there."""
    return interaction.guild_id == guild_id is not None and interaction.permissions.manage_messages


class Channels(tuple[int, ...]):
    """Channels as a sentence names them: the first few."""

    __slots__ = ()

    def __str__(self) -> str:
        more = " …" if len(self) > MOST_NAMED else ""
        return ", ".join(f"<#{channel}>" for channel in self[:MOST_NAMED]) + more


class Mentions(tuple[int, ...]):
    """People as a sentence mentions them: the first few."""

    __slots__ = ()

    def __str__(self) -> str:
        more = " …" if len(self) > MOST_NAMED else ""
        return ", ".join(f"<@{user}>" for user in self[:MOST_NAMED]) + more


MOST_NAMED = 5
"""Maximum number of channels or people that a refusal names."""


def can_hide(interaction: Interaction) -> bool:
    """Whether the bot may open a private thread here: they are for text channels alone."""
    have, channel = interaction.app_permissions, interaction.channel
    text = isinstance(channel, discord.TextChannel) and not channel.is_news()
    return text and have.create_private_threads and have.send_messages_in_threads


def must_open(
    interaction: Interaction,
    game: str,
    server: Server,
    games: Sequence[str],
    locale: str,
    *,
    posts: bool = True,
) -> None:
    """Return if this person may open a table or tournament of this game here; `games` are those that may be
    opened, `locale` the language in which a refusal names them. Without `posts` nothing is posted here.

    Raises:
        Refused: not here, not that game, or not this person; with what is open to whom.
    """
    if posts:
        must_stand(interaction, server)
    if game not in games:
        raise Refused("game_not_here", game=presenters.title(game, locale), games=Titles(tuple(games)))
    if not is_among(interaction, server.open_by, server.open_role):
        key = "open_role" if server.open_by == "role" else "open_moderators"
        raise Refused(key, role=server.open_role)


def must_stand(interaction: Interaction, server: Server) -> None:
    """Return if this person may open tables in this channel, as far as the channel goes.

    Raises:
        Refused: they may not; with the channels in which tables may stand and that the person and the bot
            can use.
    """
    closed = server.channels and home_channel(interaction) not in server.channels
    if interaction.guild_id is not None and closed:
        usable: Sequence[int] = server.channels
        if (guild := interaction.guild) is not None and not guild.unavailable:
            barred = closed_to_bot(interaction, server.channels)
            usable = [each for each in server.channels if each not in barred and in_sight(interaction, each)]
        if not usable:
            raise Refused("closed_everywhere")
        raise Refused("closed_channel", channels=Channels(usable), n=len(usable))
    must_write(interaction)


def closed_to_bot(interaction: Interaction, channels: Iterable[int]) -> list[int]:
    """Return those of these channels of this server in which the bot can't post tables."""
    guild = interaction.guild
    if guild is None:
        return []
    found = {each: guild.get_channel(each) for each in channels}
    return [
        each
        for each, channel in found.items()
        if channel is None or missing_permissions(channel.permissions_for(guild.me))
    ]


def must_write(interaction: Interaction) -> None:
    """Return if this person may send messages in this channel or thread.

    Everything that people make the bot post needs this. It doesn't apply to games under way: players who
    lose the permission still play on, and may answer what others ask them.

    Raises:
        Refused: they may not.
    """
    if interaction.guild_id is None:
        return  # everyone can write in direct messages
    theirs, in_thread = interaction.permissions, isinstance(interaction.channel, discord.Thread)
    if not (theirs.send_messages_in_threads if in_thread else theirs.send_messages):
        raise Refused("write_rights")


def is_among(interaction: Interaction, who: Permitted, role: int) -> bool:
    """Return whether this person belongs to a group that the server chose, or may manage messages."""
    if who == "everybody" or interaction.guild_id is None or interaction.permissions.manage_messages:
        return True
    user = interaction.user
    return who == "role" and isinstance(user, discord.Member) and user.get_role(role) is not None


# -- who may press it -----------------------------------------------------------------------------


async def _must_moderate(answer: Answer, _thing: object) -> None:
    if not moderates(answer.interaction, answer.interaction.guild_id):
        raise Refused("moderators_only")


async def _must_write(answer: Answer, _thing: object) -> None:
    must_write(answer.interaction)


async def _must_share(answer: Answer, _thing: object) -> None:
    interaction = answer.interaction
    must_write(interaction)
    if interaction.guild_id is None:
        return
    in_thread = isinstance(interaction.channel, discord.Thread)
    if interaction.is_user_integration() and not interaction.is_guild_integration():
        if not interaction.permissions.use_external_apps:
            raise Refused("share_external")
    elif missing := missing_permissions(interaction.app_permissions, in_thread=in_thread):
        raise MissingPermissions(missing)


async def _must_manage_channel(answer: Answer, _thing: object) -> None:
    if not home_channel(answer.interaction) or not manages_channel(answer.interaction):
        raise Refused("settings_rights")


async def _must_manage_server(answer: Answer, _thing: object) -> None:
    if not manages_server(answer.interaction):
        raise Refused("server_rights")


def manages_channel(interaction: Interaction) -> bool:
    """Return whether this person may change the settings of the channel."""
    return interaction.guild_id is not None and interaction.permissions.manage_channels


def manages_server(interaction: Interaction) -> bool:
    """Return whether this person may change the settings of the server."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


MODERATOR = Who(_must_moderate)
"""People who may manage messages in this server. Do not combine it with `HAND`, which is in no server."""
WRITER = Who(_must_write)
"""People who may send messages in this channel or thread."""
SHARER = Who(_must_share)
"""People who may send messages here, if the bot may show pictures."""
CHANNEL_MANAGER = Who(_must_manage_channel)
"""People who may change the settings of this channel."""
SERVER_MANAGER = Who(_must_manage_server)
"""People who may change the settings of this server."""
