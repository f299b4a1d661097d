"""/help and /about: what the bot can do, and who made the games."""

from __future__ import annotations

from discord import app_commands

from bot.features.about.messages import about_message
from bot.locales import words
from bot.ui import slots
from bot.ui.app import Connected, Interaction
from bot.ui.components import page
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers

say = words("en")
handlers = Handlers[Pressed]()


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the commands on the tree."""
    tree.add_command(help_)
    tree.add_command(about)


@app_commands.command(name="help", description=say("command.help"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def help_(interaction: Interaction) -> None:
    """Show what the bot can do."""
    answer = Answer.to(interaction)
    await answer.private(page(answer.say("help.text"), slots.HELP.controls(answer.say, None)))


@app_commands.command(name="about", description=say("command.about"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def about(interaction: Interaction) -> None:
    """Show who made the games."""
    answer = Answer.to(interaction)
    await answer.private(about_message(answer.locale))


@handlers.on("about-game")
async def _game(pressed: Pressed) -> None:
    """Show who made the chosen game."""
    await pressed.turn(about_message(pressed.locale, pressed.chosen_game()))
