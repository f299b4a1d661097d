"""Opponents of one's own, for the arena: a function in a file of one's own, with a name.

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
"""By the key of the game and a name."""


def opponent(game: str, name: str) -> Callable[[Chooser], Chooser]:
    """Let the function below take part in arenas of a game under this name, whatever its capitals.

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
