"""The list of games; the only file that knows all of them."""

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
"""The package of each game; it exports `GAME`."""


class UnknownGame(LookupError):
    """A key that belongs to no game. The message lists the games available."""


def listed() -> tuple[str, ...]:
    """Return the keys of all games, in display order."""
    return tuple(PACKAGES)


@cache
def get(key: str) -> AnyGame:
    """Return the game with this key and the current rules; `Game.at` returns earlier versions.

    >>> get("duel52").title
    'Duel 52'

    Raises:
        UnknownGame: no game has this key.
    """
    if key not in PACKAGES:
        raise UnknownGame(f"no game is called {key!r}; there are: {', '.join(PACKAGES)}")
    game: AnyGame = import_module(PACKAGES[key]).GAME
    return game
