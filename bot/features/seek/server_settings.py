"""The role that /seek calls, among the settings of a server."""

from __future__ import annotations

import discord
from discord import ui
from msgspec.structs import replace

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.settings.server_handlers import who_message
from bot.store.servers import Server
from bot.ui.components import Control
from bot.ui.context import Answer, Pressed
from bot.ui.effective_settings import server_here
from bot.ui.handlers import Handlers
from bot.ui.rights import SERVER_MANAGER

handlers = Handlers[Pressed]()


async def role_lines(answer: Answer) -> list[str | list[Control]]:
    """Return the setting with the menu that changes it."""
    server, say = await server_here(answer), answer.say
    role = server.seek_role
    return [
        say("server.seek_line", who=f"<@&{role}>" if role else say("server.nobody")),
        [_seek_menu(answer, server)],
    ]


def _seek_menu(answer: Answer, server: Server) -> Control:
    """The role that /seek calls, or none."""
    guild, role = answer.interaction.guild, server.seek_role
    there = guild is not None and guild.get_role(role) is not None
    return ui.RoleSelect(
        custom_id=ids.make("server-seek"),
        placeholder=answer.say("server.seek_menu"),
        min_values=0,
        required=False,
        default_values=[discord.SelectDefaultValue(id=role, type=discord.SelectDefaultValueType.role)]
        if there
        else [],
    )


@handlers.on("server-seek", who=SERVER_MANAGER)
async def _seek(pressed: Pressed) -> None:
    """Mention this role below each call of `/seek`; it is never @everyone."""
    if not all(value.isdecimal() for value in pressed.values) or len(pressed.values) > 1:
        raise ids.InvalidCustomId(str(pressed.values))
    role = int(pressed.values[0]) if pressed.values else 0
    if role == pressed.interaction.guild_id:
        raise Refused("seek_everybody")
    servers = pressed.app.preferences.servers
    await servers.change(pressed.interaction.guild_id or 0, lambda server: replace(server, seek_role=role))
    await pressed.turn(await who_message(pressed))
