"""/play: open a table."""

from __future__ import annotations

from discord import app_commands

from bot.features.house_rules.handlers import open_by
from bot.features.house_rules.rules_option import offer_rules, rules_asked
from bot.features.play.handlers import open_lobby_for, show_poster
from bot.features.play.opening import plays_in_hand
from bot.locales import words
from bot.ui.app import Connected, Interaction
from bot.ui.commands.game_option import known_game, offer
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(offer(play))


@app_commands.command(name="play", description=say("command.play"))
@app_commands.describe(
    game=say("command.play_game"), rules=say("command.play_rules"), friendly=say("command.play_friendly")
)
# a table needs the bot in the room: in other servers and in group messages it could only refuse
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
async def play(
    interaction: Interaction, game: str = "", rules: str = "", friendly: bool | None = None
) -> None:
    """Open a lobby in this channel, by house rules where some are named, or show the games to choose from."""
    answer = Answer.to(interaction)
    if rules:
        asked = await rules_asked(answer, known_game(game) if game else "", rules)
        counting = (answer.user_id,) if friendly is False else ()
        await open_by(answer, asked, friendly=bool(friendly), counting=counting)
    elif game and friendly is None and plays_in_hand(answer):
        await show_poster(answer, known_game(game))  # a lobby would be posted
    elif game:
        await open_lobby_for(answer, known_game(game), friendly)
    else:
        await show_poster(answer, friendly=friendly)


offer_rules(play)
