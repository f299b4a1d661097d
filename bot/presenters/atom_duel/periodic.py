"""The periodic table as a picture: all cards at once, or those that share something."""

from __future__ import annotations

from typing import Final

from bot.presenters.atom_duel.words import Voice
from bot.presenters.elements.signs import sign
from bot.render.parts import alt_text
from bot.render.scene import Fit, Item, Look, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.sprites import Pen, painter
from bot.render.theme import CATEGORIES
from engine.elements import ELEMENTS

WIDTH: Final = 1600
_MARGIN, _CELL, _STEP = 24, 80, 86


@painter("atom_duel.cell", printed=True)
def _cell(pen: Pen, args: tuple[str, str, bool]) -> None:
    """One element: its sign on the colour of its kind, the mark of the kind in the corner."""
    symbol, category, faint = args
    pen.radius = 10
    ink = pen.theme.on(category)
    if faint:
        pen.box((0, 0, pen.width, pen.height), "panel", 10)
        pen.text(symbol, (0, 8, pen.width, pen.height - 8), 45, "edge", weight=Weight.MEDIUM)
        return
    pen.box((0, 0, pen.width, pen.height), category, 10)
    sign(pen.within(pen.width - 23, 6, 16, 16), category, pen.blend(category, ink, 0.8), category)
    pen.text(symbol, (0, 10, pen.width, pen.height - 10), 45, ink)


def place(z: int) -> tuple[int, int]:
    """Column and row (from 0) of an element; rows 7 and 8 are the lanthanides and actinides."""
    if 57 <= z <= 71:
        return z - 57 + 2, 7
    if 89 <= z <= 103:
        return z - 89 + 2, 8
    if z <= 2:
        return (0 if z == 1 else 17), 0
    starts = (3, 11, 19, 37, 55, 87)
    row = max(index for index, start in enumerate(starts, 1) if z >= start)
    column = z - starts[row - 1]
    if row <= 2 and column >= 2:
        column += 10
    elif row >= 5 and column >= 2:
        # Fifteen elements stand below the table; their place in it stays open.
        column -= 14
    return column, row


def _box(z: int) -> Rect:
    column, row = place(z)
    below = 20 if row >= 7 else 0
    return Rect(_MARGIN + column * _STEP, _MARGIN + row * _STEP + below, _CELL, _CELL)


def _legend(voice: Voice) -> list[Item]:
    """Every kind with its mark and its word, in the gap at the top of the table."""
    items: list[Item] = []
    for number, category in enumerate(CATEGORIES):
        x = _MARGIN + 2 * _STEP + 12 + (number // 5) * 424
        y = _MARGIN + (number % 5) * 50
        items.append(Sprite("atom_duel.key", (category,), Rect(x, y + 3, 44, 44)))
        label = voice(f"picture.kind.{category.replace(' ', '_')}")
        items.append(Text(Rect(x + 56, y, 424 - 60, 50), label, Size.SMALL))
    return items


@painter("atom_duel.key", printed=True)
def _key(pen: Pen, args: tuple[str]) -> None:
    (category,) = args
    pen.radius = 8
    pen.box((0, 0, pen.width, pen.height), category, 8)
    sign(pen.within(10, 10, 24, 24), category, pen.theme.on(category), category)


def periodic_scene(
    look: Look,
    *,
    marked: frozenset[int] = frozenset(),
    icon: str = "",
    title: str = "",
    text: str = "",
) -> Scene:
    """The table of elements. With `marked`, those stand out, and `icon`, `title`, `text` say why."""
    voice = Voice(look)
    items: list[Item] = []
    for element in ELEMENTS:
        faint = bool(marked) and element.z not in marked
        items.append(Sprite("atom_duel.cell", (element.symbol, element.category, faint), _box(element.z)))
    if title:
        x, room = _MARGIN + 2 * _STEP + 12, 10 * _STEP - 36
        left = x
        if icon:
            items.append(Sprite("elements.sign", (icon, "accent", "felt"), Rect(x, _MARGIN + 2, 64, 64)))
            left += 84
        area = Rect(left, _MARGIN, x + room - left, 70)
        items.append(Text(area, title, Size.BODY, Weight.BOLD, "accent"))
        if text:
            items.append(
                Text(Rect(x, _MARGIN + 76, room, 172), text, Size.SMALL, max_lines=3, fit=Fit.ELLIPSIS)
            )
    else:
        items += _legend(voice)
    names = ", ".join(f"{voice.element(z)} {z}" for z in sorted(marked))
    names = names or voice("picture.alt.nothing_marked")
    said = alt_text(title and f"{title}.", text, voice("picture.alt.elements", marked=names))
    return Scene(WIDTH, 2 * _MARGIN + 9 * _STEP + 14, tuple(items), said, look)
