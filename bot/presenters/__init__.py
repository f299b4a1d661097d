"""One module per game: its words and its pictures. A presenter is found by the key of its game.

One that cannot be imported costs its game, not the bot: the game is not offered, and its tables rest.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from bot.locales import words
from bot.presenters.base import AnyPresenter
from engine import catalog

PACKAGE = "bot.presenters"
ELSEWHERE: dict[str, str] = {}
"""Presenters that live outside this package, such as that of the tests' probe game."""


class NoPresenter(Exception):
    """The presenter of a game cannot be imported; `error` says why."""

    def __init__(self, game: str, error: Exception) -> None:
        super().__init__(game, error)
        self.game, self.error = game, error

    def __str__(self) -> str:
        return f"its presenter cannot be imported: {type(self.error).__name__}: {self.error}"


@cache
def _imported(game: str) -> AnyPresenter | Exception:
    """The presenter of a game, or what went wrong; tried once, as a module is imported once."""
    try:
        presenter: AnyPresenter = import_module(ELSEWHERE.get(game, f"{PACKAGE}.{game}")).PRESENTER
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one game, the others are played
        return error
    return presenter


def get(game: str) -> AnyPresenter:
    """The presenter of a game.

    Raises:
        NoPresenter: it cannot be imported.
    """
    found = _imported(game)
    if isinstance(found, Exception):
        raise NoPresenter(game, found) from found
    return found


def offers(game: str) -> bool:
    """Whether a game has its words and pictures here."""
    return not isinstance(_imported(game), Exception)


def offered() -> tuple[str, ...]:
    """The games that can be played here: those of the catalog whose presenter can be imported."""
    return tuple(game for game in catalog.listed() if offers(game))


def missing() -> dict[str, Exception]:
    """What is wrong with the presenters of the other games of the catalog, by game."""
    found = {game: _imported(game) for game in catalog.listed()}
    return {game: error for game, error in found.items() if isinstance(error, Exception)}


def title(game: str, locale: str) -> str:
    """The name of a game, also of one that has no presenter here."""
    say, key = words(locale), f"{game}.title"
    return say(key) if key in say else game
