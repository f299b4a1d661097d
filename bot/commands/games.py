"""The games as commands name them."""

from __future__ import annotations

from discord import app_commands

from bot import presenters
from bot.tables.ports import Refused
from engine import catalog

TITLES = {key: presenters.get(key).title("en") for key in catalog.listed()}
"""The title of each game by its key, in the order of the catalog."""
GAMES = [app_commands.Choice(name=title, value=key) for key, title in TITLES.items()]


def known_game(key: str) -> str:
    """The key, if there is such a game.

    Raises:
        Refused: there is none; the words name those that there are.
    """
    if key not in TITLES:
        raise Refused("unknown_game", name=key[:50], games=", ".join(TITLES.values()))
    return key
