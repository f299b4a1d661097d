"""One module per game: its words and its pictures. A presenter is found by the key of its game."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from bot.presenters.base import Presenter

PACKAGE = "bot.presenters"
ELSEWHERE: dict[str, str] = {}
"""Presenters that live outside this package, such as that of the tests' probe game."""


@cache
def get(game: str) -> Presenter:
    """The presenter of a game.

    Raises:
        ModuleNotFoundError: the game has none, which a test forbids.
    """
    presenter: Presenter = import_module(ELSEWHERE.get(game, f"{PACKAGE}.{game}")).PRESENTER
    return presenter
