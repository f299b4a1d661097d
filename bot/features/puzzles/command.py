"""/puzzle: find the best move."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot import presenters
from bot.features.puzzles.handlers import list_puzzles, pose
from bot.features.puzzles.service import puzzled
from bot.locales import words
from bot.ui.commands.game_option import known_game, offer
from bot.ui.context import Answer

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
