"""Registration of custom opponents for the arena: a named function in your own file.

from engine.ai.register import opponent

@opponent("duel52", "bold")
def bold(observation, actions, rng):
    return next((each for each in actions if each.verb == "attack"), actions[0])

valence arena duel52 --players bold,steady --with bold.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine import levels
from engine.game import Chooser

REGISTERED: Final[dict[tuple[str, str], Chooser]] = {}
"""Registered choosers by (game key, name)."""


def opponent(game: str, name: str) -> Callable[[Chooser], Chooser]:
    """Register the decorated function for arenas of a game under this name, in lower case.

    Raises:
        ValueError: the name is that of a level.
    """
    name = name.lower()
    if name in (levels.RANDOM, *levels.LEVELS):
        raise ValueError(f"{name} is a level of every game: give your opponent another name")

    def register(chooser: Chooser) -> Chooser:
        REGISTERED[game, name] = chooser
        return chooser

    return register
