"""The games as commands name them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from discord import app_commands

from bot import presenters
from bot.tables.ports import Refused, Titles
from bot.ui.commands.command_translations import choice
from engine import catalog


def offer(command: Any, games: Iterable[str] | None = None) -> Any:
    """Let a command's option `game` have these games, or all that are offered, as its choices."""
    keys = presenters.offered() if games is None else games
    choices = [choice(f"{key}.title", key, presenters.get(key).title("en")) for key in keys]
    # who types "Atom" means Atom, and takes the first line
    return app_commands.choices(game=sorted(choices, key=lambda each: each.name))(command)


def known_game(key: str) -> str:
    """The key, if there is such a game.

    Raises:
        Refused: there is none; the words name those that there are.
        NoPresenter: there is, but not here.
    """
    if key not in catalog.listed():
        raise Refused("unknown_game", name=key[:50], games=Titles(tuple(presenters.offered())))
    return presenters.get(key).key
