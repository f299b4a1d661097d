"""Results of matches, written as one word.

It is `w` and the winner, `x` and the winner of a walkover, `d` for a draw, `n` if no one came, and `o` for a
match that is to be played.
"""

from __future__ import annotations

import re
from typing import Final

from engine.brackets import Match

OPEN: Final = "o"
_RESULT: Final = re.compile(r"[odn]|[wx][0-9]{1,20}")


def is_result(word: str) -> bool:
    """Return whether a word is a result."""
    return _RESULT.fullmatch(word) is not None


def result_of(match: Match) -> str:
    """Return the result of a match."""
    if match.winner:
        return f"{'x' if match.walkover else 'w'}{match.winner}"
    return "d" if match.drawn else "n" if match.walkover else OPEN
