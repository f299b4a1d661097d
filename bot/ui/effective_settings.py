"""What holds where somebody presses: the settings of the channel, before those of its server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import ButtonStyle
from msgspec.structs import replace

from bot import presenters
from bot.locales import Words
from bot.store.servers import Opening, Server
from bot.ui.components import TextWithButton, button

if TYPE_CHECKING:
    from bot.ui.app import Interaction
    from bot.ui.context import Answer


def home_channel(interaction: Interaction) -> int:
    """The channel whose settings count: that of a thread is the one it belongs to; 0 for none."""
    channel = interaction.channel
    home = channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id
    return home or 0


async def server_here(answer: Answer) -> Server:
    """Return the settings that hold in this server; the defaults in direct messages.

    Deleted channels and roles do not count.
    """
    return existing(await stored_here(answer), answer.interaction.guild)


async def stored_here(answer: Answer) -> Server:
    """Return this server's settings as they were chosen; the defaults in direct messages."""
    guild_id = answer.interaction.guild_id
    return await answer.app.preferences.servers.of(guild_id) if guild_id is not None else Server()


def existing(server: Server, guild: discord.Guild | None) -> Server:
    """Return a server's settings as if what no longer exists there had never been chosen."""
    gone = deleted(server, guild)
    if not gone:
        return server
    changes: dict[str, object] = {
        "channels": tuple(each for each in server.channels if each not in gone.get("channels", ()))
    }
    if "open_role" in gone:
        changes |= {"open_by": Server().open_by, "open_role": 0}
    if "close_role" in gone:
        changes |= {"close_by": Server().close_by, "close_role": 0}
    if "seek_role" in gone:
        changes["seek_role"] = 0
    return replace(server, **changes)


def deleted(server: Server, guild: discord.Guild | None) -> dict[str, tuple[int, ...]]:
    """Return the channels and roles in a server's settings that no longer exist, by setting.

    Nothing counts as deleted while the bot does not know the server.
    """
    if guild is None or guild.unavailable:
        return {}
    channels = tuple(each for each in server.channels if guild.get_channel(each) is None)
    roles = {
        "open_role": server.open_role if server.open_by == "role" else 0,
        "close_role": server.close_role if server.close_by == "role" else 0,
        "seek_role": server.seek_role,
    }
    found = {key: (role,) for key, role in roles.items() if role and guild.get_role(role) is None}
    return ({"channels": channels} if channels else {}) | found


async def opening_here(answer: Answer) -> Opening:
    """How tables begin in this channel."""
    if answer.interaction.guild_id is None:
        return Opening()
    channel = await answer.app.preferences.openings.of(home_channel(answer.interaction))
    return channel.before(await server_here(answer))


def switch_line(say: Words, name: str, note: str, verb: str, *args: object, on: bool) -> TextWithButton:
    """Return the line of a setting that is on or off, with the button that changes it.

    Its last argument is the new state, "yes" or "no".
    """
    style = ButtonStyle.success if on else ButtonStyle.secondary
    label = say("settings.on" if on else "settings.off")
    return TextWithButton(
        say("settings.line", name=name, note=note),
        button(label, verb, *args, "no" if on else "yes", style=style),
    )


async def public_locale(answer: Answer) -> str:
    """The language in which the bot speaks to everybody here: as it is set, or as Discord says it of the
    server; in direct messages that of the person."""
    said = (await opening_here(answer)).locale
    if said is not None:
        return said
    found = answer.interaction.guild_locale
    return found.value if found is not None else answer.locale


def games_of(server: Server) -> tuple[str, ...]:
    """The games that may be opened in this server; all, where none of those that it chose can be played."""
    every = presenters.offered()
    return tuple(game for game in every if game in server.games) or every
