"""/play: open a table."""

from __future__ import annotations

from discord import app_commands

from bot.commands.games import known_game, offer
from bot.commands.offering_rules import offer_rules
from bot.locales import words
from bot.views.app import Connected, Interaction
from bot.views.context import Answer
from bot.views.local import games_of, server_here
from bot.views.poster import poster_message
from bot.views.presses.house_rules import open_by, rules_asked
from bot.views.presses.opening import open_lobby

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(offer(play))


@app_commands.command(name="play", description=say("command.play"))
@app_commands.describe(game=say("command.play_game"), rules=say("command.play_rules"))
# a table needs the bot in the room: in other servers and in group messages it could only refuse
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
async def play(interaction: Interaction, game: str = "", rules: str = "") -> None:
    """Open a lobby in this channel, by house rules where some are named, or show the games to choose from."""
    answer = Answer.to(interaction)
    if rules:
        await open_by(answer, await rules_asked(answer, known_game(game) if game else "", rules))
    elif game:
        await open_lobby(answer, known_game(game), options={})
    else:
        await answer.private(poster_message(answer.locale, games_of(await server_here(answer))))


offer_rules(play)
