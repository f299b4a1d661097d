"""/puzzle: find the best move."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot import presenters
from bot.commands.games import known_game, offer
from bot.locales import words
from bot.tables.puzzles import puzzled
from bot.views.context import Answer
from bot.views.presses.puzzle import list_puzzles, pose

say = words("en")


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the command on the tree."""
    tree.add_command(offer(puzzle, filter(presenters.offers, puzzled())))


@app_commands.command(name="puzzle", description=say("command.puzzle"))
@app_commands.describe(game=say("command.puzzle_game"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def puzzle(interaction: discord.Interaction[Any], game: str = "") -> None:
    """Pose the next puzzle of a game, or show how one stands in all of them."""
    answer = Answer.to(interaction)
    if game:
        await pose(answer, known_game(game))
    else:
        await list_puzzles(answer)
