"""The cards of Duel 52 on the table: whole or damaged, face-up, as a back, or a back that the viewer knows.

A damaged card lies on its side, as at a real table; its rank stays upright so that a phone can read it,
and the damage stands beside it as a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from bot.render import playing_cards
from bot.render.scene import Align, Weight
from bot.render.sprites import Pen, painter

_LEAST = 36
"""The smallest type that a phone shows well."""


@dataclass(frozen=True, slots=True)
class Face:
    """What a card on the table shows.

    `rank` and `suit` are those of the painter of cards, empty for a back of which nothing is shown; `back`
    says that it lies face-down, `number` is its place among the cards of its row; a `spent` card has made its
    attacks in this turn and is printed on grey.
    """

    rank: str = ""
    suit: str = ""
    back: bool = False
    number: int = 0
    damage: int = 0
    frozen: bool = False
    locked: bool = False
    spent: bool = False


def _badge(pen: Pen, x: float, y: float, radius: float, text: str) -> None:
    """A number in a disc: the damage."""
    pen.disc((x, y), radius, "suit_red")
    pen.text(text, (x - radius, y - radius, 2 * radius, 2 * radius), _LEAST, "paper", weight=Weight.BOLD)


def _snow(pen: Pen, x: float, y: float, radius: float) -> None:
    """A snow crystal in a disc: frozen."""
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


def _padlock(pen: Pen, x: float, y: float, size: float) -> None:
    """A closed lock: a base that nobody may use yet."""
    pen.arc((x, y - 0.12 * size), 0.24 * size, (180, 360), "muted", thickness=0.1 * size)
    for edge in (-0.24, 0.24):
        pen.box((x + (edge - 0.05) * size, y - 0.13 * size, 0.1 * size, 0.16 * size), "muted")
    pen.box((x - 0.36 * size, y + 0.0 * size, 0.72 * size, 0.5 * size), "muted", 0.08 * size)
    pen.disc((x, y + 0.2 * size), 0.08 * size, "back")


def _paper(shown: Face) -> str:
    return "paper_edge" if shown.spent else "paper"


def _ground(pen: Pen, shown: Face, unit: float) -> None:
    """The card itself, upright or on its side, without its signs."""
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
    """Slanting stripes on the card, below its signs: frozen."""
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
    """Rank and suit, or the number of a back."""
    w, h = pen.width, pen.height
    flat = w > h
    badge = shown.damage > 0
    # a back has a border; the smallest that lies on its side has no room to keep off it
    inset = unit * 0.06 if shown.back and shown.rank and not (flat and unit < 80) else 0.0
    room = w - unit * 0.16 - 2 * inset - (max(20.0, unit * 0.24) * 2 if flat and badge else 0)
    if shown.back and not shown.rank:
        if shown.locked:
            _padlock(pen, w / 2, h * 0.42, unit * 0.56)
            return
        text = str(shown.number)
        size = max(_LEAST, unit * 0.42)
        area = (0.0, 0.0, w if not (flat and badge) else room + unit * 0.16, h)
        pen.text(text, area, size, "muted", weight=Weight.BOLD)
        return
    colour = "paper" if shown.back else playing_cards.colour_of(shown.suit)
    if shown.locked:
        room -= unit * 0.24
    size = pen.fitting(shown.rank, room, max(_LEAST, unit * 0.54), _LEAST, Weight.DISPLAY)
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
    tall = playing_cards.rank_height(unit)
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
    """A card on the table; on its side where the sprite is wider than high."""
    (shown,) = args
    unit = min(pen.width, pen.height)
    flat = pen.width > pen.height
    if not shown.back and not flat and not shown.frozen:
        playing_cards.face(pen, shown.rank, shown.suit, _paper(shown))
        return
    _ground(pen, shown, unit)
    if shown.frozen:
        _frost(pen, shown, unit)
    _signs(pen, shown, unit)
    radius = max(20.0, unit * 0.24)
    edge = unit * 0.06
    if shown.damage:
        _badge(pen, pen.width - radius - edge, radius + edge, radius, str(shown.damage))
    if shown.frozen:
        cold = max(14.0, unit * 0.2)
        if flat:
            _snow(pen, pen.width - radius - edge, pen.height - cold - edge, cold)
        else:
            _snow(pen, cold + edge, pen.height - cold - edge, cold)


@painter("duel52.pile")
def _pile(pen: Pen, args: tuple[str]) -> None:
    """A stack of backs with a number."""
    w, h = pen.width, pen.height
    pen.radius = w * 0.1
    step = w * 0.06
    for shift in (2, 1):
        pen.box((shift * step, shift * step, w - 2 * step, h - 2 * step), "back_line", pen.radius)
    pen.box((0, 0, w - 2 * step, h - 2 * step), "back", pen.radius)
    pen.text(args[0], (0, 0, w - 2 * step, h - 2 * step), _LEAST, "text", weight=Weight.BOLD)


@painter("duel52.triangle", printed=True)
def _triangle(pen: Pen, args: tuple[str]) -> None:
    """A triangle with its number."""
    w, h = pen.width, pen.height
    pen.radius = 0
    pen.polygon([(w / 2, 0), (w, h), (0, h)], "edge")
    pen.text(args[0], (0, h * 0.3, w, h * 0.7), _LEAST, "text", weight=Weight.BOLD)
