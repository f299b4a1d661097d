"""/help, /settings, /privacy and /about: what one can do here, how one likes it, what is kept of one, and to
whom it is owed."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.locales import words
from bot.views import ids
from bot.views.about import about_message
from bot.views.app import Connected, Interaction
from bot.views.components import button, page
from bot.views.context import Answer
from bot.views.presses.privacy import privacy_message
from bot.views.presses.settings import settings_message

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the commands on the tree."""
    tree.add_command(help_)
    tree.add_command(settings)
    tree.add_command(privacy)
    tree.add_command(about)


@app_commands.command(name="help", description=say("command.help"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def help_(interaction: Interaction) -> None:
    """What one can do."""
    answer = Answer.to(interaction)
    ways = [
        button(answer.say("help.play"), ids.make("poster"), style=discord.ButtonStyle.success),
        button(answer.say("help.learn"), ids.make("lessons")),
        button(answer.say("help.settings"), ids.make("settings")),
    ]
    await answer.private(page(answer.say("help.text"), ways))


@app_commands.command(name="settings", description=say("command.settings"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def settings(interaction: Interaction) -> None:
    """What one prefers to see, and how one is called."""
    answer = Answer.to(interaction)
    await answer.private(settings_message(answer))


@app_commands.command(name="privacy", description=say("command.privacy"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def privacy(interaction: Interaction) -> None:
    """What is kept about one, to take along or to have deleted."""
    answer = Answer.to(interaction)
    await answer.private(await privacy_message(answer))


@app_commands.command(name="about", description=say("command.about"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def about(interaction: Interaction) -> None:
    """The makers of the games."""
    answer = Answer.to(interaction)
    await answer.private(about_message(answer.locale))
