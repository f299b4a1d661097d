"""The list of games; the only file that knows them all."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from engine.game import AnyGame

PACKAGES = {
    "atom_duel": "engine.atom_duel",
    "atom": "engine.atom",
    "chemistry_battle": "engine.chemistry.battle",
    "compound_capture": "engine.chemistry.capture",
    "canasta": "engine.chemistry.canasta",
    "duel52": "engine.duel52",
    "molecular": "engine.molecular",
}
"""Where each game lives; its package exports `GAME`."""


class UnknownGame(LookupError):
    """There is no game of that key; the message lists those there are."""


def listed() -> tuple[str, ...]:
    """The keys of all games, in the order in which lists show them."""
    return tuple(PACKAGES)


@cache
def get(key: str) -> AnyGame:
    """The game of this key, by its present rules; `Game.at` has the earlier ones.

    >>> get("duel52").title
    'Duel 52'

    Raises:
        UnknownGame: there is none.
    """
    if key not in PACKAGES:
        raise UnknownGame(f"no game is called {key!r}; there are: {', '.join(PACKAGES)}")
    game: AnyGame = import_module(PACKAGES[key]).GAME
    return game
