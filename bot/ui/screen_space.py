"""How much of a phone's screen a message takes: what shares it with a hand is as long as there is room."""

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
"""How high a message may be, in pixels, to be seen whole on a phone of 390 x 844: between the head of the
channel and the place to write."""
_AROUND: Final = 89
"""What a message takes beside its blocks: who wrote it, who can see it, its frame."""
_SMALL, _HEAD = "-# ", "#"
_TEXT, _FONT, ROW, _SMALL_FONT = 22, 16, 18.2, 13
"""How high a row of text is, and its letters, then of small text."""
_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")
_WIDER: Final = 0.1
"""How much wider bold words are than plain ones."""
_ABOVE: Final = 4
"""The room below a heading."""
_BUTTONS: Final = 38
"""How high a line of buttons is."""
_KNOWN: Final = 4096
"""Of how many lines the height is remembered: a hand shows most of them again with each press."""


def words_height(text: str) -> float:
    """How high a block of Markdown is."""
    return sum(map(_line_height, text.split("\n"))) if text else 0


@lru_cache(_KNOWN)
def _line_height(line: str) -> float:
    if line.startswith(_SMALL):
        return ROW * _rows(line.removeprefix(_SMALL), _SMALL_FONT)
    return _TEXT * _rows(line.lstrip("# "), _FONT) + (_ABOVE if line.startswith(_HEAD) else 0)


def _rows(line: str, font: int) -> int:
    """In how many rows a line is broken, about: words are not broken."""
    bold = sum(letters.width(unmarked(words), font) for words in _BOLD.findall(line))
    wide = letters.width(unmarked(line), font) + _WIDER * bold
    return max(1, ceil(wide / (CONTAINER_WIDTH - font)))


def picture_height(scene: Scene) -> float:
    """How high a picture is."""
    return scene.height * CONTAINER_WIDTH / scene.width


def controls_height(controls: Iterable[Control]) -> float:
    """How high rows of controls are."""
    lines = phone_lines(controls)
    return lines * (_BUTTONS + BETWEEN) - BETWEEN if lines else 0


def room_beside(*heights: float) -> float:
    """How much of the screen is left for one more block beside these."""
    taken = [height for height in heights if height]
    return SCREEN - _AROUND - sum(taken) - BETWEEN * len(taken)


def rows_beside(*heights: float) -> int:
    """How many rows of small text are left beside blocks of these heights."""
    return int(room_beside(*heights) // ROW)
