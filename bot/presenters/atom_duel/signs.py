"""The signs of Atom Duel: one silhouette per power."""

from __future__ import annotations

from typing import Final

from bot.presenters.elements.signs import SIGNS, Field, Sign


def _person(field: Field) -> None:
    field.disc(50, 27, 21)
    field.shape((10, 95), (12, 76), (19, 64), (31, 56), (50, 80), (69, 56), (81, 64), (88, 76), (90, 95))


def _flask(field: Field) -> None:
    field.box(31, 5, 38, 11, round_=5)
    field.shape((38, 12), (62, 12), (62, 40), (90, 84), (84, 95), (16, 95), (10, 84), (38, 40))
    field.shape((47, 16), (53, 16), (53, 44), (63, 60), (37, 60), (47, 44), hole=True)


def _forbidden(inner: Sign) -> Sign:
    def sign(field: Field) -> None:
        inner(field)
        field.stroke((8, 8), (92, 92), width=26, hole=True)
        field.stroke((6, 6), (94, 94), width=12)

    return sign


def _laser(field: Field) -> None:
    # The sign on every laser's label: a burst of light with one long beam.
    for dx, dy in ((0, -1), (0.71, -0.71), (0.71, 0.71), (0, 1), (-0.71, 0.71), (-1, 0), (-0.71, -0.71)):
        field.stroke((36 + 19 * dx, 50 + 19 * dy), (36 + 31 * dx, 50 + 31 * dy), width=8)
    field.disc(36, 50, 13)
    field.stroke((36, 50), (95, 50), width=10)


def _trefoil(field: Field) -> None:
    for middle in (90, 210, 330):
        field.pie(50, 50, 47, (middle - 180 - 30, middle - 180 + 30))
    field.disc(50, 50, 17, hole=True)
    field.disc(50, 50, 10)


def _shield(field: Field) -> None:
    field.shape(
        (50, 3), (90, 16), (90, 48), (84, 66), (70, 84), (50, 98), (30, 84), (16, 66), (10, 48), (10, 16)
    )
    for middle in (-90, 30, 150):
        inner = _Hole(field)
        inner.pie(50, 48, 27, (middle - 30, middle + 30))
    field.disc(50, 48, 9)
    field.disc(50, 48, 5, hole=True)


class _Hole(Field):
    """The same field with the two colours changed over."""

    def __init__(self, field: Field) -> None:
        self._unit, self._pen = field._unit, field._pen
        self.ink, self.ground = field.ground, field.ink


def _rings(field: Field) -> None:
    # Each ring lies above the other at one crossing; a gap of ground shows which.
    gap = _Hole(field)
    field.arc(33, 50, 25, (0, 360), 13)
    gap.arc(67, 50, 25, (0, 360), 23)
    field.arc(67, 50, 25, (0, 360), 13)
    gap.arc(33, 50, 25, (-75, -22), 23)
    field.arc(33, 50, 25, (-100, 10), 13)


def _magnet(field: Field) -> None:
    field.arc(50, 42, 29, (180, 360), 24)
    field.box(9, 41, 24, 30)
    field.box(67, 41, 24, 30)
    field.box(9, 78, 24, 18)
    field.box(67, 78, 24, 18)


def _drill(field: Field) -> None:
    field.box(32, 2, 36, 20, round_=4)
    field.shape((38, 22), (62, 22), (66, 74), (50, 98), (34, 74))
    for y in (30, 47, 64):
        field.stroke((30, y + 11), (70, y - 1), width=7, hole=True)


def _book(field: Field) -> None:
    field.shape((46, 20), (30, 12), (4, 12), (4, 82), (30, 82), (46, 90))
    field.shape((54, 20), (70, 12), (96, 12), (96, 82), (70, 82), (54, 90))
    for y in (32, 50):
        field.stroke((16, y - 2), (34, y + 3), width=6, hole=True)
        field.stroke((84, y - 2), (66, y + 3), width=6, hole=True)


POWER_SIGNS: Final[dict[str, Sign]] = {
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
SIGNS.update(POWER_SIGNS)
