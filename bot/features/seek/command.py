"""/games: what is open here; /seek: open a lobby and look for people to play."""

from __future__ import annotations

from discord import app_commands

from bot.features.house_rules.rules_option import offer_rules, rules_asked
from bot.features.seek.games_handlers import games_message
from bot.features.seek.handlers import look_for_people
from bot.locales import words
from bot.ui.app import Connected, Interaction
from bot.ui.commands.game_option import known_game, offer
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the commands on the tree."""
    tree.add_command(games)
    tree.add_command(offer(seek))


@app_commands.command(name="games", description=say("command.games"))
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
async def games(interaction: Interaction) -> None:
    """The tables that are open in this server."""
    answer = Answer.to(interaction)
    await answer.private(await games_message(answer))


@app_commands.command(name="seek", description=say("command.seek"))
@app_commands.describe(game=say("command.seek_game"), rules=say("command.play_rules"))
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
async def seek(interaction: Interaction, game: str = "", rules: str = "") -> None:
    """Open a lobby to which whoever wants that is called, by house rules where some are named."""
    answer, key = Answer.to(interaction), known_game(game) if game else ""
    await look_for_people(answer, key, await rules_asked(answer, key, rules) if rules else None)


offer_rules(seek)
