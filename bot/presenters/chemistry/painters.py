"""The cards of the compound decks: compounds with their structure, small chips, a chart.

What is drawn from the pile stands in `cards`. A molecule is drawn as balls
and sticks from the coordinates in the card data, a salt as its ions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import zip_longest
from math import cos, hypot, radians, sin
from typing import Final, TypeAlias

from bot.presenters.chemistry.words import charge, formula
from bot.presenters.elements.element_colours import element_colour, ink_on
from bot.render.colour import mix
from bot.render.scene import Fit
from bot.render.sprites import Pen, Point, painter
from engine.chemistry.deck import BOOK, Compound, ion_of

_RADII: Final = {"H": 0.33, "C": 0.48, "N": 0.48, "O": 0.48, "F": 0.44, "P": 0.56, "S": 0.56, "Cl": 0.54}
"""The radius of an atom, in units of the drawing."""
_STICK: Final = 0.13
_DEPTH: Final = 0.07
BORDER: Final = {"covalent": "suit_red", "ionic": "actinide", "run": "accent"}
"""The colour of a deck; its mark in the corner says the same without colour."""
SMALLEST: Final = 36.0
LETTERED: Final = 20.0
"""From this radius on, in pixels, a ball has room for a letter that a phone can show: it is 16 px wide in a
picture shown 520 px wide, as beside a channel."""


def ball(
    pen: Pen, centre: Point, radius: float, symbol: str, label: str = "", *, plain: bool = False
) -> None:
    """An atom: a rim, and its sign where there is room for it, else a light."""
    colour, theme = element_colour(pen.theme, symbol), pen.theme
    x, y = centre
    pen.disc(centre, radius, mix(colour, theme["ink"], 0.55))
    pen.disc(centre, radius - max(1.5, radius * 0.07), colour)
    label = label or symbol
    if plain or radius < LETTERED or pen.fitting(label, radius * 2, SMALLEST, 0) < SMALLEST:
        pen.disc((x - radius * 0.32, y - radius * 0.36), radius * 0.2, mix(colour, theme["paper"], 0.5))
        return
    size = pen.fitting(label, radius * 1.9, max(SMALLEST, radius * 0.95), SMALLEST)
    pen.text(label, (x - radius * 1.4, y - radius, radius * 2.8, radius * 2), size, ink_on(theme, colour))


def _molecule(pen: Pen, compound: Compound) -> None:
    """Balls and sticks, as large as the pen allows but never clumsy."""
    reach = [(x, y, _RADII[symbol]) for symbol, x, y, _ in compound.atoms]
    left, right = min(x - r for x, _, r in reach), max(x + r for x, _, r in reach)
    low, high = min(y - r for _, y, r in reach), max(y + r for _, y, r in reach)
    unit = min(pen.width / (right - left), pen.height / (high - low), pen.height * 0.5)
    middle = (left + right) / 2, (low + high) / 2

    def place(atom: int) -> Point:
        _, x, y, _ = compound.atoms[atom]
        return pen.width / 2 + (x - middle[0]) * unit, pen.height / 2 - (y - middle[1]) * unit

    drawn = sorted(range(len(compound.atoms)), key=lambda atom: compound.atoms[atom][3])
    for one, other, order in sorted(compound.bonds, key=lambda b: sum(compound.atoms[a][3] for a in b[:2])):
        _stick(pen, place(one), place(other), unit, order)
    radii = [_RADII[symbol] * unit * (1 + _DEPTH * depth) for symbol, _, _, depth in compound.atoms]
    for atom in drawn:
        symbol = compound.atoms[atom][0]
        # all atoms of one kind have letters, or none
        least = min(r for (other, *_), r in zip(compound.atoms, radii, strict=True) if other == symbol)
        ball(pen, place(atom), radii[atom], symbol, plain=least < LETTERED)


def _stick(pen: Pen, one: Point, other: Point, unit: float, order: int) -> None:
    """A bond: one, two or three rods side by side."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = hypot(dx, dy) or 1.0
    nx, ny = -dy / length, dx / length
    width = _STICK * unit if order == 1 else _STICK * unit * 0.75
    step = width * 1.75
    for rod in range(order):
        shift = (rod - (order - 1) / 2) * step
        ends = [(x + nx * shift, y + ny * shift) for x, y in (one, other)]
        pen.stroke(ends, "ink_soft", width)


Anchor: TypeAlias = tuple[str, float, float, float]
"""An ion in a drawing: which one, x, y (downwards), radius; in picometres."""


def _salt(pen: Pen, compound: Compound, *, charges: bool) -> None:
    """The ions of one formula unit, touching: opposite charges beside each other, true to their sizes.

    Salts of as many ions are drawn to one scale, so that they can be compared: the potassium in KF is
    larger than the sodium in NaF, and the fluoride is the same.
    Small drawings have no charges: they could not be read on a phone.
    """
    spots = ion_spots(compound.ions)
    left, top, right, bottom = _bounds(spots)
    wide, tall = _largest(len(compound.ions))
    unit = min(pen.width / wide, pen.height / tall)
    for ion, x, y, radius in spots:
        centre = (
            pen.width / 2 + (x - (left + right) / 2) * unit,
            pen.height / 2 + (y - (top + bottom) / 2) * unit,
        )
        symbol, _ = ion_of(ion)
        ball(pen, centre, radius * unit, symbol, symbol + charge(ion) if charges else "")


def _bounds(spots: Sequence[Anchor]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of some ions."""
    left, top = min(x - r for _, x, _, r in spots), min(y - r for _, _, y, r in spots)
    return left, top, max(x + r for _, x, _, r in spots), max(y + r for _, _, y, r in spots)


@cache
def _largest(ions: int) -> tuple[float, float]:
    """Width and height that hold any salt of so many ions, in picometres."""
    bounds = [_bounds(ion_spots(one.ions)) for one in BOOK.compounds if len(one.ions) == ions]
    return max(b[2] - b[0] for b in bounds), max(b[3] - b[1] for b in bounds)


def ion_spots(ions: Sequence[str]) -> list[Anchor]:
    """Where each ion of a formula unit lies."""
    plus = [ion for ion in ions if ion_of(ion)[1] > 0]
    minus = [ion for ion in ions if ion_of(ion)[1] < 0]
    reach = BOOK.radii[plus[0]] + BOOK.radii[minus[0]]
    if (len(plus), len(minus)) == (1, 3):
        turns = (radians(turn) for turn in (-90, 30, 150))
        around = [(reach * cos(turn), reach * sin(turn)) for turn in turns]
        places = [(plus[0], 0.0, 0.0), *((ion, x, y) for ion, (x, y) in zip(minus, around, strict=True))]
    else:
        # a chain with the more numerous kind at both ends; a long one goes up and down
        more, less = (minus, plus) if len(minus) > len(plus) else (plus, minus)
        chain = [ion for pair in zip_longest(more, less) for ion in pair if ion]
        step = float(reach)
        if len(chain) > 3:  # so close that the large ones just leave each other room
            step = _ROOM * max(BOOK.radii[ion] for ion in chain)
        rise = (reach**2 - step**2) ** 0.5
        places = [(ion, number * step, rise * (number % 2)) for number, ion in enumerate(chain)]
    return [(ion, x, y, float(BOOK.radii[ion])) for ion, x, y in places]


_ROOM: Final = 1.04
"""How far apart, in their radii, ions of one kind lie at least beside each other."""


def structure(pen: Pen, compound: Compound, *, charges: bool) -> None:
    """The compound drawn over the whole pen."""
    if compound.smiles:
        _molecule(pen, compound)
    else:
        _salt(pen, compound, charges=charges)


def _mark(pen: Pen, deck: str, ink: str) -> None:
    """The mark of a deck: two atoms that share, or a plus and a minus."""
    side = min(pen.width, pen.height)
    if deck == "covalent":
        pen.ring((side * 0.34, side / 2), side * 0.27, ink, thickness=side * 0.11)
        pen.ring((side * 0.66, side / 2), side * 0.27, ink, thickness=side * 0.11)
        return
    pen.stroke([(side * 0.04, side / 2), (side * 0.44, side / 2)], ink, side * 0.13)
    pen.stroke([(side * 0.24, side * 0.3), (side * 0.24, side * 0.7)], ink, side * 0.13)
    pen.stroke([(side * 0.6, side / 2), (side * 0.98, side / 2)], ink, side * 0.13)


def frame(pen: Pen, colour: str, radius: float, border: float) -> None:
    """A card of paper with a coloured rim."""
    pen.radius = radius
    pen.box((0, 0, pen.width, pen.height), colour, radius)
    inner = (border, border, pen.width - 2 * border, pen.height - 2 * border)
    pen.box(inner, "paper", max(2.0, radius - border))


@painter("chemistry.compound", printed=True)
def _compound(pen: Pen, args: tuple[int]) -> None:
    """A compound card of about 190 px: formula, structure, the foot in the colour of its deck."""
    compound = BOOK.compounds[args[0]]
    colour = BORDER[compound.deck]
    frame(pen, colour, 16, 7)
    text = formula(compound.formula)
    size = pen.fitting(text, pen.width - 28, 62, 38)
    pen.text(text, (10, 14, pen.width - 20, 66), size)
    foot = 36.0
    structure(pen.within(12, 84, pen.width - 24, pen.height - 84 - foot - 8), compound, charges=False)
    pen.box((0, pen.height - foot, pen.width, foot), colour, 16, (False, False, True, True))
    _mark(pen.within(pen.width / 2 - 22, pen.height - foot - 4, 44, 44), compound.deck, "paper")


@painter("chemistry.small_compound", printed=True)
def _small_compound(pen: Pen, args: tuple[int]) -> None:
    """A compound above what it needs, about 190 px wide: formula and structure, the rim tells the deck."""
    compound = BOOK.compounds[args[0]]
    frame(pen, BORDER[compound.deck], 16, 7)
    text = formula(compound.formula)
    pen.text(text, (10, 8, pen.width - 20, 62), pen.fitting(text, pen.width - 24, 58, 38))
    structure(pen.within(12, 72, pen.width - 24, pen.height - 72 - 14), compound, charges=False)


@painter("chemistry.structure", printed=True)
def _structure(pen: Pen, args: tuple[int]) -> None:
    """A compound with its charges, on the paper of its page."""
    (number,) = args
    pen.radius = 0
    structure(pen, BOOK.compounds[number], charges=True)


@painter("chemistry.mark", printed=True)
def _deck(pen: Pen, args: tuple[str, str]) -> None:
    """The mark of a deck."""
    pen.radius = 0
    _mark(pen, *args)


@painter("chemistry.chip", printed=True)
def _chip(pen: Pen, args: tuple[str, str]) -> None:
    """A captured compound in a player's panel: its formula on paper, the deck's colour at the left."""
    text, deck = args
    pen.radius = 10
    pen.box((0, 0, pen.width, pen.height), "paper", 10)
    pen.box((0, 0, 12, pen.height), BORDER[deck], 10, (True, False, False, True))
    size = 48 if pen.height > 50 else 36
    pen.text(text, (16, 0, pen.width - 20, pen.height), size, fit=Fit.ELLIPSIS)


@painter("chemistry.tick", printed=True)
def _tick(pen: Pen, args: tuple[str]) -> None:
    """A tick: this can be captured."""
    (ink,) = args
    w, h = pen.width, pen.height
    pen.radius = 0
    pen.stroke([(w * 0.12, h * 0.55), (w * 0.4, h * 0.82), (w * 0.9, h * 0.2)], ink, h * 0.16)
