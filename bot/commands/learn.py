"""/learn: the guided first games."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot import presenters
from bot.commands.games import known_game, offer
from bot.locales import words
from bot.tables.lessons import lessons
from bot.views.context import Answer
from bot.views.presses.learn import learn as take_up
from bot.views.presses.learn import list_lessons

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
