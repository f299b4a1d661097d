"""The periodic table as pictures: all cards, those that share something, and sections of it, larger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.presenters.atom_duel.painters import face
from bot.presenters.atom_duel.signs import power_colour
from bot.presenters.atom_duel.words import Voice, powers_at
from bot.presenters.elements.signs import sign
from bot.render import layout
from bot.render.blocks import Block, Box, Column, Flow, Paragraph, Piece, Spaced, frozen
from bot.render.parts import alt_text, text_width
from bot.render.scene import BASE_WIDTH, Fit, Item, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.sprites import Pen, painter
from engine.atom_duel.cards import LEVELS, POWER_LEVEL
from engine.elements import ELEMENTS

WIDTH: Final = 1600
_MARGIN: Final = 20
_CELL, _STEP = (84, 128), (87, 132)
"""Width and height of an element, and of it with the room to the next."""
_TYPE: Final = 44
_BAND: Final = 34
_GAP: Final = 22
"""Between the table and what stands below it."""
_ROWS: Final = 9
_COLUMNS: Final = 18
SECTIONS: Final = ((1, 18), (19, 36), (37, 54), (55, 71), (72, 86), (87, 103), (104, 118))
"""From which atomic number to which a part of the table reaches: periods, the long ones in two."""
_ACROSS: Final = 6
"""How many cards of a section stand side by side."""


@painter("atom_duel.cell", printed=True)
def _cell(pen: Pen, args: tuple[int, int]) -> None:
    """One element: its number, its sign, and a band of its powers at a level; faint at level 0."""
    z, level = args
    faint = not level
    element = ELEMENTS[z - 1]
    pen.radius = 10
    pen.box((0, 0, pen.width, pen.height), "panel" if faint else "paper", 10)
    ink = "edge" if faint else "ink"
    pen.text(str(z), (0, 4, pen.width, 46), _TYPE, ink)
    symbol = (0, 47, pen.width, 46)
    pen.text(element.symbol, symbol, _TYPE, ink if faint else "ink_soft", weight=Weight.MEDIUM)
    if faint:
        return
    powers = powers_at(z, level)
    for place, power in enumerate(powers):
        wide, colour = pen.width / len(powers), power_colour(power)
        ends = place == 0, place == len(powers) - 1
        corners = (False, False, ends[1], ends[0])
        pen.box((place * wide, pen.height - _BAND, wide, _BAND), colour, 10, corners)
        side = _BAND - 8
        where = (place * wide + (wide - side) / 2, pen.height - _BAND + 4)
        sign(pen.within(*where, side, side), power, pen.theme.on(colour), colour)


@painter("atom_duel.key", printed=True)
def _key(pen: Pen, args: tuple[str]) -> None:
    """The sign of a power on its colour."""
    (power,) = args
    pen.radius = 8
    colour, side = power_colour(power), pen.height * 0.76
    pen.box((0, 0, pen.width, pen.height), colour, 8)
    inset = (pen.height - side) / 2
    sign(pen.within((pen.width - side) / 2, inset, side, side), power, pen.theme.on(colour), colour)


def place(z: int) -> tuple[int, int]:
    """Column and row (from 0) of an element; rows 7 and 8 are the fourteen lanthanides and actinides that
    stand below, at the right: the lower left corner belongs to the ALT badge."""
    if 57 <= z <= 70:
        return z - 57 + 4, 7
    if 89 <= z <= 102:
        return z - 89 + 4, 8
    if z <= 2:
        return (0 if z == 1 else 17), 0
    starts = (3, 11, 19, 37, 55, 87)
    row = max(index for index, start in enumerate(starts, 1) if z >= start)
    column = z - starts[row - 1]
    if row <= 2 and column >= 2:
        column += 10
    elif row >= 5 and column >= 2:
        column -= 14
    return column, row


def _box(z: int) -> Rect:
    column, row = place(z)
    below = _GAP if row >= 7 else 0
    return Rect(_MARGIN + column * _STEP[0], _MARGIN + row * _STEP[1] + below, *_CELL)


def _power_name(power: str, room: int, voice: Voice) -> str:
    """The name of a power, or the shorter one that cards have where it does not fit."""
    if power == "unique":
        return voice("page.unique").capitalize()
    name = voice.power(power)
    return (
        name if text_width(name, Size.SMALL) * WIDTH <= room * BASE_WIDTH else voice(f"picture.power.{power}")
    )


def _legend(voice: Voice, area: Rect) -> list[Item]:
    """Every power with its sign and its word, in the gap at the top of the table."""
    items: list[Item] = []
    powers = (*POWER_LEVEL, "unique")
    half = -(-len(powers) // 2)
    columns = layout.row(area, 2, 16)
    for number, power in enumerate(powers):
        cell = layout.column(columns[number // half], half, 8)[number % half]
        key, words = layout.across(cell, (60, None), 16)
        items.append(Sprite("atom_duel.key", (power,), layout.centred(key, 60, 52)))
        items.append(Text(words, _power_name(power, words.w, voice), Size.SMALL))
    return items


def periodic_scene(
    look: Look,
    *,
    marked: frozenset[int] = frozenset(),
    level: int = LEVELS,
    icon: str = "",
    title: str = "",
    text: str = "",
) -> Scene:
    """The table of elements with their powers at a level. With `marked`, those stand out; `icon`, `title` and
    `text` say why."""
    voice = Voice(look)
    items: list[Item] = [
        Sprite(
            "atom_duel.cell", (element.z, 0 if marked and element.z not in marked else level), _box(element.z)
        )
        for element in ELEMENTS
    ]
    left = _MARGIN + 2 * _STEP[0] + 12
    gap = Rect(left, _MARGIN, 10 * _STEP[0] - 36, 3 * _STEP[1] - 16)
    if title:
        head, below = layout.down(gap, (76, None), 8)
        if icon:
            key, head = layout.across(head, (96, None), 20)
            items.append(Sprite("atom_duel.key", (icon,), key))
        items.append(Text(head, title, Size.BODY, Weight.BOLD, "accent"))
        if text:
            items.append(Text(below, text, Size.SMALL, max_lines=4, fit=Fit.ELLIPSIS))
    else:
        items += _legend(voice, gap)
    names = voice.listed(f"{voice.element(z)} {z}" for z in sorted(marked))
    shown = voice("picture.alt.marked", marked=names) if names else voice("picture.alt.elements")
    said = alt_text(title and f"{title}.", text, shown)
    return Scene(WIDTH, 2 * _MARGIN + _ROWS * _STEP[1] + _GAP, tuple(items), said, look)


# -- sections of the table ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Map:
    """The whole table small, a section of it in gold."""

    first: int
    last: int

    def items(self, area: Rect) -> list[Item]:
        """A tile for each element."""
        wide, high = area.w // _COLUMNS, area.h // _ROWS
        found: list[Item] = []
        for element in ELEMENTS:
            column, row = place(element.z)
            tile = Rect(area.x + column * wide, area.y + row * high, wide - 4, high - 4)
            inside = self.first <= element.z <= self.last
            found.append(Panel(tile, "accent" if inside else "panel_high", 4))
        return found


def section_scene(first: int, last: int, look: Look) -> Scene:
    """The cards from one atomic number to another as they lie in a hand, and their place in the table."""
    voice = Voice(look)
    names = tuple(voice.element(z) for z in (first, last))
    title = voice("picture.stretch", first=first, last=last)

    def head(area: Rect) -> list[Item]:
        words, where = layout.across(area, (None, 18 * 34), 24)
        named = voice("picture.stretch_names", first=names[0], last=names[1])
        found = Column(
            (
                Spaced(Paragraph(title, (Size.HUGE, Size.LARGE), Weight.DISPLAY, "accent"), 8),
                Paragraph(named, (Size.CLEAR,), colour="muted", lines=2),
            )
        )
        tall = found.height(words.w)
        return [
            *found.items(Rect(words.x, area.y + (area.h - tall) // 2, words.w, tall)),
            *_Map(first, last).items(where),
        ]

    wide = 193
    cards = [_card(z, wide) for z in range(first, last + 1)]
    blocks: list[Block] = [
        Spaced(Box(_ROWS * 28, head), 16),
        Flow(cards, gap=14, line_gap=14, most=_ACROSS),
    ]
    told = voice.listed(f"{z} {voice.element(z)}" for z in range(first, last + 1))
    foot = Paragraph(voice("picture.stretch_note"), (Size.CLEAR,), colour="muted", lines=2)
    return frozen(Column(blocks), alt_text(f"{title}.", f"{told}."), look, foot=foot)


def _card(z: int, wide: int) -> Piece:
    sprite = ("atom_duel.card", (face(z), ()))
    return Piece(wide, wide * 10 // 7, lambda area: [Sprite(*sprite, area)])
