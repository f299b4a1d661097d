"""Element cards: the front in any size, the back, and the atom with every shell.

The painters are called after Atom Duel, whose cards these are."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from bot.presenters.elements.element_colours import element_colour, ink_on
from bot.presenters.elements.signs import sign
from bot.render.colour import mix
from bot.render.scene import Align, Fit, Weight
from bot.render.sprites import Pen, Point, painter
from engine.elements import ELEMENTS

SOFT_HYPHEN = "\u00ad"


@dataclass(frozen=True, slots=True)
class Face:
    """What the front of a card shows.

    `icons` are signs of what it does, for games that draw them. `ring` is "red" (found in nature), "pink"
    (made by man) or None; `name` may be empty, and a soft hyphen in it says where it may be broken.
    """

    z: int
    icons: tuple[str, ...] = ()
    ring: str | None = None
    name: str = ""

    @property
    def symbol(self) -> str:
        """The element's sign, such as Fe."""
        return ELEMENTS[self.z - 1].symbol

    @property
    def category(self) -> str:
        """The kind of element, which is also the name of its colour and of its mark."""
        return ELEMENTS[self.z - 1].category


def nucleus(pen: Pen, shown: Face, centre: Point, radius: float, symbol: float) -> None:
    """The disc in the element's colour with its sign, and the radioactive ring around it: solid or dashed."""
    x, y = centre
    width = radius * 0.12
    if shown.ring is not None:
        colour, dashes = ("natural", 0) if shown.ring == "red" else ("made", 14)
        pen.disc(centre, radius + width * 2.6, "paper")
        pen.ring(centre, radius + width * 1.7, colour, thickness=width * 1.25, dashes=dashes)
    own = element_colour(pen.theme, shown.symbol)
    pen.disc(centre, radius, mix(own, pen.theme["ink"], 0.55))
    pen.disc(centre, radius - max(1.5, radius * 0.05), own)
    size = pen.fitting(shown.symbol, radius * 1.74, symbol, min(symbol, 36))
    pen.text(
        shown.symbol,
        (x - 1.1 * radius, y - radius, 2.2 * radius, 2 * radius),
        size,
        ink_on(pen.theme, own),
        weight=Weight.BOLD,
    )


def shell(pen: Pen, centre: Point, radius: float, electrons: int, *, dot: float, turn: float = -90) -> None:
    """One ring with its electrons; full shells of 18 and 32 are crowded, so their dots shrink."""
    pen.ring(centre, radius, "paper_edge", thickness=max(1.5, dot * 0.3))
    size = min(dot, radius * 2.4 / electrons)
    for point in pen.rose(centre, radius, electrons, turn):
        pen.disc(point, size, "ink_soft")


def _band(pen: Pen, shown: Face, top: float, height: float, radius: float) -> None:
    """The foot of the card in the colour of its kind, with the kind's mark."""
    colour, ink = shown.category, pen.theme.on(shown.category)
    pen.box((0, top, pen.width, height), colour, radius, (False, False, True, True))
    mark = height * 0.4216
    inset = height * 0.208
    sign(
        pen.within(inset, top + (height - mark) / 2, mark, mark),
        colour,
        pen.blend(colour, ink, 0.75),
        colour,
    )


def paper(pen: Pen, radius: float) -> None:
    """The ground of a card."""
    pen.radius = radius
    pen.box((0, 0, pen.width, pen.height), "paper", radius)


NAME_EDGE = 3.0


def name_lines(pen: Pen, name: str) -> tuple[str, ...]:
    """The name of an element in one line, or in two where it is too long and may be broken."""
    if not name:
        return ()
    whole = name.replace(SOFT_HYPHEN, "")
    if whole == name or pen.fitting(whole, pen.width - 2 * NAME_EDGE, 36, 0, Weight.MEDIUM) == 36:
        return (whole,)
    first, last = name.split(SOFT_HYPHEN)
    return (f"{first}-", last)


@painter("elements.card", printed=True)
def _card(pen: Pen, args: tuple[Face]) -> None:
    """A card of any size from about 160 px: number, nucleus, outer shell, and the foot."""
    (shown,) = args
    unit = pen.width / 208
    radius = 16 * unit
    paper(pen, radius)
    foot = 64 * unit
    number = 84 * unit
    pen.text(
        str(shown.z),
        (14 * unit, 8 * unit, pen.width - 20 * unit, 84 * unit),
        number,
        weight=Weight.DISPLAY,
        align=Align.LEFT,
    )
    names = name_lines(pen, shown.name)
    name = 8 + 38.0 * len(names) if names else 0.0
    room = pen.height - foot - 92 * unit - name
    orbit = min(pen.width / 2 - 14 * unit, room / 2 - 10 * unit)
    centre = (pen.width / 2, 92 * unit + room / 2)
    core = min(46 * unit, orbit * (0.7 if shown.ring is None else 0.64))
    shell(pen, centre, orbit, ELEMENTS[shown.z - 1].shells[-1], dot=5.5 * unit)
    nucleus(pen, shown, centre, core, 48 * unit)
    for line, written in enumerate(names):
        area = (NAME_EDGE, pen.height - foot - name - 4 + 38 * line, pen.width - 2 * NAME_EDGE, 46.0)
        pen.text(written, area, 36, weight=Weight.MEDIUM, fit=Fit.ELLIPSIS)
    _band(pen, shown, pen.height - foot, foot, radius)


@painter("elements.back", printed=True)
def _back(pen: Pen, args: tuple[str]) -> None:
    """The back of a card with the sign of its slot (which may be empty)."""
    (mark,) = args
    large = pen.width > 100
    radius = 16 * pen.width / 208 if large else 8
    pen.radius = radius
    pen.box((0, 0, pen.width, pen.height), "back", radius)
    middle = (pen.width / 2, pen.height / 2)
    if large:
        edge = 10 * pen.width / 208
        pen.box((edge, edge, pen.width - 2 * edge, pen.height - 2 * edge), "back_line", radius - edge / 2)
        inner = edge + 3
        pen.box((inner, inner, pen.width - 2 * inner, pen.height - 2 * inner), "back", radius - edge / 2 - 3)
        for turn in (0, 60, 120):
            _orbit(pen, middle, pen.width * 0.36, turn)
        pen.disc(middle, pen.width * (0.17 if mark else 0.07), "back_line" if not mark else "back")
    pen.text(mark, (0, 0, pen.width, pen.height), 36 if not large else max(36, pen.width * 0.26), "text")


def _orbit(pen: Pen, centre: Point, length: float, turn: float) -> None:
    """A narrow ellipse around the middle, turned by `turn` degrees."""
    points = []
    for step in range(48):
        angle = radians(step * 7.5)
        x, y = length * cos(angle), length * 0.4 * sin(angle)
        tilt = radians(turn)
        points.append((centre[0] + x * cos(tilt) - y * sin(tilt), centre[1] + x * sin(tilt) + y * cos(tilt)))
    pen.stroke(points, "back_line", max(2.0, pen.width * 0.014), closed=True)


@painter("elements.atom", printed=True)
def _atom(pen: Pen, args: tuple[Face]) -> None:
    """The atom of an element with every shell, on the paper of its page."""
    (shown,) = args
    pen.radius = 0
    shells = ELEMENTS[shown.z - 1].shells
    outer, count = min(pen.width, pen.height) / 2 - 10, len(shells)
    centre = (pen.width / 2, pen.height / 2)
    core = outer * (0.36 if count < 6 else 0.29)
    first = core * (1.42 if shown.ring else 1.24)
    dot = min(7.5, (outer - first) / max(1, count - 1) * 0.36)
    for place, electrons in enumerate(shells):
        ring = outer if count == 1 else first + (outer - first) * place / (count - 1)
        # Each shell starts elsewhere, or the electrons line up to spokes.
        shell(pen, centre, ring, electrons, dot=dot, turn=137.5 * place - 90)
    nucleus(pen, shown, centre, core, core * 0.95)
