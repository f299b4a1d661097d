"""Block, on a person: asks first, and offers to unblock."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.core.errors import Refused
from bot.features.blocking.handlers import block_message
from bot.locales import words
from bot.ui.app import Connected, Interaction
from bot.ui.context import Answer


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(block)


@app_commands.context_menu(name=words("en")("block.name"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def block(interaction: Interaction, person: discord.User) -> None:
    """Ask whether to block a person, or to unblock them."""
    answer = Answer.to(interaction)
    if person.id == answer.user_id:
        raise Refused("block_self")
    if person.bot:
        raise Refused("block_bot")
    await answer.private(await block_message(answer, person.id))
