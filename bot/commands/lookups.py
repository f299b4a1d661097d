"""/card, /cards, /periodic, /rules: looking things up, also in direct messages."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot import presenters
from bot.locales import words
from bot.render.scene import Look
from bot.tables.ports import Refused
from bot.views.board import rules_message
from bot.views.elements import periodic_message
from bot.views.lookup import browser, card_key, card_message, find, search
from bot.views.parts import clip
from bot.views.router import Answer
from engine import catalog

say = words("en")
GAMES = [app_commands.Choice(name=presenters.get(key).title("en"), value=key) for key in catalog.listed()]


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands on the tree."""
    tree.add_command(card)
    tree.add_command(cards)
    tree.add_command(periodic)
    tree.add_command(rules)


@app_commands.command(name="card", description=say("command.card"))
@app_commands.describe(name=say("command.card_name"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def card(interaction: discord.Interaction[Any], name: str) -> None:
    """Show one card."""
    answer = Answer(interaction)
    await answer.private(card_message(answer, find(name, answer.locale)))


@card.autocomplete("name")
async def _names(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    locale = interaction.locale.value
    return [
        app_commands.Choice(name=clip(_line(found.card.title, found.card.tags), 100), value=card_key(found))
        for found in search(current, locale)
    ]


def _line(title: str, tags: tuple[str, ...]) -> str:
    return f"{title} · {', '.join(tags)}" if tags else title


def _game(key: str | None) -> str:
    if key is None:
        return catalog.listed()[0]
    if key not in catalog.listed():
        names = ", ".join(presenters.get(each).title("en") for each in catalog.listed())
        raise Refused("unknown_game", name=key[:50], games=names)
    return key


@app_commands.command(name="cards", description=say("command.cards"))
@app_commands.describe(game=say("command.which_game"))
@app_commands.choices(game=GAMES)
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def cards(interaction: discord.Interaction[Any], game: str | None = None) -> None:
    """Browse the cards of a game by power."""
    answer = Answer(interaction)
    await answer.private(browser(answer, _game(game)))


@app_commands.command(name="periodic", description=say("command.periodic"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def periodic(interaction: discord.Interaction[Any]) -> None:
    """The periodic table; choosing an element zooms in."""
    answer = Answer(interaction)
    await answer.private(periodic_message(Look(locale=answer.locale)))


@app_commands.command(name="rules", description=say("command.rules"))
@app_commands.describe(game=say("command.which_game"))
@app_commands.choices(game=GAMES)
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def rules(interaction: discord.Interaction[Any], game: str | None = None) -> None:
    """The rules of a game; in a channel with a table of it, the page of its level first."""
    answer = Answer(interaction)
    key = _game(game)
    here = [t for t in answer.hall.in_channel(interaction.channel_id or 0) if t.game.key == key]
    await answer.private(rules_message(key, answer.locale, 0, table=here[0] if here else None))
