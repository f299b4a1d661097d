"""/help, /settings and /about: what one can do here, how one likes it, and to whom it is owed."""

from __future__ import annotations

import discord
from discord import app_commands

from bot import presenters
from bot.locales import words
from bot.views import ids
from bot.views.app import Connected, Interaction
from bot.views.components import button, page
from bot.views.context import Answer
from bot.views.presses.settings import settings_message
from engine import catalog, ladder

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the commands on the tree."""
    tree.add_command(help_)
    tree.add_command(settings)
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


@app_commands.command(name="about", description=say("command.about"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def about(interaction: Interaction) -> None:
    """The makers of each game."""
    answer = Answer.to(interaction)
    credits_ = [presenters.get(key).about(answer.locale) for key in presenters.offered()]
    texts = (answer.say("about.text"), "\n\n".join(credits_), _strength(answer.locale))
    await answer.private(page(*filter(None, texts)))


def _strength(locale: str) -> str:
    """How strong the computer opponents of each game are, where enough games were played to say so."""
    speak, lines = words(locale), []
    for key in presenters.offered():
        game, presenter = catalog.get(key), presenters.get(key)
        won = {level: ladder.of_hundred(game, level) for level in game.levels}
        told = [
            speak("about.level", level=presenter.level(level, locale).capitalize(), n=n)
            for level, n in won.items()
            if n is not None
        ]
        if told:
            lines.append(speak("about.levels", title=presenter.title(locale), levels=", ".join(told)))
    return "\n".join([speak("about.opponents"), *lines]) if lines else ""
