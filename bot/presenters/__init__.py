"""Presenters: the words and pictures of each game, one module per game, found by the game's key.

A presenter that cannot be imported disables its game, not the bot: the game is not offered, and its tables
are paused.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from bot.locales import words
from bot.presenters.base import AnyPresenter
from engine import catalog

PACKAGE = "bot.presenters"
ELSEWHERE: dict[str, str] = {}
"""Module paths of presenters outside this package, such as the tests' probe game."""


class NoPresenter(Exception):
    """The presenter of a game cannot be imported. `error` is the reason."""

    def __init__(self, game: str, error: Exception) -> None:
        super().__init__(game, error)
        self.game, self.error = game, error

    def __str__(self) -> str:
        return f"its presenter cannot be imported: {type(self.error).__name__}: {self.error}"


@cache
def _imported(game: str) -> AnyPresenter | Exception:
    """Return the presenter of a game, or the error its import raised. The import is tried only once."""
    try:
        presenter: AnyPresenter = import_module(ELSEWHERE.get(game, f"{PACKAGE}.{game}")).PRESENTER
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one game, the others are played
        return error
    return presenter


def get(game: str) -> AnyPresenter:
    """Return the presenter of a game.

    Raises:
        NoPresenter: the presenter cannot be imported.
    """
    found = _imported(game)
    if isinstance(found, Exception):
        raise NoPresenter(game, found) from found
    return found


def offers(game: str) -> bool:
    """Return whether the presenter of a game can be imported."""
    return not isinstance(_imported(game), Exception)


def offered() -> tuple[str, ...]:
    """Return the playable games: those in the catalog whose presenter can be imported."""
    return tuple(game for game in catalog.listed() if offers(game))


def missing() -> dict[str, Exception]:
    """Return the import errors of the games whose presenter failed, by game."""
    found = {game: _imported(game) for game in catalog.listed()}
    return {game: error for game, error in found.items() if isinstance(error, Exception)}


def title(game: str, locale: str) -> str:
    """Return the name of a game, even if its presenter is missing."""
    say, key = words(locale), f"{game}.title"
    return say(key) if key in say else game
