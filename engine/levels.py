"""The names of the levels of computer opponents.

Tables and records store these names permanently. `random` is a tool for tests and measurements; people are
never offered it in a game that has levels.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

RANDOM: Final = "random"
NEWCOMER: Final = "newcomer"
CASUAL: Final = "casual"
STEADY: Final = "steady"
SHARP: Final = "sharp"
MASTER: Final = "master"
LEVELS: Final = (NEWCOMER, CASUAL, STEADY, SHARP, MASTER)
"""All levels, weakest first. A game with levels has at least the first three."""

_EARLIER: Final = {"heuristic": STEADY}


def renamed(level: str) -> str:
    """Return the current name of a level. Old tables and records may use an earlier one.

    >>> renamed("heuristic"), renamed("random")
    ('steady', 'random')
    """
    return _EARLIER.get(level, level)


def offered(opponents: Iterable[str]) -> tuple[str, ...]:
    """Return the opponents that people may choose, weakest first.

    >>> offered(["random", "newcomer", "casual", "steady"])
    ('newcomer', 'casual', 'steady')
    >>> offered(["random"])
    ('random',)
    """
    found = tuple(opponents)
    return tuple(level for level in found if level != RANDOM) or found
