"""/achievements: what a person has achieved in a game."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.features.achievements.handlers import achievements_message
from bot.features.table import game_here
from bot.locales import words
from bot.ui.app import Connected, Interaction
from bot.ui.commands.game_option import known_game, offer
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(offer(achievements))


@app_commands.command(name="achievements", description=say("command.achievements"))
@app_commands.describe(person=say("command.person"), game=say("command.which_game"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def achievements(
    interaction: Interaction, person: discord.User | None = None, game: str | None = None
) -> None:
    """What a person has achieved in a game."""
    answer = Answer.to(interaction)
    found = known_game(game or await game_here(answer))
    await answer.private(await achievements_message(answer, person or interaction.user, found))
