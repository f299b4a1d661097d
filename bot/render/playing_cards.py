"""French-suited cards drawn by Valence: faces, backs and suit signs, at any size from 60 px.

The rank dominates a face. The suit is below it, and again large in the opposite corner, where court cards
have an emblem: shield, tiara, crown. Painters: `cards.face` and `cards.wide` (rank, suit), `cards.back` (a
word or nothing), `cards.suit` (suit, colour), `cards.joker` (colour). Ranks are "2" to "10", "J", "Q", "K"
and "A" with the suits "clubs", "diamonds", "hearts" and "spades"; a joker is "★" with "black" or "red".
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from bot.render.scene import Align, Weight
from bot.render.sprites import Colour, Pen, Point, painter

RATIO: Final = 5 / 7
"""Width of a card divided by its height."""
_SMALL: Final = 80
"""Width below which a card shows only its rank and one suit."""
_LEAST: Final = 36
"""The smallest type that is legible on a phone."""
_PAPER: Final = 400
"""Width from which a suit is drawn for print, where paper shows corners that no screen does."""


JOKER: Final = "★"


def colour_of(which: str) -> str:
    """Return the theme colour in which the cards of a suit are printed."""
    return "suit_red" if which in ("diamonds", "hearts", "red") else "ink"


def _heart(x: float, y: float, width: float, height: float) -> list[Point]:
    """Return the outline of a heart that fills the box, upside down if the height is negative."""
    points, count = [], 60 if width < _PAPER else 240
    for step in range(count):
        t = 2 * pi * step / count
        across = 16 * sin(t) ** 3
        up = 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)
        points.append((x + width * (across + 16) / 32, y + height * (12 - up) / 29))
    return points


def _stem(pen: Pen, colour: Colour, top: float) -> None:
    """Draw the foot of spades and clubs: narrow at the top, spreading at the bottom."""
    w, h = pen.width, pen.height
    curve = [(0.5 - 0.045 - 0.19 * (step / 8) ** 2.4, top + (1 - top) * step / 8) for step in range(9)]
    left = [(x * w, y * h) for x, y in curve]
    right = [((1 - x) * w, y * h) for x, y in reversed(curve)]
    pen.polygon([*left, *right], colour)


def suit(pen: Pen, which: str, colour: Colour) -> None:
    """Draw a suit sign that fills the pen's box."""
    w, h = pen.width, pen.height
    if which == "hearts":
        pen.polygon(_heart(0, h * 0.04, w, h * 0.94), colour)
    elif which == "diamonds":
        pen.polygon([(w * 0.5, 0), (w * 0.9, h * 0.5), (w * 0.5, h), (w * 0.1, h * 0.5)], colour)
    elif which == "clubs":
        r = w * 0.235
        for x, y in ((0.5, 0.235), (0.245, 0.56), (0.755, 0.56)):
            pen.disc((w * x, h * y), r, colour)
        pen.polygon([(w * 0.5, h * 0.3), (w * 0.68, h * 0.66), (w * 0.32, h * 0.66)], colour)
        _stem(pen, colour, 0.5)
    else:
        pen.polygon(_heart(w * 0.04, h * 0.78, w * 0.92, -h * 0.78), colour)
        _stem(pen, colour, 0.52)


def star(pen: Pen, colour: Colour) -> None:
    """Draw the sign of a joker, filling the pen's box. The black one is hollow, so colour is not needed to
    recognise it."""
    middle = (pen.width / 2, pen.height * 0.53)

    def points(size: float) -> list[Point]:
        outer = pen.rose(middle, pen.width * 0.5 * size, 5)
        inner = pen.rose(middle, pen.width * 0.21 * size, 5, -54)
        return [point for pair in zip(outer, inner, strict=True) for point in pair]

    pen.polygon(points(1), colour)
    if colour == colour_of("black"):
        pen.polygon(points(0.48), "paper")


def _crown(pen: Pen, colour: Colour) -> None:
    """Draw a king's crown: five points, a band, a cross on top."""
    w, h = pen.width, pen.height
    rim = [(0.06, 0.8), (0.0, 0.36), (0.25, 0.56), (0.5, 0.24), (0.75, 0.56), (1.0, 0.36), (0.94, 0.8)]
    pen.polygon([(x * w, y * h) for x, y in rim], colour)
    pen.box((0.06 * w, 0.86 * h, 0.88 * w, 0.12 * h), colour, 0.04 * w)
    pen.box((0.465 * w, 0.0, 0.07 * w, 0.24 * h), colour)
    pen.box((0.4 * w, 0.065 * h, 0.2 * w, 0.065 * h), colour)
    for x in (0.03, 0.97):
        pen.disc((x * w, 0.33 * h), 0.06 * w, colour)


def _tiara(pen: Pen, colour: Colour) -> None:
    """Draw a queen's tiara: a bow that rises in the middle, pearls on slender points."""
    w, h = pen.width, pen.height
    rim = [(0.04, 0.86), (0.0, 0.5), (0.24, 0.66), (0.3, 0.32), (0.44, 0.6), (0.5, 0.2)]
    left = [(x * w, y * h) for x, y in rim]
    right = [((1 - x) * w, y * h) for x, y in reversed(rim)]
    pen.polygon([*left, *right], colour)
    for x, y in ((0.02, 0.46), (0.3, 0.27), (0.5, 0.13), (0.7, 0.27), (0.98, 0.46)):
        pen.disc((x * w, y * h), 0.065 * w, colour)
    pen.box((0.04 * w, 0.91 * h, 0.92 * w, 0.07 * h), colour, 0.03 * w)


def _shield(pen: Pen, colour: Colour) -> None:
    """Draw a jack's shield: rounded to a point, quartered by a bar and a pale."""
    w, h = pen.width, pen.height
    right = [(0.5 + 0.42 * cos(pi * s / 40), 0.42 + 0.56 * sin(pi * s / 40)) for s in range(21)]
    left = [(1 - x, y) for x, y in reversed(right)]
    pen.polygon([(x * w, y * h) for x, y in [(0.08, 0.06), (0.92, 0.06), *right, *left]], colour)
    for box in ((0.46, 0.06, 0.08, 0.92), (0.08, 0.4, 0.84, 0.08)):
        x, y, wide, high = box
        pen.box((x * w, y * h, wide * w, high * h), "paper")


_HEADS: Final = {"J": _shield, "Q": _tiara, "K": _crown}


def rank_height(width: float) -> float:
    """Return the distance from the top of a card of this width to the bottom of its rank."""
    return width * 0.56 if width >= _SMALL else max(_LEAST + 8, width * 0.6)


def face(pen: Pen, rank: str, which: str, ground: Colour = "paper") -> None:
    """Draw the front of a card in the pen's whole box."""
    w, h = pen.width, pen.height
    pen.radius = w * 0.09
    pen.box((0, 0, w, h), ground, pen.radius)
    colour = colour_of(which)
    small = w < _SMALL
    tall = rank_height(w)
    size = max(_LEAST, w * (0.5 if not small else 0.58))
    edge = w * 0.07
    if rank == JOKER:
        star(pen.within(edge, edge, tall * 0.86, tall * 0.86), colour)
    else:
        fitted = pen.fitting(rank, w * (0.66 if not small else 0.9), size, _LEAST, Weight.DISPLAY)
        area = (edge, edge * 0.5, w - 1.4 * edge, tall)
        pen.text(rank, area, fitted, colour, weight=Weight.DISPLAY, align=Align.LEFT)
    if not small and rank not in ("A", JOKER):
        side = w * 0.25
        suit(pen.within(edge * 1.2, tall + edge * 0.3, side, side), which, colour)
    side = w * (0.56 if not small else 0.46)
    if rank == "A" and not small:
        side = w * 0.66
    corner = pen.within(w - side - edge, h - side - edge * 1.1, side, side)
    if rank == JOKER:
        star(corner, colour)
    elif rank in _HEADS and not small:
        _HEADS[rank](corner, colour)
    else:
        suit(corner, which, colour)


def wide(pen: Pen, rank: str, which: str) -> None:
    """Draw a card's contents in a box wider than tall, such as the upper half of a card with words below.

    The rank and suit are at the left, the card's emblem at the right.
    """
    w, h, colour = pen.width, pen.height, colour_of(which)
    pen.radius = 0
    room, side = w * 0.39, w * 0.52
    size = pen.fitting(rank, room, h * 0.56, _LEAST, Weight.DISPLAY)
    pen.text(rank, (0, 0, room * 1.05, h * 0.6), size, colour, weight=Weight.DISPLAY, align=Align.LEFT)
    suit(pen.within(w * 0.02, h * 0.66, h * 0.3, h * 0.3), which, colour)
    # crowns have pearls that stick out on both sides
    sign = pen.within(w - side * 1.06, (h - side) / 2, side, side)
    if rank in _HEADS:
        _HEADS[rank](sign, colour)
    else:
        suit(sign, which, colour)


def back(pen: Pen, word: str = "") -> None:
    """Draw the back of a card, the same for all, with a word in the middle if there is one."""
    w, h = pen.width, pen.height
    pen.radius = w * 0.09
    pen.box((0, 0, w, h), "back", pen.radius)
    edge = max(4.0, w * 0.06)
    inner = (edge, edge, w - 2 * edge, h - 2 * edge)
    thick = max(2.0, w * 0.022)
    pen.box(inner, "back_line", pen.radius * 0.7)
    pen.box(
        (edge + thick, edge + thick, w - 2 * (edge + thick), h - 2 * (edge + thick)), "back", pen.radius * 0.6
    )
    step = (w - 2 * edge) / 4
    side = step * 0.44
    for row in range(round((h - 2 * edge) / step) * 2 - 1):
        for column in range(4 - row % 2):
            x = edge + step * (0.5 + column + (row % 2) * 0.5)
            y = edge + (h - 2 * edge) * (row + 1) / (round((h - 2 * edge) / step) * 2)
            pen.polygon(
                [(x, y - side / 2), (x + side / 2, y), (x, y + side / 2), (x - side / 2, y)], "back_line"
            )
    if word:
        tall = max(_LEAST * 1.3, w * 0.5)
        pen.box((w * 0.14, (h - tall) / 2, w * 0.72, tall), "back", tall * 0.3)
        size = pen.fitting(word, w * 0.66, max(_LEAST, w * 0.36), _LEAST)
        pen.text(word, (w * 0.1, (h - tall) / 2, w * 0.8, tall), size, "text")


@painter("cards.face", printed=True)
def _face(pen: Pen, args: tuple[str, str]) -> None:
    face(pen, *args)


@painter("cards.wide", printed=True)
def _wide(pen: Pen, args: tuple[str, str]) -> None:
    wide(pen, *args)


@painter("cards.back", printed=True)
def _back(pen: Pen, args: tuple[str]) -> None:
    back(pen, args[0])


@painter("cards.suit", printed=True)
def _suit(pen: Pen, args: tuple[str, str]) -> None:
    pen.radius = 0
    suit(pen, args[0], args[1])


@painter("cards.joker", printed=True)
def _joker(pen: Pen, args: tuple[str]) -> None:
    pen.radius = 0
    star(pen, args[0])
