"""The `game` option of commands, and the default game if it is empty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from discord import app_commands

from bot import presenters
from bot.core.errors import Refused, Titles
from bot.store import queries
from bot.ui.commands.command_translations import choice
from bot.ui.context import Answer
from bot.ui.effective_settings import games_of, server_here
from engine import catalog


def offer(command: Any, games: Iterable[str] | None = None) -> Any:
    """Give a command's `game` option these games, or all that are offered, as choices."""
    keys = presenters.offered() if games is None else games
    choices = [choice(f"{key}.title", key, presenters.get(key).title("en")) for key in keys]
    # sorted, because a player who types "Atom" and takes the first line means Atom
    return app_commands.choices(game=sorted(choices, key=lambda each: each.name))(command)


def known_game(key: str) -> str:
    """Return the key if it names a game.

    Raises:
        Refused: it does not; the message lists the games.
        NoPresenter: the game exists, but is not offered here.
    """
    if key not in catalog.listed():
        raise Refused("unknown_game", name=key[:50], games=Titles(tuple(presenters.offered())))
    return presenters.get(key).key


async def usual_game(answer: Answer) -> str:
    """Return the game that the person played last if it may be opened here, else the first that may."""
    open_here = games_of(await server_here(answer))
    last = await answer.app.database.read_at_once(lambda c: queries.last_played(c, answer.user_id))
    return last[0].game if last and last[0].game in open_here else open_here[0]
