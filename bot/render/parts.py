"""Small groups of items that every game shows the same way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Final

from bot.render import layout
from bot.render import text as letters
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Fit,
    Group,
    Item,
    Panel,
    Rect,
    Size,
    Sprite,
    Text,
    Weight,
)
from bot.render.theme import GRID, RADIUS_CARD, RADIUS_SMALL, seat_colour, seat_letter

MARGIN: Final = GRID * 3
"""Room between a picture's rim and what is in it, in pixels."""
INNER: Final = BASE_WIDTH - 2 * MARGIN
"""How wide is what lies between the margins, in pixels."""
CHIP: Final = 48
"""Side of the square with a seat's letter, in pixels."""
_GAP: Final = 12
_NAME: Final = 240
"""The least room of a name in the head of a hand."""
CORNER: Final = BASE_WIDTH // 5
"""How wide the corner at the lower left is, in pixels, in which nothing stands that matters: clients lay
their ALT badge over it."""
CORNER_SHARE: Final = 0.12
"""How much of a picture's height it takes."""
BADGE: Final = 112
"""How high it reaches on a phone, in pixels: in a low picture that is more than this share."""
ALT: Final = 1024


def band(y: int, height: int) -> Rect:
    """A part of the picture from margin to margin."""
    return Rect(MARGIN, y, INNER, height)


HEAD: Final = band(MARGIN - 4, 56)
"""Where the head of a hand stands."""


def header(area: Rect, left: str, right: str = "", room: int = 0) -> list[Item]:
    """The head of a table: at the left where the game stands; at the right, `room` pixels wide, what else is
    worth knowing, or room for what a game draws there."""
    first, second = layout.across(area, (None, room)) if room else (area, area)
    items: list[Item] = [Text(first, left, Size.CLEAR, Weight.BOLD)]
    if right:
        items.append(Text(second, right, Size.SMALL, colour="muted", align=Align.RIGHT))
    return items


def seat_panel(area: Rect, *, lit: bool) -> Panel:
    """What a player's things lie on; lit for those whose turn it is, or who have won."""
    if lit:
        return Panel(area, "panel_high", RADIUS_CARD, "accent", 4)
    return Panel(area, "panel", RADIUS_CARD)


def hand_head(
    seat: int | None, name: str, note: str, area: Rect = HEAD, size: Size = Size.BODY
) -> list[Item]:
    """The head of a hand: at the right what is asked, if anything is; at the left whose it is.

    A name makes room for what is asked, down to so little that a few letters of it are seen.
    """
    wide = text_width(note, size, Weight.BOLD) if note else 0
    items: list[Item] = []
    if note:
        fit = Fit.STRICT if wide <= area.w - _NAME else Fit.ELLIPSIS
        wide = min(wide, area.w - _NAME)
        right = Rect(area.right - wide, area.y, wide, area.h)
        items.append(Text(right, note, size, Weight.BOLD, "accent", Align.RIGHT, fit=fit))
    if seat is not None:
        left = Rect(area.x, area.y, area.w - wide - 24, area.h)
        items += person(left, seat, name, size, weight=Weight.BOLD)
    return items


def person(
    area: Rect, seat: int, name: str, size: Size = Size.SMALL, *, weight: Weight = Weight.MEDIUM
) -> list[Item]:
    """A player: the letter on the seat's colour, and the name where our fonts can write it.

    A name of which not even two letters fit is left out: an ellipsis alone tells nothing.
    """
    chip = Rect(area.x, area.y + (area.h - CHIP) // 2, CHIP, CHIP)
    items: list[Item] = [
        Panel(chip, seat_colour(seat), RADIUS_SMALL),
        Text(chip, seat_letter(seat), Size.CLEAR, Weight.BOLD, "ink", Align.CENTRE),
    ]
    room = Rect(chip.right + _GAP, area.y, area.right - chip.right - _GAP, area.h)
    written = letters.written(name)
    cut = letters.ellipsis(written, size, weight, room.w)
    if written and (cut == written or len(cut) > len("ab")):
        items.append(Text(room, written, size, weight, fit=Fit.ELLIPSIS))
    return items


def clear_person(area: Rect, seat: int, name: str) -> list[Item]:
    """A player, in bold type that is clear on the smallest screens where the name fits so, else in small."""
    fits = person_width(name, Size.CLEAR, weight=Weight.BOLD) <= area.w
    return person(area, seat, name, Size.CLEAR if fits else Size.SMALL, weight=Weight.BOLD)


def person_width(name: str, size: Size = Size.SMALL, *, weight: Weight = Weight.MEDIUM) -> int:
    """How wide `person` would like to be in a picture BASE_WIDTH wide."""
    written = letters.written(name)
    return CHIP + _GAP + text_width(written, size, weight) if written else CHIP


def text_width(string: str, size: Size, weight: Weight = Weight.MEDIUM) -> int:
    """How wide a box must be for a line in a picture BASE_WIDTH wide."""
    return round(letters.width(string, size, weight)) + 2


def off_corner(items: Iterable[Item], height: int) -> int:
    """How high a picture that is at least so high becomes for no card, sign or word to lie in its corner."""
    low = max((item.rect.bottom for item in _things(items) if item.rect.x < CORNER), default=0)
    return max(height, ceil(low / (1 - CORNER_SHARE)))


def _things(items: Iterable[Item]) -> Iterator[Item]:
    """What lies on the panels."""
    for item in items:
        if isinstance(item, Group):
            yield from _things(item.items)
        elif isinstance(item, Sprite | Text):
            yield item


def sentence(said: str) -> str:
    """What stands in a picture as a sentence of its alt text: with a full stop, unless it ends already."""
    return said if not said or said.endswith((".", "!", "?", "。", "！", "？")) else f"{said}."


def alt_text(*sentences: str) -> str:
    """Sentences as one alt text, shortened to what Discord takes; empty ones are left out."""
    text = " ".join(sentence for sentence in sentences if sentence)
    return text if len(text) <= ALT else text[: ALT - 1] + letters.ELLIPSIS
