"""The cards of Atom Duel: large with powers in bands, small for the table inside a hand, and tiles."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bot.presenters.atom_duel.signs import power_colour
from bot.presenters.atom_duel.words import powers_at
from bot.presenters.elements.painters import NAME_EDGE, Face, name_lines, nucleus, paper, shell
from bot.presenters.elements.signs import sign
from bot.render.scene import Align, Fit, Weight
from bot.render.sprites import Pen, painter
from engine.atom_duel.cards import BY_Z, LEVELS, POWER_LEVEL, UNIQUE_LEVEL
from engine.atom_duel.observation import Observation
from engine.elements import ELEMENTS

_TYPE: Final = 36.0
"""The smallest type on a card, in pixels."""
_STRIPE: Final = 60
"""The most a named power is high, in pixels."""
_ORBIT: Final = 70
"""The most the outer shell measures from the middle, on a card 208 wide."""
_STACKED: Final = 2
"""Up to so many powers leave room for the name of the element above them."""


@lru_cache(maxsize=4096)
def face(z: int, level: int = LEVELS, name: str = "", gold_immune_from: int = UNIQUE_LEVEL) -> Face:
    """The front of card `z` at a level. Raises KeyError when there is no such card."""
    glows = BY_Z[z].ring is not None and POWER_LEVEL["radioactive"] <= level
    return Face(
        z, icons=powers_at(z, level, gold_immune_from), ring=BY_Z[z].ring if glows else None, name=name
    )


def face_in(seen: Observation, z: int, name: str = "") -> Face:
    """Return the front of card `z` in a game, with the powers that it has there."""
    return face(z, seen.level, name, seen.gold_immune_from)


def _kind(pen: Pen, shown: Face, x: float, y: float, side: float) -> None:
    """The family of an element: its mark on its colour, small."""
    ink = pen.theme.on(shown.category)
    pen.box((x, y, side, side), shown.category, side * 0.24)
    inset = side * 0.22
    sign(
        pen.within(x + inset, y + inset, side - 2 * inset, side - 2 * inset),
        shown.category,
        ink,
        shown.category,
    )


def _named_power(pen: Pen, key: str, name: str, y: float, height: float, *, last: bool) -> None:
    """A power as a stripe across the card: its sign, and its name beside it."""
    colour = power_colour(key)
    ink, side = pen.theme.on(colour), height * 0.7
    pen.box((0, y, pen.width, height), colour, pen.radius if last else 0, (False, False, last, last))
    left = height * 0.16
    sign(pen.within(left, y + (height - side) / 2, side, side), key, ink, colour)
    room = pen.width - 2 * left - side - 6
    size = pen.fitting(name, room, height * 0.8, _TYPE)
    pen.text(name, (left + side + 6, y, room + left, height), size, ink, align=Align.LEFT)


def _powers(pen: Pen, keys: tuple[str, ...], y: float, height: float) -> None:
    """All powers side by side, each on its colour, without names."""
    wide = pen.width / len(keys)
    side = min(height, wide) * 0.76
    for place, key in enumerate(keys):
        first, last = place == 0, place == len(keys) - 1
        colour, x = power_colour(key), place * wide
        pen.box((x, y, wide, height), colour, pen.radius, (False, False, last, first))
        sign(
            pen.within(x + (wide - side) / 2, y + (height - side) / 2, side, side),
            key,
            pen.theme.on(colour),
            colour,
        )


@painter("atom_duel.card", printed=True)
def _card(pen: Pen, args: tuple[Face, tuple[str, ...]]) -> None:
    """A card of any size from about 120 px: its number, its element, and its powers in bands; with their
    names as stripes one below the other, without them side by side."""
    shown, names = args
    unit = pen.width / 208
    paper(pen, 16 * unit)
    line = min(52 * unit, _STRIPE) if names else 72 * unit
    foot = line * len(names or shown.icons[:1])
    top = 92 * unit
    pen.text(
        str(shown.z),
        (14 * unit, 8 * unit, pen.width - 20 * unit, 84 * unit),
        84 * unit,
        weight=Weight.DISPLAY,
        align=Align.LEFT,
    )
    element = name_lines(pen, shown.name) if len(names) <= _STACKED else ()
    below = foot + (8 + 38.0 * len(element) if element else 0.0)
    room = pen.height - top - below
    middle = top + room / 2
    orbit = min(_ORBIT * unit, room / 2 - 8 * unit)
    core = min(50 * unit, orbit * (0.72 if shown.ring is None else 0.66))
    shell(pen, (pen.width / 2, middle), orbit, ELEMENTS[shown.z - 1].shells[-1], dot=5.5 * unit)
    nucleus(pen, shown, (pen.width / 2, middle), core, 52 * unit)
    _kind(pen, shown, pen.width - 40 * unit, pen.height - below - 40 * unit, 30 * unit)
    for place, written in enumerate(element):
        area = (NAME_EDGE, pen.height - below - 4 + 38 * place, pen.width - 2 * NAME_EDGE, 46.0)
        pen.text(written, area, _TYPE, weight=Weight.MEDIUM, fit=Fit.ELLIPSIS)
    if names:
        for place, (key, name) in enumerate(zip(shown.icons, names, strict=True)):
            y = pen.height - foot + place * line
            _named_power(pen, key, name, y, line, last=place == len(names) - 1)
    elif shown.icons:
        _powers(pen, shown.icons, pen.height - foot, foot)


@painter("atom_duel.power", printed=True)
def _power(pen: Pen, args: tuple[str]) -> None:
    """The sign of a power on its colour."""
    (key,) = args
    colour = power_colour(key)
    pen.radius = pen.width * 0.18
    pen.box((0, 0, pen.width, pen.height), colour, pen.radius)
    inset = pen.width * 0.12
    sign(
        pen.within(inset, inset, pen.width - 2 * inset, pen.height - 2 * inset),
        key,
        pen.theme.on(colour),
        colour,
    )


@painter("atom_duel.tile", printed=True)
def _tile(pen: Pen, args: tuple[Face, str]) -> None:
    """A card known to all, in a seat's row: the number of its slot as on its back, and its sign above its
    colour. Without a number (which may be empty) the sign alone."""
    shown, number = args
    strip = 32.0 if number else 0.0
    pen.radius = 8
    pen.box((0, 0, pen.width, pen.height), "paper", 8)
    if number:
        pen.box((0, 0, strip, pen.height), "back", 8, (True, False, False, True))
        pen.text(number, (0, 0, strip, pen.height), 36, "text")
    # the sign stands high enough for the tail of a g to end above the bar
    pen.box((strip + 6, pen.height - 8, pen.width - strip - 12, 5), shown.category, 2)
    pen.text(shown.symbol, (strip, 0, pen.width - strip, pen.height - 14), 36)
