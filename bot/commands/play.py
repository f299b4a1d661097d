"""/play: open a table."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot import presenters
from bot.locales import words
from bot.tables.ports import Refused
from bot.views.opening import open_lobby
from bot.views.router import Answer
from engine import catalog

say = words("en")


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the command on the tree."""
    tree.add_command(play)


@app_commands.command(name="play", description=say("command.play"))
@app_commands.describe(game=say("command.play_game"))
@app_commands.choices(
    game=[app_commands.Choice(name=presenters.get(key).title("en"), value=key) for key in catalog.listed()]
)
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def play(interaction: discord.Interaction[Any], game: str) -> None:
    """Open a lobby in this channel."""
    if game not in catalog.listed():
        names = ", ".join(presenters.get(key).title("en") for key in catalog.listed())
        raise Refused("unknown_game", name=game[:50], games=names)
    await open_lobby(Answer(interaction), game, options={}, terms={})
