"""The things of Molecular: tiles, open ends, groups as structures, effectors and counters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from bot.presenters.elements.element_colours import OWN
from bot.presenters.molecular.structures import structure
from bot.render import text as letters
from bot.render.scene import Align, Size, Weight
from bot.render.sprites import Colour, Pen, Point, painter
from engine.molecular.cards import BOX, ELEMENT, SHAPE_EDGES, SHAPE_KIND

FILL: Final = {symbol: OWN[symbol] for symbol in "CHON"}
"""The colour of an element; its letter always stands on it."""
INK: Final = {"C": "paper", "H": "ink", "O": "paper", "N": "paper"}
STICK: Final = "paper"
HAIR: Final = 0.01
"""Too little to be seen, and enough for a whole pixel not to be rounded down to the one before."""
BOTH: Final = 44
"""From this radius on, in pixels, a tile has room for the letter of its element and one to choose it by."""
ROOT3: Final = math.sqrt(3)
WAYS: Final = (
    (0.5, -ROOT3 / 2),
    (1.0, 0.0),
    (0.5, ROOT3 / 2),
    (-0.5, ROOT3 / 2),
    (-1.0, 0.0),
    (-0.5, -ROOT3 / 2),
)
"""By edge: the way from the middle of a cell to the middle of the edge."""


def hexagon(centre: Point, radius: float) -> list[Point]:
    """A hexagon that stands on a corner."""
    x, y = centre
    angles = (math.radians(60 * corner - 90) for corner in range(6))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _sticks(pen: Pen, ends: tuple[Point, Point], order: int, thickness: float, colour: Colour) -> None:
    """A bond of one, two or three sticks."""
    start, end = ends
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy) or 1.0
    nx, ny = -dy / length, dx / length
    gap = thickness * 1.75
    for place in range(order):
        shift = (place - (order - 1) / 2) * gap
        if start[1] == end[1]:
            # on whole pixels of the pen, so that halves of a bond on two sprites are alike to the last pixel
            high = round(thickness * pen.scale) / pen.scale
            top = math.floor((start[1] + shift - high / 2) * pen.scale + 0.5) / pen.scale + HAIR
            left, right = min(start[0], end[0]), max(start[0], end[0])
            pen.box((left, top, right - left, high), colour)
            continue
        moved = [(x + nx * shift, y + ny * shift) for x, y in (start, end)]
        pen.stroke(moved, colour, thickness, blunt=True)


def _atom(pen: Pen, element: str, label: str, rim: str) -> None:
    """A hexagonal tile in the middle of a pen, as high as it, with its letter; a coloured rim is wide.

    A `label` stands on a chip in the upper right corner, and the letter of the element moves out of its
    way. On a small tile there is no room for both: there the label stands in the middle, and the colour
    round it tells the element.
    """
    centre, radius = (pen.width / 2, pen.height / 2), pen.height / 2 - 1
    border = max(3.0, radius * (0.09 if rim == "paper" else 0.17))
    pen.polygon(hexagon(centre, radius), rim)
    pen.polygon(hexagon(centre, radius - border), FILL[element])
    x, y = centre
    size = max(37.0, radius * 1.22, min(Size.CLEAR, radius * 1.6))
    if label and radius < BOTH:
        pen.polygon(hexagon(centre, radius - border - 4), "accent")
        size = pen.fitting(label, pen.width - 4, min(Size.CLEAR, radius * 2), 36)
        pen.text(label, (0, 0, pen.width, pen.height), size, "accent_ink", weight=Weight.BOLD)
        return
    if label:
        size, side = max(37.0, radius * 0.8), max(48.0, radius * 0.9)
        letter = max(float(Size.CLEAR), side * 0.72)
        wide = max(side, letters.width(label, round(letter), Weight.BOLD) + 6)
        x, y = max(size * 0.36, x - radius * 0.32), min(pen.height - size * 0.42, y + radius * 0.3)
        chip = (pen.width - wide, 0.0, wide, side)
        pen.box(chip, "ink", 6)
        pen.box((chip[0] + 2, 2, wide - 4, side - 4), "accent", 5)
        pen.text(label, chip, letter, "accent_ink", weight=Weight.BOLD)
    pen.text(
        element, (x - radius, y - radius, 2 * radius, 2 * radius), size, INK[element], weight=Weight.BOLD
    )


@painter("molecular.tile", printed=True)
def _tile(pen: Pen, args: tuple[int, str, str]) -> None:
    """A tile in its cell: sticks run to the edges, where those of its neighbours meet them.

    The sprite is as wide as a cell and as high as a row, so that tiles lie side by side without
    overlapping. `label` is the letter by which an end tile is chosen.
    """
    shape, label, rim = args
    pen.radius = 0
    element = ELEMENT[SHAPE_KIND[shape]]
    centre = (pen.width / 2, pen.height / 2)
    reach = pen.width / 2
    for edge, order in enumerate(SHAPE_EDGES[shape]):
        if order:
            x, y = WAYS[edge]
            # a little beyond the edge, where the sprite cuts it: both halves meet without a seam
            end = (centre[0] + x * reach * 1.2, centre[1] + y * reach * 1.2)
            _sticks(pen, (centre, end), order, pen.width * 0.075, STICK)
    _atom(pen, element, label, rim)


@painter("molecular.end", printed=True)
def _end(pen: Pen, args: tuple[int, int, str, int]) -> None:
    """The tip of an open bond inside the empty cell, at the edge through which it comes in.

    `width` is that of the cell, which sets how thick bonds are.
    """
    edge, order, colour, width = args
    pen.radius = 0
    x, y = WAYS[edge]
    cx, cy = pen.width / 2, pen.height / 2
    start = (cx + (cx if x > 0 else -cx), cy) if not y else (cx, cy + math.copysign(cy, y))
    reach = 2 * pen.height if y else 2 * pen.width
    end = (start[0] - x * reach, start[1] - y * reach)
    start = (start[0] + x * reach, start[1] + y * reach)
    _sticks(pen, (start, end), order, width * 0.075, colour)


@painter("molecular.choice")
def _choice(pen: Pen, args: tuple[str, str]) -> None:
    """The chip on a cell where a tile goes: its letter, large, and the points; where it does not go, the
    letter alone on a quiet ground."""
    letter, points = args
    pen.radius = 12
    pen.box((0, 0, pen.width, pen.height), "accent" if points else "panel_high", 12)
    ink = "accent_ink" if points else "text"
    small = max(37.0, pen.height * 0.42)
    room = letters.width(points, round(small), Weight.BOLD) if points else 0.0
    gap = pen.height * 0.08 if points else 0.0
    large = pen.fitting(letter, pen.width - room - gap - 2, max(64.0, pen.height * 0.8), 37)
    wide = letters.width(letter, round(large), Weight.BOLD)
    x = (pen.width - wide - gap - room) / 2
    # letter and points stand on one line; the boxes are a little wider, as widths are rounded
    pen.text(letter, (x - 2, 0, wide + 4, pen.height), large, ink, align=Align.CENTRE)
    if points:
        drop = (large - small) * letters.CAP
        pen.text(points, (x + wide + gap - 2, 0, room + 4, pen.height + drop), small, ink, align=Align.CENTRE)


@painter("molecular.rack", printed=True)
def _rack(pen: Pen, args: tuple[int, bool, int]) -> None:
    """A tile of the pool: hexagon with its bonds inside, as it is held, and how many equal ones are held."""
    kind, faint, count = args
    pen.radius = 16
    element = ELEMENT[kind]
    centre = (pen.width / 2, pen.height / 2)
    radius = min(pen.height / 2, pen.width / ROOT3) - 2
    ground = "paper_low" if faint else "paper"
    pen.polygon(hexagon(centre, radius), ground)
    reach = radius * ROOT3 / 2
    for edge, order in enumerate(BOX.tiles[kind].edges):
        if order:
            x, y = WAYS[edge]
            end = (centre[0] + x * reach * 0.97, centre[1] + y * reach * 0.97)
            _sticks(pen, (centre, end), order, radius * 0.1, "ink")
    pen.disc(centre, radius * 0.5, FILL[element])
    if element == "H":
        pen.ring(centre, radius * 0.5, "ink", thickness=3)
    size = max(37.0, radius * 0.62)
    pen.text(element, (centre[0] - radius, centre[1] - radius, 2 * radius, 2 * radius), size, INK[element])
    if count > 1:
        wide, tall = 66, 46
        pen.box((pen.width - wide, 0, wide, tall), "ink", 10)
        pen.text(f"×{count}", (pen.width - wide, 0, wide, tall), 40, "paper")


@painter("molecular.structure", printed=True)
def _structure(pen: Pen, args: tuple[int]) -> None:
    """A functional group as chemists draw it, its atoms as discs."""
    (group,) = args
    pen.radius = 0
    drawn(pen, group)


def drawn(pen: Pen, group: int, least: float = 22) -> None:
    """A functional group in the middle of a pen."""
    shape = structure(group)
    wide, high = shape.size
    unit = min(pen.width / (wide + 1.0), pen.height / (high + 1.0), 130)
    # small drawings need large atoms for their letters, large ones show more of the bonds
    radius = min(unit * 0.45, max(25.0, unit * 0.34))
    left = (pen.width - wide * unit) / 2
    top = (pen.height - high * unit) / 2
    at = [(left + x * unit, top + y * unit) for _, x, y in shape.atoms]
    for one, other, order in shape.bonds:
        _sticks(pen, (at[one], at[other]), order, unit * 0.085, "ink_soft")
    for (symbol, _, _), (x, y) in zip(shape.atoms, at, strict=True):
        fill, ink = FILL.get(symbol, "paper_low"), INK.get(symbol, "ink")
        pen.disc((x, y), radius, fill)
        if symbol in ("H", "R"):
            pen.ring((x, y), radius - 1.5, "ink", thickness=3)
        if radius >= least:
            size = max(37.0, radius * 1.3)
            pen.text(symbol, (x - radius, y - radius, 2 * radius, 2 * radius), size, ink)
        elif symbol not in ("C", "H"):
            # letters that no phone could show are left out; colour and ring still tell the atoms apart
            pen.disc((x, y), radius * 0.4, ink)


@painter("molecular.track")
def _track(pen: Pen, args: tuple[int, int]) -> None:
    """The turn track: a box for each round, those gone by filled, the present one in the accent."""
    now, rounds = args
    pen.radius = 0
    step = pen.width / rounds
    # many rounds make small boxes: gap and rim shrink with them, and something is left inside
    side = min(step - min(6, step / 3), pen.height)
    rim = min(4, side / 4)
    for number in range(rounds):
        area = (number * step, (pen.height - side) / 2, side, side)
        colour = "accent" if number + 1 == now else "text" if number + 1 < now else "edge"
        pen.box(area, colour, 6)
        if number + 1 > now:
            pen.box((area[0] + rim, area[1] + rim, side - 2 * rim, side - 2 * rim), "felt", 4)


_SIGNS: Final = {
    "instant": ((50, 4), (22, 56), (46, 56), (38, 96), (80, 38), (54, 38), (66, 4)),
    "active": ((50, 6), (88, 28), (88, 72), (50, 94), (12, 72), (12, 28)),
    "reagent": ((36, 6), (64, 6), (64, 38), (90, 84), (82, 95), (18, 95), (10, 84), (36, 38)),
}


@painter("molecular.sign", printed=True)
def _sign(pen: Pen, args: tuple[str, str]) -> None:
    """The symbol of an effector: a flash, a hexagon that stays, a flask."""
    which, colour = args
    pen.radius = 0
    sign(pen, which, colour)


def sign(pen: Pen, which: str, colour: Colour) -> None:
    """The symbol of an effector on a square pen."""
    unit = min(pen.width, pen.height) / 100
    points: Sequence[Point] = [(x * unit, y * unit) for x, y in _SIGNS[which]]
    pen.polygon(points, colour)
