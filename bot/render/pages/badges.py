"""Badges for achievements, and the page of a player's achievements in one game.

Painter: `badges.badge` (the motif, whether it is earned). An unearned badge is an outline. Its motif shows
what it will be, and the two can be distinguished without colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

from bot.render.blocks import Block, Box, Column, Paragraph, Spaced, frozen
from bot.render.pages.leaderboards import heading
from bot.render.parts import INNER, alt_text, text_width
from bot.render.scene import Align, Item, ItemGroup, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.sprites import Colour, Pen, Point, painter
from bot.render.theme import RADIUS_CARD

BADGE: Final = "badges.badge"
_SIDE: Final = 148
_PAD: Final = 20
_GAP: Final = 28


def _around(radius: float, corners: int, turn: float = -90.0) -> list[Point]:
    """Return the corners of a regular polygon around the middle of a badge, which is 100 wide."""
    steps = (turn / 180 * pi + 2 * pi * n / corners for n in range(corners))
    return [(50 + radius * cos(at), 50 + radius * sin(at)) for at in steps]


def _star(points: int, outer: float, inner: float) -> list[Point]:
    tips, dents = _around(outer, points), _around(inner, points, -90 + 180 / points)
    return [point for pair in zip(tips, dents, strict=True) for point in pair]


_SHAPES: Final[dict[str, tuple[list[Point], ...]]] = {
    "star": (_star(5, 30, 12.5),),
    "burst": (_star(12, 31, 20),),
    "crown": (
        [(22, 36), (36, 48), (50, 27), (64, 48), (78, 36), (73, 62), (27, 62)],
        [(27, 66), (73, 66), (73, 73), (27, 73)],
    ),
    "bolt": ([(58, 18), (28, 55), (46, 55), (40, 82), (72, 43), (53, 43)],),
    "shield": ([(26, 26), (50, 19), (74, 26), (72, 52), (64, 68), (50, 80), (36, 68), (28, 52)],),
    "rise": (
        [(50, 20), (76, 46), (76, 60), (50, 35), (24, 60), (24, 46)],
        [(50, 46), (76, 72), (76, 85), (50, 60), (24, 85), (24, 72)],
    ),
    "gem": (
        [(34, 27), (66, 27), (78, 42), (22, 42)],
        [(22, 46), (45, 46), (50, 78)],
        [(78, 46), (55, 46), (50, 78)],
    ),
    "cross": ([(42, 22), (58, 22), (58, 78), (42, 78)], [(22, 42), (78, 42), (78, 58), (22, 58)]),
    "peak": ([(18, 74), (42, 30), (53, 50), (61, 39), (82, 74)],),
    "flag": ([(30, 20), (36, 20), (36, 82), (30, 82)], [(38, 22), (76, 32), (38, 52)]),
}


def _stroke(pen: Pen, start: Point, end: Point, thick: float, ink: Colour) -> None:
    (x, y), (u, v) = start, end
    long = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
    across, down = (v - y) / long * thick / 2, (x - u) / long * thick / 2
    corners = [(x + across, y + down), (u + across, v + down), (u - across, v - down), (x - across, y - down)]
    unit = pen.width / 100
    pen.polygon([(a * unit, b * unit) for a, b in corners], ink)


def _snow(pen: Pen, ink: Colour, unit: float) -> None:
    for tip in _around(31, 6):
        _stroke(pen, (50, 50), tip, 6, ink)
        for side in (-0.42, 0.42):
            away = (tip[0] - 50, tip[1] - 50)
            root = (50 + away[0] * 0.58, 50 + away[1] * 0.58)
            turned = (
                away[0] * cos(side * 2) - away[1] * sin(side * 2),
                away[0] * sin(side * 2) + away[1] * cos(side * 2),
            )
            _stroke(pen, root, (root[0] + turned[0] * 0.36, root[1] + turned[1] * 0.36), 5, ink)
    pen.disc((50 * unit, 50 * unit), 6 * unit, ink)


def _clock(pen: Pen, ink: Colour, unit: float) -> None:
    pen.ring((50 * unit, 50 * unit), 27 * unit, ink, thickness=7 * unit)
    _stroke(pen, (50, 53), (50, 33), 6, ink)
    _stroke(pen, (48, 50), (65, 58), 6, ink)


def _bomb(pen: Pen, ink: Colour, unit: float) -> None:
    pen.disc((46 * unit, 57 * unit), 24 * unit, ink)
    _stroke(pen, (58, 40), (69, 28), 10, ink)
    pen.polygon(
        [(x * unit, y * unit) for x, y in [(70, 16), (74, 24), (83, 24), (77, 30), (79, 39), (70, 33)]], ink
    )


def _ring(pen: Pen, ink: Colour, unit: float) -> None:
    """Draw a molecule: a ring of six atoms with an inner circle."""
    corners = _around(30, 6)
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        _stroke(pen, start, end, 7, ink)
    pen.ring((50 * unit, 50 * unit), 14 * unit, ink, thickness=5 * unit)
    for x, y in corners:
        pen.disc((x * unit, y * unit), 6 * unit, ink)


def _atom(pen: Pen, ink: Colour, unit: float) -> None:
    """Draw a nucleus with two shells, an electron on each."""
    for radius, at in ((19, 0.6), (31, 3.9)):
        pen.ring((50 * unit, 50 * unit), radius * unit, ink, thickness=4 * unit)
        pen.disc(((50 + radius * cos(at)) * unit, (50 + radius * sin(at)) * unit), 6 * unit, ink)
    pen.disc((50 * unit, 50 * unit), 9 * unit, ink)


def _cards(pen: Pen, ink: Colour, unit: float) -> None:
    """Draw three cards in a rising row."""
    for n in range(3):
        pen.box(((21 + 21 * n) * unit, (44 - 10 * n) * unit, 17 * unit, 34 * unit), ink, 4 * unit)


_DRAWN: Final[dict[str, Callable[[Pen, Colour, float], None]]] = {
    "snow": _snow,
    "clock": _clock,
    "bomb": _bomb,
    "ring": _ring,
    "atom": _atom,
    "cards": _cards,
}
MOTIFS: Final = (*_SHAPES, *_DRAWN)


@painter(BADGE, printed=True)
def _badge(pen: Pen, args: tuple[str, bool]) -> None:
    """Draw a gold hexagon with its motif, or the outline of a badge still to be earned."""
    motif, earned = args
    side = min(pen.width, pen.height)
    own = pen.within((pen.width - side) / 2, (pen.height - side) / 2, side, side)
    own.width = own.height = side
    unit = side / 100

    def hexagon(radius: float, colour: Colour) -> None:
        own.polygon([(x * unit, y * unit) for x, y in _around(radius, 6)], colour)

    if earned:
        hexagon(49, own.blend("accent", "ink", 0.55))
        hexagon(46, own.blend("accent", "paper", 0.55))
        hexagon(42, "accent")
        top = [(x * unit, y * unit) for x, y in _around(42, 6) if y < 51]
        own.polygon(top, own.blend("accent", "paper", 0.25))
        ink: Colour = own.blend("accent", "ink", 0.85)
    else:
        hexagon(49, own.blend("edge", "muted", 0.4))
        hexagon(45, "panel")
        ink = own.blend("edge", "muted", 0.4)
    for shape in _SHAPES.get(motif, ()):
        own.polygon([(x * unit, y * unit) for x, y in shape], ink)
    if motif in _DRAWN:
        _DRAWN[motif](own, ink, unit)


@dataclass(frozen=True, slots=True)
class Badge:
    """One achievement: its motif, title and description, and the number of times it was earned, as shown.

    `times` is empty if it was never earned. `said` is the line for the alt text.
    """

    motif: str
    title: str
    text: str
    times: str
    said: str
    tag: str = ""
    """The mark of the title the player has chosen to show."""


def _line(badge: Badge) -> Block:
    times = text_width(badge.times, Size.TITLE, Weight.BOLD)
    wide = INNER - 3 * _PAD - _SIDE - _GAP - (times + _GAP if times else 0)
    name = f"{badge.title} · {badge.tag}" if badge.tag else badge.title
    words = Column(
        (
            Paragraph(name, (Size.CLEAR,), Weight.BOLD, "text" if badge.times else "muted", lines=2),
            Paragraph(badge.text, (Size.CLEAR,), colour="muted", lines=4),
        )
    )
    tall = max(_SIDE, words.height(wide)) + 2 * _PAD

    def draw(area: Rect) -> list[Item]:
        inner = area.inset(_PAD, _PAD)
        sign = Rect(inner.x, inner.y + (inner.h - _SIDE) // 2, _SIDE, _SIDE)
        high = words.height(wide)
        told = Rect(sign.right + _GAP, inner.y + (inner.h - high) // 2, wide, high)
        items: list[Item] = [Panel(area, "panel_high" if badge.tag else "panel", RADIUS_CARD)]
        items += [Sprite(BADGE, (badge.motif, bool(badge.times)), sign), *words.items(told)]
        if times:
            place = Rect(inner.right - times, inner.y, times, inner.h)
            items.append(Text(place, badge.times, Size.TITLE, Weight.BOLD, "accent", Align.RIGHT))
        return [ItemGroup(area, tuple(items))]

    return Box(tall, draw)


def badges_scene(title: str, subtitle: str, badges: Sequence[Badge], footer: str, look: Look) -> Scene:
    """Return a player's achievements in one game, including those still to be earned, as tall as needed."""
    blocks: list[Block] = [heading(title, subtitle), *(Spaced(_line(badge), 12) for badge in badges)]
    said = [f"{words}." for words in (title, subtitle) if words]
    told = alt_text(*said, *(badge.said for badge in badges), footer)
    return frozen(Column(blocks), told, look, foot=Paragraph(footer, (Size.CLEAR,), colour="muted", lines=3))
