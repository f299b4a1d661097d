"""Small groups of items that every game shows the same way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import Final

from msgspec import structs

from bot.render import layout
from bot.render import text as letters
from bot.render.lettering.graphemes import shortened
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Fit,
    Item,
    ItemGroup,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    SpriteState,
    Text,
    Weight,
)
from bot.render.theme import GRID, RADIUS_CARD, RADIUS_SMALL, seat_colour, seat_letter

MARGIN: Final = GRID * 3
"""Space between the edge of a picture and its contents, in pixels."""
INNER: Final = BASE_WIDTH - 2 * MARGIN
"""Width between the margins, in pixels."""
CHIP: Final = 48
"""Side of the square with a seat's letter, in pixels."""
_GAP: Final = 12
_NAME: Final = 240
"""Minimum width of a name in the head of a hand, in pixels."""
CORNER: Final = BASE_WIDTH // 5
"""Width in pixels of the lower-left corner that stays free of anything important. Clients cover it with their
ALT badge."""
CORNER_SHARE: Final = 0.12
"""Height of that corner as a fraction of the picture's height."""
BADGE: Final = 112
"""Height of the ALT badge on a phone, in pixels. In a low picture this is more than `CORNER_SHARE`."""
ALT: Final = 1024


def band(y: int, height: int) -> Rect:
    """Return a part of the picture from margin to margin."""
    return Rect(MARGIN, y, INNER, height)


HEAD: Final = band(MARGIN - 4, 56)
"""The area of the head of a hand."""


def header(area: Rect, left: str, right: str = "", room: int = 0) -> list[Item]:
    """Return the head of a table: the state of the game at the left, other information at the right.

    With `room`, the right part is that many pixels wide. A game may draw there itself.
    """
    first, second = layout.across(area, (None, room)) if room else (area, area)
    items: list[Item] = [Text(first, left, Size.CLEAR, Weight.BOLD)]
    if right:
        items.append(Text(second, right, Size.SMALL, colour="muted", align=Align.RIGHT))
    return items


def seat_panel(area: Rect, *, lit: bool) -> Panel:
    """Return the ground of a player's items. It is lit for players to act and for winners."""
    if lit:
        return Panel(area, "panel_high", RADIUS_CARD, "accent", 4)
    return Panel(area, "panel", RADIUS_CARD)


def hand_head(
    seat: int | None, name: str, note: str, area: Rect = HEAD, size: Size = Size.BODY
) -> list[Item]:
    """Return the head of a hand: the player at the left, and the pending question, if any, at the right.

    A name yields width to the question until only a few of its letters are visible.
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
    """Return a player: the letter on the seat's colour, and the name if our fonts can write it.

    A name is left out if not even two of its letters fit: an ellipsis alone tells nothing.
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


def unnamed_seats(scene: Scene, names: Sequence[str]) -> list[int]:
    """Return the seats whose letters are in a picture without the name that `names` gives the seat."""
    items = list(_flattened(scene.items))
    texts = [item.string for item in items if isinstance(item, Text)]
    chips = {
        (below.fill, above.string)
        for below, above in pairwise(items)
        if isinstance(below, Panel) and isinstance(above, Text) and below.rect == above.rect
    }
    return [
        seat
        for seat, name in enumerate(names)
        if (seat_colour(seat), seat_letter(seat)) in chips and not any(name in text for text in texts)
    ]


def _flattened(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, ItemGroup):
            yield from _flattened(item.items)
        else:
            yield item


def clear_person(area: Rect, seat: int, name: str) -> list[Item]:
    """Return a player in bold, in type that is clear on the smallest screens if the name fits, else small."""
    fits = person_width(name, Size.CLEAR, weight=Weight.BOLD) <= area.w
    return person(area, seat, name, Size.CLEAR if fits else Size.SMALL, weight=Weight.BOLD)


def person_width(name: str, size: Size = Size.SMALL, *, weight: Weight = Weight.MEDIUM) -> int:
    """Return the preferred width of `person` in a picture BASE_WIDTH wide."""
    written = letters.written(name)
    return CHIP + _GAP + text_width(written, size, weight) if written else CHIP


def as_new(sprite: Sprite) -> Sprite:
    """Return a card marked as new to the hand."""
    return structs.replace(sprite, states=sprite.states | {SpriteState.NEW})


def text_width(string: str, size: Size, weight: Weight = Weight.MEDIUM) -> int:
    """Return the width of a box for a line in a picture BASE_WIDTH wide."""
    return round(letters.width(string, size, weight)) + 2


def off_corner(items: Iterable[Item], height: int) -> int:
    """Return the height, at least `height`, at which no card, sign or word is in the covered corner."""
    low = max((item.rect.bottom for item in _things(items) if item.rect.x < CORNER), default=0)
    return max(height, ceil(low / (1 - CORNER_SHARE)))


def _things(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the sprites and texts, at any depth."""
    for item in items:
        if isinstance(item, ItemGroup):
            yield from _things(item.items)
        elif isinstance(item, Sprite | Text):
            yield item


def sentence(said: str) -> str:
    """Return a text of a picture as a sentence of its alt text, adding a full stop if needed."""
    return said if not said or said.endswith((".", "!", "?", "。", "！", "？")) else f"{said}."


def alt_text(*sentences: str) -> str:
    """Join sentences into one alt text, shortened to Discord's limit. Empty ones are left out."""
    text = " ".join(sentence for sentence in sentences if sentence)
    return shortened(text, ALT)


RING: Final = 12
"""Thickness of a ring: 3 px where the picture is shown 294 px wide. Small things have thinner ones, which
leave room for what is written on them."""


def ringed(scene: Scene, tags: Collection[str]) -> Scene:
    """Return the scene with a ring round each group that has one of these tags.

    Tags that the picture does not show are ignored. The scene itself is returned if none is shown.
    """
    items = tuple(_ringed(scene.items, frozenset(tags)))
    return scene if items == scene.items else structs.replace(scene, items=items)


def _ringed(items: Iterable[Item], tags: frozenset[str]) -> Iterator[Item]:
    for item in items:
        if not isinstance(item, ItemGroup):
            yield item
            continue
        inner = tuple(_ringed(item.items, tags))
        if item.tag in tags:
            thickness = min(RING, item.rect.w // 10)
            inner += (Panel(item.rect, None, RADIUS_CARD, "good", thickness),)
        yield item if inner == item.items else structs.replace(item, items=inner)
