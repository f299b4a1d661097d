"""Estimated height of a message on a phone, to fit the optional lines of a hand to the screen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from math import ceil
from typing import Final

from bot.presenters.voice import unmarked
from bot.render import text as letters
from bot.render.scene import Scene
from bot.render.theme import CONTAINER_WIDTH
from bot.ui.components import BETWEEN, Control, phone_lines

SCREEN: Final = 738
"""Maximum height in pixels of a message that is fully visible on a phone of 390 x 844.

That is the space between the channel header and the text box.
"""
_AROUND: Final = 89
"""Height of a message besides its blocks: the author, the visibility note and the frame."""
_SMALL, _HEAD = "-# ", "#"
_TEXT, _FONT, ROW, _SMALL_FONT = 22, 16, 18.2, 13
"""Height of a row of text and its font size, then the same for small text."""
_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")
_WIDER: Final = 0.1
"""Extra width of bold words, as a fraction."""
_ABOVE: Final = 4
"""Height of the gap below a heading."""
_BUTTONS: Final = 38
"""Height of a row of buttons."""
_KNOWN: Final = 4096
"""Maximum number of lines with a cached height: a hand shows most of them again with each press."""


def words_height(text: str) -> float:
    """Return the height of a block of Markdown."""
    return sum(map(_line_height, text.split("\n"))) if text else 0


@lru_cache(_KNOWN)
def _line_height(line: str) -> float:
    if line.startswith(_SMALL):
        return ROW * _rows(line.removeprefix(_SMALL), _SMALL_FONT)
    return _TEXT * _rows(line.lstrip("# "), _FONT) + (_ABOVE if line.startswith(_HEAD) else 0)


def _rows(line: str, font: int) -> int:
    """Return the approximate number of rows into which a line is broken, between words."""
    bold = sum(letters.width(unmarked(words), font) for words in _BOLD.findall(line))
    width = letters.width(unmarked(line), font) + _WIDER * bold
    return max(1, ceil(width / (CONTAINER_WIDTH - font)))


def picture_height(scene: Scene) -> float:
    """Return the height of a picture."""
    return scene.height * CONTAINER_WIDTH / scene.width


def controls_height(controls: Iterable[Control]) -> float:
    """Return the height of rows of controls."""
    lines = phone_lines(controls)
    return lines * (_BUTTONS + BETWEEN) - BETWEEN if lines else 0


def room_beside(*heights: float) -> float:
    """Return the height left on the screen for one more block in addition to these."""
    taken = [height for height in heights if height]
    return SCREEN - _AROUND - sum(taken) - BETWEEN * len(taken)


def rows_beside(*heights: float) -> int:
    """Return the number of rows of small text that fit in addition to blocks of these heights."""
    return int(room_beside(*heights) // ROW)
