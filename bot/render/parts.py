"""Small groups of items that every game shows the same way."""

from __future__ import annotations

from typing import Final

from bot.render import text as letters
from bot.render.scene import Align, Fit, Item, Panel, Rect, Size, Text, Weight
from bot.render.theme import RADIUS_SMALL, seat_colour, seat_letter

CHIP: Final = 44
"""Side of the square with a seat's letter, in pixels."""
_GAP: Final = 12
ALT: Final = 1024


def person(
    area: Rect, seat: int, name: str, size: Size = Size.SMALL, *, weight: Weight = Weight.MEDIUM
) -> list[Item]:
    """A player: the letter on the seat's colour, and the name where our fonts can write it.

    A name of which not even two letters fit is left out: an ellipsis alone tells nothing.
    """
    chip = Rect(area.x, area.y + (area.h - CHIP) // 2, CHIP, CHIP)
    items: list[Item] = [
        Panel(chip, seat_colour(seat), RADIUS_SMALL),
        Text(chip, seat_letter(seat), Size.SMALL, Weight.BOLD, "ink", Align.CENTRE),
    ]
    room = Rect(chip.right + _GAP, area.y, area.right - chip.right - _GAP, area.h)
    written = letters.written(name)
    cut = letters.ellipsis(written, size, weight, room.w)
    if written and (cut == written or len(cut) > len("ab")):
        items.append(Text(room, written, size, weight, fit=Fit.ELLIPSIS))
    return items


def person_width(name: str, size: Size = Size.SMALL, *, weight: Weight = Weight.MEDIUM) -> int:
    """How wide `person` would like to be in a picture BASE_WIDTH wide."""
    written = letters.written(name)
    return CHIP + _GAP + text_width(written, size, weight) if written else CHIP


def text_width(string: str, size: Size, weight: Weight = Weight.MEDIUM) -> int:
    """How wide a box must be for a line in a picture BASE_WIDTH wide."""
    return round(letters.width(string, size, weight)) + 2


def alt_text(*sentences: str) -> str:
    """Sentences as one alt text, shortened to what Discord takes; empty ones are left out."""
    text = " ".join(sentence for sentence in sentences if sentence)
    return text if len(text) <= ALT else text[: ALT - 1] + letters.ELLIPSIS
