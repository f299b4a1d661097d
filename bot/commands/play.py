"""/play: open a table."""

from __future__ import annotations

from discord import app_commands

from bot.commands.completing import Choices, completes
from bot.commands.games import known_game, offer
from bot.commands.options import LONGEST
from bot.locales import words
from bot.presenters import title as title_of
from bot.presenters.voice import clipped
from bot.store.house_rules import folded
from bot.tables.ports import Refused
from bot.views.app import Connected, Interaction
from bot.views.context import Answer
from bot.views.house_rules import differing, playable
from bot.views.local import games_of, server_here
from bot.views.names import plain
from bot.views.poster import poster_message
from bot.views.presses.house_rules import open_by, rules_here
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
        await _by(answer, known_game(game) if game else "", rules)
    elif game:
        await open_lobby(answer, known_game(game), options={})
    else:
        await answer.private(poster_message(answer.locale, games_of(await server_here(answer))))


async def _by(answer: Answer, game: str, typed: str) -> None:
    """Open a lobby by the house rules of this number or name.

    Raises:
        Refused: there are none in this channel, or they are of another game than was asked for.
    """
    every = [
        each
        for each in await rules_here(answer)
        if typed == str(each.id) or folded(typed) == folded(each.name)
    ]
    of_game = [each for each in every if game in ("", each.game)]
    if not every:
        raise Refused("no_house_rules")
    if not of_game:
        other = title_of(every[0].game, answer.locale)
        raise Refused("house_rules_other", name=every[0].name, game=other)
    await open_by(answer, of_game[0])


@completes("rules", play)
async def _rules_here(answer: Answer, current: str) -> Choices:
    """The house rules of this channel that can be played, of the game that is filled in if one is."""
    game, wanted = answer.interaction.namespace.game or "", folded(current)
    choices = []
    for each in await rules_here(answer):
        options = playable(each)
        if options is None or game not in ("", each.game) or wanted not in folded(each.name):
            continue
        title, differs = title_of(each.game, answer.locale), differing(each.game, options, answer.locale)
        name = clipped(f"{plain(each.name, LONGEST)} · {title} · {differs}", LONGEST)
        choices.append(app_commands.Choice(name=name, value=str(each.id)))
    return choices
