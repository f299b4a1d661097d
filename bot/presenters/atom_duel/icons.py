"""The signs of Atom Duel: one silhouette per power, one mark per kind of element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from bot.render.sprites import Colour, Pen, Point, painter

# A sign is drawn on a field of 100 x 100; `_Field` brings it to its place and size.
_Sign: TypeAlias = "Callable[[_Field], None]"


class _Field:
    """A square part of a pen with 100 units on each side, with one colour and the colour below it."""

    def __init__(self, pen: Pen, ink: Colour, ground: Colour) -> None:
        side = min(pen.width, pen.height)
        self._unit = side / 100
        self._pen = pen.within((pen.width - side) / 2, (pen.height - side) / 2, side, side)
        self.ink, self.ground = ink, ground

    def _points(self, points: tuple[Point, ...]) -> list[Point]:
        return [(x * self._unit, y * self._unit) for x, y in points]

    def shape(self, *points: Point, hole: bool = False) -> None:
        self._pen.polygon(self._points(points), self.ground if hole else self.ink)

    def stroke(self, *points: Point, width: float = 10, hole: bool = False, closed: bool = False) -> None:
        colour = self.ground if hole else self.ink
        self._pen.stroke(self._points(points), colour, width * self._unit, closed=closed)

    def blunt(self, *points: Point, width: float = 10) -> None:
        self._pen.stroke(self._points(points), self.ink, width * self._unit, blunt=True)

    def disc(self, x: float, y: float, radius: float, *, hole: bool = False) -> None:
        colour = self.ground if hole else self.ink
        self._pen.disc((x * self._unit, y * self._unit), radius * self._unit, colour)

    def arc(self, x: float, y: float, radius: float, span: Point, width: float = 10) -> None:
        centre = (x * self._unit, y * self._unit)
        self._pen.arc(centre, radius * self._unit, span, self.ink, thickness=width * self._unit)

    def pie(self, x: float, y: float, radius: float, span: Point) -> None:
        # A thick arc from the middle outwards is a slice.
        self.arc(x, y, radius / 2, span, radius)

    def box(self, x: float, y: float, width: float, height: float, *, round_: float = 0) -> None:
        unit = self._unit
        self._pen.box((x * unit, y * unit, width * unit, height * unit), self.ink, round_ * unit)


def _person(field: _Field) -> None:
    field.disc(50, 27, 21)
    field.shape((10, 95), (12, 76), (19, 64), (31, 56), (50, 80), (69, 56), (81, 64), (88, 76), (90, 95))


def _flask(field: _Field) -> None:
    field.box(31, 5, 38, 11, round_=5)
    field.shape((38, 12), (62, 12), (62, 40), (90, 84), (84, 95), (16, 95), (10, 84), (38, 40))
    field.shape((47, 16), (53, 16), (53, 44), (63, 60), (37, 60), (47, 44), hole=True)


def _forbidden(inner: _Sign) -> _Sign:
    def sign(field: _Field) -> None:
        inner(field)
        field.stroke((8, 8), (92, 92), width=26, hole=True)
        field.stroke((6, 6), (94, 94), width=12)

    return sign


def _laser(field: _Field) -> None:
    # The sign on every laser's label: a burst of light with one long beam.
    for dx, dy in ((0, -1), (0.71, -0.71), (0.71, 0.71), (0, 1), (-0.71, 0.71), (-1, 0), (-0.71, -0.71)):
        field.stroke((36 + 19 * dx, 50 + 19 * dy), (36 + 31 * dx, 50 + 31 * dy), width=8)
    field.disc(36, 50, 13)
    field.stroke((36, 50), (95, 50), width=10)


def _trefoil(field: _Field) -> None:
    for middle in (90, 210, 330):
        field.pie(50, 50, 47, (middle - 180 - 30, middle - 180 + 30))
    field.disc(50, 50, 17, hole=True)
    field.disc(50, 50, 10)


def _shield(field: _Field) -> None:
    field.shape(
        (50, 3), (90, 16), (90, 48), (84, 66), (70, 84), (50, 98), (30, 84), (16, 66), (10, 48), (10, 16)
    )
    for middle in (-90, 30, 150):
        inner = _Hole(field)
        inner.pie(50, 48, 27, (middle - 30, middle + 30))
    field.disc(50, 48, 9)
    field.disc(50, 48, 5, hole=True)


class _Hole(_Field):
    """The same field with the two colours changed over."""

    def __init__(self, field: _Field) -> None:
        self._unit, self._pen = field._unit, field._pen
        self.ink, self.ground = field.ground, field.ink


def _rings(field: _Field) -> None:
    # Each ring lies above the other at one crossing; a gap of ground shows which.
    gap = _Hole(field)
    field.arc(33, 50, 25, (0, 360), 13)
    gap.arc(67, 50, 25, (0, 360), 23)
    field.arc(67, 50, 25, (0, 360), 13)
    gap.arc(33, 50, 25, (-75, -22), 23)
    field.arc(33, 50, 25, (-100, 10), 13)


def _magnet(field: _Field) -> None:
    field.arc(50, 42, 29, (180, 360), 24)
    field.box(9, 41, 24, 30)
    field.box(67, 41, 24, 30)
    field.box(9, 78, 24, 18)
    field.box(67, 78, 24, 18)


def _drill(field: _Field) -> None:
    field.box(32, 2, 36, 20, round_=4)
    field.shape((38, 22), (62, 22), (66, 74), (50, 98), (34, 74))
    for y in (30, 47, 64):
        field.stroke((30, y + 11), (70, y - 1), width=7, hole=True)


def _book(field: _Field) -> None:
    field.shape((46, 20), (30, 12), (4, 12), (4, 82), (30, 82), (46, 90))
    field.shape((54, 20), (70, 12), (96, 12), (96, 82), (70, 82), (54, 90))
    for y in (32, 50):
        field.stroke((16, y - 2), (34, y + 3), width=6, hole=True)
        field.stroke((84, y - 2), (66, y + 3), width=6, hole=True)


POWER_SIGNS: Final[dict[str, _Sign]] = {
    "scientist": _person,
    "laboratory": _flask,
    "anti_scientist": _forbidden(_person),
    "anti_laboratory": _forbidden(_flask),
    "laser": _laser,
    "radioactive": _trefoil,
    "stopper": _shield,
    "alloy": _rings,
    "magnet": _magnet,
    "carbide": _drill,
    "unique": _book,
}


def _nonmetal(field: _Field) -> None:
    field.arc(50, 50, 36, (0, 360), 16)


def _noble(field: _Field) -> None:
    field.arc(50, 50, 40, (0, 360), 12)
    field.disc(50, 50, 17)


def _alkali(field: _Field) -> None:
    field.shape((50, 4), (97, 90), (3, 90))


def _earth(field: _Field) -> None:
    field.shape((3, 10), (97, 10), (50, 96))


def _metalloid(field: _Field) -> None:
    field.shape((50, 2), (98, 50), (50, 98), (2, 50))
    field.shape((50, 30), (70, 50), (50, 70), (30, 50), hole=True)


def _halogen(field: _Field) -> None:
    field.blunt((50, 2), (50, 98), width=22)
    field.blunt((9, 26), (91, 74), width=22)
    field.blunt((9, 74), (91, 26), width=22)


def _post(field: _Field) -> None:
    field.box(8, 8, 84, 34)
    field.box(8, 58, 84, 34)


def _transition(field: _Field) -> None:
    field.box(8, 8, 84, 84, round_=6)


def _lanthanide(field: _Field) -> None:
    field.shape((26, 6), (74, 6), (98, 50), (74, 94), (26, 94), (2, 50))


def _actinide(field: _Field) -> None:
    field.shape((26, 6), (74, 6), (98, 50), (74, 94), (26, 94), (2, 50))
    field.disc(50, 50, 22, hole=True)


CATEGORY_SIGNS: Final[dict[str, _Sign]] = {
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


def _crown(field: _Field) -> None:
    field.shape((4, 24), (28, 48), (50, 10), (72, 48), (96, 24), (86, 76), (14, 76))
    field.box(14, 82, 72, 12, round_=3)


def _eye(field: _Field) -> None:
    field.shape((2, 50), (22, 28), (50, 18), (78, 28), (98, 50), (78, 72), (50, 82), (22, 72))
    field.disc(50, 50, 22, hole=True)
    field.disc(50, 50, 12)


def _flag(field: _Field) -> None:
    field.box(14, 4, 12, 92, round_=6)
    field.shape((32, 8), (94, 8), (78, 33), (94, 58), (32, 58))


MARKS: Final[dict[str, _Sign]] = {"crown": _crown, "eye": _eye, "flag": _flag}
_ALL: Final = POWER_SIGNS | MARKS | CATEGORY_SIGNS


def sign(pen: Pen, key: str, ink: Colour, ground: Colour) -> None:
    """Draw a sign over the whole pen: a power, a kind of element, or a mark such as `crown`.

    `ground` is the colour on which it lies; gaps in the sign are filled with it. Raises KeyError for a
    sign that does not exist.
    """
    _ALL[key](_Field(pen, ink, ground))


@painter("atom_duel.sign", printed=True)
def _sign(pen: Pen, args: tuple[str, str, str]) -> None:
    key, ink, ground = args
    sign(pen, key, ink, ground)
