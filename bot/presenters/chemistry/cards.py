"""The cards of the draw pile: elements for molecules and for battles, wild cards, small ones, the back."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final

from bot.presenters.chemistry.painters import ball
from bot.presenters.elements.element_colours import element_colour, ink_on
from bot.render.colour import RGB, mix
from bot.render.scene import Align, Fit, Weight
from bot.render.sprites import Pen, Point, painter
from engine.elements import ELEMENTS

WILD_COLOUR: Final = "good"
_FEW: Final = 6
"""Up to this many of them are drawn larger."""
_AROUND: Final = ("H", "O", "S", "Na", "C", "N", "F", "Cl", "Fe", "P")
"""The elements around the star of a wild card, which stands for any of them."""


def _symbol(z: int) -> str:
    return ELEMENTS[z - 1].symbol


def _foot(pen: Pen, colour: RGB, height: float, radius: float) -> None:
    """The foot of a card in the colour of its element, with a line above it: hydrogen's is white."""
    pen.box((0, pen.height - height, pen.width, height), colour, radius, (False, False, True, True))
    pen.box((0, pen.height - height - 2, pen.width, 2), mix(colour, pen.theme["ink"], 0.4))


def _count(pen: Pen, count: int) -> None:
    """How many cards of this kind lie here."""
    if count < 2:
        return
    wide, tall = max(60, pen.width * 0.44), pen.width * 0.36
    pen.box((pen.width - wide, 0, wide, tall), "ink", 14, (False, True, False, True))
    pen.text(f"×{count}", (pen.width - wide, 0, wide, tall), max(37, tall * 0.8), "paper")


@painter("chemistry.element", printed=True)
def _element(pen: Pen, args: tuple[int, int]) -> None:
    """An element for molecules, about 160 px wide: its ball as in every molecule, its number, how many."""
    z, count = args
    symbol = _symbol(z)
    radius = 16 * pen.width / 208
    pen.radius = radius
    pen.box((0, 0, pen.width, pen.height), "paper", radius)
    _foot(pen, element_colour(pen.theme, symbol), 20, radius)
    pen.text(str(z), (12, 6, pen.width * 0.5, 58), 54, weight=Weight.DISPLAY, align=Align.LEFT)
    ball(pen, (pen.width / 2, 64 + (pen.height - 84) / 2), pen.width * 0.39, symbol)
    _count(pen, count)


@painter("chemistry.number", printed=True)
def _number(pen: Pen, args: tuple[int]) -> None:
    """An element for battles, of any size: its number as large as can be, its sign in the foot."""
    (z,) = args
    symbol, radius = _symbol(z), 16 * pen.width / 208
    colour = element_colour(pen.theme, symbol)
    pen.radius = radius
    pen.box((0, 0, pen.width, pen.height), "paper", radius)
    foot = max(48.0, pen.height * 0.3)
    _foot(pen, colour, foot, radius)
    room = pen.height - foot
    size = pen.fitting("54", pen.width - 12, room * 1.1, 36, Weight.DISPLAY)
    pen.text(str(z), (0, 0, pen.width, room), size, weight=Weight.DISPLAY)
    pen.text(symbol, (0, room, pen.width, foot), max(40, foot * 0.62), ink_on(pen.theme, colour))


@painter("chemistry.battle_card", printed=True)
def _battle_card(pen: Pen, args: tuple[int, str]) -> None:
    """An element on the table of a battle: its number as large as can be, its ball, its name if given."""
    z, name = args
    symbol, radius = _symbol(z), 16 * pen.width / 208
    pen.radius = radius
    pen.box((0, 0, pen.width, pen.height), "paper", radius)
    _foot(pen, element_colour(pen.theme, symbol), 24, radius)
    size = pen.fitting("54", pen.width - 20, pen.height * 0.5, 36, Weight.DISPLAY)
    top = size * 0.95
    pen.text(str(z), (0, 4, pen.width, top), size, weight=Weight.DISPLAY)
    bottom = pen.height - 24
    if name:
        written = pen.fitting(name, pen.width - 12, 48, 36, Weight.MEDIUM)
        bottom -= 64
        pen.text(name, (6, bottom, pen.width - 12, 60), written, weight=Weight.MEDIUM, fit=Fit.ELLIPSIS)
    room = bottom - top - 8
    ball(pen, (pen.width / 2, top + 8 + room / 2), min(room / 2 - 6, pen.width * 0.3), symbol)


@painter("chemistry.tile", printed=True)
def _tile(pen: Pen, args: tuple[int, int]) -> None:
    """A small element or wild card: number and sign on its colour, or a star."""
    z, count = args
    pen.radius = 10
    tall = pen.height > 100
    if not z:
        pen.box((0, 0, pen.width, pen.height), "paper", 10)
        _emblem(
            pen, (pen.width / 2, pen.height / 2), min(pen.width, pen.height) * 0.46, balls=_FEW if tall else 0
        )
        _count(pen, count)
        return
    symbol = _symbol(z)
    colour = element_colour(pen.theme, symbol)
    pen.box((0, 0, pen.width, pen.height), colour if not tall else "paper", 10)
    if not tall:
        size = pen.fitting(symbol, pen.width - 4, 48, 36)
        pen.text(symbol, (0, 0, pen.width, pen.height), size, ink_on(pen.theme, colour))
        return
    foot = pen.height * 0.55
    _foot(pen, colour, foot, 10)
    room = pen.width * (0.56 if count > 1 else 1) - 8
    size = pen.fitting(str(z), room - 3, 50, 36, Weight.DISPLAY)
    pen.text(str(z), (8, 2, room, pen.height - foot), size, weight=Weight.DISPLAY, align=Align.LEFT)
    pen.text(symbol, (0, pen.height - foot, pen.width, foot), 58, ink_on(pen.theme, colour))
    _count(pen, count)


def _star(pen: Pen, centre: Point, radius: float) -> None:
    """A golden star whose arms are cut like a gem: one half in the light, the other in the shade."""
    outer, inner = pen.rose(centre, radius, 5), pen.rose(centre, radius * 0.46, 5, -54)
    around = [point for pair in zip(outer, inner, strict=True) for point in pair]
    pen.stroke(around, "ink", max(4.0, radius * 0.13), closed=True)
    shade = pen.blend("accent", "alkaline earth metal", 0.7)
    for number, point in enumerate(around):
        pen.polygon([centre, point, around[(number + 1) % 10]], shade if number % 2 else "accent")


def _ellipse(centre: Point, across: float, along: float, turn: float) -> list[Point]:
    tilt = radians(turn)
    points = []
    for step in range(60):
        x, y = across * cos(radians(step * 6)), along * sin(radians(step * 6))
        points.append((centre[0] + x * cos(tilt) - y * sin(tilt), centre[1] + x * sin(tilt) + y * cos(tilt)))
    return points


def _emblem(pen: Pen, centre: Point, radius: float, *, balls: int) -> None:
    """What a wild card shows: a golden star in the middle of an atom whose electrons are all elements."""
    inner = radius * (0.58 if balls else 0.88)
    if balls:
        for turn in (0, 60, 120):
            pen.stroke(
                _ellipse(centre, radius * 0.84, radius * 0.3, turn),
                "paper_edge",
                max(1.5, radius * 0.02),
                closed=True,
            )
        for place, symbol in zip(pen.rose(centre, radius * 0.84, balls), _AROUND, strict=False):
            ball(pen, place, radius * (0.15 if balls > _FEW else 0.22), symbol)
    _star(pen, centre, inner)


@painter("chemistry.wild", printed=True)
def _wild(pen: Pen, args: tuple[str, int]) -> None:
    """A wild card of about 160 px: the star among the elements, and the word; without one it is an emblem."""
    word, count = args
    radius = 16 * pen.width / 208
    pen.radius = radius
    pen.box((0, 0, pen.width, pen.height), "paper", radius)
    foot = 60.0 if word else 20.0
    pen.box((0, pen.height - foot, pen.width, foot), WILD_COLOUR, radius, (False, False, True, True))
    top = 30.0 if count > 1 else 0.0
    _emblem(pen, (pen.width / 2, top + (pen.height - foot - top) / 2), pen.width * 0.46, balls=_FEW)
    if word:
        pen.text(
            word, (8, pen.height - foot, pen.width - 16, foot), pen.fitting(word, pen.width - 24, 48, 36)
        )
    _count(pen, count)


@painter("chemistry.emblem", printed=True)
def _large_emblem(pen: Pen, _: tuple[()]) -> None:
    """The star among ten elements, on the paper of its page."""
    pen.radius = 0
    _emblem(pen, (pen.width / 2, pen.height / 2), pen.width * 0.48, balls=10)


@painter("chemistry.pile")
def _pile(pen: Pen, args: tuple[str]) -> None:
    """The back of the draw pile with the number of cards in it, above the corner that others may cover."""
    (count,) = args
    pen.radius = 14
    pen.box((0, 0, pen.width, pen.height), "back", 14)
    pen.box((8, 8, pen.width - 16, pen.height - 16), "back_line", 10)
    pen.box((12, 12, pen.width - 24, pen.height - 24), "back", 8)
    for turn in (0, 60, 120):
        middle = (pen.width / 2, pen.height / 2)
        pen.stroke(_ellipse(middle, pen.width * 0.36, pen.width * 0.14, turn), "back_line", 3, closed=True)
    if count:
        centre = (pen.width / 2, pen.height * 0.32)
        pen.disc(centre, pen.width * 0.29, "back_line")
        pen.disc(centre, pen.width * 0.26, "back")
        pen.text(count, (0, centre[1] - 50, pen.width, 100), 60, "text")
