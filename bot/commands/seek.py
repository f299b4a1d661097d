"""/seek: open a lobby and look for people to play."""

from __future__ import annotations

from discord import app_commands

from bot.commands.games import known_game, offer
from bot.commands.offering_rules import offer_rules
from bot.locales import words
from bot.views.app import Connected, Interaction
from bot.views.context import Answer
from bot.views.presses.house_rules import rules_asked
from bot.views.presses.seek import look_for_people

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(offer(seek))


@app_commands.command(name="seek", description=say("command.seek"))
@app_commands.describe(game=say("command.seek_game"), rules=say("command.play_rules"))
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
async def seek(interaction: Interaction, game: str = "", rules: str = "") -> None:
    """Open a lobby to which whoever wants that is called, by house rules where some are named."""
    answer, key = Answer.to(interaction), known_game(game) if game else ""
    await look_for_people(answer, key, await rules_asked(answer, key, rules) if rules else None)


offer_rules(seek)
