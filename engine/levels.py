"""The names of the levels of computer opponents.

A name stands in tables and records for ever. `random` is a tool for tests and measurements: nobody is
offered it where a game has levels.
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
"""All of them, weakest first; a game that has levels has the first three at least."""

_EARLIER: Final = {"heuristic": STEADY}


def renamed(level: str) -> str:
    """What a level is called today; tables and records may name it as it was called once.

    >>> renamed("heuristic"), renamed("random")
    ('steady', 'random')
    """
    return _EARLIER.get(level, level)


def offered(opponents: Iterable[str]) -> tuple[str, ...]:
    """Those of a game's opponents that people may choose, weakest first.

    >>> offered(["random", "newcomer", "casual", "steady"])
    ('newcomer', 'casual', 'steady')
    >>> offered(["random"])
    ('random',)
    """
    found = tuple(opponents)
    return tuple(level for level in found if level != RANDOM) or found
