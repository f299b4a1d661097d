"""Painters for Duel 52 cards on the table: whole or damaged, face-up, face-down, or known only to the viewer.

A damaged card is turned sideways, as at a real table. Its rank stays upright so that it is legible on a
phone, and its hit points are pips along its edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from bot.render import playing_cards
from bot.render.scene import Align, Weight
from bot.render.sprites import Pen, painter

_LEAST = 36
"""The smallest type that is legible on a phone."""
_CLEAR = 48
"""The smallest type that is legible on a phone inside a container."""
_ROOMY = 2 * _CLEAR
"""The width below which a card has no room for its full print."""


@dataclass(frozen=True, slots=True)
class Face:
    """The visible side of a card on the table.

    `rank` and `suit` are names the card painter knows, empty for a back that shows nothing. `back` means
    face-down; `letter` names the card's place in its row. A damaged card shows the hit points `left` and
    those lost. A `spent` card has made its attacks this turn and is printed on grey.
    """

    rank: str = ""
    suit: str = ""
    back: bool = False
    letter: str = ""
    damage: int = 0
    left: int = 0
    frozen: bool = False
    locked: bool = False
    spent: bool = False


def _pips(pen: Pen, x: float, y: float, radius: float, shown: Face) -> None:
    """Draw hit points from `x` at the right edge downwards: full discs for those left, rings for
    those lost."""
    ground = "back" if shown.back else _paper(shown)
    ink = "paper" if shown.back else "ink"
    count = shown.left + shown.damage
    step = min(2.5 * radius, (pen.height - 2 * y) / max(count - 1, 1))
    for place in range(count):
        centre = (x, y + place * step)
        pen.disc(centre, radius, ink)
        if place >= shown.left:
            pen.disc(centre, radius * 0.62, ground)


def _snow(pen: Pen, x: float, y: float, radius: float) -> None:
    """Draw a snow crystal in a disc, the sign of a frozen card."""
    pen.disc((x, y), radius, "seat0")
    for arm in range(6):
        angle = pi * arm / 3 + pi / 6
        tip = (x + 0.74 * radius * cos(angle), y + 0.74 * radius * sin(angle))
        pen.stroke([(x, y), tip], "ink", max(2.0, radius * 0.12))
        for turn in (-0.6, 0.6):
            start = (x + 0.42 * radius * cos(angle), y + 0.42 * radius * sin(angle))
            end = (
                start[0] + 0.28 * radius * cos(angle + turn),
                start[1] + 0.28 * radius * sin(angle + turn),
            )
            pen.stroke([start, end], "ink", max(2.0, radius * 0.1))


def _letter(pen: Pen, shown: Face, unit: float) -> None:
    """Draw the letter of a back on a tag, in the place of a rank."""
    side = max(1.2 * _CLEAR, unit * 0.36)
    at = unit * 0.07
    tag = (at, at, side, side)
    pen.box(tag, "back_line", side * 0.25)
    pen.text(shown.letter, tag, max(_CLEAR, unit * 0.3), "text", weight=Weight.BOLD)


def _padlock(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a closed lock, the sign of a base that cannot be used yet."""
    pen.arc((x, y - 0.12 * size), 0.24 * size, (180, 360), "muted", thickness=0.1 * size)
    for edge in (-0.24, 0.24):
        pen.box((x + (edge - 0.05) * size, y - 0.13 * size, 0.1 * size, 0.16 * size), "muted")
    pen.box((x - 0.36 * size, y + 0.0 * size, 0.72 * size, 0.5 * size), "muted", 0.08 * size)
    pen.disc((x, y + 0.2 * size), 0.08 * size, "back")


def _paper(shown: Face) -> str:
    return "paper_edge" if shown.spent else "paper"


def _ground(pen: Pen, shown: Face, unit: float) -> None:
    """Draw the card itself without its signs, upright or on its side."""
    w, h = pen.width, pen.height
    pen.radius = unit * 0.1
    if not shown.back:
        pen.box((0, 0, w, h), _paper(shown), pen.radius)
        return
    pen.box((0, 0, w, h), "back", pen.radius)
    edge = max(3.0, unit * 0.05)
    line = max(2.0, unit * 0.025)
    pen.box((edge, edge, w - 2 * edge, h - 2 * edge), "back_line", pen.radius * 0.7)
    inner = edge + line
    pen.box((inner, inner, w - 2 * inner, h - 2 * inner), "back", pen.radius * 0.6)


def _frost(pen: Pen, shown: Face, unit: float) -> None:
    """Draw slanting stripes on the card, below its signs: frozen."""
    w, h = pen.width, pen.height
    edge = unit * 0.09
    colour = pen.blend("back" if shown.back else _paper(shown), "seat0", 0.3 if shown.back else 0.5)
    step = unit * 0.2
    start = -h
    while start < w:
        first = max(edge - start, edge)
        last = min(w - edge - start, h - edge)
        if last > first:
            ends = [(start + first, h - first), (start + last, h - last)]
            pen.stroke(ends, colour, max(3.0, unit * 0.045), blunt=True)
        start += step


def _signs(pen: Pen, shown: Face, unit: float) -> None:
    """Draw the rank and suit of a known card."""
    w, h = pen.width, pen.height
    flat = w > h
    badge = shown.damage > 0
    # A back has a border. The smallest damaged card has no room to stay clear of it.
    inset = unit * 0.06 if shown.back and shown.rank and not (flat and unit < 80) else 0.0
    room = w - unit * 0.16 - 2 * inset - (max(9.0, unit * 0.1) * 2 + unit * 0.1 if badge else 0)
    if shown.back and not shown.rank:
        if shown.locked:
            _padlock(pen, w / 2, h * 0.42, unit * 0.56)
        return
    colour = "paper" if shown.back else playing_cards.colour_of(shown.suit)
    if shown.locked:
        room -= unit * 0.24
    size = pen.fitting(shown.rank, room, max(_CLEAR, unit * 0.54), _LEAST, Weight.DISPLAY)
    if flat:
        small = unit < 80
        area = (
            unit * 0.08 + inset,
            0.0 if not small else -unit * 0.02,
            room,
            h * (0.74 if not small else 0.7),
        )
        pen.text(shown.rank, area, size, colour, weight=Weight.DISPLAY, align=Align.LEFT)
        side = unit * 0.26
        playing_cards.suit(
            pen.within(unit * 0.1 + inset, h - side - unit * 0.08 - inset, side, side), shown.suit, colour
        )
        return
    tall = max(1.1 * _CLEAR, playing_cards.rank_height(unit))
    area = (unit * 0.07 + inset, unit * 0.03 + inset, w - unit * 0.1 - 2 * inset, tall)
    pen.text(shown.rank, area, size, colour, weight=Weight.DISPLAY, align=Align.LEFT)
    side = unit * (0.46 if inset else 0.5)
    where = (w - side - unit * 0.08 - inset, h - side - unit * 0.09 - inset)
    playing_cards.suit(pen.within(*where, side, side), shown.suit, colour)
    if shown.locked:
        size = unit * 0.36
        _padlock(pen, w - unit * 0.06 - inset - 0.36 * size, inset + tall * 0.46, size)


@painter("duel52.unit", printed=True)
def _unit(pen: Pen, args: tuple[Face]) -> None:
    """Draw a card on the table. A sprite that is wider than tall shows it turned sideways."""
    (shown,) = args
    unit = min(pen.width, pen.height)
    flat = pen.width > pen.height
    if not shown.back and not flat and not shown.frozen and unit >= _ROOMY:
        playing_cards.face(pen, shown.rank, shown.suit, _paper(shown))
        return
    _ground(pen, shown, unit)
    if shown.frozen:
        _frost(pen, shown, unit)
    _signs(pen, shown, unit)
    radius = max(8.0, unit * 0.1)
    edge = unit * 0.09
    if shown.damage:
        _pips(pen, pen.width - radius - edge, radius + edge, radius, shown)
    if shown.letter:
        _letter(pen, shown, unit)
    if shown.frozen:
        cold = max(14.0, unit * 0.2)
        if flat:
            _snow(pen, pen.width - cold - edge, pen.height - cold - edge, cold)
        else:
            _snow(pen, cold + edge, pen.height - cold - edge, cold)


@painter("duel52.pile")
def _pile(pen: Pen, args: tuple[str]) -> None:
    """Draw a stack of backs with a number."""
    w, h = pen.width, pen.height
    pen.radius = w * 0.1
    step = w * 0.06
    for shift in (2, 1):
        pen.box((shift * step, shift * step, w - 2 * step, h - 2 * step), "back_line", pen.radius)
    pen.box((0, 0, w - 2 * step, h - 2 * step), "back", pen.radius)
    size = pen.fitting(args[0], w - 2 * step - 6, 52, _CLEAR)
    pen.text(args[0], (0, 0, w - 2 * step, h - 2 * step), size, "text", weight=Weight.BOLD)


@painter("duel52.triangle", printed=True)
def _triangle(pen: Pen, args: tuple[str]) -> None:
    """Draw a triangle with its number."""
    w, h = pen.width, pen.height
    pen.radius = 0
    pen.polygon([(w / 2, 0), (w, h), (0, h)], "edge")
    pen.text(args[0], (0, h * 0.3, w, h * 0.7), _CLEAR, "text", weight=Weight.BOLD)
