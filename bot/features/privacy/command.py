"""/privacy: what is stored about a person, to take along or to have deleted."""

from __future__ import annotations

from discord import app_commands

from bot.features.privacy.handlers import privacy_message
from bot.locales import words
from bot.ui.app import Connected, Interaction
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(privacy)


@app_commands.command(name="privacy", description=say("command.privacy"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def privacy(interaction: Interaction) -> None:
    """What is kept about one, to take along or to have deleted."""
    answer = Answer.to(interaction)
    await answer.private(await privacy_message(answer))
