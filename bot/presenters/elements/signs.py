"""Signs: one mark per kind of element, and marks such as a crown. A game adds signs of its own to `SIGNS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from bot.render.sprites import Colour, Pen, Point, painter

# A sign is drawn on a field of 100 x 100; `SignField` brings it to its place and size.
Sign: TypeAlias = "Callable[[SignField], None]"


class SignField:
    """A square part of a pen with 100 units on each side, with one colour and the colour below it."""

    def __init__(self, pen: Pen, ink: Colour, ground: Colour) -> None:
        side = min(pen.width, pen.height)
        self._unit = side / 100
        self._pen = pen.within((pen.width - side) / 2, (pen.height - side) / 2, side, side)
        self.ink, self.ground = ink, ground

    def _points(self, points: tuple[Point, ...]) -> list[Point]:
        return [(x * self._unit, y * self._unit) for x, y in points]

    def shape(self, *points: Point, hole: bool = False) -> None:
        """Fill a polygon."""
        self._pen.polygon(self._points(points), self.ground if hole else self.ink)

    def stroke(self, *points: Point, width: float = 10, hole: bool = False, closed: bool = False) -> None:
        """Draw a line with round ends."""
        colour = self.ground if hole else self.ink
        self._pen.stroke(self._points(points), colour, width * self._unit, closed=closed)

    def blunt(self, *points: Point, width: float = 10) -> None:
        """Draw a line with blunt ends."""
        self._pen.stroke(self._points(points), self.ink, width * self._unit, blunt=True)

    def disc(self, x: float, y: float, radius: float, *, hole: bool = False) -> None:
        """Fill a circle."""
        colour = self.ground if hole else self.ink
        self._pen.disc((x * self._unit, y * self._unit), radius * self._unit, colour)

    def arc(self, x: float, y: float, radius: float, span: Point, width: float = 10) -> None:
        """Draw a part of a ring, from one angle to another."""
        centre = (x * self._unit, y * self._unit)
        self._pen.arc(centre, radius * self._unit, span, self.ink, thickness=width * self._unit)

    def pie(self, x: float, y: float, radius: float, span: Point) -> None:
        """Fill a slice of a circle."""
        # A thick arc from the middle outwards is a slice.
        self.arc(x, y, radius / 2, span, radius)

    def box(self, x: float, y: float, width: float, height: float, *, round_: float = 0) -> None:
        """Fill a rectangle, its corners rounded."""
        unit = self._unit
        self._pen.box((x * unit, y * unit, width * unit, height * unit), self.ink, round_ * unit)


def _nonmetal(field: SignField) -> None:
    field.arc(50, 50, 36, (0, 360), 16)


def _noble(field: SignField) -> None:
    field.arc(50, 50, 40, (0, 360), 12)
    field.disc(50, 50, 17)


def _alkali(field: SignField) -> None:
    field.shape((50, 4), (97, 90), (3, 90))


def _earth(field: SignField) -> None:
    field.shape((3, 10), (97, 10), (50, 96))


def _metalloid(field: SignField) -> None:
    field.shape((50, 2), (98, 50), (50, 98), (2, 50))
    field.shape((50, 30), (70, 50), (50, 70), (30, 50), hole=True)


def _halogen(field: SignField) -> None:
    field.blunt((50, 2), (50, 98), width=22)
    field.blunt((9, 26), (91, 74), width=22)
    field.blunt((9, 74), (91, 26), width=22)


def _post(field: SignField) -> None:
    field.box(8, 8, 84, 34)
    field.box(8, 58, 84, 34)


def _transition(field: SignField) -> None:
    field.box(8, 8, 84, 84, round_=6)


def _lanthanide(field: SignField) -> None:
    field.shape((26, 6), (74, 6), (98, 50), (74, 94), (26, 94), (2, 50))


def _actinide(field: SignField) -> None:
    field.shape((26, 6), (74, 6), (98, 50), (74, 94), (26, 94), (2, 50))
    field.disc(50, 50, 22, hole=True)


CATEGORY_SIGNS: Final[dict[str, Sign]] = {
    "nonmetal": _nonmetal,
    "noble gas": _noble,
    "alkali metal": _alkali,
    "alkaline earth metal": _earth,
    "metalloid": _metalloid,
    "halogen": _halogen,
    "post-transition metal": _post,
    "transition metal": _transition,
    "lanthanide": _lanthanide,
    "actinide": _actinide,
}


def _crown(field: SignField) -> None:
    field.shape((4, 24), (28, 48), (50, 10), (72, 48), (96, 24), (86, 76), (14, 76))
    field.box(14, 82, 72, 12, round_=3)


def _eye(field: SignField) -> None:
    field.shape((2, 50), (22, 28), (50, 18), (78, 28), (98, 50), (78, 72), (50, 82), (22, 72))
    field.disc(50, 50, 22, hole=True)
    field.disc(50, 50, 12)


def _flag(field: SignField) -> None:
    field.box(14, 4, 12, 92, round_=6)
    field.shape((32, 8), (94, 8), (78, 33), (94, 58), (32, 58))


MARKS: Final[dict[str, Sign]] = {"crown": _crown, "eye": _eye, "flag": _flag}
SIGNS: Final = MARKS | CATEGORY_SIGNS
"""All signs by key."""


def sign(pen: Pen, key: str, ink: Colour, ground: Colour) -> None:
    """Draw a sign over the whole pen: a kind of element, a mark such as `crown`, or what a game has added.

    `ground` is the colour on which it lies; gaps in the sign are filled with it. Raises KeyError for a
    sign that does not exist.
    """
    SIGNS[key](SignField(pen, ink, ground))


@painter("elements.sign", printed=True)
def _sign(pen: Pen, args: tuple[str, str, str]) -> None:
    key, ink, ground = args
    sign(pen, key, ink, ground)
