"""/games, /leaderboard, /stats, /achievements: what is going on, and who is good at it."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.games import known_game, offer
from bot.commands.translating import choice
from bot.locales import words
from bot.store.rating import ALL_TIME
from bot.views.app import Connected, Interaction
from bot.views.context import Answer
from bot.views.presses.achievements import achievements_message
from bot.views.presses.lookup import game_here
from bot.views.presses.standings import (
    Scope,
    games_message,
    leaderboard_message,
    played_scope,
    seasons,
    stats_message,
)

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the commands on the tree."""
    tree.add_command(games)
    tree.add_command(offer(leaderboard))
    tree.add_command(stats)
    tree.add_command(offer(achievements))


@app_commands.command(name="games", description=say("command.games"))
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
async def games(interaction: Interaction) -> None:
    """The tables that are open in this server."""
    answer = Answer.to(interaction)
    await answer.private(await games_message(answer))


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
    this, last, *_ = seasons(answer.tables.clock.now())
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


@app_commands.command(name="achievements", description=say("command.achievements"))
@app_commands.describe(person=say("command.person"), game=say("command.which_game"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def achievements(
    interaction: Interaction, person: discord.User | None = None, game: str | None = None
) -> None:
    """What a person has achieved in a game."""
    answer = Answer.to(interaction)
    found = known_game(game or await game_here(answer))
    await answer.private(await achievements_message(answer, person or interaction.user, found))
