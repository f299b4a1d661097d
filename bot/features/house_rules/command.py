"""/houserules: the house rules of this channel."""

from __future__ import annotations

from discord import app_commands

from bot.features.house_rules.handlers import show_all
from bot.locales import words
from bot.ui.app import Connected, Interaction
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(houserules)


@app_commands.command(name="houserules", description=say("command.houserules"))
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
async def houserules(interaction: Interaction) -> None:
    """Show what the house rules of this channel make different; from there they are looked after."""
    await show_all(Answer.to(interaction))
