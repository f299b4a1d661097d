"""/learn: the guided first games."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot import presenters
from bot.features.lessons.handlers import learn as take_up
from bot.features.lessons.handlers import list_lessons
from bot.features.lessons.service import lessons
from bot.locales import words
from bot.ui.commands.game_option import known_game, offer
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the command on the tree."""
    taught = dict.fromkeys(each.game for each in lessons().values())
    tree.add_command(offer(learn, filter(presenters.offers, taught)))


@app_commands.command(name="learn", description=say("command.learn"))
@app_commands.describe(game=say("command.learn_game"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def learn(interaction: discord.Interaction[Any], game: str = "") -> None:
    """Go on with the lesson of a game, or show how far one is in all of them."""
    answer = Answer.to(interaction)
    if game:
        await take_up(answer, known_game(game))
    else:
        await list_lessons(answer)
