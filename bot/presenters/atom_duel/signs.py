"""The signs of Atom Duel: one silhouette and one colour per power, the unique ones of level 7 included."""

from __future__ import annotations

from typing import Final

from bot.presenters.elements.signs import SIGNS, Sign, SignField
from bot.render.sprites import Area, Point


def _person(field: SignField) -> None:
    field.disc(50, 27, 21)
    field.shape((10, 95), (12, 76), (19, 64), (31, 56), (50, 80), (69, 56), (81, 64), (88, 76), (90, 95))


def _flask(field: SignField) -> None:
    field.box(31, 5, 38, 11, round_=5)
    field.shape((38, 12), (62, 12), (62, 40), (90, 84), (84, 95), (16, 95), (10, 84), (38, 40))
    field.shape((47, 16), (53, 16), (53, 44), (63, 60), (37, 60), (47, 44), hole=True)


def _forbidden(inner: Sign) -> Sign:
    def sign(field: SignField) -> None:
        inner(field)
        field.stroke((8, 8), (92, 92), width=26, hole=True)
        field.stroke((6, 6), (94, 94), width=12)

    return sign


def _laser(field: SignField) -> None:
    # The sign on every laser's label: a burst of light with one long beam.
    for dx, dy in ((0, -1), (0.71, -0.71), (0.71, 0.71), (0, 1), (-0.71, 0.71), (-1, 0), (-0.71, -0.71)):
        field.stroke((36 + 19 * dx, 50 + 19 * dy), (36 + 31 * dx, 50 + 31 * dy), width=8)
    field.disc(36, 50, 13)
    field.stroke((36, 50), (95, 50), width=10)


def _trefoil(field: SignField) -> None:
    for middle in (90, 210, 330):
        field.pie(50, 50, 47, (middle - 180 - 30, middle - 180 + 30))
    field.disc(50, 50, 17, hole=True)
    field.disc(50, 50, 10)


def _outline_of_shield(field: SignField) -> None:
    field.shape(
        (50, 3), (90, 16), (90, 48), (84, 66), (70, 84), (50, 98), (30, 84), (16, 66), (10, 48), (10, 16)
    )


def _shield(field: SignField) -> None:
    _outline_of_shield(field)
    for middle in (-90, 30, 150):
        inner = _Hole(field)
        inner.pie(50, 48, 27, (middle - 30, middle + 30))
    field.disc(50, 48, 9)
    field.disc(50, 48, 5, hole=True)


class _Hole(SignField):
    """A square part of a field, or all of it, with the two colours changed over."""

    def __init__(self, field: SignField, x: float = 0, y: float = 0, side: float = 100) -> None:
        unit = field._unit
        self._unit = unit * side / 100
        self._pen = field._pen.within(x * unit, y * unit, side * unit, side * unit)
        self.ink, self.ground = field.ground, field.ink


def _rings(field: SignField) -> None:
    # Each ring lies above the other at one crossing; a gap of ground shows which.
    gap = _Hole(field)
    field.arc(33, 50, 25, (0, 360), 13)
    gap.arc(67, 50, 25, (0, 360), 23)
    field.arc(67, 50, 25, (0, 360), 13)
    gap.arc(33, 50, 25, (-75, -22), 23)
    field.arc(33, 50, 25, (-100, 10), 13)


def _magnet(field: SignField) -> None:
    field.arc(50, 42, 29, (180, 360), 24)
    field.box(9, 41, 24, 30)
    field.box(67, 41, 24, 30)
    field.box(9, 78, 24, 18)
    field.box(67, 78, 24, 18)


def _drill(field: SignField) -> None:
    field.box(32, 2, 36, 20, round_=4)
    field.shape((38, 22), (62, 22), (66, 74), (50, 98), (34, 74))
    for y in (30, 47, 64):
        field.stroke((30, y + 11), (70, y - 1), width=7, hole=True)


def _book(field: SignField) -> None:
    field.shape((46, 20), (30, 12), (4, 12), (4, 82), (30, 82), (46, 90))
    field.shape((54, 20), (70, 12), (96, 12), (96, 82), (70, 82), (54, 90))
    for y in (32, 50):
        field.stroke((16, y - 2), (34, y + 3), width=6, hole=True)
        field.stroke((84, y - 2), (66, y + 3), width=6, hole=True)


# The unique powers of level 7. A shield keeps something off, a plus joins something, a card that is
# filled lies face down, an eye looks.

_FIGURES: Final[dict[str, tuple[Point, ...]]] = {
    "0": (
        (50, 0),
        (80, 8),
        (96, 30),
        (96, 70),
        (80, 92),
        (50, 100),
        (20, 92),
        (4, 70),
        (4, 30),
        (20, 8),
        (50, 0),
    ),
    "1": ((22, 22), (60, 0), (60, 100)),
    "2": ((4, 24), (20, 5), (50, 0), (82, 8), (96, 30), (84, 52), (4, 100), (100, 100)),
    "3": (
        (4, 8),
        (30, 0),
        (70, 0),
        (94, 20),
        (84, 40),
        (44, 47),
        (88, 56),
        (100, 78),
        (76, 98),
        (34, 100),
        (0, 90),
    ),
    "5": ((92, 0), (16, 0), (8, 46), (46, 38), (86, 46), (100, 70), (82, 94), (46, 100), (2, 90)),
    "7": ((0, 0), (100, 0), (40, 100)),
}
"""The strokes of a figure, in hundredths of its width and height."""


def _figure(field: SignField, key: str, area: Area) -> None:
    x, y, wide, high = area
    points = ((x + dx * wide / 100, y + dy * high / 100) for dx, dy in _FIGURES[key])
    field.stroke(*points, width=13)


def _plus(field: SignField, x: float, y: float, arm: float) -> None:
    field.blunt((x - arm, y), (x + arm, y), width=13)
    field.blunt((x, y - arm), (x, y + arm), width=13)


def _shielded(inner: Sign) -> Sign:
    def sign(field: SignField) -> None:
        _outline_of_shield(field)
        inner(_Hole(field, 22, 19, 56))

    return sign


def _three(field: SignField) -> None:
    _figure(field, "3", (20, 12, 56, 76))


def _pass_left(field: SignField) -> None:
    field.shape((3, 50), (47, 8), (47, 33), (97, 33), (97, 67), (47, 67), (47, 92))


def _times_three(field: SignField) -> None:
    field.stroke((9, 40), (37, 68), width=13)
    field.stroke((37, 40), (9, 68), width=13)
    _figure(field, "3", (56, 12, 34, 76))


def _minus_77(field: SignField) -> None:
    field.blunt((2, 52), (25, 52), width=13)
    _figure(field, "7", (37, 16, 22, 70))
    _figure(field, "7", (72, 16, 22, 70))


def _plus_5(field: SignField) -> None:
    _plus(field, 24, 52, 21)
    _figure(field, "5", (58, 14, 32, 74))


def _podium(field: SignField) -> None:
    # An arrow takes the second place away from the highest.
    field.shape((6, 30), (20, 46), (34, 30))
    field.blunt((20, 4), (20, 32), width=12)
    field.box(4, 56, 32, 40, round_=4)
    field.stroke((48, 30), (64, 30), (64, 91), (48, 91), width=9, closed=True)
    field.stroke((79, 68), (91, 68), (91, 91), (79, 91), width=9, closed=True)


def _redeal(field: SignField) -> None:
    field.arc(50, 50, 35, (192, 325), 14)
    field.shape((62, 38), (99, 38), (84, 66))
    field.arc(50, 50, 35, (12, 145), 14)
    field.shape((1, 62), (38, 62), (16, 34))


def _join_person(field: SignField) -> None:
    field.disc(36, 34, 20)
    field.shape((2, 96), (4, 78), (12, 68), (22, 62), (36, 80), (50, 62), (60, 68), (68, 78), (70, 96))
    _plus(field, 80, 24, 19)


def _join_rings(field: SignField) -> None:
    field.arc(28, 66, 21, (0, 360), 13)
    field.arc(60, 66, 21, (0, 360), 13)
    _plus(field, 80, 22, 19)


def _arrow(field: SignField, tip: float, tail: float, *, hole: bool = False) -> None:
    back = tip + (22 if tail > tip else -22)
    field.stroke((50, tail), (50, tip), width=12, hole=hole)
    field.stroke((33, back), (50, tip), (67, back), width=12, hole=hole)


def _face_down(field: SignField) -> None:
    field.box(17, 2, 66, 96, round_=10)
    _arrow(field, 77, 24, hole=True)


def _face_up(field: SignField) -> None:
    field.stroke((22, 7), (78, 7), (78, 93), (22, 93), width=10, closed=True)
    _arrow(field, 25, 76)


def _show_one(field: SignField) -> None:
    field.box(15, 2, 70, 96, round_=10)
    field.shape((21, 50), (34, 34), (50, 28), (66, 34), (79, 50), (66, 66), (50, 72), (34, 66), hole=True)
    field.disc(50, 50, 12)


def _peek_three(field: SignField) -> None:
    field.shape((2, 34), (24, 13), (50, 5), (76, 13), (98, 34), (76, 55), (50, 63), (24, 55))
    field.disc(50, 34, 17, hole=True)
    field.disc(50, 34, 9)
    for x in (18, 50, 82):
        field.disc(x, 84, 12)


def _trade(field: SignField) -> None:
    field.blunt((4, 29), (64, 29), width=16)
    field.shape((60, 5), (98, 29), (60, 53))
    field.blunt((36, 71), (96, 71), width=16)
    field.shape((40, 47), (2, 71), (40, 95))


def _first_or_zero(field: SignField) -> None:
    _figure(field, "1", (3, 16, 28, 68))
    field.stroke((40, 92), (58, 8), width=9)
    _figure(field, "0", (68, 16, 26, 68))


def _apart(field: SignField) -> None:
    # A chain that does not hold: nothing joins a noble gas.
    field.arc(25, 50, 20, (50, 310), 13)
    field.arc(75, 50, 20, (230, 490), 13)
    for y in (4, 72):
        field.stroke((50, y + 5), (50, y + 19), width=10)


UNIQUE_SIGNS: Final[dict[str, Sign]] = {
    "pass_left": _pass_left,
    "carbon_x3": _times_three,
    "minus_77": _minus_77,
    "oxidise_second": _podium,
    "redeal": _redeal,
    "join_scientist": _join_person,
    "immune_laser": _shielded(_laser),
    "plus_5": _plus_5,
    "face_down": _face_down,
    "reveal_one_each": _show_one,
    "immune_magnet_carbide": _shielded(_magnet),
    "face_up": _face_up,
    "join_alloy": _join_rings,
    "immune_laser_magnet_carbide": _shielded(_three),
    "trade_two": _trade,
    "peek_three": _peek_three,
    "first_or_zero": _first_or_zero,
    "noble_gas": _apart,
}
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
    **UNIQUE_SIGNS,
}
SIGNS.update(POWER_SIGNS)

_COLOURS: Final = {
    "scientist": "noble gas",
    "anti_scientist": "post-transition metal",
    "laboratory": "good",
    "anti_laboratory": "seat2",
    "laser": "natural",
    "radioactive": "seat6",
    "stopper": "metalloid",
    "alloy": "alkaline earth metal",
    "magnet": "made",
    "carbide": "back_line",
}
_UNIQUE_COLOUR: Final = "actinide"


def power_colour(key: str) -> str:
    """The name of a power's colour: an Anti is the pale one of what it brings down, and all that a card
    alone can do has the same. Its sign always stands with it."""
    return _COLOURS.get(key, _UNIQUE_COLOUR)
