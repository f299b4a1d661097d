"""/daily: the deal of the day."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.features.daily.handlers import day_message, list_days
from bot.locales import words
from bot.ui.commands.game_option import known_game, offer
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the command on the tree."""
    tree.add_command(offer(daily))


@app_commands.command(name="daily", description=say("command.daily"))
@app_commands.describe(game=say("command.daily_game"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def daily(interaction: discord.Interaction[Any], game: str = "") -> None:
    """Show today's deal of a game with its board, or all games."""
    answer = Answer.to(interaction)
    await answer.private(await (day_message(answer, known_game(game)) if game else list_days(answer)))
