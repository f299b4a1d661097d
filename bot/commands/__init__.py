"""Slash commands, one module per group."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.commands import (
    about,
    boards,
    daily,
    hands,
    learn,
    lookups,
    play,
    puzzle,
    replay,
    tables,
    tournaments,
    verify,
)
from bot.views.app import Connected
from bot.views.context import Answer
from bot.views.router import explain, gate, refuse


class Tree(app_commands.CommandTree[Connected]):
    """The commands of the bot; whatever fails in one gets words."""

    async def interaction_check(self, interaction: Any, /) -> bool:
        """Let nothing begin while the bot stops, or for somebody in too much of a hurry."""
        if interaction.type is discord.InteractionType.autocomplete:
            interaction.client.note_press()
            return True  # it changes nothing, and what fails in one offers nothing
        if closed := gate(interaction):
            await refuse(Answer.to(interaction), closed)
        else:
            await interaction.client.app.preferences.of(interaction.user.id)
        return not closed

    async def on_error(self, interaction: Any, error: app_commands.AppCommandError, /) -> None:
        """Say what went wrong, never a traceback."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await explain(Answer.to(interaction), cause)


def add_all(tree: Tree) -> None:
    """Put every command on the tree."""
    for module in (
        play,
        learn,
        puzzle,
        daily,
        replay,
        hands,
        lookups,
        boards,
        tables,
        tournaments,
        verify,
        about,
    ):
        module.add(tree)
