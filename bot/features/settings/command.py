"""/settings: what one prefers to see, and how one is called."""

from __future__ import annotations

from discord import app_commands

from bot.features.settings.messages import settings_message
from bot.locales import words
from bot.ui.app import Connected, Interaction
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(settings)


@app_commands.command(name="settings", description=say("command.settings"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def settings(interaction: Interaction) -> None:
    """What one prefers to see, and how one is called."""
    answer = Answer.to(interaction)
    await answer.private(settings_message(answer))
