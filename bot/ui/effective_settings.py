"""The effective settings at a place: those of the channel override those of its server."""

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
    """Return the id of the channel whose settings apply, or 0. For a thread that is its parent channel."""
    channel = interaction.channel
    home = channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id
    return home or 0


async def server_here(answer: Answer) -> Server:
    """Return the settings of this server, or the defaults in direct messages.

    Deleted channels and roles do not count.
    """
    return existing(await stored_here(answer), answer.interaction.guild)


async def stored_here(answer: Answer) -> Server:
    """Return this server's settings as they were chosen, or the defaults in direct messages."""
    guild_id = answer.interaction.guild_id
    return await answer.app.preferences.servers.of(guild_id) if guild_id is not None else Server()


def existing(server: Server, guild: discord.Guild | None) -> Server:
    """Return a server's settings with deleted channels and roles reset to the defaults."""
    missing = deleted(server, guild)
    if not missing:
        return server
    changes: dict[str, object] = {
        "channels": tuple(each for each in server.channels if each not in missing.get("channels", ()))
    }
    if "open_role" in missing:
        changes |= {"open_by": Server().open_by, "open_role": 0}
    if "close_role" in missing:
        changes |= {"close_by": Server().close_by, "close_role": 0}
    if "seek_role" in missing:
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
    missing_roles = {key: (role,) for key, role in roles.items() if role and guild.get_role(role) is None}
    return ({"channels": channels} if channels else {}) | missing_roles


async def opening_here(answer: Answer) -> Opening:
    """Return the defaults for new tables in this channel."""
    if answer.interaction.guild_id is None:
        return Opening()
    channel = await answer.app.preferences.openings.of(home_channel(answer.interaction))
    return channel.before(await server_here(answer))


def switch_line(say: Words, name: str, note: str, verb: str, *args: object, on: bool) -> TextWithButton:
    """Return the line of an on/off setting, with the button that switches it.

    The last argument of the button is the new state, "yes" or "no".
    """
    style = ButtonStyle.success if on else ButtonStyle.secondary
    label = say("settings.on" if on else "settings.off")
    return TextWithButton(
        say("settings.line", name=name, note=note),
        button(label, verb, *args, "no" if on else "yes", style=style),
    )


async def public_locale(answer: Answer) -> str:
    """Return the language of public messages here: the chosen one, or the server's according to Discord.

    In direct messages it is the person's language.
    """
    chosen = (await opening_here(answer)).locale
    if chosen is not None:
        return chosen
    guild_locale = answer.interaction.guild_locale
    return guild_locale.value if guild_locale is not None else answer.locale


def games_of(server: Server) -> tuple[str, ...]:
    """Return the games that may be opened in this server, or all games if it chose none that can be
    played."""
    offered = presenters.offered()
    return tuple(game for game in offered if game in server.games) or offered
