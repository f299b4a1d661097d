"""/leaderboard and /stats: who is good at a game."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.features.stats.handlers import (
    Scope,
    leaderboard_message,
    played_scope,
    seasons,
    stats_message,
)
from bot.features.table import game_here
from bot.locales import words
from bot.store.rating_model import ALL_TIME
from bot.ui.app import Connected, Interaction
from bot.ui.commands.command_translations import choice
from bot.ui.commands.game_option import known_game, offer
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the commands on the tree."""
    tree.add_command(offer(leaderboard))
    tree.add_command(stats)


@app_commands.command(name="leaderboard", description=say("command.leaderboard"))
@app_commands.describe(
    game=say("command.which_game"), scope=say("command.scope"), season=say("command.season")
)
@app_commands.choices(
    scope=[
        choice("board.here", "server"),
        choice("board.everywhere", "all"),
    ],
    season=[
        choice("board.all_time", "all"),
        choice("board.this_season", "now"),
        choice("board.last_season", "last"),
    ],
)
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def leaderboard(
    interaction: Interaction, game: str | None = None, scope: str = "server", season: str = "all"
) -> None:
    """The best people of a game."""
    answer = Answer.to(interaction)
    this, last, *_ = seasons(answer.app.clock.now())
    chosen = {"now": this, "last": last}.get(season, ALL_TIME)
    found = known_game(game or await game_here(answer))
    asked = await played_scope(answer, found, Scope(scope == "all", chosen))
    await answer.private(await leaderboard_message(answer, found, asked))


@app_commands.command(name="stats", description=say("command.stats"))
@app_commands.describe(person=say("command.person"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def stats(interaction: Interaction, person: discord.User | None = None) -> None:
    """How a person has done, game by game."""
    answer = Answer.to(interaction)
    await answer.private(await stats_message(answer, person or interaction.user))
