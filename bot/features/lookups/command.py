"""/card, /cards, /periodic, /rules: looking things up, also in direct messages."""

from __future__ import annotations

from discord import app_commands

from bot import presenters
from bot.features.lookups.card_search import FoundCard, card_key, find, namesakes, search
from bot.features.lookups.elements_handlers import periodic_message
from bot.features.lookups.messages import browser, card_message, in_view
from bot.features.lookups.rules_handlers import show_rules
from bot.features.table import game_here, games_here
from bot.locales import words
from bot.presenters.voice import clipped
from bot.render.scene import Look
from bot.ui.app import Connected, Interaction
from bot.ui.commands.autocomplete import Choices, completes
from bot.ui.commands.game_option import known_game, offer
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the commands on the tree."""
    tree.add_command(card)
    tree.add_command(offer(cards))
    tree.add_command(periodic)
    tree.add_command(offer(rules))


@app_commands.command(name="card", description=say("command.card"))
@app_commands.describe(name=say("command.card_name"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def card(interaction: Interaction, name: str) -> None:
    """Show one card."""
    answer = Answer.to(interaction)
    found = find(name, answer.locale, await games_here(answer))
    await answer.private(await card_message(answer, found, namesakes(name, answer.locale, found)))


@completes("name", card)
async def _names(answer: Answer, current: str) -> Choices:
    locale, at_hand = answer.locale, await games_here(answer)
    found = search(current, locale, first=at_hand)
    listed = found if current.strip() else [*await in_view(answer), *found]
    return [
        app_commands.Choice(name=clipped(_line(found, locale), 100), value=key)
        for key, found in {card_key(each): each for each in listed}.items()
    ]


def _line(found: FoundCard, locale: str) -> str:
    """A card with its game, and with what it is browsed by."""
    game = presenters.get(found.game).title(locale)
    return " · ".join(
        filter(None, (found.card.title, game, words(locale)("table.comma").join(found.card.tags)))
    )


@app_commands.command(name="cards", description=say("command.cards"))
@app_commands.describe(game=say("command.which_game"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def cards(interaction: Interaction, game: str | None = None) -> None:
    """Browse the cards of a game by power."""
    answer = Answer.to(interaction)
    await answer.private(browser(answer, known_game(game or await game_here(answer))))


@app_commands.command(name="periodic", description=say("command.periodic"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def periodic(interaction: Interaction) -> None:
    """The periodic table; choosing an element zooms in."""
    answer = Answer.to(interaction)
    await answer.private(periodic_message(Look(locale=answer.locale)))


@app_commands.command(name="rules", description=say("command.rules"))
@app_commands.describe(game=say("command.which_game"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def rules(interaction: Interaction, game: str | None = None) -> None:
    """The rules of a game; in a channel with a table of it, the page of its level first."""
    answer = Answer.to(interaction)
    await show_rules(answer, known_game(game or await game_here(answer)))
